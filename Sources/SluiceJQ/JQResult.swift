/// What a jq program gave for one input.
public struct JQResult<Output: Sendable & Equatable>: Sendable, Equatable {
    /// The output.
    public var output: Output
    /// The numbers of the input that jq rounded and that the output depends on.
    ///
    /// Where there are any the output must not be used as if it were exact.
    public var lossyNumbers: [JQLossyNumber]

    /// Makes a result.
    public init(output: Output, lossyNumbers: [JQLossyNumber] = []) {
        self.output = output
        self.lossyNumbers = lossyNumbers
    }
}

/// A number of the input that jq, whose numbers are doubles, cannot hold with all its digits.
public struct JQLossyNumber: Sendable, Hashable {
    /// The JSON pointer of the number in the input.
    public var pointer: String
    /// The number as the input wrote it.
    public var token: String

    /// Makes the description of a number.
    public init(pointer: String, token: String) {
        self.pointer = pointer
        self.token = token
    }
}

extension JQLossyNumber: CustomStringConvertible {
    /// The place and the number in a sentence's part.
    public var description: String { "\(token) at \(pointer.isEmpty ? "the root" : pointer)" }
}

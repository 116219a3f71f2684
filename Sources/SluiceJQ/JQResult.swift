/// What a jq program gave for one input.
package struct JQResult<Output: Sendable & Equatable>: Sendable, Equatable {
    /// The output.
    package var output: Output
    /// The numbers of the input that jq rounded and that the output depends on.
    ///
    /// Where there are any the output must not be used as if it were exact.
    package var lossyNumbers: [JQLossyNumber]

    /// Makes a result.
    package init(output: Output, lossyNumbers: [JQLossyNumber] = []) {
        self.output = output
        self.lossyNumbers = lossyNumbers
    }
}

/// A number of the input that jq, whose numbers are doubles, cannot hold with all its digits.
package struct JQLossyNumber: Sendable, Hashable {
    /// The JSON pointer of the number in the input.
    package var pointer: String
    /// The number as the input wrote it.
    package var token: String

    /// Makes the description of a number.
    package init(pointer: String, token: String) {
        self.pointer = pointer
        self.token = token
    }
}

extension JQLossyNumber: CustomStringConvertible {
    /// The place and the number in a sentence's part.
    package var description: String { "\(token) at \(pointer.isEmpty ? "the root" : pointer)" }
}

internal import CSluiceJQ

/// What one evaluation of a jq program may use.
package struct JQLimits: Sendable, Hashable {
    /// The time that the processor spends on the program; waiting for a busy machine does not count.
    package var time: Duration
    /// The memory for the input, the program's values and its stack, in bytes; at most 400 MiB.
    ///
    /// A program that uses more is halted; the step that it is at may take two and a half times as much.
    /// jq needs many times the size of a text: 16 bytes for a number, 40 for a member, 350 for the smallest object.
    package var memory: Int
    /// The number of outputs.
    package var outputCount: Int
    /// The size of all outputs together as JSON, in bytes.
    package var outputBytes: Int
    /// How deeply objects and arrays may be nested in an output.
    package var outputDepth: Int

    /// Makes limits.
    package init(
        time: Duration = .seconds(1), memory: Int = 256 << 20, outputCount: Int = 1_000_000,
        outputBytes: Int = 256 << 20, outputDepth: Int = 1000
    ) {
        self.time = time
        self.memory = memory
        self.outputCount = outputCount
        self.outputBytes = outputBytes
        self.outputDepth = outputDepth
    }

    /// The limits where nothing else is said.
    package static let standard = JQLimits()

    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = time.components
        let bounded = UInt64(clamping: min(seconds, 1_000_000))
        return bounded * 1_000_000_000 + UInt64(clamping: attoseconds / 1_000_000_000)
    }
}

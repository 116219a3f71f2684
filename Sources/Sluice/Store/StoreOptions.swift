/// How a store is opened.
public struct StoreOptions: Sendable {
    /// How many reads may go on at once.
    public var readers = 4
    /// How long to wait for another program that writes.
    public var busyTimeout = Duration.seconds(5)

    /// The defaults.
    public init() {}

    var busyMilliseconds: Int {
        let parts = busyTimeout.components
        let milliseconds = parts.seconds.multipliedReportingOverflow(by: 1000)
        return milliseconds.overflow
            ? .max : Int(clamping: milliseconds.partialValue + parts.attoseconds / 1_000_000_000_000_000)
    }
}

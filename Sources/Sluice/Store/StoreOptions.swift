/// How a store is opened.
public struct StoreOptions: Sendable {
    /// How many reads may go on at once.
    public var readers = 4
    /// How long to wait for another program that writes.
    public var busyTimeout = Duration.seconds(5)

    /// The name under which the store remembers what sources said that the program syncs itself and gives no name.
    public var source = "app"

    /// How the commits of other programs are noticed.
    public var watch = WatchRule.automatic

    /// How the commits of other programs are noticed, as long as anybody observes the store.
    public enum WatchRule: Sendable {
        /// A look ten times a second, which costs some microseconds.
        case automatic
        /// A look that often.
        case polling(Duration)
        /// Not at all.
        case none

        var interval: Duration? {
            switch self {
            case .automatic: .milliseconds(100)
            case .polling(let interval): interval
            case .none: nil
            }
        }
    }

    /// The defaults.
    public init() {}

    var busyMilliseconds: Int {
        let parts = busyTimeout.components
        let milliseconds = parts.seconds.multipliedReportingOverflow(by: 1000)
        return milliseconds.overflow
            ? .max : Int(clamping: milliseconds.partialValue + parts.attoseconds / 1_000_000_000_000_000)
    }
}

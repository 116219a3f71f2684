/// How a store is opened.
public struct StoreOptions: Sendable {
    /// What the program may do with the store.
    public var access = Access.write
    /// What becomes of tables that differ from their models.
    public var schemaChanges = SchemaRule.extend
    /// Who decides and takes back, where a call does not say it: kept with decisions and undos.
    public var who: String?

    /// What a program may do with a store.
    public enum Access: Sendable {
        /// Read and write it. The file is made where it is missing.
        case write
        /// Read it alone: nothing of the file is changed, and whoever writes is refused.
        case read
    }

    /// What becomes of tables that differ from their models when the store is opened.
    public enum SchemaRule: Sendable {
        /// What is missing is made; nothing is dropped. With ``Access/read`` it is an error, as with ``verify``.
        case extend
        /// It is an error, which names what is missing.
        case verify
        /// The tables are read as they are: what is missing is an error of the statement that needs it.
        case ignore
    }

    /// How many reads may go on at once.
    public var readers = 4
    /// How long to wait for another program that writes.
    public var busyTimeout = Duration.seconds(5)

    /// The name under which the store remembers what sources said that the program syncs itself and gives no name.
    public var source = "app"
    /// Where several sources fill one table, those whose values go before others, the first of which goes before all: as
    /// `merge.precedence` of pipelines. Between sources that it does not name, and that say different things, there is a conflict.
    /// It is for what this program syncs; a pipeline's run goes by its file.
    public var precedence: [Source] = []

    /// How the commits of other programs are noticed.
    public var watch = WatchRule.automatic

    /// How the commits of other programs are noticed, as long as anybody observes the store.
    public enum WatchRule: Sendable {
        /// The system tells when the file is written to, and besides there is a look once a second: ten times a second where the
        /// system does not tell, as for folders of other machines.
        case automatic
        /// A look that often.
        case polling(Duration)
        /// Not at all.
        case none

        /// How often there is a look.
        struct Interval: Sendable {
            /// Where the system tells of writes.
            let withEvents: Duration
            /// Where it does not.
            let withoutEvents: Duration
        }

        var interval: Interval? {
            switch self {
            case .automatic: Interval(withEvents: .seconds(1), withoutEvents: .milliseconds(100))
            case .polling(let interval): Interval(withEvents: interval, withoutEvents: interval)
            case .none: nil
            }
        }
    }

    /// What has to be done once to a store of an earlier version of the program, in this order, before tables are made and
    /// extended. Each is run once, in a transaction of its own; a new store needs none. With ``Access/read`` or ``SchemaRule/verify``
    /// one that was not run is an error.
    public var migrations: [Migration] = []

    /// The defaults.
    public init() {}

    /// How to open the store so that its tables follow the models, as a sentence without its end.
    var remedyOfTables: String {
        var words: [String] = []
        if case .read = access { words.append("`access: .write`") }
        if case .extend = schemaChanges {} else { words.append("`schemaChanges: .extend`") }
        return "Open it once with \(words.isEmpty ? "`schemaChanges: .extend`" : words.joined(separator: " and "))"
    }

    var busyMilliseconds: Int {
        let parts = busyTimeout.components
        let milliseconds = parts.seconds.multipliedReportingOverflow(by: 1000)
        return milliseconds.overflow
            ? .max : Int(clamping: milliseconds.partialValue + parts.attoseconds / 1_000_000_000_000_000)
    }
}

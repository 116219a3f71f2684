/// How records of a source are merged into a model's table.
public struct SyncOptions: Sendable {
    /// How the JSON is written.
    public enum Format: Sendable {
        /// One value: a list of records, or one record.
        case json
        /// A record on each line.
        case jsonLines
    }

    /// What becomes of records.
    public enum Mode: Sendable {
        /// They are merged with what people changed.
        case merge
        /// They are added, and never changed afterwards.
        case append
        /// Those that are new are added; what is there stays.
        case insertOnly
        /// The source's values stand in any case.
        case replace
    }

    /// Which of several records with one identifier counts.
    public enum DuplicateRule: Sendable {
        case last
        case first
        /// All of them are kept aside where they differ.
        case quarantine
        /// The sync fails where they differ.
        case fail
    }

    /// What decides where source and store changed one value.
    public enum ConflictPolicy: Sendable {
        /// A person.
        case manual
        /// The store's value stands.
        case localWins
        /// The source's value is taken.
        case remoteWins
        /// The side stands that was changed last, by the property that the model calls `newest`.
        case newestWins
        /// The sync fails.
        case fail
    }

    /// What becomes of a record that does not fit the model.
    public enum MismatchRule: Sendable {
        /// It is kept aside, and the others go on.
        case quarantine
        /// The sync fails, and nothing is written.
        case `throw`
    }

    /// What becomes of rows whose records the source no longer lists.
    public struct MissingRule: Sendable {
        enum Deletion: Sendable { case hard, soft }
        var deletion: Deletion?
        var maximum = MissingLimit.percent(10)
        var minimumRecords = 1

        /// Nothing.
        public static let ignore = MissingRule()

        /// They are deleted, since the records are all that the source has.
        ///
        /// - Parameters:
        ///   - maximum: The most rows that one sync may delete; none is deleted where there are more.
        ///   - minimumRecords: The fewest records that must come for any row to count as gone.
        /// - Returns: The rule.
        public static func hard(
            maximum: MissingLimit = .percent(10), minimumRecords: Int = 1
        ) -> MissingRule {
            MissingRule(deletion: .hard, maximum: maximum, minimumRecords: minimumRecords)
        }

        /// They are marked as deleted, since the records are all that the source has; see ``hard(maximum:minimumRecords:)``.
        public static func soft(
            maximum: MissingLimit = .percent(10), minimumRecords: Int = 1
        ) -> MissingRule {
            MissingRule(deletion: .soft, maximum: maximum, minimumRecords: minimumRecords)
        }
    }

    /// The most rows that one sync may delete.
    public enum MissingLimit: Sendable {
        case count(Int)
        /// Percent of the rows that the source had before.
        case percent(Double)
    }

    /// Where the records come from; nil for the store's own name of sources and the model's table.
    public var source: Source?
    /// The path to the records within the JSON; nil for the elements of a list, or the one object.
    public var records: String?
    /// Where the records are the members of an object: the key under which each has the name of its member, as a property has it in
    /// JSON. Nil where they are the elements of a list.
    public var entries: String?
    /// How the JSON is written.
    public var format: Format
    /// What becomes of records.
    public var mode: Mode
    /// What becomes of rows whose records are not listed.
    public var missing: MissingRule
    /// Which of several records with one identifier counts.
    public var onDuplicate: DuplicateRule
    /// What becomes of a record that does not fit.
    public var mismatch: MismatchRule
    /// What decides conflicts; nil for what the model says, else a person.
    public var onConflict: ConflictPolicy?
    /// How long to wait where another program syncs the source, or runs its pipeline. Then, and at once where nothing is said, it
    /// is ``SluiceError/Code/locked``.
    public var wait: Duration

    /// Makes options.
    public init(
        source: Source? = nil, records: String? = nil, entries: String? = nil, format: Format = .json,
        mode: Mode = .merge,
        missing: MissingRule = .ignore, onDuplicate: DuplicateRule = .last, mismatch: MismatchRule = .quarantine,
        onConflict: ConflictPolicy? = nil, wait: Duration = .zero
    ) {
        self.source = source
        self.records = records
        self.entries = entries
        self.format = format
        self.mode = mode
        self.missing = missing
        self.onDuplicate = onDuplicate
        self.mismatch = mismatch
        self.onConflict = onConflict
        self.wait = wait
    }
}

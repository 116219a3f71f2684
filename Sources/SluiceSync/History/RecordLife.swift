public import SluiceMerge
public import SluiceStore

/// All that a store knows of one record. Values are JSON text in the field's type.
public struct RecordLife: Sendable {
    /// One field.
    public struct Field: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// What the table holds, nil where there is no row.
        public var value: String?
        /// What the source said, nil where it never did or only a digest is kept.
        public var base: String?
        /// Whether people gave it another value than the source.
        public var isEdited: Bool
        /// The run that wrote the value, nil where that is not known.
        public var run: Int64?
        /// The records of another table that it refers to and that are not there yet, each key as a JSON array.
        public var waitsFor: [String] = []
        /// The table of these records; empty where there are none.
        public var target = ""
    }

    /// How far the source and the store manage the record.
    public enum State: String, Sendable {
        case live
        case remoteTombstone = "tomb_remote"
        case localTombstone = "tomb_local"
        /// The source said that it is deleted.
        case statedTombstone = "tomb_stated"
        /// Another source said that it is deleted.
        case overruled
        /// The row was never managed.
        case unmanaged
        /// There is neither row nor base any more.
        case forgotten
    }

    /// What fills the record's table.
    public var mapping: RecordMapping
    /// The table.
    public var table: String
    /// The record's key as a JSON object.
    public var key: String
    /// How far the source and the store manage it.
    public var state: State
    /// Whether the table holds a row that is not marked as deleted.
    public var isThere: Bool
    /// Since when the row is marked as deleted, nil where it is not.
    public var markedAt: String?
    /// The run that wrote its base first.
    public var firstRun: Int64?
    /// The run that changed its base last.
    public var lastRun: Int64?
    /// Its fields in the order of the pipeline.
    public var fields: [Field]
    /// What runs did to it, the newest change first.
    public var changes: [HistoryChange]
    /// Its conflicts, open and closed.
    public var conflicts: [ConflictEntry]
    /// What was put into quarantine under its key.
    public var quarantine: [QuarantineEntry]
    /// The runs that are named, by number.
    public var runs: [Int64: RunEntry]
    /// Whether runs that wrote it are so old that what they changed is not kept any more.
    public var isCut: Bool
}

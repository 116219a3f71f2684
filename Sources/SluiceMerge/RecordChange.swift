/// What a run does to one record, as the report says it.
public struct RecordChange: Sendable {
    /// What happens to the row.
    public enum Action: String, Sendable {
        case insert, update, delete, conflict
        /// Nothing: the source's change is not taken.
        case keptLocal = "kept_local"
    }

    /// One field of the record.
    public struct Field: Sendable {
        /// The position of the field in the schema.
        public var index: Int
        /// How the three sides relate.
        public var fieldClass: FieldClass
        /// What the source said last time, where it is kept.
        public var base: FieldValue?
        /// Why ``base`` is not known; nil where it is, and where nobody asked.
        public var baseAbsence: BaseAbsence?
        /// What the store held before.
        public var local: FieldValue?
        /// What the source says now.
        public var remote: FieldValue?
        /// What the store holds afterwards.
        public var result: FieldValue?
        /// The policy that settled a conflict; nil where there was none, or where it is open.
        public var policy: ConflictPolicy?
        /// The other source of a disagreement as ``RecordMapping/path``.
        public var otherSource: String?
        /// Whether the order of the sources settled a disagreement.
        public var isOrdered = false

        /// Makes a field.
        public init(
            index: Int, fieldClass: FieldClass, base: FieldValue?, local: FieldValue?, remote: FieldValue?,
            result: FieldValue?, policy: ConflictPolicy? = nil
        ) {
            self.index = index
            self.fieldClass = fieldClass
            self.base = base
            self.local = local
            self.remote = remote
            self.result = result
            self.policy = policy
        }
    }

    /// What becomes of the row of a record that is gone.
    public enum Deletion: String, Sendable, CaseIterable {
        /// It is deleted.
        case hard
        /// It is marked as deleted and stays.
        case soft
        /// It is listed and stays.
        case report
        /// It stays until further scans have missed the record.
        case suspected
    }

    /// How far it is known that a missing record is gone.
    public struct Suspicion: Sendable, Hashable {
        /// How many complete scans in a row have missed it.
        public var missedScans: Int
        /// How many further ones must miss it before it counts as gone.
        public var scansLeft: Int

        /// Makes a suspicion.
        public init(missedScans: Int, scansLeft: Int) {
            self.missedScans = missedScans
            self.scansLeft = scansLeft
        }
    }

    /// What happens to the row.
    public var action: Action
    /// What becomes of the row, where the record is gone.
    public var deletion: Deletion?
    /// Of a record that is missing and does not count as gone yet.
    public var suspicion: Suspicion?
    /// How the three sides of the record relate.
    public var kind: RowKind
    /// The record's identifier.
    public var key: RecordKey
    /// The fields that changed or are in conflict, in the schema's order.
    public var fields: [Field]

    /// Makes a change.
    public init(action: Action, kind: RowKind, key: RecordKey, fields: [Field], deletion: Deletion? = nil) {
        self.action = action
        self.deletion = deletion
        self.kind = kind
        self.key = key
        self.fields = fields
    }
}

package import SluiceModel

/// What a run does to one record, as the report says it.
package struct RecordChange: Sendable {
    /// What happens to the row.
    package enum Action: String, Sendable {
        case insert, update, delete, conflict
        /// Nothing: the source's change is not taken.
        case keptLocal = "kept_local"
    }

    /// One field of the record.
    package struct Field: Sendable {
        /// The position of the field in the schema.
        package var index: Int
        /// How the three sides relate.
        package var fieldClass: FieldClass
        /// What the source said last time, where it is kept.
        package var base: FieldValue?
        /// Why ``base`` is not known; nil where it is, and where nobody asked.
        package var baseAbsence: BaseAbsence?
        /// What the store held before.
        package var local: FieldValue?
        /// What the source says now.
        package var remote: FieldValue?
        /// What the store holds afterwards.
        package var result: FieldValue?
        /// The policy that settled a conflict; nil where there was none, or where it is open.
        package var policy: ConflictPolicy?
        /// The other source of a disagreement as ``RecordMapping/path``.
        package var otherSource: String?
        /// Whether the order of the sources settled a disagreement.
        package var isOrdered = false

        /// Makes a field.
        package init(
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
    package enum Deletion: String, Sendable, CaseIterable {
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
    package struct Suspicion: Sendable, Hashable {
        /// How many complete scans in a row have missed it.
        package var missedScans: Int
        /// How many further ones must miss it before it counts as gone.
        package var scansLeft: Int

        /// Makes a suspicion.
        package init(missedScans: Int, scansLeft: Int) {
            self.missedScans = missedScans
            self.scansLeft = scansLeft
        }
    }

    /// What happens to the row.
    package var action: Action
    /// What becomes of the row, where the record is gone.
    package var deletion: Deletion?
    /// Of a record that is missing and does not count as gone yet.
    package var suspicion: Suspicion?
    /// How the three sides of the record relate.
    package var kind: RowKind
    /// The record's identifier.
    package var key: RecordKey
    /// The fields that changed or are in conflict, in the schema's order.
    package var fields: [Field]
    /// Whether the run wrote the record before, by an earlier page that had it as well or before another stream of its table was
    /// read: it is counted once.
    package var isAgain = false

    /// Makes a change.
    package init(action: Action, kind: RowKind, key: RecordKey, fields: [Field], deletion: Deletion? = nil) {
        self.action = action
        self.deletion = deletion
        self.kind = kind
        self.key = key
        self.fields = fields
    }
}

public import SluiceMerge

/// What people changed of one record. Values are JSON text in the field's type.
public struct RecordEdit: Sendable, Equatable {
    /// What they did.
    public enum Kind: String, Sendable, CaseIterable {
        /// Values of the row are others than the source gave.
        case edit
        /// The row is gone, or marked as deleted, and the source has the record.
        case delete
        /// The row is there, and the source does not have the record.
        case add
    }

    /// What the source said of a field.
    public enum Base: Sendable, Equatable {
        case value(String)
        case missing(BaseAbsence)

        /// It never gave the field.
        public static let none = Base.missing(.never)

        /// The value as JSON; nil where it is not known.
        public var value: String? { if case .value(let text) = self { text } else { nil } }

        /// Why the value is not known; nil where it is.
        public var absence: BaseAbsence? { if case .missing(let absence) = self { absence } else { nil } }

        /// The value as JSON; null where the source never gave one, nil where it is not kept.
        public var json: String? { self == .none ? "null" : value }
    }

    /// One field.
    public struct Field: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// What the source said.
        public var base: Base
        /// What the table holds; nil where there is no row.
        public var local: String?
    }

    /// What fills the record's table.
    public var mapping: RecordMapping
    /// The table.
    public var table: String
    /// The record's key as a JSON object.
    public var key: String
    /// What people did.
    public var kind: Kind
    /// The fields that they changed; of a row that is gone or was added all but those that are null.
    public var fields: [Field]
    /// The run that last settled what the source says of the record: its base is of that run. Nil where the source never
    /// had the record.
    public var sinceRun: Int64?
}

extension EditCounts {
    /// Counts what was done to a record.
    public mutating func add(_ edit: RecordEdit) {
        switch edit.kind {
        case .edit:
            rows += 1
            values += edit.fields.count
        case .delete: deleted += 1
        case .add: added += 1
        }
    }
}

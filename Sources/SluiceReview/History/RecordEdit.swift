package import SluiceModel
internal import SluiceReport

/// What people changed of one record. Values are JSON text in the field's type.
package struct RecordEdit: Sendable, Equatable {
    /// What they did.
    package enum Kind: String, Sendable, CaseIterable {
        /// Values of the row are others than the source gave.
        case edit
        /// The row is gone, or marked as deleted, and the source has the record.
        case delete
        /// The row is there, and the source does not have the record.
        case add
    }

    /// What the source said of a field.
    package enum Base: Sendable, Equatable {
        case value(String)
        case missing(BaseAbsence)

        /// It never gave the field.
        package static let none = Base.missing(.never)

        /// The value as JSON; nil where it is not known.
        package var value: String? { if case .value(let text) = self { text } else { nil } }

        /// Why the value is not known; nil where it is.
        package var absence: BaseAbsence? { if case .missing(let absence) = self { absence } else { nil } }

        /// The value as JSON; null where the source never gave one, nil where it is not kept.
        package var json: String? { self == .none ? "null" : value }
    }

    /// An open conflict over what people changed.
    package struct Conflict: Sendable, Equatable {
        /// Its number.
        package let number: Int64
        /// What the source says by now, as JSON; nil where it no longer has the record.
        package let remote: String?

        /// Makes a value of its parts.
        package init(number: Int64, remote: String?) { (self.number, self.remote) = (number, remote) }
    }

    /// A record that is not there, to which a reference leads.
    package enum LostRecord: Sendable, Equatable {
        /// The reference waits for it.
        case awaited
        /// It went, and the reference is null for good.
        case gone
    }

    /// One field.
    package struct Field: Sendable, Equatable {
        /// Its name.
        package var name: String
        /// What the source said.
        package var base: Base
        /// What the table holds; nil where there is no row.
        package var local: String?
        /// The open conflict over the value; nil where there is none.
        package var conflict: Conflict?
        /// The entry of the quarantine in which the local value waits, while its column is null; nil where the column holds it.
        package var waitsIn: Int64?
        /// What became of the record whose key the local value is, while its column is null; nil where the column holds it.
        package var lost: LostRecord?

        /// Makes a value of its parts.
        package init(name: String, base: Base, local: String? = nil) {
            self.name = name
            self.base = base
            self.local = local
        }
    }

    /// What fills the record's table.
    package var mapping: RecordMapping
    /// The table.
    package var table: String
    /// The record's key as a JSON object.
    package var key: String
    /// What people did.
    package var kind: Kind
    /// The fields that they changed; of a row that is gone or was added all but those that are null.
    package var fields: [Field]
    /// The run that last settled what the source says of the record: its base is of that run. Nil where the source never
    /// had the record.
    package var sinceRun: Int64?
    /// The open conflict over the record as a whole; nil where there is none.
    package var conflict: Conflict?
}

extension EditCounts {
    /// Counts what was done to a record.
    package mutating func add(_ edit: RecordEdit) {
        switch edit.kind {
        case .edit:
            rows += 1
            values += edit.fields.count
        case .delete: deleted += 1
        case .add: added += 1
        }
    }
}

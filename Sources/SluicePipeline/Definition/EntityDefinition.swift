package import SluiceDiagnostics
package import SluiceModel

/// A kind of record: its table, its identifier and its fields.
package struct EntityDefinition: Sendable {
    /// The name, as in `Book`.
    package var name: String
    /// The table that holds the records.
    package var table: String
    /// The names of the identifier fields, in the order of the file.
    package var primaryKey: [String]
    /// What decides its conflicts.
    package var conflictRules = ConflictRules()
    /// The field that says when a record was last changed, for the policy `newest_wins`.
    package var newestField: String?
    /// How much of the last sync's values is kept; nil where the pipeline says it.
    package var keepsBase: BaseKeeping?
    /// What the history keeps of its records.
    package var history = History.none
    /// Groups of field names whose values together are unique.
    package var unique: [[String]]
    /// The fields in the order of the file.
    package var fields: [FieldDefinition]
    /// Where its name stands in the file; nil where no file has it.
    package var place: SourceLocation?
    /// Where the file says what identifies its records; nil where none does.
    package var keyPlace: SourceLocation?
    /// Where the file has ``unique``; nil where there is none.
    package var uniquePlace: SourceLocation?
    /// The fields that lead to other records, in the order of the file.
    package var references: [ReferenceDefinition] = []
    /// The lists whose elements are records of other entities, in the order of the file.
    package var children: [ChildDefinition] = []
    /// The name that it had before, nil where it had none.
    package var renamedFrom: String?
    /// The name that its table had before, nil where it had none.
    package var tableRenamedFrom: String?
    /// The member of its records that names the fields of which they say nothing unless they are new; nil where none does.
    package var unsaidMember: String?
    /// The name of the entity whose child it is; nil where it is none's.
    package var parent: String?

    /// What the history keeps of records besides what undo needs.
    package enum History: String, Sendable, CaseIterable {
        /// Nothing.
        case none
        /// The values of new records.
        case changes
    }

    /// The name and the column of the identifier of records that are told apart by a hash of their values.
    package static let contentKeyName = "_key"

    /// Whether a record is identified by a hash of its values.
    package var hasContentKey: Bool { fields.contains(where: \.isContentKey) }

    /// Lets records be identified by a hash of their values, in a field before all others.
    package mutating func useContentKey() {
        let name = Self.contentKeyName
        fields.insert(FieldDefinition(name: name, column: name, origin: .content, isRequired: true), at: 0)
        primaryKey = [name]
    }

    /// Whether it has fields whose values must not appear in clear.
    package var hasRedactions: Bool { fields.contains { $0.redaction != nil } }

    /// Makes an entity.
    package init(
        name: String, table: String, primaryKey: [String], unique: [[String]] = [], fields: [FieldDefinition]
    ) {
        self.name = name
        self.table = table
        self.primaryKey = primaryKey
        self.unique = unique
        self.fields = fields
    }
}

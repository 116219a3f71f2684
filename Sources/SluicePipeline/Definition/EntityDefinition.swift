public import SluiceMerge

/// A kind of record: its table, its identifier and its fields.
public struct EntityDefinition: Sendable {
    /// The name, as in `Book`.
    public var name: String
    /// The table that holds the records.
    public var table: String
    /// The names of the identifier fields, in the order of the file.
    public var primaryKey: [String]
    /// What decides its conflicts.
    public var conflictRules = ConflictRules()
    /// The field that says when a record was last changed, for the policy `newest_wins`.
    public var newestField: String?
    /// How much of the last sync's values is kept; nil where the pipeline says it.
    public var keepsBase: BaseKeeping?
    /// What the history keeps of its records.
    public var history = History.none
    /// Groups of field names whose values together are unique.
    public var unique: [[String]]
    /// The fields in the order of the file.
    public var fields: [FieldDefinition]
    /// The fields that lead to other records, in the order of the file.
    public var references: [ReferenceDefinition] = []
    /// The lists whose elements are records of other entities, in the order of the file.
    public var children: [ChildDefinition] = []
    /// The name that it had before, nil where it had none.
    public var renamedFrom: String?
    /// The name that its table had before, nil where it had none.
    public var tableRenamedFrom: String?
    /// The name of the entity whose child it is; nil where it is none's.
    public var parent: String?

    /// What the history keeps of records besides what undo needs.
    public enum History: String, Sendable, CaseIterable {
        /// Nothing.
        case none
        /// The values of new records.
        case changes
    }

    /// The name and the column of the identifier of records that are told apart by a hash of their values.
    public static let contentKeyName = "_key"

    /// Whether a record is identified by a hash of its values.
    public var hasContentKey: Bool { fields.contains(where: \.isContentKey) }

    /// Lets records be identified by a hash of their values, in a field before all others.
    public mutating func useContentKey() {
        let name = Self.contentKeyName
        fields.insert(FieldDefinition(name: name, column: name, origin: .content, isRequired: true), at: 0)
        primaryKey = [name]
    }

    /// Whether it has fields whose values must not appear in clear.
    public var hasRedactions: Bool { fields.contains { $0.redaction != nil } }

    /// Makes an entity.
    public init(
        name: String, table: String, primaryKey: [String], unique: [[String]] = [], fields: [FieldDefinition]
    ) {
        self.name = name
        self.table = table
        self.primaryKey = primaryKey
        self.unique = unique
        self.fields = fields
    }
}

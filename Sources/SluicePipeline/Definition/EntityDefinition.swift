/// A kind of record: its table, its identifier and its fields.
public struct EntityDefinition: Sendable {
    /// The name, as in `Book`.
    public var name: String
    /// The table that holds the records.
    public var table: String
    /// The names of the identifier fields, in the order of the file.
    public var primaryKey: [String]
    /// Groups of field names whose values together are unique.
    public var unique: [[String]]
    /// The fields in the order of the file.
    public var fields: [FieldDefinition]

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

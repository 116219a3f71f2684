/// The unique indexes of a table that this program made of identifiers of before, since foreign keys of people lead there.
///
///     kind       name                    value
///     referred   items/items_id_referred  id
struct ReferredIndexes {
    static let kind = "referred"
    let database: any SQLDatabase
    let table: String
    private var registry: EntityRegistry { EntityRegistry(database: database) }

    init(database: any SQLDatabase, table: String) { (self.database, self.table) = (database, table) }

    /// Notes that one is made.
    func note(_ name: String, of columns: [String]) throws {
        try registry.put(Self.kind, "\(table)/\(name)", columns.joined(separator: "\n"))
    }

    /// Notes that one goes.
    func forget(_ name: String) throws { try registry.remove(Self.kind, "\(table)/\(name)") }

    /// The names of those over some columns, in any order. What older versions made is known by its name alone.
    func made(of columns: [String]) throws -> [String] {
        let wanted = Set(columns.map { $0.lowercased() })
        let noted = Set(try registry.entries(Self.kind, prefix: "\(table)/").map(\.name))
        return try database.indexes(of: table).filter { index in
            index.isUnique && index.isWhole && !index.isPrimary && Set(index.columns) == wanted
                && (noted.contains("\(table)/\(index.name)") || index.name.hasSuffix("_referred"))
        }.map(\.name)
    }
}

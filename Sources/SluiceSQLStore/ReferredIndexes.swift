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

    /// Records that one is made.
    func record(_ name: String, of columns: [String]) throws {
        try registry.put(Self.kind, "\(table)/\(name)", columns.joined(separator: "\n"))
    }

    /// Notes that one goes.
    func forget(_ name: String) throws { try registry.remove(Self.kind, "\(table)/\(name)") }

    /// The names of those over some columns, in any order. What older versions made is known by its name alone.
    func made(of columns: [String]) throws -> [String] {
        let wanted = Set(columns.map { $0.lowercased() })
        let noted = Set(try registry.entries(Self.kind, prefix: "\(table)/").map(\.name))
        let isOurs = try database.isOurs(table)
        return try database.indexes(of: table).filter { index in
            index.isUnique && index.isWhole && !index.isPrimary && Set(index.columns) == wanted
                && (noted.contains("\(table)/\(index.name)") || index.name.hasSuffix("_referred")
                    || isOurs && Self.isUnnamed(index))
        }.map(\.name)
    }

    /// Whether an index is that of a constraint which nobody gave a name, as older versions made them on PostgreSQL: its name
    /// ends in `_key`, with a number where that was taken. See: postgresql.org/docs/current/sql-createtable.html
    private static func isUnnamed(_ index: SQLIndex) -> Bool {
        var name = index.name[...]
        while let last = name.last, last.isASCII, last.isNumber { name.removeLast() }
        return index.isOfConstraint && name.hasSuffix("_key")
    }
}

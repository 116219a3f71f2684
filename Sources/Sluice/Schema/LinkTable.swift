internal import SluiceModel
internal import SluiceSQLite
internal import SluiceSQLiteStore

/// A table of pairs.
struct LinkTable {
    let name: String
    let sides: [(model: ModelDescription, columns: [String])]
    /// Whether pairs have places.
    private let isOrdered: Bool
    /// The names that table and columns may have had before.
    private let former: [(name: String, columns: [String], index: String)]

    /// The table of a relationship; nil where it has none of its own.
    init?(_ owner: ModelDescription, _ index: Int, _ target: ModelDescription) {
        guard let link = try? LinkDescription(owner, index, target),
            case .table(let name, let owners, let targets, _) = link
        else { return nil }
        self.name = name
        isOrdered = LinkOrder(owner, index, target, link) != nil
        sides = [(owner, owners), (target, targets)]
        former = LinkDescription.Former.all.compactMap { former in
            guard
                case .table(let old, let owners, let targets, _) = try? LinkDescription(
                    owner, index, target, calling: former)
            else { return nil }
            return (old, owners + targets, Self.index(of: old, targets))
        }
    }

    /// The columns that make a pair.
    var columns: [String] { sides.flatMap(\.columns) }

    /// Has the table go on under the names of now, with what the store knows of it.
    ///
    /// - Parameters:
    ///   - store: Where it is.
    ///   - tables: The tables of all models and of other pairs, in lower case, which are nobody's earlier ones.
    /// - Returns: What was done.
    /// - Throws: What the database throws.
    func followNames(_ store: SQLiteRecordStore, apartFrom tables: Set<String>) throws -> [String] {
        let connection = store.connection
        let now = try Self.columns(of: name, connection)
        let known = Set(columns.map { $0.lowercased() })
        if known.isSubset(of: now) { return [] }
        for (old, names, index) in former {
            let isOwn = old.lowercased() == name.lowercased()
            guard isOwn || now.isEmpty && !tables.contains(old.lowercased()),
                try Set(names.map { $0.lowercased() }).isSubset(of: Self.columns(of: old, connection))
            else { continue }
            let table = SQLIdentifier.quoted(name)
            var changes = isOwn ? [] : ["ALTER TABLE \(SQLIdentifier.quoted(old)) RENAME TO \(table)"]
            for (from, to) in zip(names, columns) where from.lowercased() != to.lowercased() {
                changes.append(
                    "ALTER TABLE \(table) RENAME COLUMN \(SQLIdentifier.quoted(from)) TO \(SQLIdentifier.quoted(to))")
            }
            changes.append("DROP INDEX IF EXISTS \(SQLIdentifier.quoted(index))")
            for sql in changes { try connection.execute(sql) }
            try store.recordPairs(old, is: name, columns: Array(zip(names, columns)))
            return changes
        }
        return []
    }

    /// The names of a table's columns, in lower case; none where there is no such table.
    static func columns(of table: String, _ connection: Connection) throws -> Set<String> {
        let statement = try connection.prepare("SELECT lower(name) FROM pragma_table_info(?1)")
        statement.bind(SQLiteValue(table), at: 1)
        var names: Set<String> = []
        while try statement.step() { names.insert(statement.string(0) ?? "") }
        return names
    }

    /// Makes it where it is missing, and gives its pairs places where they have none and are to have some.
    ///
    /// - Returns: What was done.
    /// - Throws: What the database throws.
    func prepare(_ connection: Connection) throws -> [String] {
        let known = try Self.columns(of: name, connection)
        var changes = known.isEmpty ? sql : []
        if isOrdered && !known.isEmpty && !known.contains(LinkOrder.column) {
            changes.append(
                "ALTER TABLE \(SQLIdentifier.quoted(name)) ADD COLUMN \(SQLIdentifier.quoted(LinkOrder.column)) INTEGER"
            )
        }
        // The index is wanted in any case.
        for sql in known.isEmpty ? changes : changes + Array(sql.dropFirst()) { try connection.execute(sql) }
        return changes
    }

    /// The table as the history keeps what programs write to it: each pair is a record.
    func edited(under pipeline: String) -> RecordSchema {
        var fields = sides.flatMap { side in
            zip(side.columns, side.model.identifiers).map { column, field in
                RecordSchema.Field(name: column, column: column, type: side.model.fields[field].fieldType)
            }
        }
        let keys = Array(fields.indices)
        if isOrdered {
            fields.append(RecordSchema.Field(name: LinkOrder.column, column: LinkOrder.column, type: .int))
        }
        return RecordSchema(
            pipeline: pipeline, stream: name, entity: name, table: name, fields: fields, keyFields: keys)
    }

    /// What makes it where it is missing.
    private var sql: [String] {
        var definitions: [String] = []
        for side in sides {
            for (column, field) in zip(side.columns, side.model.identifiers) {
                let type = side.model.fields[field].fieldType
                definitions.append("\(SQLIdentifier.quoted(column)) \(Self.sqliteType(type)) NOT NULL")
            }
        }
        if isOrdered { definitions.append("\(SQLIdentifier.quoted(LinkOrder.column)) INTEGER") }
        definitions.append("PRIMARY KEY (\(SQLIdentifier.list(columns)))")
        for side in sides {
            definitions.append(
                "FOREIGN KEY (\(SQLIdentifier.list(side.columns))) REFERENCES \(SQLIdentifier.quoted(side.model.table)) (\(SQLIdentifier.list(side.model.keyColumns))) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED"
            )
        }
        let table = SQLIdentifier.quoted(name)
        let index = SQLIdentifier.quoted(Self.index(of: name, sides[1].columns))
        return [
            "CREATE TABLE IF NOT EXISTS \(table) (\(definitions.joined(separator: ", "))) STRICT, WITHOUT ROWID",
            "CREATE INDEX IF NOT EXISTS \(index) ON \(table) (\(SQLIdentifier.list(sides[1].columns)))",
        ]
    }

    private static func index(of table: String, _ targets: [String]) -> String {
        ([table] + targets).joined(separator: "_")
    }

    private static func sqliteType(_ type: FieldType) -> String {
        switch type {
        case .int, .bool: "INTEGER"
        case .double: "REAL"
        case .bytes: "BLOB"
        default: "TEXT"
        }
    }
}

internal import SluiceModel
internal import SluiceSQLite

/// The rows of one reference whose targets are not there, as parts of statements.
struct Dangling {
    let reference: EntityRegistry.Reference

    init(_ reference: EntityRegistry.Reference) { self.reference = reference }

    /// The table with the columns that refer, and these columns.
    private var table: String { SQLName.quoted(reference.link?.table ?? reference.table) }
    private var columns: [String] { reference.link?.targetColumns ?? reference.columns }
    private var owners: [String] { reference.link?.ownerColumns ?? reference.keyColumns }

    private var condition: String {
        let isThere = columns.map { "o.\(SQLName.quoted($0)) IS NOT NULL" }
        let same = zip(reference.targetColumns, columns).map { "t.\(SQLName.quoted($0)) = o.\(SQLName.quoted($1))" }
        return isThere.joined(separator: " AND ")
            + " AND NOT EXISTS (SELECT 1 FROM \(SQLName.quoted(reference.target)) AS t WHERE \(same.joined(separator: " AND ")))"
    }

    /// The rows, called `o`.
    var rows: String { "\(table) AS o WHERE \(condition)" }

    /// The owner's key as `_sluice_pending` has it.
    var ownerKey: String { PendingSQL.key(owners, of: "o") }

    /// The owner's key as people know it: a JSON object of its fields.
    var ownerName: String {
        let parts = zip(reference.keyFields, owners).map { "\(SQLText.literal($0)), o.\(SQLName.quoted($1))" }
        return "json_object(\(parts.joined(separator: ", ")))"
    }

    /// The target's key as `_sluice_pending` has it.
    var targetKey: String { PendingSQL.key(columns, of: "o") }

    /// The values of the target's key.
    var targetValues: [String] { columns.map { "o.\(SQLName.quoted($0))" } }

    /// A base table of the target, with its columns for the target's key.
    struct Base {
        /// The states of records that their source has.
        static let live = [BaseState.live, .localTombstone].map { String($0.rawValue) }.joined(separator: ", ")
        let table: String
        let columns: [String]

        /// Those of all that fill a table.
        static func all(
            of table: String, key: [String], _ connection: Connection
        ) throws(SQLiteError) -> [Base] {
            let registry = EntityRegistry(connection: connection)
            var found: [Base] = []
            for mapping in try registry.mappings(of: table) {
                guard let base = try registry.tables(of: mapping)?.base else { continue }
                let slots = try registry.slots(of: mapping).filter { $0.keyPosition != nil }
                let columns = key.compactMap { name in
                    slots.first { $0.column.lowercased() == name.lowercased() }.map {
                        TableLayout.baseColumn(for: $0.column)
                    }
                }
                if columns.count == slots.count { found.append(Base(table: base, columns: columns)) }
            }
            return found
        }
    }

    /// Limits the rows to those whose targets people deleted: a base says that the source has the record.
    func wasDeletedByHand(_ bases: [Base]) -> String {
        let conditions = bases.map { base in
            let same = zip(base.columns, columns).map { "b.\(SQLName.quoted($0)) = o.\(SQLName.quoted($1))" }
            return
                "EXISTS (SELECT 1 FROM \(SQLName.quoted(base.table)) AS b WHERE \(same.joined(separator: " AND ")) AND b.state IN (\(Base.live)))"
        }
        return conditions.isEmpty ? " AND FALSE" : " AND (\(conditions.joined(separator: " OR ")))"
    }

    /// What takes the references away.
    func removal(_ limit: String) -> String {
        if reference.link != nil { return "DELETE FROM \(table) AS o WHERE \(condition)\(limit)" }
        let nulls = columns.map { "\(SQLName.quoted($0)) = NULL" }.joined(separator: ", ")
        return "UPDATE \(table) AS o SET \(nulls) WHERE \(condition)\(limit)"
    }
}

/// The foreign keys of a table.
struct ForeignKeys {
    /// For each the target and the columns, in lower case, that refer to it.
    private var all: [(target: String, columns: Set<String>)] = []

    init(of table: String, _ connection: Connection) throws(SQLiteError) {
        let rows = try connection.rows(
            "SELECT id, \"table\", lower(\"from\") FROM pragma_foreign_key_list(?1) ORDER BY id, seq",
            [SQLiteValue(table)])
        var last: SQLiteValue?
        for row in rows {
            guard case .text(let target) = row[1], case .text(let column) = row[2] else { continue }
            let name = String(decoding: column, as: UTF8.self)
            if row[0] == last, let index = all.indices.last {
                all[index].columns.insert(name)
            } else {
                all.append((String(decoding: target, as: UTF8.self), [name]))
            }
            last = row[0]
        }
    }

    /// The table that columns refer to together, nil where they refer to none.
    func target(of columns: [String]) -> String? {
        let wanted = Set(columns.map { $0.lowercased() })
        return all.first { $0.columns == wanted }?.target
    }
}

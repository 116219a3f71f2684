internal import SluiceMerge
internal import SluiceSQLite

/// The rows that a transaction deletes of tables that others refer to: what refers to one of them waits for it to come
/// back, whatever else the reference's rule is.
final class DeletedTargets {
    private let connection: Connection
    /// The tables, in lower case, of whose rows it matters.
    private var tables: Set<String>?
    private var isMade = false
    /// How many rows foreign keys and triggers of the database deleted along with others, by table.
    private var cascaded: [String: Int] = [:]

    init(connection: Connection) { self.connection = connection }

    /// Forgets the deletions of a transaction that is over.
    func forget() {
        tables = nil
        // A table that was made within a transaction that is rolled back is gone.
        isMade = false
        cascaded = [:]
    }

    // MARK: What goes along

    /// Notes the rows that the deletion of one row deleted in all, by table.
    func note(_ deleted: [String: Int], alongWith table: String) {
        for (name, count) in deleted {
            let isOwn = name.lowercased() == table.lowercased()
            let others = isOwn ? count - 1 : count
            if others > 0 { cascaded[name, default: 0] += others }
        }
    }

    /// Gives the rows that went along, and forgets them.
    func takeCascaded() -> [String: Int] {
        defer { cascaded = [:] }
        return cascaded
    }

    // MARK: Rows that others refer to

    /// Notes that a row is deleted.
    func note(_ key: RecordKey, of table: String) throws(SQLiteError) {
        if tables == nil { tables = try find() }
        guard tables?.contains(table.lowercased()) == true else { return }
        try make()
        let statement = try connection.prepare(
            """
            INSERT OR IGNORE INTO temp._sluice_deleted ("table", key)
            VALUES (lower(\(SQLText.literal(table))), \(PendingSQL.key(count: key.values.count)))
            """)
        for (index, value) in key.values.enumerated() { statement.bind(value.sqliteValue, at: index + 1) }
        try statement.run()
    }

    /// Makes the table that notes stand in, empty where nothing was deleted.
    func make() throws(SQLiteError) {
        if isMade { return }
        try connection.execute(
            """
            CREATE TEMP TABLE IF NOT EXISTS _sluice_deleted ("table" TEXT, key TEXT, PRIMARY KEY ("table", key));
            DELETE FROM temp._sluice_deleted
            """)
        isMade = true
    }

    private func find() throws(SQLiteError) -> Set<String> {
        Set(
            try EntityRegistry(connection: connection).references().filter { $0.rule != .defer }
                .map { $0.target.lowercased() })
    }
}

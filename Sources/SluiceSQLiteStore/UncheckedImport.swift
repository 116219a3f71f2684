internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite

/// The first import into an empty file, while which no foreign key is looked after.
///
/// Looking up what each row leads to takes longer than most rows. In a file that nobody else has written to, all that can be wrong is
/// found by one pass over the indexes of the columns that lead somewhere. SQLite counts rows that lead to none and refuses the
/// transaction while there are some: it is told of those that were found, so that from there on all goes on as if it had looked.
final class UncheckedImport {
    private enum State {
        /// Foreign keys are looked after.
        case checked
        /// The transaction is the first one of the file.
        case expected
        /// Rows were written of which nobody knows what they lead to.
        case unchecked
    }

    private unowned let database: SQLiteDatabase
    private var connection: Connection { database.connection }
    private var state = State.checked
    /// The columns of pairs that lead to the row with which the pairs are written, by their tables.
    private var ownerColumns: [String: [String]] = [:]

    init(_ database: SQLiteDatabase) { self.database = database }

    /// Begins with a transaction.
    ///
    /// - Parameter isFirst: Whether the file is empty, and nobody but a run writes.
    func begin(isFirst: Bool) {
        end()
        state = isFirst ? .expected : .checked
        ownerColumns = [:]
    }

    /// Is told that rows of a table follow, and nothing but rows, until ``settle()`` is called.
    func insert(into schema: RecordSchema) {
        if state == .checked { return }
        for link in schema.references.compactMap(\.link) {
            let table = link.table.lowercased()
            // Who fills a table of pairs from its other side leaves no side unlooked at.
            ownerColumns[table] = [nil, link.ownerColumns].contains(ownerColumns[table]) ? link.ownerColumns : []
        }
        if state == .expected { connection.checkForeignKeys(false) }
        state = .unchecked
    }

    /// Finds what leads to none and has SQLite look after foreign keys from here on.
    ///
    /// - Throws: ``SQLiteError``, and what the database throws.
    func settle() throws {
        defer { end() }
        if state != .unchecked { return }
        guard try leadsToNone() else { return }
        guard let count = try connection.integer("SELECT count(*) FROM pragma_foreign_key_check"), count > 0 else {
            return
        }
        try record(count)
    }

    /// Ends with the transaction.
    func end() {
        if state == .unchecked { connection.checkForeignKeys(true) }
        state = .checked
    }

    /// Whether any row leads to none.
    private func leadsToNone() throws -> Bool {
        let tables = try database.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", [])
        for table in tables.compactMap({ $0[0].string }) {
            for key in try database.completeForeignKeys(of: table) {
                if ownerColumns[table.lowercased()] == key.columns { continue }
                let isThere = try !database.columns(of: key.target).isEmpty
                if try !isThere || database.hasRow(Self.leading(table, key, in: database)) { return true }
            }
        }
        return false
    }

    /// The values that rows of a table lead to, each once, and that no row has.
    private static func leading(_ table: String, _ key: SQLForeignKey, in database: SQLiteDatabase) -> String {
        let columns = key.columns.enumerated().map { "\(SQLText.quoted($1)) AS c\($0)" }
        let isSet = key.columns.map { "\(SQLText.quoted($0)) IS NOT NULL" }
        let same = key.targetColumns.enumerated().map { "t.\(SQLText.quoted($1)) = o.c\($0)" }
        return """
            SELECT 1 FROM (SELECT DISTINCT \(columns.joined(separator: ", ")) FROM \(database.table(table))
            WHERE \(isSet.joined(separator: " AND "))) AS o WHERE NOT EXISTS (
            SELECT 1 FROM \(database.table(key.target)) AS t WHERE \(same.joined(separator: " AND "))) LIMIT 1
            """
    }

    /// Has SQLite count rows that lead to none: so many come into a table beside, which goes again while nobody looks.
    private func record(_ count: Int64) throws {
        let (led, leading) = ("sluice_led_to", "sluice_leading")
        try connection.execute(
            """
            CREATE TEMP TABLE \(led) (id INTEGER PRIMARY KEY);
            CREATE TEMP TABLE \(leading) (id INTEGER REFERENCES \(led) (id) DEFERRABLE INITIALLY DEFERRED)
            """)
        connection.checkForeignKeys(true)
        try connection.run(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
            INSERT INTO temp.\(leading) SELECT i FROM n
            """, [.integer(count)])
        connection.checkForeignKeys(false)
        try connection.execute("DROP TABLE temp.\(leading); DROP TABLE temp.\(led)")
    }
}

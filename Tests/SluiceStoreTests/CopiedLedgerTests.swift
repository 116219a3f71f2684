import SluicePostgres
import SluicePostgresStore
import SluiceSQLStore
import SluiceSQLite
import SluiceSQLiteStore
import SluiceStore
import TestSupport
import Testing

@Suite("What a copy of a store has of its ledgers")
struct CopiedLedgerTests {
    /// Whoever adds a table to a store, or a column to one of its tables, says what becomes of it in a copy.
    private func check(_ tables: [String: Set<String>]) {
        #expect(!tables.isEmpty)
        for (table, columns) in tables {
            let name = String(table.dropFirst("_sluice_".count))
            if CopiedLedger.others.contains(name) { continue }
            let ledger = CopiedLedger.all.first { $0.name == name }
            #expect(ledger.map { Set($0.columns) } == columns, "\(table)")
        }
    }

    @Test func everyColumnOfAFileIsCopied() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        try store.begin()
        try store.commit()
        var tables: [String: Set<String>] = [:]
        let rows = try fixture.rows(
            """
            SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
            WHERE t.type = 'table' AND t.name GLOB '_sluice_*'
            """)
        for row in rows {
            guard case .text(let table) = row[0], case .text(let column) = row[1] else { continue }
            tables[String(decoding: table, as: UTF8.self), default: []].insert(String(decoding: column, as: UTF8.self))
        }
        check(tables)
    }

    @Test func everyColumnOfASchemaIsCopied() throws {
        let place = try PostgresPlace()
        let store = try place.store()
        try store.begin()
        try store.commit()
        var tables: [String: Set<String>] = [:]
        let rows = try place.connect().run(
            """
            SELECT table_name::text, column_name::text FROM information_schema.columns
            WHERE table_schema = '\(place.schema)'
            """
        ).values
        for row in rows {
            guard case .text(let table) = row[0], case .text(let column) = row[1] else { continue }
            tables[String(decoding: table, as: UTF8.self), default: []].insert(String(decoding: column, as: UTF8.self))
        }
        check(tables)
    }
}

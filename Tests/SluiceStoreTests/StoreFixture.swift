import SluiceModel
import SluiceSQLite
import SluiceSQLiteStore
import SluiceStore
import TestSupport

/// A store file of a test's own, looked at through a second connection that knows nothing of the store.
final class StoreFixture {
    let directory: TemporaryDirectory
    var path: String { directory.file("store.db") }

    init() throws { directory = try TemporaryDirectory() }

    /// Opens the store; a lock is an error at once.
    func open(_ mode: SQLiteRecordStore.Mode = .create) throws -> SQLiteRecordStore {
        try SQLiteRecordStore(path: path, mode: mode, busyTimeoutMilliseconds: 0)
    }

    /// Opens store and table, runs a body within one transaction, commits and closes all of it.
    @discardableResult
    func transaction<Result>(
        _ schema: RecordSchema, _ body: (any RecordTable) throws -> Result
    ) throws -> (result: Result, changes: [SchemaChange]) {
        let store = try open()
        try store.begin()
        let (table, changes) = try store.openTable(schema)
        let result = try body(table)
        try store.commit()
        return (result, changes)
    }

    /// Inserts records, row and base, in a transaction of their own.
    func insert(_ schema: RecordSchema, _ records: [[FieldValue?]]) throws {
        try transaction(schema) { table throws in
            try table.insert(schema.batch(records), records: Array(records.indices), run: 1)
        }
    }

    /// What any SQL tool sees.
    func rows(_ sql: String, _ values: [SQLiteValue] = []) throws -> [[SQLiteValue]] {
        try Connection(path: path, mode: .existing).rows(sql, values)
    }

    /// Changes made by any SQL tool.
    func execute(_ sql: String) throws { try Connection(path: path, mode: .create).execute(sql) }
}

internal import SluiceSQLite
internal import SluiceStore

/// The unfinished scans of an SQLite store.
final class SQLiteScanLedger: ScanLedger {
    static let tables = """
        CREATE TABLE _sluice_scans (pipeline TEXT NOT NULL, stream TEXT NOT NULL, run INTEGER NOT NULL,
            pages INTEGER NOT NULL, state TEXT NOT NULL, PRIMARY KEY (pipeline, stream)) STRICT, WITHOUT ROWID;
        CREATE TABLE _sluice_scan_pages (pipeline TEXT NOT NULL, stream TEXT NOT NULL, page INTEGER NOT NULL,
            request INTEGER NOT NULL, keys BLOB NOT NULL, quarantined BLOB NOT NULL,
            PRIMARY KEY (pipeline, stream, page)) STRICT;
        """
    private let connection: Connection
    private let path: String

    init(connection: Connection, path: String) {
        self.connection = connection
        self.path = path
    }

    func unfinished(pipeline: String, stream: String) throws -> UnfinishedScan? {
        try translated {
            guard try StoreFormat.hasScans(connection) else { return nil }
            let statement = try connection.prepare(
                "SELECT run, pages, state FROM _sluice_scans WHERE pipeline = ?1 AND stream = ?2")
            statement.bind(pipeline, at: 1)
            statement.bind(stream, at: 2)
            guard try statement.step() else { return nil }
            return UnfinishedScan(
                run: statement.integer(0), pages: Int(clamping: statement.integer(1)), state: statement.string(2) ?? "")
        }
    }

    func forEachPage(pipeline: String, stream: String, _ body: (ScannedPage) throws -> Void) throws {
        try translated {
            let statement = try connection.prepare(
                """
                SELECT request, keys, quarantined FROM _sluice_scan_pages WHERE pipeline = ?1 AND stream = ?2
                ORDER BY page
                """)
            statement.bind(pipeline, at: 1)
            statement.bind(stream, at: 2)
            while try statement.step() {
                try body(
                    ScannedPage(
                        request: UInt64(bitPattern: statement.integer(0)), keys: Self.words(statement.value(1)),
                        quarantined: Self.words(statement.value(2)).map { Int64(bitPattern: $0) }))
            }
        }
    }

    func keep(_ scan: UnfinishedScan, page: ScannedPage, pipeline: String, stream: String) throws {
        try translated {
            let name = [SQLiteValue(pipeline), SQLiteValue(stream)]
            try connection.run(
                """
                INSERT OR REPLACE INTO _sluice_scans (pipeline, stream, run, pages, state) VALUES (?1, ?2, ?3, ?4, ?5)
                """,
                name + [.integer(scan.run), SQLiteValue(scan.pages), SQLiteValue(scan.state)])
            try connection.run(
                """
                INSERT INTO _sluice_scan_pages (pipeline, stream, page, request, keys, quarantined)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                """,
                name + [
                    SQLiteValue(scan.pages), .integer(Int64(bitPattern: page.request)), .blob(Self.bytes(page.keys)),
                    .blob(Self.bytes(page.quarantined.map { UInt64(bitPattern: $0) })),
                ])
        }
    }

    func forget(pipeline: String, stream: String?) throws {
        try translated {
            guard try StoreFormat.hasScans(connection) else { return }
            for table in ["_sluice_scans", "_sluice_scan_pages"] {
                try connection.run(
                    "DELETE FROM \(table) WHERE pipeline = ?1 AND (?2 IS NULL OR stream = ?2)",
                    [SQLiteValue(pipeline), SQLiteValue(stream)])
            }
        }
    }

    // MARK: Words

    /// Eight bytes each, the lowest first.
    private static func bytes(_ words: [UInt64]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(words.count * 8)
        for word in words {
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        return bytes
    }

    private static func words(_ value: SQLiteValue) -> [UInt64] {
        guard case .blob(let bytes) = value else { return [] }
        return stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
            (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64($1 * 8) }
        }
    }

    private func translated<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }
}

internal import SluicePostgres
internal import SluiceStore

/// The unfinished scans of a store on PostgreSQL.
final class PostgresScanLedger: ScanLedger {
    private let session: PostgresStoreSession

    init(_ session: PostgresStoreSession) { self.session = session }

    func unfinished(pipeline: String, stream: String) throws -> UnfinishedScan? {
        try session.rows(
            "SELECT run, pages, state FROM \(session["scans"]) WHERE pipeline = $1 AND stream = $2",
            [PostgresValue(pipeline), PostgresValue(stream)]
        ).first.map { row in
            UnfinishedScan(
                run: row[0].number ?? 0, pages: Int(clamping: row[1].number ?? 0), state: row[2].string ?? "")
        }
    }

    func forEachPage(pipeline: String, stream: String, _ body: (ScannedPage) throws -> Void) throws {
        // A page at a time: together they may be large.
        let next = """
            SELECT page, request, keys, quarantined FROM \(session["scan_pages"])
            WHERE pipeline = $1 AND stream = $2 AND page > $3 ORDER BY page LIMIT 1
            """
        var last = Int64.min
        while let row = try session.rows(
            next, [PostgresValue(pipeline), PostgresValue(stream), .integer(last)]
        ).first, let page = row[0].number {
            last = page
            try body(
                ScannedPage(
                    request: UInt64(bitPattern: row[1].number ?? 0), keys: Self.words(row[2].blob),
                    quarantined: Self.words(row[3].blob).map { Int64(bitPattern: $0) }))
        }
    }

    func keep(_ scan: UnfinishedScan, page: ScannedPage, pipeline: String, stream: String) throws {
        let name = [PostgresValue(pipeline), PostgresValue(stream)]
        try session.write([
            PostgresStatement(
                """
                INSERT INTO \(session["scans"]) (pipeline, stream, run, pages, state) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (pipeline, stream)
                DO UPDATE SET run = excluded.run, pages = excluded.pages, state = excluded.state
                """,
                PostgresParameters(name + [.integer(scan.run), PostgresValue(scan.pages), PostgresValue(scan.state)])),
            PostgresStatement(
                """
                INSERT INTO \(session["scan_pages"]) (pipeline, stream, page, request, keys, quarantined)
                VALUES ($1, $2, $3, $4, $5, $6)
                """,
                PostgresParameters(
                    name + [
                        PostgresValue(scan.pages), .integer(Int64(bitPattern: page.request)),
                        .bytes(Self.bytes(page.keys)),
                        .bytes(Self.bytes(page.quarantined.map { UInt64(bitPattern: $0) })),
                    ])),
        ])
    }

    func forget(pipeline: String, stream: String?) throws {
        guard try session.translated({ try session.isUsed() }) else { return }
        let values = PostgresParameters([PostgresValue(pipeline), PostgresValue(stream)])
        try session.write(
            ["scans", "scan_pages"].map { table in
                PostgresStatement(
                    "DELETE FROM \(session[table]) WHERE pipeline = $1 AND ($2::text IS NULL OR stream = $2)", values)
            })
    }

    // MARK: Words

    /// Eight bytes each, the lowest first.
    private static func bytes(_ words: [UInt64]) -> [UInt8] {
        words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64($0 * 8)) } }
    }

    private static func words(_ bytes: [UInt8]) -> [UInt64] {
        stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
            (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64($1 * 8) }
        }
    }
}

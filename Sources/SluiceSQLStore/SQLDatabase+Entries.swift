internal import SluiceModel

extension SQLDatabase {
    /// Goes through the entries of a ledger of a source, some at a time, so that they can be changed on the way.
    ///
    /// - Parameters:
    ///   - ledger: The ledger, such as `conflicts`.
    ///   - columns: What to read of each.
    ///   - source: Whose entries.
    ///   - condition: Which of them, as SQL.
    ///   - body: Is given the number of each and what was read.
    /// - Throws: What the database and the body throw.
    func eachEntry(
        of ledger: String, _ columns: String, _ source: RecordMapping, _ condition: String,
        _ body: (_ id: FieldValue, _ row: [FieldValue]) throws -> Void
    ) throws {
        let pace = 500
        let names = [source.pipeline, source.stream, source.entity].map { FieldValue($0) }
        var last = FieldValue.integer(Int64.min)
        while true {
            let rows = try self.rows(
                """
                SELECT id, \(columns) FROM \(self.ledger(ledger)) WHERE pipeline = ?1 AND stream = ?2
                AND entity = ?3 AND id > ?4 AND \(condition) ORDER BY id LIMIT \(pace)
                """, names + [last])
            for row in rows { try body(row[0], Array(row.dropFirst())) }
            guard let next = rows.last, rows.count == pace else { return }
            last = next[0]
        }
    }
}

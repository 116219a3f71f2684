internal import SluiceModel
internal import SluiceStore

extension SQLDatabase {
    /// Goes through the entries of a ledger of a source, some at a time, so that they can be changed on the way.
    ///
    /// - Parameters:
    ///   - ledger: The ledger, such as `conflicts`.
    ///   - columns: What to read of each.
    ///   - source: Whose entries; without an entity those of its stream.
    ///   - condition: Which of them, as SQL.
    ///   - body: Is given the number of each and what was read.
    /// - Throws: What the database and the body throw.
    func eachEntry(
        of ledger: String, _ columns: String, _ source: RecordMapping, _ condition: String,
        _ body: (_ id: FieldValue, _ row: [FieldValue]) throws -> Void
    ) throws {
        try eachBatch(of: ledger, columns, source, condition) { rows in
            for row in rows { try body(row[0], Array(row.dropFirst())) }
        }
    }

    /// Changes entries of a ledger of a source, some at a time.
    ///
    /// - Parameters:
    ///   - ledger: The ledger, such as `conflicts`.
    ///   - columns: What to read of each.
    ///   - changed: The columns that change.
    ///   - source: Whose entries; without an entity those of its stream.
    ///   - condition: Which of them, as SQL.
    ///   - body: Is given the number of each and what was read. It gives the values of the columns that change, or nil where
    ///     the entry stays as it is.
    /// - Throws: What the database and the body throw.
    func updateEntries(
        of ledger: String, _ columns: String, setting changed: [String], _ source: RecordMapping, _ condition: String,
        _ body: (_ id: FieldValue, _ row: [FieldValue]) throws -> [FieldValue]?
    ) throws {
        let assigned = changed.enumerated().map { "\($0.element) = ?\($0.offset + 2)" }.joined(separator: ", ")
        let update = "UPDATE \(self.ledger(ledger)) SET \(assigned) WHERE id = ?1"
        try eachBatch(of: ledger, columns, source, condition) { rows in
            try run(
                update,
                each: rows.compactMap { row in try body(row[0], Array(row.dropFirst())).map { [row[0]] + $0 } })
        }
    }

    private func eachBatch(
        of ledger: String, _ columns: String, _ source: RecordMapping, _ condition: String,
        _ body: ([[FieldValue]]) throws -> Void
    ) throws {
        let pace = 500
        let names = [source.pipeline, source.stream, source.entity].map { FieldValue($0) }
        let isMeant = source.entity.isEmpty ? "entity >= ?3" : "entity = ?3"
        var last = FieldValue.integer(Int64.min)
        try monitor.begin(Self.step(of: ledger))
        while true {
            let rows = try self.rows(
                """
                SELECT id, \(columns) FROM \(self.ledger(ledger)) WHERE pipeline = ?1 AND stream = ?2
                AND \(isMeant) AND id > ?4 AND \(condition) ORDER BY id LIMIT \(pace)
                """, names + [last])
            try body(rows)
            try monitor.advance(by: rows.count)
            guard let next = rows.last, rows.count == pace else { return }
            last = next[0]
        }
    }

    private static func step(of ledger: String) -> TableWork.Step {
        switch ledger {
        case "conflicts": .conflicts
        case "quarantine": .quarantine
        default: .history
        }
    }
}

internal import SluiceModel
internal import SluicePostgres
internal import SluiceSQLStore

/// Rows of the store's own tables, however many, in one statement: it has them as one JSON text, whose values get the types
/// of the table's columns.
extension PostgresDatabase {
    func insertRows(_ rows: [[FieldValue]], _ columns: [String], into ledger: String) throws {
        if rows.isEmpty { return }
        let names = columns.joined(separator: ", ")
        let values = columns.map { "n.\($0)" }.joined(separator: ", ")
        try run(
            "INSERT INTO \(self.ledger(ledger)) (\(names)) SELECT \(values) FROM \(recordset(of: ledger)) AS n",
            [json(rows, columns)])
    }

    func overwriteRows(_ rows: [[FieldValue]], _ columns: [String], of ledger: String) throws {
        if rows.isEmpty { return }
        let assignments = columns.dropFirst().map { "\($0) = n.\($0)" }.joined(separator: ", ")
        try run(
            """
            UPDATE \(self.ledger(ledger)) AS t SET \(assignments) FROM \(recordset(of: ledger)) AS n
            WHERE t.\(columns[0]) = n.\(columns[0])
            """, [json(rows, columns)])
    }

    private func recordset(of ledger: String) -> String {
        "pg_catalog.json_populate_recordset(CAST(NULL AS \(self.ledger(ledger))), CAST(?1 AS json))"
    }

    /// An array of an object for each row.
    private func json(_ rows: [[FieldValue]], _ columns: [String]) throws -> FieldValue {
        let names = columns.map { FieldJSON.quoted($0) + ":" }
        var text = "["
        for (index, row) in rows.enumerated() {
            text += index == 0 ? "{" : ",{"
            for (place, value) in row.enumerated() {
                if place > 0 { text += "," }
                text += names[place]
                text += try json(value)
            }
            text += "}"
        }
        return FieldValue(text + "]")
    }

    private func json(_ value: FieldValue) throws -> String {
        switch value {
        case .text(let bytes) where bytes.contains(0):
            throw session.failure(PostgresError(code: .notText, message: "a text has a NUL in it", sql: nil))
        case .null, .integer, .real, .text: return FieldJSON.text(value, type: .string)
        case .blob(let bytes):
            let digits = Array("0123456789abcdef".utf8)
            let hex = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
            return "\"\\\\x" + String(decoding: hex, as: UTF8.self) + "\""
        }
    }
}

package import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite
package import SluiceStore

/// Identifiers that people wrote: SQLite keeps decimals and UUIDs as texts, so that `4.50` and `4.5` would be two records.
extension SQLiteDatabase {
    package func spellKeys(of schema: RecordSchema) throws -> SchemaChange? {
        let (change, statements) = try monitor.statements { try spelledKeys(of: schema) }
        guard var change else { return nil }
        change.statements = statements.map(\.sql)
        return change
    }

    private func spelledKeys(of schema: RecordSchema) throws -> SchemaChange? {
        let forms = try EntityRegistry(database: self).forms(of: schema.table)
        func spellings(of field: RecordSchema.Field) throws -> [KeySpelling] {
            guard forms[field.column.lowercased()] ?? .own == .own else { return [] }
            return try otherSpellings(of: field, in: schema.table)
        }
        unspelled[schema.table.lowercased()] = nil
        var (count, example): (Int, String?) = (0, nil)
        func note(_ rows: Int, _ column: String, _ spelling: KeySpelling) {
            if rows == 0 { return }
            count += rows
            example = example ?? "\(SQLName.quoted(column)): \(spelling.old) is \(spelling.new)"
        }
        let keys = schema.keyFields.map { schema.fields[$0] }
        for field in keys {
            let others = keys.map(\.column).filter { $0 != field.column }
            for spelling in try spellings(of: field) {
                let result = try spell(spelling, field.column, of: schema.table, besides: others)
                note(result.count, field.column, spelling)
                if let left = result.left { unspelled[schema.table.lowercased(), default: []].append(left) }
            }
        }
        // Rows are not read for references by UUIDs, which people copy rather than write.
        for reference in schema.references where reference.link == nil && reference.fields.count == 1 {
            let field = schema.fields[reference.fields[0]]
            guard field.type == .decimal, !schema.keyFields.contains(reference.fields[0]),
                let target = reference.targetColumns.first, try !columns(of: reference.target).isEmpty
            else { continue }
            for spelling in try spellings(of: field) {
                // A row that has the other spelling is what is referred to.
                let isMeant = try !hasRow(
                    "SELECT 1 FROM \(table(reference.target)) WHERE \(SQLName.quoted(target)) = ?1 LIMIT 1",
                    [FieldValue(spelling.old)])
                var rows = 0
                if isMeant { _ = try attempt { rows = try write(spelling, field.column, of: schema.table) } }
                note(rows, field.column, spelling)
            }
        }
        guard count > 0 else { return nil }
        var change = SchemaChange(table: schema.table, kind: .spellKeys, sql: example ?? "")
        change.rows = count
        return change
    }

    /// Whether people wrote identifiers of a table, or references by numbers, in another spelling.
    func hasOtherSpellings(_ schema: RecordSchema) throws -> Bool {
        let forms = try EntityRegistry(database: self).forms(of: schema.table)
        let references = schema.references.filter { $0.link == nil && $0.fields.count == 1 }.map { $0.fields[0] }
        let fields = schema.keyFields + references.filter { schema.fields[$0].type == .decimal }
        return try Set(fields).contains { position in
            let field = schema.fields[position]
            guard forms[field.column.lowercased()] ?? .own == .own else { return false }
            return try !otherSpellings(of: field, in: schema.table).isEmpty
        }
    }

    /// The values of a field that have another spelling than the identifiers of records.
    private func otherSpellings(of field: RecordSchema.Field, in table: String) throws -> [KeySpelling] {
        let column = SQLName.quoted(field.column)
        guard let mayBeOther = KeySpelling.mayBeOther(column, field.type) else { return [] }
        return try rows("SELECT DISTINCT \(column) FROM \(SQLName.quoted(table)) WHERE \(mayBeOther)").compactMap {
            $0[0].string.flatMap { KeySpelling($0, field.type) }
        }
    }

    /// Spells an identifier in its row, and in all that refers to that.
    ///
    /// - Returns: How many rows of the table have it now, and what is left: where another row has the identifier already, or
    ///   a rule of a table refuses it.
    private func spell(
        _ spelling: KeySpelling, _ column: String, of table: String, besides others: [String]
    ) throws -> (count: Int, left: UnspelledKey?) {
        let name = SQLName.quoted(column)
        let isSame = ["o.\(name) = ?2"] + others.map { "o.\(SQLName.quoted($0)) = t.\(SQLName.quoted($0))" }
        let quoted = SQLName.quoted(table)
        var count = 0
        let refusal = try attempt {
            try connection.withoutForeignKeys {
                count = try run(
                    """
                    UPDATE OR ABORT \(quoted) AS t SET \(name) = ?2 WHERE \(name) = ?1
                    AND NOT EXISTS (SELECT 1 FROM \(quoted) AS o WHERE \(isSame.joined(separator: " AND ")))
                    """, [FieldValue(spelling.old), FieldValue(spelling.new)])
                let isLeft = try hasRow(
                    "SELECT 1 FROM \(quoted) WHERE \(name) = ?1 LIMIT 1", [FieldValue(spelling.old)])
                if count > 0 && !isLeft {
                    var seen: Set<String> = ["\(table)/\(column)".lowercased()]
                    try follow(spelling, column, of: table, &seen)
                }
            }
        }
        let counted = try rows("SELECT count(*) FROM \(quoted) WHERE \(name) = ?1", [FieldValue(spelling.old)])
        let spelled = refusal == nil ? count : 0
        guard case .integer(let left)? = counted.first?.first, left > 0 else { return (spelled, nil) }
        let key = UnspelledKey(
            table: table, column: column, old: spelling.old, new: spelling.new, rows: Int(clamping: left),
            refusal: refusal?.message)
        return (spelled, key)
    }

    /// Spells an identifier in the columns that refer to one, and in those that refer to these.
    private func follow(
        _ spelling: KeySpelling, _ column: String, of table: String, _ seen: inout Set<String>
    ) throws {
        let keys = try columns(of: table).filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
        for (referrer, key) in try referrers(to: table) {
            let targets = key.targetColumns.isEmpty ? keys.map(\.name) : key.targetColumns
            for (own, target) in zip(key.columns, targets)
            where ColumnName.areSame(target, column) && seen.insert("\(referrer)/\(own)".lowercased()).inserted {
                try write(spelling, own, of: referrer)
                try follow(spelling, own, of: referrer, &seen)
            }
        }
    }

    @discardableResult
    private func write(_ spelling: KeySpelling, _ column: String, of table: String) throws -> Int {
        let name = SQLName.quoted(column)
        var count = 0
        try connection.withoutForeignKeys {
            count = try run(
                "UPDATE OR ABORT \(SQLName.quoted(table)) SET \(name) = ?2 WHERE \(name) = ?1",
                [FieldValue(spelling.old), FieldValue(spelling.new)])
        }
        return count
    }
}

internal import SluiceMerge
internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite
internal import SluiceStore

/// Base and table side by side.
extension SQLiteRecordTable {
    func comparedRows(
        after last: RecordKey?, limit: Int, unless isSame: (_ rowHash: UInt64, _ row: borrowing RowCells) -> Bool
    ) throws -> (rows: [ComparedRow], last: RecordKey?) {
        let keyCount = schema.keyFields.count
        let mayWait = try !schema.references.isEmpty && !pending.isEmpty()
        let statement = try bound(comparison(isFirst: last == nil, mayWait: mayWait), after: last, limit)
        defer { statement.reset() }
        var rows: [ComparedRow] = []
        var row = RowCells()
        var count = 0
        while try translated({ () throws(SQLiteError) in try statement.step() }) {
            count += 1
            // A key of a base may be older than what the table's key is by now.
            let isThere = !statement.isNull(keyCount + 2)
            if isThere {
                if mayWait, statement.integer(keyCount + 3) != 0 {
                    row = RowCells(try localRow(key(statement)) ?? [])
                } else {
                    fill(&row, from: statement, at: keyCount + 4)
                }
                if statement.integer(keyCount + 1) == Int64(BaseState.live.rawValue),
                    isSame(UInt64(bitPattern: statement.integer(keyCount)), row)
                {
                    if count == limit { return (rows, key(statement)) }
                    continue
                }
            }
            let key = key(statement)
            if let base = try baseRow(key) {
                rows.append(ComparedRow(key: key, base: base, values: isThere ? row.values : nil))
            }
            if count == limit { return (rows, key) }
        }
        return (rows, nil)
    }

    /// The statement that reads bases with their rows.
    private func comparison(isFirst: Bool, mayWait: Bool) -> String {
        TableSQL(layout, forms).comparedRows(isFirst: isFirst, mayWait: mayWait) { field, owners in
            links.first { $0.field == field }?.sql.linked(to: owners)
        }
    }

    /// The key that a row of a statement begins with.
    private func key(_ statement: Statement) -> RecordKey {
        RecordKey(schema.keyFields.indices.map { FieldValue(statement.value($0)) })
    }

    /// Fills a row with the columns of a statement, one for each field.
    private func fill(_ row: inout RowCells, from statement: Statement, at first: Int) {
        row.removeAll()
        for field in 0..<schema.fields.count {
            guard forms.isOwn(field) else {
                row.append(forms.canonical(FieldValue(statement.value(first + field)), field: field))
                continue
            }
            switch unsafe statement.borrowed(first + field) {
            case .null: row.appendNull()
            case .integer(let value): row.append(value)
            case .real(let value): row.append(value)
            case .text(let text): unsafe row.append(text, as: .text)
            case .blob(let blob): unsafe row.append(blob, as: .blob)
            }
        }
    }

    func keysWithoutBase(after last: RecordKey?, limit: Int) throws -> (keys: [RecordKey], last: RecordKey?) {
        let statement = try bound(
            TableSQL(layout, forms).keysWithoutBase(isFirst: last == nil), after: last.map { forms.stored($0) },
            limit)
        defer { statement.reset() }
        var keys: [RecordKey] = []
        while try translated({ () throws(SQLiteError) in try statement.step() }) {
            keys.append(
                forms.canonical(RecordKey(schema.keyFields.indices.map { FieldValue(statement.value($0)) })))
        }
        return (keys, keys.count < limit ? nil : keys.last)
    }

    /// A statement that goes on after a key, for so many rows.
    private func bound(_ sql: String, after last: RecordKey?, _ limit: Int) throws -> Statement {
        try translated { () throws(SQLiteError) in
            let statement = try connection.prepare(sql)
            if let last { bind(last, to: statement, at: 1) }
            statement.bind(Int64(limit), at: schema.keyFields.count + 1)
            return statement
        }
    }
}

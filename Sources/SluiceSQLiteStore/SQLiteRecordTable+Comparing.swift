internal import SluiceMerge
internal import SluiceSQLite
internal import SluiceStore

/// Base and table side by side.
extension SQLiteRecordTable {
    func comparedRows(
        after last: RecordKey?, limit: Int, unless isSame: (_ rowHash: UInt64, _ values: [FieldValue]) -> Bool
    ) throws -> (rows: [ComparedRow], last: RecordKey?) {
        let keyCount = schema.keyFields.count
        let statement = try bound(TableSQL(layout: layout).comparedRows(isFirst: last == nil), after: last, limit)
        defer { statement.reset() }
        var rows: [ComparedRow] = []
        var count = 0
        var newest: RecordKey?
        while try translated({ () throws(SQLiteError) in try statement.step() }) {
            count += 1
            let key = RecordKey((0..<keyCount).map { FieldValue(statement.value($0)) })
            newest = key
            var values: [FieldValue]?
            // A key of a base may be older than what the table's key is by now.
            let isThere = !statement.isNull(keyCount + 6)
            if isThere && schema.references.isEmpty {
                values = schema.fields.indices.map {
                    layout.forms.canonical(FieldValue(statement.value(keyCount + 7 + $0)), field: $0)
                }
            } else if isThere {
                values = try localRow(key)
            }
            if let values, isSame(UInt64(bitPattern: statement.integer(keyCount)), values),
                statement.integer(keyCount + 2) == Int64(BaseState.live.rawValue)
            {
                continue
            }
            rows.append(ComparedRow(key: key, base: try readBase(statement), values: values))
        }
        return (rows, count < limit ? nil : newest)
    }

    func keysWithoutBase(after last: RecordKey?, limit: Int) throws -> (keys: [RecordKey], last: RecordKey?) {
        let statement = try bound(
            TableSQL(layout: layout).keysWithoutBase(isFirst: last == nil), after: last.map { layout.forms.stored($0) },
            limit)
        defer { statement.reset() }
        var keys: [RecordKey] = []
        while try translated({ () throws(SQLiteError) in try statement.step() }) {
            keys.append(
                layout.forms.canonical(RecordKey(schema.keyFields.indices.map { FieldValue(statement.value($0)) })))
        }
        return (keys, keys.count < limit ? nil : keys.last)
    }

    /// A statement that goes on after a key, for so many rows.
    private func bound(_ sql: String, after last: RecordKey?, _ limit: Int) throws -> Statement {
        try translated { () throws(SQLiteError) in
            let statement = try scoped(sql)
            if let last { bind(last, to: statement, at: 1) }
            statement.bind(Int64(limit), at: schema.keyFields.count + 1)
            return statement
        }
    }
}

internal import SluiceModel
internal import SluicePostgres
internal import SluiceSQLStore
internal import SluiceStore

/// Base and table side by side.
extension PostgresRecordTable {
    func comparedRows(
        after last: RecordKey?, limit: Int, leavingOut leftOut: LeftOutRows
    ) throws -> ComparedRows {
        var parameters = PostgresParameters()
        let result = try query(comparison(after: last, limit: limit, &parameters), parameters)
        let mayWait = try !schema.references.isEmpty && (!links.isEmpty || !pending.isEmpty())
        var found = ComparedRows(isExact: keys.areExact)
        var others: [(key: RecordKey, values: [FieldValue]?)] = []
        let isHeld = try !held.isEmpty(for: schema)
        var all = mayWait || isHeld ? try completeRows(of: result) : []
        if isHeld { try fill(&all, all.indices.map { keys.key(result, $0, from: 3) }) }
        var row = RowCells()
        var test = RowTest(leftOut)
        for place in 0..<result.rowCount {
            let isThere = result.isTrue(place, 2)
            if isThere {
                found.rowCount? += 1
                if !all.isEmpty { row = RowCells(all[place] ?? []) } else { fill(&row, from: result, place) }
                if result.integer(place, 1) == Int64(BaseState.live.rawValue),
                    test.leavesOut(row, of: UInt64(bitPattern: result.integer(place, 0) ?? 0))
                {
                    continue
                }
            }
            others.append((keys.key(result, place, from: 3), isThere ? row.values : nil))
        }
        let bases = try baseRows(others.map(\.key))
        found.rows = zip(others, bases).compactMap { other, base in
            base.map { ComparedRow(key: other.key, base: $0, values: other.values) }
        }
        if result.rowCount == limit, limit > 0 { found.last = keys.key(result, limit - 1, from: 3) }
        return found
    }

    /// The statement that reads some bases with their rows: hash, state, whether there is a row, the key, and the columns of fields.
    ///
    /// The server may read the whole table anew for each of these statements where it thinks that this takes no longer than to look
    /// up some thousand rows. So it is told from where on both are read in one order; or to look each row up, where an index leads to
    /// it.
    private func comparison(after last: RecordKey?, limit: Int, _ parameters: inout PostgresParameters) throws -> String
    {
        let places = keys.places(of: last, &parameters)
        let isIndexed = try looksUpKeys()
        let order = keys.baseColumns
        let behind = places.isEmpty ? "" : "WHERE (\(order)) > (\(places)) "
        let names = columns.map { $0.column.type.read("t." + SQLText.quoted($0.column.column.name)) }
        let wanted = ["b.row_hash", "b.state", "\(keys.firstOwn) IS NOT NULL", order] + names
        let selection = "SELECT \(wanted.joined(separator: ", ")) FROM"
        if isIndexed, let isSame = keys.isSameBehind(places) {
            return """
                \(selection) \(base) AS b LEFT JOIN \(table) AS t ON \(isSame)\(isThere)
                \(behind)ORDER BY \(order) LIMIT \(limit)
                """
        }
        let bases = "(SELECT * FROM \(base) AS b \(behind)ORDER BY \(order) LIMIT \(limit)) AS b"
        let row =
            isIndexed
            // What has an offset is no part of the statement around it.
            ? "LATERAL (SELECT * FROM \(table) AS t WHERE \(keys.isSame)\(isThere) OFFSET 0) AS t ON true"
            : "\(table) AS t ON \(keys.isSame)\(isThere)"
        return "\(selection) \(bases) LEFT JOIN \(row) ORDER BY \(order)"
    }

    /// Whether an index of the table leads to the row of a key.
    private func looksUpKeys() throws -> Bool {
        if let hasKeyIndex { return hasKeyIndex }
        let found = try database.wholeUniqueIndexes(of: schema.table).contains { keys.areOwn($0.columns) }
        hasKeyIndex = found
        return found
    }

    /// Fills a row with the columns of a result, one value for each field.
    private func fill(_ row: inout RowCells, from result: PostgresResult, _ place: Int) {
        row.removeAll()
        let first = 3 + keys.count
        var next = 0
        for field in 0..<schema.fields.count {
            if next < columns.count, columns[next].field == field {
                row.append(result, place, first + next)
                next += 1
            } else {
                row.appendNull()
            }
        }
    }

    /// The rows of a result with their sets and with what they wait for; nil where there is none.
    private func completeRows(of result: PostgresResult) throws -> [[FieldValue]?] {
        var all: [RecordKey] = []
        var rows: [[FieldValue]?] = []
        for place in 0..<result.rowCount {
            all.append(keys.key(result, place, from: 3))
            guard result.isTrue(place, 2) else {
                rows.append(nil)
                continue
            }
            var values = [FieldValue](repeating: .null, count: schema.fields.count)
            for (index, column) in columns.enumerated() {
                values[column.field] = FieldValue(result.value(place, 3 + keys.count + index))
            }
            rows.append(values)
        }
        try complete(&rows, all)
        return rows
    }

    func rowCount() throws -> Int? {
        guard keys.areExact else { return nil }
        return Int(
            clamping: try database.integer("SELECT count(*) FROM \(table) AS t WHERE \(keys.hasKey)\(isThere)") ?? 0)
    }

    func keysWithoutBase(after last: RecordKey?, limit: Int) throws -> (keys: [RecordKey], last: RecordKey?) {
        var parameters = PostgresParameters()
        let (after, order) = keys.ownAfter(last, &parameters)
        let result = try query(
            """
            SELECT \(keys.ownColumns) FROM \(table) AS t WHERE \(after)\(keys.hasKey)\(isThere)
            AND NOT EXISTS (SELECT 1 FROM \(base) AS b WHERE \(keys.isSame)) ORDER BY \(order) LIMIT \(limit)
            """, parameters)
        let found = result.values.map { keys.ownKey($0) }
        return (found, found.count < limit ? nil : found.last)
    }
}

extension RowCells {
    /// Appends a value of a result as ``FieldValue`` has it; what most columns have, from where it lies.
    fileprivate mutating func append(_ result: PostgresResult, _ row: Int, _ column: Int) {
        guard let bytes = unsafe result.borrowed(row, column) else { return appendNull() }
        switch result.type(column) {
        case .text: unsafe append(bytes, as: .text)
        case .bytea: unsafe append(bytes, as: .blob)
        case .int8 where bytes.count == 8: unsafe append(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case .bool where bytes.count == 1: unsafe append(bytes[0] == 0 ? Int64(0) : 1)
        default: append(FieldValue(result.value(row, column)))
        }
    }
}

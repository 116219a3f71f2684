internal import SluiceMerge
internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite
internal import SluiceStore

/// Base and table side by side.
extension SQLiteRecordTable {
    func comparedRows(
        after last: RecordKey?, limit: Int, leavingOut leftOut: LeftOutRows
    ) throws -> ComparedRows {
        try comparedRows(after: last, limit: limit, leavingOut: leftOut, withMarks: false)
    }

    func comparedRows(
        after last: RecordKey?, limit: Int, leavingOut leftOut: LeftOutRows, withMarks: Bool
    ) throws -> ComparedRows {
        let withMarks = try withMarks && hasMarks()
        let keyCount = schema.keyFields.count
        let mayWait = try !schema.references.isEmpty && !pending.isEmpty()
        let holdsEdits = try !held.isEmpty(for: schema)
        if !mayWait, !holdsEdits,
            var scan = try translated({ () throws(SQLiteError) in
                try RowScan(self, after: last, limit: limit, leavingOut: leftOut, withMarks: withMarks)
            })
        {
            return try scan.perform()
        }
        let sets = try translated { () throws(SQLiteError) in try orderedSets(after: last) }
        let statement = try bound(comparison(isFirst: last == nil, mayWait: mayWait, sets), after: last, limit)
        defer { statement.reset() }
        // Two keys that differ may mean the same row, except where both are integers.
        var found = ComparedRows(isExact: hasExactKeys)
        var row = RowCells()
        var test = RowTest(leftOut)
        var count = 0
        while try translated({ () throws(SQLiteError) in try statement.step() }) {
            count += 1
            // A key of a base may be older than what the table's key is by now.
            let isThere = !statement.isNull(keyCount + 2)
            if isThere {
                found.rowCount? += 1
                let isFilled =
                    try mayWait && statement.integer(keyCount + 3) != 0
                    || holdsEdits && held.waits(for: key(statement), schema)
                if isFilled {
                    row = RowCells(try localRow(key(statement)) ?? [])
                } else {
                    try fill(&row, from: statement, at: keyCount + 4, sets)
                }
                if statement.integer(keyCount + 1) == Int64(BaseState.live.rawValue),
                    test.leavesOut(row, of: UInt64(bitPattern: statement.integer(keyCount)))
                {
                    if count == limit {
                        found.last = key(statement)
                        return found
                    }
                    continue
                }
            }
            let key = key(statement)
            if let base = try baseRow(key) {
                found.rows.append(ComparedRow(key: key, base: base, values: isThere ? row.values : nil))
            }
            if count == limit {
                found.last = key
                return found
            }
        }
        return found
    }

    /// Whether each row is found by one key alone.
    var hasExactKeys: Bool { KeyWord.isInteger(schema) && forms.isOwn(schema.keyFields[0]) }

    /// Whether base and table are both kept in the order of one integer key.
    func isInKeyOrder() throws(SQLiteError) -> Bool {
        if let keepsKeyOrder { return keepsKeyOrder }
        var keepsOrder = hasExactKeys
        for (table, columns) in [(layout.baseTable, layout.baseKeyColumns), (schema.table, layout.keyColumns)]
        where keepsOrder {
            let key = try connection.rows(
                "SELECT lower(name), upper(type) FROM pragma_table_info(?1) WHERE pk > 0", [SQLiteValue(table)])
            keepsOrder = key == columns.map { [SQLiteValue($0.lowercased()), SQLiteValue("INTEGER")] }
        }
        keepsKeyOrder = keepsOrder
        return keepsOrder
    }

    func rowCount() throws -> Int? {
        guard hasExactKeys else { return nil }
        let sql = TableSQL(layout, forms).rowCount
        return try translated { () throws(SQLiteError) in try connection.integer(sql).map { Int($0) } }
    }

    /// What reads sets in the order of the key, where the tables of their links are in it.
    func orderedSets(after last: RecordKey?) throws(SQLiteError) -> [LinkCursor] {
        guard !links.isEmpty, hasExactKeys else { return [] }
        var first = Int64.min
        if let last {
            // Behind the greatest integer there is no other.
            guard case .integer(let key) = last.values[0], key < .max else { return [] }
            first = key + 1
        }
        var cursors: [LinkCursor] = []
        for link in links { if let cursor = try link.sets(from: first) { cursors.append(cursor) } }
        return cursors
    }

    /// The statement that reads bases with their rows, without the sets that are read in order.
    private func comparison(isFirst: Bool, mayWait: Bool, _ sets: [LinkCursor]) -> String {
        TableSQL(layout, forms).comparedRows(isFirst: isFirst, mayWait: mayWait) { field, owners in
            if sets.contains(where: { $0.field == field }) { return nil }
            return links.first { $0.field == field }?.sql.linked(to: owners)
        }
    }

    /// The key that a row of a statement begins with.
    private func key(_ statement: Statement) -> RecordKey {
        RecordKey(schema.keyFields.indices.map { FieldValue(statement.value($0)) })
    }

    /// Fills a row with the columns of a statement, one for each field, and with the sets that are read in order.
    private func fill(
        _ row: inout RowCells, from statement: Statement, at first: Int, _ sets: [LinkCursor]
    ) throws {
        row.removeAll()
        for field in 0..<schema.fields.count {
            guard forms.isOwn(field) else {
                row.append(forms.canonical(FieldValue(statement.value(first + field)), field: field))
                continue
            }
            if !sets.isEmpty, let set = sets.first(where: { $0.field == field }) {
                try append(set, of: statement, to: &row)
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

    /// Appends the set of the record that a statement is at.
    private func append(_ set: LinkCursor, of statement: Statement, to row: inout RowCells) throws {
        var members: [Int64] = []
        let isWhole = try translated { () throws(SQLiteError) in try set.read(statement.integer(0), into: &members) }
        if isWhole { return row.append(.text(IntegerSetText.text(of: members))) }
        let value = try translated { () throws(SQLiteError) in
            try links.first { $0.field == set.field }?.read(key(statement), mayWait: false)
        }
        row.append(value ?? .null)
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

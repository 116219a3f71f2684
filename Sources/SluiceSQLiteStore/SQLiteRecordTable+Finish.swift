internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite
internal import SluiceStore

extension SQLiteRecordTable {
    func liveCount() throws -> Int {
        let sql = TableSQL(layout, forms).liveCount
        return try translated { () throws(SQLiteError) in Int(try connection.integer(sql) ?? 0) }
    }

    func count(of state: BaseState) throws -> Int {
        let sql = TableSQL(layout, forms).count(of: state)
        return try translated { () throws(SQLiteError) in Int(try connection.integer(sql) ?? 0) }
    }

    func liveKeys(
        after last: RecordKey?, limit: Int, unless isLeftOut: (UInt64) -> Bool
    ) throws -> (keys: [RecordKey], last: RecordKey?) {
        let sql = TableSQL(layout, forms).liveKeys(isFirst: last == nil)
        if KeyWord.isInteger(schema) {
            return try integerKeys(sql, after: last, limit: limit, unless: isLeftOut)
        }
        let all = try keys(sql, after: last, limit: limit)
        let others = all.filter { !isLeftOut(KeyWord.word($0, schema: schema)) }
        return (others, all.count < limit ? nil : all.last)
    }

    /// The same of keys that are one integer, none of which is made that is left out.
    private func integerKeys(
        _ sql: String, after last: RecordKey?, limit: Int, unless isLeftOut: (UInt64) -> Bool
    ) throws -> (keys: [RecordKey], last: RecordKey?) {
        try translated { () throws(SQLiteError) in
            let statement = try connection.prepare(sql)
            if let last { bind(last, to: statement, at: 1) }
            statement.bind(Int64(limit), at: layout.baseKeyColumns.count + 1)
            var keys: [RecordKey] = []
            var (latest, count) = (Int64(0), 0)
            while try statement.step() {
                latest = statement.integer(0)
                count += 1
                if !isLeftOut(UInt64(bitPattern: latest)) { keys.append(RecordKey([.integer(latest)])) }
            }
            return (keys, count < limit ? nil : RecordKey([.integer(latest)]))
        }
    }

    func markedKeys(after last: RecordKey?, limit: Int) throws -> MarkedKeys? {
        guard KeyWord.isInteger(schema), try hasMarks() else { return nil }
        return try translated { () throws(SQLiteError) in
            let statement = try connection.prepare(TableSQL(layout, forms).markedKeys(isFirst: last == nil))
            if let last { bind(last, to: statement, at: 1) }
            statement.bind(Int64(limit), at: layout.baseKeyColumns.count + 1)
            defer { statement.reset() }
            var found = MarkedKeys()
            while try statement.step() {
                let key = statement.integer(0)
                found.listed.append(key)
                statement.appendMark(of: key, at: 1, to: &found.marks)
            }
            if found.listed.count == limit { found.last = found.listed.last.map { RecordKey([.integer($0)]) } }
            return found
        }
    }

    func keys(firstWrittenBy run: Int64, after last: RecordKey?, limit: Int) throws -> [RecordKey] {
        try keys(
            TableSQL(layout, forms).firstWrittenKeys(isFirst: last == nil), after: last, limit: limit, run: run)
    }

    func liveKeys(under owners: [RecordKey]) throws -> [[RecordKey]] {
        try keys(under: owners) { TableSQL(layout, forms).liveKeys(under: $0) }
    }

    func rowKeys(under owners: [RecordKey]) throws -> [[RecordKey]] {
        try keys(under: owners.map { forms.stored($0) }) { TableSQL(layout, forms).rowKeys(under: $0) }
            .map { keys in keys.map { forms.canonical($0) } }
    }

    func hasRows(under owners: [RecordKey]) throws -> [Bool] {
        try keys(under: owners.map { forms.stored($0) }) { TableSQL(layout, forms).anyRow(under: $0) }
            .map { !$0.isEmpty }
    }

    /// Keys of this table that begin with others.
    ///
    /// - Parameters:
    ///   - owners: The others, which have as many values each.
    ///   - sql: What asks for them, by how many values that are.
    /// - Returns: One list for each of the others.
    /// - Throws: ``StoreError``.
    private func keys(under owners: [RecordKey], _ sql: (Int) -> String) throws -> [[RecordKey]] {
        guard let count = owners.first?.values.count else { return [] }
        return try translated { () throws(SQLiteError) in
            let statement = try connection.prepare(sql(count))
            var all: [[RecordKey]] = []
            all.reserveCapacity(owners.count)
            for owner in owners {
                bind(owner, to: statement, at: 1)
                defer { statement.reset() }
                var keys: [RecordKey] = []
                while try statement.step() {
                    keys.append(RecordKey(schema.keyFields.indices.map { FieldValue(statement.value($0)) }))
                }
                all.append(keys)
            }
            return all
        }
    }

    private func keys(_ sql: String, after last: RecordKey?, limit: Int, run: Int64? = nil) throws -> [RecordKey] {
        try translated { () throws(SQLiteError) in
            let statement = try connection.prepare(sql)
            if let last { bind(last, to: statement, at: 1) }
            let count = layout.baseKeyColumns.count
            statement.bind(Int64(limit), at: count + 1)
            if let run { statement.bind(run, at: count + 2) }
            var keys: [RecordKey] = []
            while try statement.step() {
                keys.append(RecordKey((0..<count).map { FieldValue(statement.value($0)) }))
            }
            return keys
        }
    }

    func finish(
        run: Int64?, holding reduce: (RecordWrite, _ fields: [Int]) throws -> RecordWrite?
    ) throws -> FinishOutcome {
        let waiting = parked
        parked.removeAll()
        return try settle(waiting, run: run, holding: reduce)
    }

    /// The key of the row that has the values of a unique group.
    func holder(of group: Int, _ row: [FieldValue]) throws -> RecordKey? {
        guard let values = constraints.values(row, group: group) else { return nil }
        let sql = TableSQL(layout, forms).holder(of: constraints.groups[group])
        return try translated { () throws(SQLiteError) in
            let statement = try connection.prepare(sql)
            for (index, field) in constraints.groups[group].enumerated() {
                statement.bind(try forms.stored(values[index], field: field).sqliteValue, at: index + 1)
            }
            guard try statement.step() else { return nil }
            return forms.canonical(
                RecordKey(schema.keyFields.indices.map { FieldValue(statement.value($0)) }))
        }
    }
}

extension SQLiteRecordTable: UniquelyConstrained {
    func snapshot(before write: RecordWrite) throws -> RecordSnapshot? {
        guard recorder.isRecording else { return nil }
        return try translated { () throws(SQLiteError) in try snapshot(write) }
    }

    func attempt(_ write: RecordWrite, since before: RecordSnapshot?) throws -> (TableRefusal, isUnique: Bool)? {
        do throws(SQLiteError) {
            try apply(write)
            if let before { try record(write, before: before) }
            return nil
        } catch { return (try refusal(error, of: write.key), error.code == .uniqueConstraint) }
    }

    func placeholder(_ field: Int, _ index: Int) -> FieldValue {
        switch schema.fields[field].type.sqliteType {
        case "INTEGER": .integer(Int64.min + Int64(index))
        case "REAL": .real(-Double.greatestFiniteMagnitude * (1 - Double(index) * 0x1p-50))
        case "BLOB": .blob(Array("\u{1}sluice \(index)".utf8))
        default: FieldValue("\u{1}sluice \(index)")
        }
    }

    func beginTry() throws { try execute("SAVEPOINT sluice_unique") }

    func endTry() throws { try execute("RELEASE sluice_unique") }

    func revertTry() throws {
        held.reconsider()
        try execute("ROLLBACK TO sluice_unique; RELEASE sluice_unique")
    }

    private func execute(_ sql: String) throws {
        try translated { () throws(SQLiteError) in try connection.execute(sql) }
    }
}

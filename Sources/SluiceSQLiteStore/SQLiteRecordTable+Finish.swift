internal import SluiceModel
internal import SluiceSQLite
internal import SluiceStore

extension SQLiteRecordTable {
    func liveCount() throws -> Int {
        let sql = TableSQL(layout: layout).liveCount
        return try translated { () throws(SQLiteError) in Int(try connection.integer(sql) ?? 0) }
    }

    func count(of state: BaseState) throws -> Int {
        let sql = TableSQL(layout: layout).count(of: state)
        return try translated { () throws(SQLiteError) in Int(try connection.integer(sql) ?? 0) }
    }

    func liveKeys(after last: RecordKey?, limit: Int) throws -> [RecordKey] {
        try keys(TableSQL(layout: layout).liveKeys(isFirst: last == nil), after: last, limit: limit)
    }

    func keys(firstWrittenBy run: Int64, after last: RecordKey?, limit: Int) throws -> [RecordKey] {
        try keys(
            TableSQL(layout: layout).firstWrittenKeys(isFirst: last == nil), after: last, limit: limit, run: run)
    }

    func liveKeys(under owners: [RecordKey]) throws -> [[RecordKey]] {
        try keys(under: owners) { TableSQL(layout: layout).liveKeys(under: $0) }
    }

    func rowKeys(under owners: [RecordKey]) throws -> [[RecordKey]] {
        try keys(under: owners.map { layout.forms.stored($0) }) { TableSQL(layout: layout).rowKeys(under: $0) }
            .map { keys in keys.map { layout.forms.canonical($0) } }
    }

    func hasRows(under owners: [RecordKey]) throws -> [Bool] {
        try keys(under: owners.map { layout.forms.stored($0) }) { TableSQL(layout: layout).anyRow(under: $0) }
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
        var outcome = FinishOutcome()
        var collisions: [RecordKey: UniqueCollision] = [:]
        let originals = Dictionary(parked.map { ($0.key, $0) }) { $1 }
        var waiting = parked
        parked.removeAll()
        // What is written may make room for more, as a later run would find it; so that has nothing to do.
        while !waiting.isEmpty {
            var settlement = try UniqueSettlement(self, waiting, run: run)
            try settlement.perform(holding: reduce)
            for write in waiting {
                outcome.refused[write.key] = nil
                collisions[write.key] = nil
            }
            outcome.contested.formUnion(settlement.contested)
            outcome.refused.merge(settlement.refused) { $1 }
            for var collision in try settlement.collisions() {
                collision.write = originals[collision.write.key] ?? collision.write
                collisions[collision.write.key] = collision
            }
            waiting = settlement.wroteSomething ? settlement.retries : []
        }
        outcome.collisions = collisions.values.sorted { $0.write.key < $1.write.key }
        return outcome
    }

    /// The key of the row that has the values of a unique group.
    func holder(of group: Int, _ row: [FieldValue]) throws -> RecordKey? {
        guard let values = constraints.values(row, group: group) else { return nil }
        let sql = TableSQL(layout: layout).holder(of: constraints.groups[group])
        return try translated { () throws(SQLiteError) in
            let statement = try connection.prepare(sql)
            for (index, field) in constraints.groups[group].enumerated() {
                statement.bind(try layout.forms.stored(values[index], field: field).sqliteValue, at: index + 1)
            }
            guard try statement.step() else { return nil }
            return layout.forms.canonical(
                RecordKey(schema.keyFields.indices.map { FieldValue(statement.value($0)) }))
        }
    }
}

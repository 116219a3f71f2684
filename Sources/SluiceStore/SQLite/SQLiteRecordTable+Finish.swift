internal import SluiceMerge
internal import SluiceSQLite

extension SQLiteRecordTable {
    func liveCount() throws -> Int {
        let sql = TableSQL(layout: layout).liveCount
        return try translated { () throws(SQLiteError) in Int(try connection.integer(sql) ?? 0) }
    }

    func liveKeys(after last: RecordKey?, limit: Int) throws -> [RecordKey] {
        let sql = TableSQL(layout: layout).liveKeys(isFirst: last == nil)
        return try translated { () throws(SQLiteError) in
            let statement = try connection.prepare(sql)
            if let last { bind(last, to: statement, at: 1) }
            let count = layout.baseKeyColumns.count
            statement.bind(Int64(limit), at: count + 1)
            var keys: [RecordKey] = []
            while try statement.step() {
                keys.append(RecordKey((0..<count).map { FieldValue(statement.value($0)) }))
            }
            return keys
        }
    }

    /// Values may swap within a run: what had to wait first gives up its old unique values, then takes the new ones.
    ///
    /// What still collides is left out and all of it tried again, since a record that keeps its old values may be in
    /// the way of another that wanted them.
    func finish() throws -> [UniqueCollision] {
        var refused: [RecordWrite] = []
        defer { parked.removeAll() }
        try translated { () throws(SQLiteError) in
            while !parked.isEmpty {
                try connection.execute("SAVEPOINT sluice_unique")
                let failed = try writeParked()
                if failed.isEmpty {
                    try connection.execute("RELEASE sluice_unique")
                    return
                }
                try connection.execute("ROLLBACK TO sluice_unique; RELEASE sluice_unique")
                for index in failed { refused.append(parked[index]) }
                let excluded = Set(failed)
                parked = parked.indices.filter { !excluded.contains($0) }.map { parked[$0] }
            }
        }
        // Who holds a value is certain only now that all others are written.
        return try refused.map { try describe($0) }
    }

    /// Writes all that waits and gives the positions of what collides.
    private func writeParked() throws(SQLiteError) -> [Int] {
        let uniqueFields = Set(schema.unique.flatMap { $0 }).subtracting(schema.keyFields)
        for write in parked {
            guard case .update(let fields, _) = write.row else { continue }
            let released = fields.filter(uniqueFields.contains)
            if released.isEmpty { continue }
            let nulls = [FieldValue](repeating: .null, count: released.count)
            do throws(SQLiteError) {
                try perform(RecordWrite(key: write.key, row: .update(fields: released, values: nulls), base: nil))
            } catch {
                // A column of an adopted table may forbid null: the row keeps its value until it is written.
                guard error.code.primary == .constraint else { throw error }
            }
        }
        var failed: [Int] = []
        for (index, write) in parked.enumerated() {
            do throws(SQLiteError) {
                try perform(write)
            } catch {
                guard error.code == .uniqueConstraint else { throw error }
                failed.append(index)
            }
        }
        return failed
    }

    private func describe(_ write: RecordWrite) throws -> UniqueCollision {
        var known: [FieldValue] = []
        switch write.row {
        case .insert(let values): known = values
        case .update(let fields, let values):
            // A unique group may have fields that the write leaves as they are.
            known = try localRow(write.key) ?? []
            for (index, value) in zip(fields, values) where known.indices.contains(index) { known[index] = value }
        case .none, .delete, .markDeleted: break
        }
        for group in schema.unique where group.allSatisfy(known.indices.contains) {
            let found = try translated { () throws(SQLiteError) in try holder(of: group, known) }
            if let found, found != write.key { return UniqueCollision(write: write, holder: found, fields: group) }
        }
        return UniqueCollision(write: write, holder: nil, fields: schema.unique.first ?? [])
    }

    private func holder(of group: [Int], _ values: [FieldValue]) throws(SQLiteError) -> RecordKey? {
        let statement = try connection.prepare(TableSQL(layout: layout).holder(of: group))
        for (index, field) in group.enumerated() { statement.bind(values[field].sqliteValue, at: index + 1) }
        guard try statement.step() else { return nil }
        return RecordKey(schema.keyFields.indices.map { FieldValue(statement.value($0)) })
    }
}

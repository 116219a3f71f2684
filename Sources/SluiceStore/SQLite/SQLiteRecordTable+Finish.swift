internal import SluiceMerge
internal import SluiceSQLite

extension SQLiteRecordTable {
    func liveCount() throws -> Int {
        let sql = TableSQL(layout: layout).liveCount
        return try translated { () throws(SQLiteError) in Int(try connection.integer(sql) ?? 0) }
    }

    func liveKeys(after last: RecordKey?, limit: Int) throws -> [RecordKey] {
        try keys(TableSQL(layout: layout).liveKeys(isFirst: last == nil), after: last, limit: limit)
    }

    func keys(firstWrittenBy run: Int64, after last: RecordKey?, limit: Int) throws -> [RecordKey] {
        try keys(
            TableSQL(layout: layout).firstWrittenKeys(isFirst: last == nil), after: last, limit: limit, run: run)
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

    /// Values may swap within a run: what had to wait first gives up its old unique values, then takes the new ones.
    ///
    /// What still collides is left out and all of it tried again, since a record that keeps its old values may be in
    /// the way of another that wanted them.
    func finish() throws -> [UniqueCollision] {
        var refused: [(write: RecordWrite, reason: String)] = []
        defer { parked.removeAll() }
        do throws(Unwritten) {
            while !parked.isEmpty {
                try execute("SAVEPOINT sluice_unique")
                let failed = try writeParked()
                if failed.isEmpty {
                    try execute("RELEASE sluice_unique")
                    break
                }
                try execute("ROLLBACK TO sluice_unique; RELEASE sluice_unique")
                for (index, reason) in failed { refused.append((parked[index], reason)) }
                let excluded = Set(failed.map(\.index))
                parked = parked.indices.filter { !excluded.contains($0) }.map { parked[$0] }
            }
        } catch {
            throw error.write.map { refusal(of: $0.key).error(error.cause) } ?? StoreError(error.cause, path: path)
        }
        // Who holds a value is certain only now that all others are written.
        return try refused.map { try describe($0.write, reason: $0.reason) }
    }

    /// What could not be written for another reason than a collision, and why.
    private struct Unwritten: Error {
        var write: RecordWrite?
        let cause: SQLiteError
    }

    private func execute(_ sql: String) throws(Unwritten) {
        do throws(SQLiteError) { try connection.execute(sql) } catch { throw Unwritten(cause: error) }
    }

    /// Writes all that waits and gives the positions of what collides, each with SQLite's reason.
    private func writeParked() throws(Unwritten) -> [(index: Int, reason: String)] {
        let uniqueFields = Set(schema.unique.flatMap { $0 }).subtracting(schema.keyFields)
        // What was there before is what was there before values were given up.
        var snapshots: [RecordSnapshot] = []
        do throws(SQLiteError) {
            if recorder.isRecording { for write in parked { snapshots.append(try snapshot(write)) } }
        } catch { throw Unwritten(cause: error) }
        for write in parked {
            let released = updatedFields(write).map(\.field).filter(uniqueFields.contains)
            if released.isEmpty { continue }
            let nulls = [FieldValue](repeating: .null, count: released.count)
            do throws(SQLiteError) {
                try apply(RecordWrite(key: write.key, row: .update(fields: released, values: nulls), base: nil))
            } catch {
                // A column of an adopted table may forbid null: the row keeps its value until it is written.
                guard error.code.primary == .constraint else { throw Unwritten(write: write, cause: error) }
            }
        }
        var failed: [(index: Int, reason: String)] = []
        for (index, write) in parked.enumerated() {
            do throws(SQLiteError) {
                try apply(write)
                if recorder.isRecording { try note(write, before: snapshots[index]) }
            } catch {
                guard error.code == .uniqueConstraint else { throw Unwritten(write: write, cause: error) }
                failed.append((index, error.message))
            }
        }
        return failed
    }

    /// The fields that a write changes of a row that is there, and their values.
    private func updatedFields(_ write: RecordWrite) -> [(field: Int, value: FieldValue)] {
        switch write.row {
        case .update(let fields, let values): zip(fields, values).map { (field: $0, value: $1) }
        case .set(let columns):
            columns.compactMap { column in
                schema.fields.firstIndex { $0.column.lowercased() == column.name.lowercased() }
                    .map { (field: $0, value: column.value) }
            }
        case .none, .insert, .delete, .markDeleted, .restore: []
        }
    }

    private func describe(_ write: RecordWrite, reason: String) throws -> UniqueCollision {
        var known: [FieldValue] = []
        switch write.row {
        case .insert(let values): known = values
        case .update, .set:
            // A unique group may have fields that the write leaves as they are.
            known = try localRow(write.key) ?? []
            for (index, value) in updatedFields(write) where known.indices.contains(index) { known[index] = value }
        case .restore(let row): known = schema.fields.map { row[$0.column] ?? .null }
        case .none, .delete, .markDeleted: break
        }
        for group in schema.unique where group.allSatisfy(known.indices.contains) {
            let found = try translated { () throws(SQLiteError) in try holder(of: group, known) }
            if let found, found != write.key {
                return UniqueCollision(write: write, holder: found, fields: group, reason: reason)
            }
        }
        return UniqueCollision(write: write, holder: nil, fields: [], reason: reason)
    }

    private func holder(of group: [Int], _ values: [FieldValue]) throws(SQLiteError) -> RecordKey? {
        let statement = try connection.prepare(TableSQL(layout: layout).holder(of: group))
        for (index, field) in group.enumerated() { statement.bind(values[field].sqliteValue, at: index + 1) }
        guard try statement.step() else { return nil }
        return RecordKey(schema.keyFields.indices.map { FieldValue(statement.value($0)) })
    }
}

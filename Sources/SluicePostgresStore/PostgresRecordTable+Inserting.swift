internal import SluiceModel
internal import SluicePostgres
internal import SluiceSQLStore
internal import SluiceStore

/// New records: by `COPY`, rows and bases.
extension PostgresRecordTable {
    /// A new record, ready to be sent.
    private struct NewRecord {
        let record: Int
        let key: RecordKey
        let values: [PostgresValue]
        let base: [PostgresValue]
        let sets: [FieldValue?]
    }

    func insert(_ batch: borrowing RecordBatch, records: [Int], run: Int64?) throws -> Set<Int> {
        var waiting: Set<Int> = []
        var others: [Int] = []
        var ready: [NewRecord] = []
        ready.reserveCapacity(records.count)
        let isThere = try mayMeetRows ? hasRows(under: records.map { batch.key(of: $0, schema: schema) }) : []
        var blob: [UInt8] = []
        for (index, record) in records.enumerated() {
            if index < isThere.count && isThere[index] {
                others.append(record)
                continue
            }
            if !contested.isEmpty {
                let write = batch.insertion(of: record, schema: schema, run: run)
                if case .insert(let values) = write.row, constraints.isAny(of: contested, in: values) {
                    parked.append(write)
                    waiting.insert(record)
                    continue
                }
            }
            var values: [PostgresValue] = []
            values.reserveCapacity(columns.count)
            for (field, column) in columns {
                guard let value = column.type.value(batch.value(record: record, field: field) ?? .null) else { break }
                values.append(value)
            }
            guard values.count == columns.count else {
                // It is refused with a reason once it is tried alone.
                parked.append(batch.insertion(of: record, schema: schema, run: run))
                waiting.insert(record)
                continue
            }
            let key = batch.key(of: record, schema: schema)
            BaseCoding.encode(batch, record: record, fieldOfSlot: layout.fieldOfSlot, schema: schema, into: &blob)
            let mark = batch.textMarks[record]
            let base: [PostgresValue] = [
                .integer(Int64(bitPattern: batch.rowHashes[record])), .bytes(blob), .integer(0), .integer(0),
                PostgresValue(run), PostgresValue(run), PostgresValue(mark.map { Int64(bitPattern: $0.hash) }),
                Self.within(mark),
            ]
            let sets = links.map { batch.value(record: record, field: $0.field) }
            ready.append(NewRecord(record: record, key: key, values: values, base: keys.values(key) + base, sets: sets))
        }
        var refused: [Int] = []
        try divide(ready[...], refused: &refused)
        for record in refused {
            parked.append(batch.insertion(of: record, schema: schema, run: run))
            waiting.insert(record)
        }
        if recorder.isRecording && schema.auditsInserts {
            let gone = Set(refused)
            var notes: [RecordNote] = []
            for new in ready where !gone.contains(new.record) {
                let write = batch.insertion(of: new.record, schema: schema, run: run)
                if let note = comparison.note(ofInsert: write) { notes.append(note) }
            }
            try recorder.note(notes, schema)
        }
        var writes: [RecordWrite] = []
        for record in others { writes.append(batch.insertion(of: record, schema: schema, run: run)) }
        for index in try write(writes) { waiting.insert(others[index]) }
        return waiting
    }

    /// Whether a new record may start anew in a row that is marked as deleted.
    private var mayMeetRows: Bool { layout.mark != nil && !wasEmpty }

    /// Inserts records together, or by halves where the table refuses one.
    private func divide(_ new: ArraySlice<NewRecord>, refused: inout [Int]) throws {
        guard let first = new.first, let refusal = try tryInserting(new) else { return }
        if new.count == 1 {
            if refusal.mayBeForAnother { try requireFree(first.key) }
            refused.append(first.record)
            return
        }
        let middle = new.startIndex + new.count / 2
        try divide(new[..<middle], refused: &refused)
        try divide(new[middle...], refused: &refused)
    }

    private func tryInserting(_ new: ArraySlice<NewRecord>) throws -> Refusal? {
        try guarded {
            let count = try insertRows(new)
            if count != new.count { throw Refusal.swallowed }
            var statements: [PostgresStatement] = []
            for (index, link) in links.enumerated() {
                let sets = new.compactMap { record in record.sets[index].map { (key: record.key, set: $0) } }
                statements += try link.writing(sets, areNew: true)
            }
            statements += try clearing(new.map { ($0.key, nil) }).map(\.statement)
            try connection.run(together: statements)
            try connection.copy(into: base, columns: layout.baseKeyColumns + TableLayout.baseColumns) { rows in
                for record in new { rows.row(record.base) }
            }
        }
    }

    private func insertRows(_ new: ArraySlice<NewRecord>) throws -> Int {
        let names = columns.map(\.column.column.name)
        if columns.allSatisfy({ $0.column.type.isNative }) {
            return try connection.copy(into: table, columns: names) { rows in
                for record in new { rows.row(record.values) }
            }
        }
        // Other types take what `COPY` would not convert.
        var parameters = PostgresParameters()
        for (index, column) in columns.enumerated() {
            parameters.append(PostgresArray(new.map { $0.values[index] }, of: column.column.type.parameter))
        }
        let places = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let values = columns.enumerated().map { $1.column.type.assigned("u.c\($0)") }.joined(separator: ", ")
        let aliases = columns.indices.map { "c\($0)" }.joined(separator: ", ")
        return try connection.run(
            PostgresStatement(
                """
                INSERT INTO \(table) (\(SQLText.list(names))) SELECT \(values) FROM unnest(\(places)) AS u(\(aliases))
                """, parameters)
        ).changes
    }
}

extension PostgresRecordTable: UniquelyConstrained {
    func localRow(_ key: RecordKey) throws -> [FieldValue]? { try localRows([key])[0] }

    func baseRow(_ key: RecordKey) throws -> BaseRow? { try baseRows([key])[0] }

    func holder(of group: Int, _ row: [FieldValue]) throws -> RecordKey? {
        guard let values = constraints.values(row, group: group) else { return nil }
        var parameters = PostgresParameters()
        var conditions: [String] = []
        for (field, value) in zip(constraints.groups[group], values) {
            guard let column = columns.first(where: { $0.field == field })?.column,
                let stored = column.type.value(value)
            else { return nil }
            parameters.append(stored)
            conditions.append(
                "t.\(SQLText.quoted(column.column.name)) = \(column.type.assigned("$\(parameters.count)"))")
        }
        // A row that is marked as deleted holds values only where the index was there before.
        let order = layout.mark == nil ? "" : " ORDER BY (t.\(DeletionMark.isNotSet)) DESC"
        let result = try query(
            "SELECT \(keys.ownColumns) FROM \(table) AS t WHERE \(conditions.joined(separator: " AND "))\(order) LIMIT 1",
            parameters)
        return result.values.first.map { keys.ownKey($0) }
    }

    func snapshot(before write: RecordWrite) throws -> RecordSnapshot? {
        guard recorder.isRecording else { return nil }
        return RecordSnapshot(
            row: write.row.isNone ? nil : try wholeRow(write.key), base: try baseImage(write.key),
            emptied: try emptied([write])[0])
    }

    func attempt(_ write: RecordWrite, since before: RecordSnapshot?) throws -> (TableRefusal, isUnique: Bool)? {
        let refusal = try tryWriting([write], since: before.map { [$0] }, isNoted: before != nil)
        return refusal.map { ($0.told, $0.isUnique) }
    }

    func placeholder(_ field: Int, _ index: Int) -> FieldValue {
        switch columns.first(where: { $0.field == field })?.column.type.form {
        case .int(let range): .integer(range.lowerBound + Int64(index))
        case .double, .real: .real(-Double(index) * 1e30 - 1e30)
        case .numeric: FieldValue("-9\(String(repeating: "0", count: 30))\(index)")
        case .uuid: FieldValue("ffffffff-ffff-4fff-8fff-\(Self.padded(index))")
        case .timestamp: FieldValue("0001-01-01T00:00:00.\(Self.padded(index).suffix(6))Z")
        case .date: FieldValue("0001-01-01")
        case .bytes: .blob(Array("\u{1}sluice \(index)".utf8))
        case .bool: .integer(0)
        case .json, .jsonb: FieldValue("\"\\u0001sluice \(index)\"")
        case .text, .other, nil: FieldValue("\u{1}sluice \(index)")
        }
    }

    private static func padded(_ index: Int) -> String {
        let digits = String(index)
        return String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }

    func beginTry() throws { try session.translated { try connection.setSavepoint("sluice_unique") } }

    func endTry() throws { try session.translated { try connection.release("sluice_unique") } }

    func revertTry() throws { try session.translated { try connection.rollBack(to: "sluice_unique") } }

    func finish(
        run: Int64?, holding reduce: (RecordWrite, _ fields: [Int]) throws -> RecordWrite?
    ) throws -> FinishOutcome {
        let waiting = parked
        parked.removeAll()
        return try settle(waiting, run: run, holding: reduce)
    }
}

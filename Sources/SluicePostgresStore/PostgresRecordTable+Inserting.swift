internal import SluiceModel
internal import SluicePostgres
internal import SluiceSQLStore
internal import SluiceStore

/// New records: by `COPY`, rows and bases.
extension PostgresRecordTable {
    func insert(_ batch: borrowing RecordBatch, records: [Int], run: Int64?) throws -> Set<Int> {
        var waiting: Set<Int> = []
        var others: [Int] = []
        if try !held.isEmpty(for: schema) {
            for record in records { try held.close(over: batch.key(of: record, schema: schema), schema) }
        }
        let byteCount = batch.bytes.count + records.count * columns.count * 12
        var new = PostgresNewRecords(columns: columns, byteCount: byteCount)
        let linked = links.map(\.field)
        let isThere = try mayMeetRows ? hasRows(under: records.map { batch.key(of: $0, schema: schema) }) : []
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
            let isHeld = new.append(record, of: batch, schema: schema, linked: linked)
            if !isHeld {
                // It is refused with a reason once it is tried alone.
                parked.append(batch.insertion(of: record, schema: schema, run: run))
                waiting.insert(record)
            }
        }
        var refused: [Int] = []
        var bases: PostgresRows?
        try divide(new, 0..<new.count, refused: &refused) {
            if let bases { return bases }
            let made = encodeBases(new, of: batch, run: run, byteCount: byteCount)
            bases = made
            return made
        }
        for record in refused {
            parked.append(batch.insertion(of: record, schema: schema, run: run))
            waiting.insert(record)
        }
        if recorder.isRecording && schema.auditsInserts {
            let gone = Set(refused)
            var notes: [RecordNote] = []
            for record in new.records where !gone.contains(record) {
                let write = batch.insertion(of: record, schema: schema, run: run)
                if let note = comparison.note(ofInsert: write) { notes.append(note) }
            }
            try recorder.record(notes, schema)
        }
        var writes: [RecordWrite] = []
        for record in others { writes.append(batch.insertion(of: record, schema: schema, run: run)) }
        for index in try write(writes) { waiting.insert(others[index]) }
        return waiting
    }

    /// The bases of new records, as `COPY` takes them.
    private func encodeBases(
        _ new: PostgresNewRecords, of batch: borrowing RecordBatch, run: Int64?, byteCount: Int
    ) -> PostgresRows {
        var bases = PostgresRows(columnCount: keys.count + TableLayout.baseColumns.count, byteCount: byteCount)
        var blob: [UInt8] = []
        for (key, record) in zip(new.keys, new.records) {
            BaseCoding.encode(batch, record: record, fieldOfSlot: layout.fieldOfSlot, schema: schema, into: &blob)
            bases.begin()
            keys.append(key, to: &bases.fields)
            bases.fields.append(Int64(bitPattern: batch.rowHashes[record]))
            bases.fields.append(bytes: blob)
            bases.fields.append(Int64(0))
            bases.fields.append(Int64(0))
            let mark = batch.textFingerprints[record]
            for number in [run, run, mark.map { Int64(bitPattern: $0.hash) }] {
                if let number { bases.fields.append(number) } else { bases.fields.appendNull() }
            }
            bases.fields.append(Self.within(mark))
        }
        return bases
    }

    /// Whether a new record may start anew in a row that is marked as deleted.
    private var mayMeetRows: Bool { layout.mark != nil && !wasEmpty }

    /// Inserts some new records together, or by halves where the table refuses one.
    private func divide(
        _ new: PostgresNewRecords, _ some: Range<Int>, refused: inout [Int], bases: () -> PostgresRows
    ) throws {
        guard let first = some.first, let refusal = try tryInserting(new, some, bases) else { return }
        if some.count == 1 {
            if refusal.mayBeForAnother { try requireFree(new.keys[first]) }
            refused.append(new.records[first])
            return
        }
        let middle = some.lowerBound + some.count / 2
        try divide(new, some.lowerBound..<middle, refused: &refused, bases: bases)
        try divide(new, middle..<some.upperBound, refused: &refused, bases: bases)
    }

    /// Inserts some new records. Their bases are made while the rows are on their way, and are on theirs while the program goes on.
    private func tryInserting(
        _ new: PostgresNewRecords, _ some: Range<Int>, _ bases: () -> PostgresRows
    ) throws -> Refusal? {
        try session.translated { try connection.settle() }
        let names = layout.baseKeyColumns + TableLayout.baseColumns
        let refusal = try guarded {
            let count = try insertRows(new, some) { _ = bases() }
            if count != some.count { throw Refusal.swallowed }
            var statements: [PostgresStatement] = []
            for (index, link) in links.enumerated() {
                let sets = some.compactMap { record in new.sets[record][index].map { (key: new.keys[record], set: $0) }
                }
                statements += try link.writing(sets, areNew: true)
            }
            statements += try clearing(new.keys[some].map { ($0, nil) }).map(\.statement)
            try connection.run(together: statements)
            if !keys.areAlwaysHeld {
                try connection.copy(into: base, columns: names) { rows in rows.append(bases(), some) }
            }
        }
        // The table has taken their keys, and so does the base.
        if refusal == nil && keys.areAlwaysHeld {
            try session.translated { try connection.copyAside(into: base, columns: names, bases(), some) }
        }
        return refusal
    }

    private func insertRows(
        _ new: PostgresNewRecords, _ some: Range<Int>, meanwhile: () -> Void
    ) throws -> Int {
        let names = columns.map(\.column.column.name)
        if new.values.isEmpty {
            return try connection.copy(into: table, columns: names, new.rows, some, meanwhile: meanwhile)
        }
        // Other types take what `COPY` would not convert.
        var parameters = PostgresParameters()
        for (index, column) in columns.enumerated() {
            parameters.append(PostgresArray(new.values[some].map { $0[index] }, of: column.column.type.parameter))
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
    func storedRow(_ key: RecordKey) throws -> [FieldValue]? { try storedRows([key])[0] }

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
            row: write.row.isNone ? nil : try wholeRows([write.key])[0],
            base: try baseImage(write.key),
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

    func revertTry() throws {
        held.reconsider()
        try session.translated { try connection.rollBack(to: "sluice_unique") }
    }

    func finish(
        run: Int64?, holding reduce: (RecordWrite, _ fields: [Int]) throws -> RecordWrite?
    ) throws -> FinishOutcome {
        let waiting = parked
        parked.removeAll()
        return try settle(waiting, run: run, holding: reduce)
    }
}

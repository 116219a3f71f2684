internal import SluiceModel
internal import SluicePostgres
internal import SluiceSQLStore
internal import SluiceStore

/// Writing records: together where the table takes them all, and by halves where it does not, until those are found that it
/// refuses.
extension PostgresRecordTable {
    /// Why the table does not take some writes together.
    enum Refusal: Error {
        case database(PostgresError)
        case inexact(PostgresInexact)
        /// A trigger swallowed a write, or there is no such row.
        case swallowed
        /// A rule of the store's own.
        case rule(TableRefusal)

        /// Whether a foreign key refuses it.
        var isOfForeignKey: Bool { if case .database(let error) = self { error.isOfForeignKey } else { false } }

        var isUnique: Bool { if case .database(let error) = self { error.code == .unique } else { false } }

        /// Whether a row that somebody inserted, or brought back, may be why.
        var mayBeForAnother: Bool { if case .swallowed = self { true } else { isUnique } }

        var told: TableRefusal {
            switch self {
            case .database(let error): TableRefusal(error)
            case .inexact(let inexact): TableRefusal(inexact)
            case .rule(let refusal): refusal
            case .swallowed:
                TableRefusal(
                    rule: "a trigger returned NULL for it, or its row is gone", isOfTrigger: true,
                    remedy: "Change the trigger, or leave such records out with `filter`.")
            }
        }
    }

    /// A statement, and how many rows it has to write; nil for any number.
    typealias Step = (statement: PostgresStatement, count: Int?)

    func write(_ writes: [RecordWrite]) throws -> Set<Int> {
        var waiting: Set<Int> = []
        var group: [Int] = []
        var known: Set<RecordKey> = []
        func flush() throws {
            try divide(group[...], of: writes, waiting: &waiting)
            group.removeAll()
            known.removeAll()
        }
        for (index, write) in writes.enumerated() {
            if known.contains(write.key) { try flush() }
            if !contested.isEmpty {
                try flush()
                if let values = try wantedRow(write), constraints.isAny(of: contested, in: values) {
                    park(write)
                    waiting.insert(index)
                    continue
                }
            }
            known.insert(write.key)
            group.append(index)
        }
        try flush()
        return waiting
    }

    /// Writes records of different keys, together or by halves.
    private func divide(_ group: ArraySlice<Int>, of writes: [RecordWrite], waiting: inout Set<Int>) throws {
        guard let first = group.first else { return }
        let refusal = try tryWriting(group.map { writes[$0] }, since: nil, isNoted: recorder.isRecording)
        guard let refusal else {
            for index in group { recordPutRight(writes[index]) }
            return
        }
        if group.count == 1 {
            switch writes[first].row {
            case .insert, .restore: if refusal.mayBeForAnother { try requireFree(writes[first].key) }
            case .none, .update, .set, .delete, .markDeleted: break
            }
            park(writes[first])
            waiting.insert(first)
            return
        }
        let middle = group.startIndex + group.count / 2
        try divide(group[..<middle], of: writes, waiting: &waiting)
        try divide(group[middle...], of: writes, waiting: &waiting)
    }

    /// Refuses to go on where somebody has inserted a row since it was looked for: planned again, it is one that was there.
    ///
    /// - Throws: ``StoreError`` that tells to repeat the transaction.
    func requireFree(_ key: RecordKey) throws {
        if try localRows([key])[0] == nil { return }
        throw StoreError(
            .locked,
            "Others inserted rows into the table `\(schema.table)` of the store `\(database.place)` at the same time, again and again. Try again later.",
            mayRepeat: true)
    }

    private func recordPutRight(_ write: RecordWrite) {
        guard case .update(let fields, _) = write.row, write.base == nil,
            !constraints.uniqueFields.isDisjoint(with: fields)
        else { return }
        rowsPutRight.insert(write.key)
    }

    /// Has a write wait. Who does not get all that it wants is looked at by every run, so its text is not noted.
    func park(_ write: RecordWrite) {
        var write = write
        write.base?.textFingerprint = nil
        parked.append(write)
    }

    /// Writes records of different keys; where the table refuses one of them, none.
    ///
    /// - Parameters:
    ///   - writes: What is written.
    ///   - known: What was there before; nil to look.
    ///   - isNoted: Whether it is written down what that changed.
    ///   - release: Takes references away that lead to what goes.
    /// - Returns: The refusal; nil where all are written.
    /// - Throws: ``StoreError``.
    func tryOnce(
        _ writes: [RecordWrite], since known: [RecordSnapshot]?, isNoted: Bool,
        releasing release: () throws -> ReferenceOutcome
    ) throws -> Refusal? {
        try guarded {
            var before = known
            if isNoted && before == nil { before = try snapshots(writes) }
            var bases = before?.map(\.base)
            if bases == nil && comparison.keepsSlots { bases = try baseImages(writes.map(\.key)) }
            let steps = try steps(of: writes, bases)
            let released = try release()
            try deleteAlong(writes)
            let mayTakeOthers = deletesOthers && writes.contains { if case .delete = $0.row { true } else { false } }
            let deleted = mayTakeOthers ? try deletedRows() : [:]
            try carryOut(steps)
            for write in writes { try held.follow(write, layout) }
            if mayTakeOthers { try recordCascade(since: deleted) }
            cascaded.record(released)
            guard isNoted, let before else { return }
            let rows = try rowsAfter(writes)
            let notes = writes.indices.compactMap { index in
                comparison.note(of: writes[index], before: before[index], row: rows[index], run: recorder.run)
            }
            try recorder.record(notes, schema)
        }
    }

    /// Runs a body that may be refused; then nothing of it remains.
    func guarded(_ body: () throws -> Void) throws -> Refusal? {
        let name = "sluice_rows"
        do {
            try connection.setSavepoint(name)
            cascaded.beginSavepoint()
            do {
                try body()
                // What would be refused when all is committed is refused here, where it is known of which record.
                if !deferredRules.isEmpty {
                    try connection.execute(
                        "SET CONSTRAINTS \(deferredRules) IMMEDIATE; SET CONSTRAINTS \(deferredRules) DEFERRED")
                }
                try connection.release(name)
                cascaded.releaseSavepoint()
                activity.hasWritten = true
                return nil
            } catch {
                cascaded.rollBackToSavepoint()
                if connection.transactionState == .open || connection.transactionState == .failed {
                    try connection.rollBack(to: name)
                }
                held.reconsider()
                throw error
            }
        } catch let error as PostgresError {
            if error.isRefusal { return .database(error) }
            throw session.failure(error)
        } catch let inexact as PostgresInexact {
            return .inexact(inexact)
        } catch let refusal as Refusal {
            return refusal
        } catch let refusal as SQLRefusal {
            return refusal.isSwallowed ? .swallowed : .rule(refusal.told)
        }
    }

    private func carryOut(_ steps: [Step]) throws {
        let results = try connection.run(together: steps.map(\.statement))
        for (step, result) in zip(steps, results) {
            if let count = step.count, result.changes != count { throw Refusal.swallowed }
        }
    }

    // MARK: Before and after

    private func snapshots(_ writes: [RecordWrite]) throws -> [RecordSnapshot] {
        let rows = try rowsAfter(writes)
        let bases = try baseImages(writes.map(\.key))
        let emptied = try emptied(writes)
        return writes.indices.map { RecordSnapshot(row: rows[$0], base: bases[$0], emptied: emptied[$0]) }
    }

    /// The references of rows that are null for good, where something of the rows is written.
    func emptied(_ writes: [RecordWrite]) throws -> [[RecordedChange.Column]] {
        var found = [[RecordedChange.Column]](repeating: [], count: writes.count)
        if try schema.references.isEmpty || pending.isEmpty() { return found }
        let places = writes.indices.filter { !writes[$0].row.isNone }
        if places.isEmpty { return found }
        let waiting = try emptiedTargets(places.map { writes[$0].key })
        for (place, waiting) in zip(places, waiting) { found[place] = LinkHistory.emptied(waiting, of: schema) }
        return found
    }

    /// The rows of records of whose row something is written, with what counts as held by them while it waits in the quarantine:
    /// so the history keeps them.
    private func rowsAfter(_ writes: [RecordWrite]) throws -> [RowImage?] {
        let places = writes.indices.filter { !writes[$0].row.isNone }
        var rows = [RowImage?](repeating: nil, count: writes.count)
        for (place, row) in zip(places, try wholeRows(places.map { writes[$0].key }, isFirst: false)) {
            rows[place] = row
        }
        return rows
    }

    /// How many rows of each table this transaction has deleted; those of a partition are rows of its table.
    private func deletedRows() throws -> [String: Int64] {
        let rows = try connection.run(
            """
            SELECT coalesce(r.relname, s.relname)::text, sum(s.n_tup_del)::bigint
            FROM pg_catalog.pg_stat_xact_user_tables AS s
            LEFT JOIN pg_catalog.pg_class AS r ON r.oid = pg_catalog.pg_partition_root(s.relid)
            WHERE s.schemaname = $1 GROUP BY 1
            """, [PostgresValue(session.schema)]
        ).values
        return Dictionary(rows.map { ($0[0].string ?? "", $0[1].number ?? 0) }) { $1 }
    }

    private func recordCascade(since before: [String: Int64]) throws {
        var deleted: [String: Int] = [:]
        let ours = Set([schema.table] + schema.references.compactMap(\.link?.table))
        for (name, count) in try deletedRows() where !ours.contains(name) && !name.hasPrefix("_sluice_") {
            let new = count - (before[name] ?? 0)
            if new > 0 { deleted[name] = Int(clamping: new) }
        }
        cascaded.record(deleted, alongWith: schema.table)
    }

    // MARK: Steps

    /// The statements that write records of different keys.
    private func steps(of writes: [RecordWrite], _ bases: [BaseImage?]?) throws -> [Step] {
        var deleted: [RecordKey] = []
        var updates = Groups<[String], (key: RecordKey, values: [PostgresValue])>()
        var restored = Groups<[String], (key: RecordKey, values: [PostgresValue])>()
        var marked = Groups<Mark, RecordKey>()
        var inserted: [(key: RecordKey, values: [PostgresValue])] = []
        var sets: [[(key: RecordKey, set: FieldValue)]] = links.map { _ in [] }
        var rewritten: [(key: RecordKey, fields: [Int]?)] = []
        for write in writes {
            let key = write.key
            switch write.row {
            case .none:
                if !write.awaitsNoLonger.isEmpty { rewritten.append((key, write.awaitsNoLonger)) }
            case .delete:
                deleted.append(key)
                for index in links.indices { sets[index].append((key, .null)) }
                rewritten.append((key, nil))
            case .insert(let values):
                inserted.append((key, try stored(columns.map { ($0.column, values[$0.field]) })))
                rewritten.append((key, nil))
            case .update(let fields, let values):
                let parts = zip(fields, values).compactMap { field, value in
                    columns.first { $0.field == field }.map { ($0.column, value) }
                }
                if !parts.isEmpty { updates.add((key, try stored(parts)), to: parts.map(\.0.column.name)) }
                rewritten.append((key, fields))
            case .set(let columns):
                let parts = columns.compactMap { part in column(part.name).map { ($0, part.value) } }
                if !parts.isEmpty { updates.add((key, try stored(parts)), to: parts.map(\.0.column.name)) }
                rewritten.append((key, write.writtenFields(schema).map(\.field)))
            case .markDeleted(let time, let run): marked.add(key, to: Mark(time: time, run: run))
            case .restore(let row):
                let parts = row.columns.compactMap { part in column(part.name).map { ($0, part.value) } }
                restored.add((key, try stored(parts)), to: parts.map(\.0.column.name))
                rewritten.append((key, nil))
            }
            if case .delete = write.row { continue }
            for (index, link) in links.enumerated() {
                guard let value = write.writtenFields(schema).first(where: { $0.field == link.field })?.value else {
                    continue
                }
                sets[index].append((key, value))
            }
        }
        // What others hold is free once it is deleted, and what is new may be wanted.
        var first: [Step] = []
        for (index, link) in links.enumerated() {
            let gone = sets[index].filter { part in deleted.contains(part.key) }
            first += try link.writing(gone, areNew: false).map { ($0, nil) }
            sets[index].removeAll { part in deleted.contains(part.key) }
        }
        if !deleted.isEmpty { first.append(deletion(deleted)) }
        for (names, items) in updates.all { first.append(try update(names.compactMap(column), items)) }
        if !inserted.isEmpty { first.append(try insertion(columns.map(\.column), inserted, isRevived: true)) }
        var steps = first
        for (mark, keys) in marked.all { steps.append(try marking(keys, mark)) }
        for (names, items) in restored.all {
            steps.append(try insertion(names.compactMap(column), items, isRevived: false))
        }
        for (index, link) in links.enumerated() {
            steps += try link.writing(sets[index], areNew: false).map { ($0, nil) }
        }
        steps += try clearing(rewritten)
        return try steps + baseSteps(writes, bases)
    }

    /// A column of the table, whatever the case of its name.
    private func column(_ name: String) -> PostgresTableColumn? {
        allColumns.first { $0.column.name == name } ?? allColumns.first { ColumnName.areSame($0.column.name, name) }
    }

    /// What is sent for values of columns.
    func stored(_ parts: [(PostgresTableColumn, FieldValue)]) throws -> [PostgresValue] {
        try parts.map { column, value in
            guard let stored = column.type.value(value) else { throw inexact(column) }
            return stored
        }
    }

    func inexact(_ column: PostgresTableColumn) -> PostgresInexact {
        PostgresInexact(
            message:
                "the column `\(column.column.name)` of `\(schema.table)` keeps \(column.type.limit), and would not keep this value as it is",
            remedy: "\(column.type.limitRemedy) the value with `expr`, or change the type of the column.")
    }

    private func arrays(
        _ columns: [PostgresTableColumn], _ rows: [[PostgresValue]]
    ) -> [(name: String, array: PostgresArray)] {
        columns.enumerated().map { index, column in
            ("c\(index)", PostgresArray(rows.map { $0[index] }, of: column.type.parameter))
        }
    }

    private func deletion(_ deleted: [RecordKey]) -> Step {
        var parameters = PostgresParameters()
        let list = keys.list(deleted, &parameters)
        return (
            PostgresStatement("DELETE FROM \(table) AS t USING \(list) WHERE \(keys.isOwn())", parameters),
            deleted.count
        )
    }

    private func update(
        _ columns: [PostgresTableColumn], _ items: [(key: RecordKey, values: [PostgresValue])]
    ) throws -> Step {
        var parameters = PostgresParameters()
        let list = keys.list(items.map(\.key), arrays(columns, items.map(\.values)), &parameters)
        let assignments = columns.enumerated().map { index, column in
            "\(SQLText.quoted(column.column.name)) = \(column.type.assigned("k.c\(index)"))"
        }
        return (
            PostgresStatement(
                "UPDATE \(table) AS t SET \(assignments.joined(separator: ", ")) FROM \(list) WHERE \(keys.isOwn())",
                parameters), items.count
        )
    }

    /// Inserts rows, or brings back those that were marked as deleted.
    private func insertion(
        _ columns: [PostgresTableColumn], _ items: [(key: RecordKey, values: [PostgresValue])], isRevived: Bool
    ) throws -> Step {
        var parameters = PostgresParameters()
        let list = keys.list(items.map(\.key), arrays(columns, items.map(\.values)), &parameters)
        let names = columns.map(\.column.name)
        let values = columns.enumerated().map { $1.type.assigned("k.c\($0)") }
        // A row that comes back has the number that it was given.
        let overriding = isRevived ? "" : "OVERRIDING SYSTEM VALUE "
        var sql = """
            INSERT INTO \(table) AS t (\(SQLText.list(names))) \(overriding)SELECT \(values.joined(separator: ", ")) FROM \(list)
            """
        if isRevived, let mark = layout.mark {
            let assignments = names.filter { name in !layout.keyColumns.contains { ColumnName.areSame($0, name) } }
                .map { "\(SQLText.quoted($0)) = excluded.\(SQLText.quoted($0))" }
            sql += """
                 ON CONFLICT (\(SQLText.list(layout.keyColumns)))
                DO UPDATE SET \((assignments + mark.clearing).joined(separator: ", ")) WHERE NOT (t.\(DeletionMark.isNotSet))
                """
        }
        return (PostgresStatement(sql, parameters), items.count)
    }

    /// When rows were marked as deleted, and by which run.
    private struct Mark: Hashable {
        let time: String
        let run: Int64?
    }

    private func marking(_ marked: [RecordKey], _ mark: Mark) throws -> Step {
        guard let column = column(DeletionMark.time) else { throw Refusal.swallowed }
        var parameters = PostgresParameters()
        let list = keys.list(marked, &parameters)
        for value in try stored([(column, FieldValue(mark.time))]) { parameters.append(value) }
        var assignments = "\(SQLText.quoted(column.column.name)) = \(column.type.assigned("$\(parameters.count)"))"
        if layout.mark?.hasRun == true {
            parameters.append(PostgresValue(mark.run))
            assignments += ", \(SQLText.quoted(DeletionMark.run)) = $\(parameters.count)"
        }
        return (
            PostgresStatement(
                """
                UPDATE \(table) AS t SET \(assignments) FROM \(list) WHERE \(keys.isOwn()) AND t.\(DeletionMark.isNotSet)
                """, parameters), marked.count
        )
    }

    /// Forgets what fields of rows, or all of them, wait for: it is written now what they hold.
    func clearing(_ rewritten: [(key: RecordKey, fields: [Int]?)]) throws -> [Step] {
        if try rewritten.isEmpty || schema.references.isEmpty || pending.isEmpty() { return [] }
        return schema.references.compactMap { reference -> Step? in
            let meant = rewritten.filter { part in part.fields?.contains(where: reference.fields.contains) ?? true }
            if meant.isEmpty { return nil }
            var parameters = PostgresParameters()
            let list = keys.list(meant.map(\.key), &parameters)
            parameters.append(PostgresValue(schema.table))
            parameters.append(PostgresValue(reference.name))
            return (
                PostgresStatement(
                    """
                    DELETE FROM \(database.ledger("pending")) AS p USING \(list)
                    WHERE p."table" = $\(parameters.count - 1) AND p.field = $\(parameters.count)
                    AND p.key = \(keys.pending(database))
                    """, parameters), nil
            )
        }
    }

    // MARK: Bases

    private func baseSteps(_ writes: [RecordWrite], _ bases: [BaseImage?]?) throws -> [Step] {
        var steps: [Step] = []
        let removed = writes.filter(\.removesBase).map(\.key)
        if !removed.isEmpty {
            var parameters = PostgresParameters()
            let list = keys.list(removed, &parameters)
            steps.append(
                (PostgresStatement("DELETE FROM \(base) AS b USING \(list) WHERE \(keys.isBase())", parameters), nil))
        }
        var written: [(key: RecordKey, image: BaseImage, mark: TextFingerprint?)] = []
        for (index, write) in writes.enumerated() where !write.removesBase {
            guard let image = comparison.newBase(of: write, over: bases?[index]) else { continue }
            written.append((write.key, image, write.base?.textFingerprint))
        }
        if written.isEmpty { return steps }
        func numbers(_ value: ((key: RecordKey, image: BaseImage, mark: TextFingerprint?)) -> Int64?) -> PostgresArray {
            PostgresArray(written.map { PostgresValue(value($0)) }, of: .int8)
        }
        var parameters = PostgresParameters()
        let list = keys.list(
            written.map(\.key),
            [
                ("row_hash", numbers { Int64(bitPattern: $0.image.rowHash) }),
                ("fields", PostgresArray(written.map { .bytes(BaseCoding.encode($0.image.slots)) }, of: .bytea)),
                ("state", numbers { Int64($0.image.state.rawValue) }),
                ("open", numbers { BaseFlags(isOpen: $0.image.isOpen, missedScans: $0.image.missedScans).number }),
                ("first_run", numbers { $0.image.firstRun }), ("last_run", numbers { $0.image.lastRun }),
                ("text_hash", numbers { $0.mark.map { Int64(bitPattern: $0.hash) } }),
                ("text_within", PostgresArray(written.map { Self.within($0.mark) }, of: .bytea)),
            ], &parameters)
        let own = TableLayout.baseColumns
        let values = keys.baseNames.indices.map { "k.k\($0)" } + own.map { "k.\($0)" }
        let assignments = own.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        steps.append(
            (
                PostgresStatement(
                    """
                    INSERT INTO \(base) (\((keys.baseNames + own).joined(separator: ", ")))
                    SELECT \(values.joined(separator: ", ")) FROM \(list)
                    ON CONFLICT (\(keys.baseNames.joined(separator: ", "))) DO UPDATE SET \(assignments)
                    """, parameters), nil
            ))
        return steps
    }
}

/// Items by what they have in common, in the order in which that came.
private struct Groups<Name: Hashable, Item> {
    private(set) var all: [(name: Name, items: [Item])] = []
    private var places: [Name: Int] = [:]

    mutating func add(_ item: Item, to name: Name) {
        if let place = places[name] {
            all[place].items.append(item)
        } else {
            places[name] = all.count
            all.append((name, [item]))
        }
    }
}

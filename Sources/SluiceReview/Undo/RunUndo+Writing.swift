internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore

/// What is written, counted and told.
extension RunUndo {
    private static let mostProblems = 50

    /// Says that something was left, and which record that is about.
    func record(_ message: String, of name: Name? = nil) {
        if problems.count >= Self.mostProblems { return }
        var problem = RunProblem(code: "left", severity: .warning, message: message)
        if let name { (problem.entity, problem.keys) = (name.mapping.entity, [name.key]) }
        problems.append(problem)
    }

    /// That something stays: of a plan, that it would.
    var leftWords: String { run == nil ? "would be left as it is" : "was left as it is" }
    /// The same of several things.
    var leftManyWords: String { run == nil ? "would be left as they are" : "were left as they are" }

    /// Writes what follows from plans for records of one table that were carried out.
    func settle(_ plans: [RecordPlan], _ table: ReviewTable) throws {
        if !plans.isEmpty { _ = try table.writer.settle(plans) }
    }

    /// Counts and tells a record whose plan was carried out.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - left: The fields that are left as they are.
    ///   - name: The record.
    ///   - table: Its table.
    func conclude(_ plan: RecordPlan, left: Set<String>, _ name: Name, _ table: ReviewTable) {
        if let write = plan.write {
            hasWritten = true
            waitingValues += write.waiting.map { (name, table.schema.fields[$0.field].name, $0.value) }
        }
        if !left.isEmpty { leftFields[name] = left }
        guard let change = plan.change else { return }
        if change.action == .delete, mayComeBack(table) { return removed.append((change, name, table)) }
        report(change, name, table)
    }

    /// Whether a row that goes may be there again once references are settled, with its key alone.
    func mayComeBack(_ table: ReviewTable) -> Bool { stubTables.contains(table.schema.table.lowercased()) }

    /// Whether a record waits for unique values: what it holds is not what it will hold.
    func isWaiting(_ name: Name) -> Bool { waiting[name] != nil }

    func report(_ change: RecordChange, _ name: Name, _ table: ReviewTable) {
        asBefore.remove(name)
        // A row that is changed and lets go of a reference is one row.
        let isAgain = !unlinked.isEmpty && change.action == .update && !updated.insert(name).inserted
        count(name.mapping) { summary in
            switch change.action {
            case .insert: summary.insert += 1
            case .delete: summary.delete += 1
            case .update where isAgain: break
            case .update: summary.update += 1
            // Some fields are as before, others are left.
            case .conflict where change.fields.contains { $0.result == $0.remote }: summary.update += 1
            case .conflict, .keptLocal: break
            }
        }
        show(change, table)
    }

    /// The tables that some reference makes rows of for records that are not there.
    func tablesOfStubs() throws -> Set<String> {
        var tables: Set<String> = []
        for mapping in try store.mappings(pipeline: nil, entity: nil) {
            let known = try store.knownTable(
                pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity)
            for reference in known?.schema.references ?? [] where reference.onDangling == .stub {
                tables.insert(reference.target.lowercased())
            }
        }
        return tables
    }

    /// Reports of the rows of such tables that were deleted, once references are settled: one that something still refers
    /// to is there again, with its key alone.
    func reportRemoved() throws {
        let rows = try rowsNow(of: removed)
        for ((change, name, table), row) in zip(removed, rows) {
            guard let row else {
                report(change, name, table)
                continue
            }
            var update = RecordChange(action: .update, kind: .update, key: change.key, fields: [])
            update.fields = change.fields.compactMap { field in
                let now = row[table.schema.fields[field.index].column] ?? .null
                if field.local == now { return nil }
                return RecordChange.Field(
                    index: field.index, fieldClass: .remoteUpdate, base: field.local, local: field.local, remote: now,
                    result: now)
            }
            if !update.fields.isEmpty { report(update, name, table) }
        }
        removed.removeAll()
    }

    /// The whole rows of records by now, nil where there are none.
    func rowsNow(of all: [(change: RecordChange, name: Name, table: ReviewTable)]) throws -> [RowImage?] {
        var rows = [RowImage?](repeating: nil, count: all.count)
        for places in Dictionary(grouping: all.indices, by: { all[$0].name.mapping }).values {
            let images = try all[places[0]].table.records.wholeRows(places.map { all[$0].change.key })
            for (place, row) in zip(places, images) { rows[place] = row }
        }
        return rows
    }

    private func show(_ change: RecordChange, _ table: ReviewTable) {
        if observer.wants(change.key, of: table.schema) {
            observer.changed(table.canonical.shown(change), schema: table.schema)
        } else {
            observer.skippedChange(of: table.schema)
        }
    }

    private func count(_ mapping: RecordMapping, _ body: (inout RunSummary) -> Void) {
        if reports[mapping] == nil { order.append(mapping) }
        body(&reports[mapping, default: StreamReport(stream: mapping.stream, entity: mapping.entity)].summary)
    }

    /// Leaves a record as it is, and says so.
    func skip(_ name: Name, _ change: RecordChange?, _ table: ReviewTable) {
        guard leftRecords.insert(name).inserted else { return }
        asBefore.remove(name)
        leftFields[name] = nil
        guard var change else { return }
        change.action = .conflict
        show(change, table)
    }

    /// Says which values wait in the quarantine, since their fields have another type or other values than when they were written.
    func reportWaitingValues() throws {
        let fields = Dictionary(grouping: waitingValues) { [$0.name.mapping.path, $0.field] }
        for (_, values) in fields.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let (mapping, field) = (values[0].name.mapping, values[0].field)
            // With the tables of before, what waited is back.
            guard let table = try table(mapping), let now = table.schema.fields.firstIndex(where: { $0.name == field })
            else { continue }
            let told = values.sorted { $0.name < $1.name }.compactMap { name, _, value in
                table.canonical.isEarlier(value, field: now) ? value.untypedJSON.map { (name: name, json: $0) } : nil
            }
            if told.isEmpty { continue }
            let (listed, isOne) = (told.prefix(ReferenceOutcome.Rows.listed), told.count == 1)
            let rest = told.count - listed.count
            let words = listed.map(\.json).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
            var problem = RunProblem(
                code: "values_wait", severity: .warning,
                message:
                    "`\(field)` of `\(mapping.entity)` is \(table.schema.fields[now].type.rawValue) now and cannot hold \(words). \(isOne ? "It goes" : "They go") to the quarantine, and the column is null there. Each counts as what its row holds: write the value that is meant into the table, or put `type` or `values` back, and the value comes back."
            )
            (problem.entity, problem.keys, problem.unlisted) = (mapping.entity, listed.map(\.name.key), rest)
            problems.append(problem)
        }
    }

    /// Says of which records nothing was to be taken back, since a later run or somebody put them back already.
    func reportAsBefore() {
        for (mapping, names) in Dictionary(grouping: asBefore, by: \.mapping).sorted(by: { $0.key < $1.key }) {
            let count = Plural.of(names.count, "record")
            var problem = RunProblem(
                code: "as_before", severity: .note,
                message:
                    "\(count) of `\(mapping.stream)` already \(Plural.word(names.count, "is", "are")) as run \(target.id) found \(Plural.word(names.count, "it", "them")): nothing of \(Plural.word(names.count, "it", "them")) is left to be undone."
            )
            let listed = names.sorted().prefix(ReferenceOutcome.Rows.listed)
            (problem.entity, problem.keys) = (mapping.entity, listed.map(\.key))
            problem.unlisted = names.count - listed.count
            problems.append(problem)
        }
    }

    /// Notes the redacted fields of which values come back.
    func recordRedacted(_ plan: RecordPlan, _ mapping: RecordMapping, _ schema: RecordSchema) {
        guard let change = plan.change, [.insert, .update].contains(change.action) else { return }
        for field in change.fields where schema.fields[field.index].redaction != nil {
            redacted[mapping, default: []].insert(schema.fields[field.index].name)
        }
    }

    /// Says of which fields values come back redacted: what people had written there in clear, nothing keeps.
    func reportRedacted() {
        for (mapping, names) in redacted.sorted(by: { $0.key < $1.key }) {
            let fields = names.sorted().map { "`\($0)`" }.joined(separator: ", ")
            var problem = RunProblem(
                code: "values_redacted", severity: .note,
                message:
                    "What comes back of \(fields) of `\(mapping.entity)` is redacted, as it is kept: where people had written into a row in clear, that is kept nowhere. Write it into the table once more."
            )
            problem.entity = mapping.entity
            problems.append(problem)
        }
    }

    /// Says which fields the run redacted, also in what the store had kept in clear: that cannot come back.
    func reportStillRedacted() throws {
        var columns: [String] = []
        for entry in try store.changes.schema(run: target.id).reversed()
        where entry.kind == SchemaChange.Kind.redactValues.rawValue {
            guard let column = entry.key else { continue }
            let known = try table(entry.mapping)?.schema.table ?? entry.old
            let name = "`\(column)` of `\(known ?? entry.mapping.entity)`"
            if !columns.contains(name) { columns.append(name) }
        }
        if columns.isEmpty { return }
        problems.append(
            RunProblem(
                code: "redaction_kept", severity: .note,
                message:
                    "What run \(target.id) redacted \(run == nil ? "would stay" : "stays") redacted: \(columns.joined(separator: ", ")). The values of before are kept nowhere in clear."
            ))
    }

    /// Says which records that the run inserted, or whose rows it took over, had no row any more: they count as never seen.
    func reportForgotten() {
        for (mapping, names) in Dictionary(grouping: forgotten, by: \.mapping).sorted(by: { $0.key < $1.key }) {
            let (count, isOne) = (Plural.of(names.count, "record"), names.count == 1)
            let listed = names.sorted().prefix(ReferenceOutcome.Rows.listed)
            var problem = RunProblem(
                code: "deletion_forgotten", severity: .warning,
                message:
                    "\(count) of `\(mapping.stream)` that run \(target.id) was the first to take \(isOne ? "has" : "have") no row any more: \(isOne ? "it was" : "they were") deleted since. With the run, that is forgotten: the next run that reads \(isOne ? "it" : "them") inserts \(isOne ? "it" : "them") again."
            )
            (problem.entity, problem.keys) = (mapping.entity, listed.map(\.key))
            problem.unlisted = names.count - listed.count
            problems.append(problem)
        }
    }

    /// Says of how many rows that were there before the run nobody knows any more what their source says.
    func reportUnadopted() {
        for (mapping, rows) in unadopted.sorted(by: { $0.key < $1.key }) {
            let (count, isOne) = (Plural.of(rows.count, "row"), rows.count == 1)
            let isForgotten = run == nil ? "would be forgotten" : "is forgotten"
            let part = rows.inPart == 0 ? "" : isOne ? " in part" : " (of \(rows.inPart) of them in part)"
            var problem = RunProblem(
                code: "source_forgotten", severity: .warning,
                message:
                    "What the source says of \(count) of `\(mapping.entity)` \(isForgotten)\(part), since run \(target.id) was the first to compare \(isOne ? "it" : "them"). The \(isOne ? "row stays and counts" : "rows stay and count") as added here until the next run; what differs from the source then is a conflict."
            )
            (problem.entity, problem.keys) = (mapping.entity, rows.first)
            problem.unlisted = rows.count - rows.first.count
            problems.append(problem)
        }
    }

    /// Leaves a record of a table that is not known.
    func skip(_ name: Name) { leftRecords.insert(name) }

    /// Writes what waited; what the table still refuses is left.
    func finish() throws {
        var all: [(name: Name, plan: RecordPlan, reason: String?, table: ReviewTable)] = []
        for (mapping, table) in tables {
            guard let table else { continue }
            for (plan, ending) in try table.writer.finish().plans {
                let name = Name(mapping: mapping, key: FieldJSON.object(key: plan.key, schema: table.schema))
                all.append((name, plan, ending.reason(table.schema), table))
            }
        }
        all.sort { $0.name < $1.name }
        for (name, plan, reason, table) in all {
            guard let reason else { continue }
            record("A record of `\(name.mapping.entity)` \(leftWords). \(reason)", of: name)
            skip(name, plan.change, table)
        }
        let written = all.filter { $0.reason == nil }
        for (_, some) in Dictionary(grouping: written, by: \.name.mapping).sorted(by: { $0.key < $1.key }) {
            try settle(some.map(\.plan), some[0].table)
        }
        for (name, plan, _, table) in written { conclude(plan, left: waiting[name]?.left ?? [], name, table) }
        waiting.removeAll()
    }

    /// Says that something besides a record was written.
    func recordWritten() { hasWritten = true }
}

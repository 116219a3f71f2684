internal import SluiceMerge
internal import SluiceModel
internal import SluiceReport
internal import SluiceReview
internal import SluiceStore
internal import SluiceSystem

/// What one run changed, told as the report of a run is, for the forms that are made of entries.
struct HistoryReport {
    private let run: RunEntry
    private let store: any RecordStore
    private let reader: HistoryReader
    private let families: EntityFamilies
    private let cancellation: Cancellation

    /// - Parameters:
    ///   - run: The run.
    ///   - store: The store that it wrote to.
    ///   - cancellation: Ends it.
    /// - Throws: `StoreError`.
    init(_ run: RunEntry, _ store: any RecordStore, cancellation: Cancellation) throws {
        (self.run, self.store, self.cancellation) = (run, store, cancellation)
        reader = HistoryReader(store: store)
        families = try EntityFamilies(of: run.pipeline, in: store)
    }

    /// Writes the report.
    ///
    /// - Parameters:
    ///   - document: The form.
    ///   - limit: The most changes to list, nil for all.
    ///   - storeOption: What a command must say to use the same store, with a blank before it.
    ///   - line: Shows how far it has come.
    ///   - output: Where it goes.
    /// - Throws: `StoreError`, `SystemError`, `CancelledError`.
    func write(
        _ document: any EntryDocument, limit: Int?, storeOption: String, _ line: inout WorkProgressLine,
        to output: ResultOutput
    ) throws {
        let view = document.view(
            for: ReportSubject(
                pipeline: run.pipeline, families: families,
                commands: CommandLines(storeOption: storeOption, pipeline: nil),
                progressLine: ProgressLine(sink: nil, pipeline: run.pipeline, log: nil)))
        var counts: [RecordMapping: RunSummary] = [:]
        var (listed, omitted, count) = (0, 0, 0)
        func list(_ entry: ReportEntry) {
            if let limit, listed >= limit {
                omitted += 1
            } else {
                listed += 1
                view.add(entry)
            }
        }
        let ended = try ended()
        let disputed = try disputed(besides: ended)
        var written: [Record: [ReportEntry.Field]] = [:]
        for record in disputed { counts[record.mapping, default: RunSummary()].conflict += 1 }
        _ = try reader.changes(of: run, limit: nil) { change in
            try cancellation.check()
            count += 1
            line.show("reading run \(run.id)", count, "change")
            guard let entry = ReportEntry(change, families) else { return }
            switch change.action {
            case _ where change.isAgain: break
            case .insert: counts[change.mapping, default: RunSummary()].insert += 1
            // It is told of the run as a whole, and is no outcome of a record.
            case .update where change.kind == RecordedChange.unlinkKind: break
            // Of a record in conflict it is the part that nobody has to decide about.
            case .update where disputed.contains(Record(mapping: change.mapping, key: change.key)):
                counts[change.mapping, default: RunSummary()].conflictWritten += 1
                written[Record(mapping: change.mapping, key: change.key)] = entry.fields.map(\.taken)
                return
            case .update: counts[change.mapping, default: RunSummary()].update += 1
            case .delete: counts[change.mapping, default: RunSummary()].delete += 1
            case .base: break
            }
            list(entry)
        }
        // The conflicts of a record follow each other, and are told with what was written of it.
        var held: (record: Record, entry: ReportEntry)?
        _ = try reader.entries(of: run, limit: nil) { recorded in
            try cancellation.check()
            guard let entry = try entry(of: recorded, ended) else { return }
            if entry.action == .quarantine { counts[recorded.mapping, default: RunSummary()].quarantined += 1 }
            let record = Record(mapping: recorded.mapping, key: recorded.key ?? "")
            if entry.action == .conflict, disputed.contains(record) {
                if held?.record == record {
                    held?.entry.add(entry)
                } else {
                    if let held { list(held.entry) }
                    held = (record, entry)
                    held?.entry.fields += written.removeValue(forKey: record) ?? []
                }
                return
            }
            list(entry)
        }
        if let held { list(held.entry) }
        var report = RunReport(run)
        report.streams = try streams(counts)
        report.schemaChanges = try reader.tableChanges(of: run)
        report.note(view.spools)
        try document.begin(nil, count: 1, to: output)
        try document.separate(isFirst: true, to: output)
        // What a summary leaves out is not missing.
        try view.write(report, seconds: Double(run.seconds ?? 0), omitted: limit == 0 ? 0 : omitted, to: output)
        try document.end(to: output)
        try output.flush()
    }

    /// A record of one source.
    private struct Record: Hashable {
        let mapping: RecordMapping
        let key: String
    }

    /// The conflicts that a run closed.
    private struct Ended {
        var all: Set<Int64> = []
        /// Those that it opened as well: before it and after it, none of them is open.
        var own: Set<Int64> = []
    }

    private func ended() throws -> Ended {
        if run.undoes != nil { return Ended() }
        var (ended, opened): (Ended, Set<Int64>) = (Ended(), [])
        _ = try reader.entries(of: run, limit: nil) { recorded in
            guard recorded.subject == .conflict, !recorded.isWithin else { return }
            switch recorded.action {
            case "opened", "reopened":
                opened.insert(recorded.entry)
                ended.all.remove(recorded.entry)
            case "closed": ended.all.insert(recorded.entry)
            default: break
            }
        }
        ended.own = ended.all.intersection(opened)
        return ended
    }

    /// The records that have a conflict by the run, each once for however many fields. What a run that takes another one back
    /// writes is no part of a record in conflict.
    private func disputed(besides ended: Ended) throws -> Set<Record> {
        if run.undoes != nil { return [] }
        var found: Set<Record> = []
        _ = try reader.entries(of: run, limit: nil) { recorded in
            guard let key = recorded.key, try entry(of: recorded, ended)?.action == .conflict else { return }
            found.insert(Record(mapping: recorded.mapping, key: key))
        }
        return found
    }

    /// What the run did to a conflict or to a record in quarantine; nil where that is no news of a record.
    private func entry(of recorded: RecordedEntry, _ ended: Ended) throws -> ReportEntry? {
        let isOpened = ["opened", "changed", "reopened"].contains(recorded.action)
        switch recorded.subject {
        case .state, .schema: return nil
        case .conflict:
            if recorded.isWithin { return nil }
            if (isOpened ? ended.all : ended.own).contains(recorded.entry) { return nil }
            return ReportEntry(recorded, isOpened, try store.conflicts.entry(id: recorded.entry), families)
        case .quarantine:
            // What a change of a table put there is told with that change.
            if isOpened, QuarantineEntry.changedField(of: recorded.kind) != nil { return nil }
            guard let entry = try store.quarantine.entry(id: recorded.entry) else { return nil }
            let told = ReportEntry(entry, families: families)
            return isOpened ? told : told.released(recorded)
        }
    }

    /// What was counted of the streams' own records, as the streams of a report have it.
    private func streams(_ counts: [RecordMapping: RunSummary]) throws -> [StreamReport] {
        let tables = try StreamTables(of: run.pipeline, in: store)
        return counts.filter { !tables.areWithin($0.key) }.sorted {
            ($0.key.stream, $0.key.entity) < ($1.key.stream, $1.key.entity)
        }
        .map { mapping, summary in
            var report = StreamReport(stream: mapping.stream, entity: mapping.entity)
            report.summary = summary
            return report
        }
    }
}

extension RunReport {
    /// The report of a run as the store remembers it, without what happened to records.
    fileprivate init(_ run: RunEntry) {
        self.init(pipeline: run.pipeline, command: .run, startedAt: run.startedAt)
        self.run = run.id
        // A run that never came to an end was broken off.
        status = Status(rawValue: run.status) ?? .interrupted
        finishedAt = run.finishedAt ?? run.startedAt
        scope = run.scope
        undoes = run.undoes
        if run.command == RunEntry.applyCommand { isApply = true }
        keepsPages = run.isKept
        keptSummary = RunSummary(run)
        keptPagesAsBefore = run.pagesAsBefore
        (keptFiltered, keptSuspected) = (run.filtered, run.suspected)
        linked = run.linked
        unlinked = run.unlinked.isEmpty ? nil : run.unlinked
        // Of what stands within others, it is told what changed.
        keptWithin = run.within.mapValues { counts in
            var summary = RunSummary(counts)
            summary.unchanged = 0
            return summary
        }
        if let error = run.error { problems.append(RunProblem(code: "failed", severity: .error, message: error)) }
        problems += run.warnings.map { RunProblem($0) }
        if let other = run.undoneBy {
            problems.append(
                RunProblem(code: "undone", severity: .note, message: "Run \(other) undid this one."))
        }
        switch run.changes {
        case .kept, nil: break
        case .pruning, .pruned:
            problems.append(
                RunProblem(
                    code: "history_pruned", severity: .note,
                    message:
                        "What it changed is no longer kept: it is older than `history: {keep: …}` says."))
        }
    }
}

extension ReportEntry.Field {
    /// The field as one whose value the source gave.
    fileprivate var taken: ReportEntry.Field {
        ReportEntry.Field(
            name: name, fieldClass: fieldClass, base: base, local: local, remote: result, result: result,
            conflict: conflict)
    }
}

extension ReportEntry {
    /// Adds another conflict of the record.
    fileprivate mutating func add(_ other: ReportEntry) {
        fields += other.fields
        if let told = other.conflict { conflict = told }
    }

    /// A record in quarantine as one that a run had leave it.
    ///
    /// - Parameter recorded: What the run did to the entry.
    /// - Returns: The entry, with what was wrong with the record.
    fileprivate func released(_ recorded: RecordedEntry) -> ReportEntry {
        var told = self
        told.action = .released
        told.ended = recorded.action
        told.message = "quarantine \(recorded.entry) \(recorded.action): \(message)"
        return told
    }

    /// What a run did to a record; nil where its row stayed as it was.
    fileprivate init?(_ change: HistoryChange, _ families: EntityFamilies) {
        switch change.action {
        case .insert: action = .insert
        case .update: action = .update
        case .delete: action = .delete
        case .base: return nil
        }
        stream = change.mapping.stream
        entity = change.mapping.entity
        table = change.table ?? families.table(of: change.mapping.entity)
        key = change.key
        kind = change.kind ?? action.rawValue
        isAgain = change.isAgain
        deletion = change.action == .delete ? .hard : nil
        path = families.path(to: change.mapping.entity, keyText: change.key)
        fields = change.fields.map { field in
            Field(
                name: field.name, fieldClass: field.fieldClass ?? "", base: nil, local: field.old, remote: nil,
                result: field.new)
        }
    }

    /// What a run did to a conflict, with its values where the store still has it.
    fileprivate init(
        _ recorded: RecordedEntry, _ isOpened: Bool, _ entry: ConflictEntry?, _ families: EntityFamilies
    ) {
        stream = recorded.mapping.stream
        entity = recorded.mapping.entity
        table = families.table(of: recorded.mapping.entity)
        key = recorded.key
        action = isOpened ? .conflict : .closed
        kind = recorded.kind
        path = recorded.key.flatMap { families.path(to: recorded.mapping.entity, keyText: $0) }
        let notes = [
            entry.flatMap(ConflictText.obstacle), recorded.end?.words, ConflictText.said(recorded), recorded.note,
        ]
        let told = Conflict(
            id: recorded.entry, status: entry?.status.rawValue ?? recorded.action,
            note: notes.compactMap(\.self).joined(separator: "; "))
        if recorded.field == nil { conflict = told }
        fields = [
            Field(
                name: recorded.field, fieldClass: recorded.kind, base: entry?.base.map { JSONObject.kept($0) },
                local: entry?.local.map { JSONObject.kept(recorded.field == nil ? ShownRecord.counted($0) : $0) },
                remote: entry?.remote.map { JSONObject.kept($0) },
                conflict: told)
        ]
    }
}

internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore
internal import SluiceSystem

/// Conflicts and records in quarantine that the run opened, changed or closed.
extension RunUndo {
    func undoEntries() throws {
        var touched: Set<Name> = []
        var handled: Set<Int64> = []
        var left: [RecordedEntry] = []
        var marks: Set<Mark> = []
        var conflicts: [RecordedEntry] = []
        var withdrawn = 0
        var last: Int64?
        while true {
            let entries = try store.changes.entries(
                run: target.id, order: .newestFirst, beyond: last, limit: Self.chunk)
            guard let oldest = entries.last else { break }
            last = oldest.id
            for entry in entries {
                try cancellation.check()
                switch entry.subject {
                case .state:
                    marks.insert(Mark(entry))
                    if try store.state.revert(entry) { recordWritten() } else { left.append(entry) }
                case .schema: continue
                case .quarantine:
                    handled.insert(entry.entry)
                    changedStreams.insert(entry.mapping.stream)
                    let isThere =
                        try entry.action == "opened" && store.quarantine.entry(id: entry.entry)?.isOpen == true
                    if try store.quarantine.revert(entry) {
                        recordWritten()
                        if isThere { withdrawn += 1 }
                    } else {
                        try recordKept(entry)
                    }
                case .conflict:
                    changedStreams.insert(entry.mapping.stream)
                    guard let key = entry.key else { continue }
                    let name = Name(mapping: entry.mapping, key: key)
                    // What is decided about a field that is left stays decided.
                    if leftRecords.contains(name) { continue }
                    if let field = entry.field, leftFields[name]?.contains(field) == true { continue }
                    touched.insert(name)
                    conflicts.append(entry)
                }
            }
            try undo(conflicts)
            conflicts.removeAll()
        }
        for entry in left { try skipState(entry) }
        for (mapping, names) in Dictionary(grouping: touched, by: \.mapping).sorted(by: { $0.key.path < $1.key.path }) {
            try correct(names.sorted(), mapping)
        }
        recordLeftConflicts()
        try recordRenewed(besides: handled)
        recordWithdrawn(withdrawn)
        try forgetCursorsOfLaterRuns()
        try forgetCursorsBeyondRecords(besides: marks)
        try forgetValidators()
    }

    /// Says of a value that a change of a type put into the quarantine that it stays there: its row has another one since.
    private func recordKept(_ change: RecordedEntry) throws {
        guard change.action == "opened", let entry = try store.quarantine.entry(id: change.entry), entry.isOpen,
            let field = entry.changedField, let value = entry.value
        else { return }
        leftEntries += 1
        record(
            "The quarantine keeps \(value) of `\(field)` of \(entry.entity) \(entry.key ?? "") as its entry \(change.entry), since the row holds another value or is gone. The next run closes it. If that value is meant, write it into the table."
        )
    }

    /// Says how many records leave the quarantine, since the run put them there.
    private func recordWithdrawn(_ count: Int) {
        if count == 0 { return }
        problems.append(
            RunProblem(
                code: "quarantine_withdrawn", severity: .note,
                message:
                    "\(Plural.of(count, "record")) that run \(target.id) put in quarantine \(Plural.word(count, "leaves", "leave")) it."
            ))
    }

    /// Says which records stay in quarantine as the run read them.
    private func recordRenewed(besides handled: Set<Int64>) throws {
        let renewed = try store.quarantine.entries(renewedBy: target.id).filter { $0.id.map(handled.contains) != true }
        guard let first = renewed.first else { return }
        let record = "\(first.entity) \(first.key ?? "without a key")"
        let others = renewed.count == 1 ? "" : " and \(Plural.of(renewed.count - 1, "other record", "other records"))"
        let them = Plural.word(renewed.count, "it", "them")
        self.record(
            "The quarantine keeps \(record)\(others) as run \(target.id) read \(them). The next run that reads \(them) renews this."
        )
    }

    /// Says which conflicts stay, since they are not as the run left them.
    private func recordLeftConflicts() {
        let all = leftConflicts.sorted().map(String.init)
        guard let last = all.last else { return }
        if all.count == 1 { return record("Conflict \(last) has changed since, so it \(leftWords).") }
        let names = all.dropLast().joined(separator: ", ")
        record("The conflicts \(names) and \(last) have changed since, so they \(leftManyWords).")
    }

    /// Takes back changes of conflicts, in their order.
    private func undo(_ changes: [RecordedEntry]) throws {
        var rest = changes[...]
        while !rest.isEmpty {
            // Each change of a conflict is told as it leaves that.
            var met: Set<Int64> = []
            let some = Array(rest.prefix { met.insert($0.entry).inserted })
            rest = rest.dropFirst(some.count)
            let areBack = try store.conflicts.revert(some)
            let entries = try store.conflicts.entries(ids: some.map(\.entry))
            for ((change, isBack), entry) in zip(zip(some, areBack), entries) { report(change, isBack: isBack, entry) }
        }
    }

    private func report(_ change: RecordedEntry, isBack: Bool, _ entry: ConflictEntry?) {
        // What waits with a conflict is told with that.
        if change.isWithin { return isBack ? recordWritten() : () }
        guard isBack else {
            leftEntries += 1
            return leftConflicts.append(change.entry)
        }
        recordWritten()
        guard var entry else { return withdrawnConflicts.append(change.entry) }
        if run == nil { entry.id = nil }
        observer.conflict(entry)
    }

    /// Bases say whether a conflict of their record is open, and without a base none is.
    private func correct(_ names: [Name], _ mapping: RecordMapping) throws {
        guard let table = try table(mapping) else { return }
        let records = names.compactMap { name in
            json.key(name.key, schema: table.schema).map { (name: name, key: $0) }
        }
        let open = try store.conflicts.open(of: mapping, keys: records.map(\.name.key))
        var plans: [(plan: UndoPlan, name: Name)] = []
        for ((name, key), base) in zip(records, try table.records.baseImages(records.map(\.key))) {
            let conflicts = open[ExactText(name.key)] ?? []
            guard var base else {
                try close(conflicts, name, table)
                continue
            }
            if base.isOpen != conflicts.isEmpty { continue }
            base.isOpen = !conflicts.isEmpty
            base.lastRun = run ?? base.lastRun
            plans.append((UndoPlan(RecordWrite(undoing: key, row: .none, .restore(base))), name))
        }
        try carryOut(plans.map(\.plan), plans.map(\.name), table)
    }

    /// Closes conflicts that a later run changed, and whose record is not managed any more: they could neither be decided nor
    /// brought up to date.
    private func close(_ conflicts: [ConflictEntry], _ name: Name, _ table: ReviewTable) throws {
        if conflicts.isEmpty { return }
        let notices = try table.writer.conflicts.apply(conflicts.map { .close($0, as: .obsolete, since: .unmanaged) })
        for notice in notices { observer.conflict(notice.entry) }
        recordWritten()
        let ids = Set(conflicts.compactMap(\.id))
        let before = leftConflicts.count
        leftConflicts.removeAll { ids.contains($0) }
        leftEntries -= before - leftConflicts.count
        for id in ids.sorted() {
            record(
                "Conflict \(id) has changed since, and \(run == nil ? "would be closed" : "was closed"): \(name.mapping.entity) \(name.key) is not managed any more, as before run \(target.id). The next run that reads it asks again where it has to."
            )
        }
    }
}

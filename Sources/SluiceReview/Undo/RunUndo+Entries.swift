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
        var met = MetConflicts()
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
            try undo(conflicts, &met)
            conflicts.removeAll()
        }
        try report(met)
        for entry in left { try skipState(entry) }
        for (mapping, names) in Dictionary(grouping: touched, by: \.mapping).sorted(by: { $0.key < $1.key }) {
            try correct(names.sorted(), mapping)
        }
        try recordLeftConflicts()
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

    /// How many conflicts a sentence names.
    private static let namedConflicts = 10

    /// Says which conflicts stay, since they are not as the run left them: of which record each is, and of one that was decided by
    /// which run, which can be taken back.
    private func recordLeftConflicts() throws {
        let ids = leftConflicts.sorted()
        var groups: [(decided: Int64?, names: [String])] = []
        for (id, entry) in zip(ids, try store.conflicts.entries(ids: ids)) {
            let name = entry.map { "\(id) of \($0.entity) \($0.key)" } ?? "\(id)"
            let decided = entry?.status == .resolved ? entry?.lastRun : nil
            if decided == target.id, let entry, let successor = try successor(of: entry) {
                record(
                    "Conflict \(name) stays decided, since the source changed the value again: conflict \(successor) asks about that."
                )
                continue
            }
            if let index = groups.firstIndex(where: { $0.decided == decided }) {
                groups[index].names.append(name)
            } else {
                groups.append((decided, [name]))
            }
        }
        for (decided, names) in groups {
            let subject = "\(Plural.word(names.count, "Conflict", "The conflicts")) \(Self.joined(names))"
            let left = Plural.word(names.count, "it \(leftWords)", "they \(leftManyWords)")
            guard let decided else {
                record("\(subject) \(Plural.word(names.count, "has", "have")) changed since, so \(left).")
                continue
            }
            let were = Plural.word(names.count, "was", "were")
            record(
                "\(subject) \(were) decided by run \(decided), so \(left). To take that back, undo run \(decided).")
        }
    }

    /// The number of the open conflict over the same; nil where there is none.
    private func successor(of entry: ConflictEntry) throws -> Int64? {
        try store.conflicts.open(of: entry.mapping, key: entry.key).first {
            $0.field == entry.field && $0.id != entry.id
        }?.id
    }

    private static func joined(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        if names.count > namedConflicts {
            return names.prefix(namedConflicts).joined(separator: ", ") + " and \(names.count - namedConflicts) more"
        }
        return names.dropLast().joined(separator: ", ") + " and \(last)"
    }

    /// The conflicts that the run changed, however often it changed each.
    private struct MetConflicts {
        /// Each once, the one that the run changed last first.
        var ids: [Int64] = []
        /// Whether all that the run did to one is taken back.
        var areBack: [Int64: Bool] = [:]

        mutating func meet(_ id: Int64, isBack: Bool) {
            if areBack[id] == nil { ids.append(id) }
            areBack[id] = isBack && areBack[id] ?? true
        }
    }

    /// Takes back changes of conflicts, in their order.
    private func undo(_ changes: [RecordedEntry], _ met: inout MetConflicts) throws {
        for (change, isBack) in zip(changes, try store.conflicts.revert(changes)) {
            met.meet(change.entry, isBack: isBack)
        }
    }

    /// Tells what became of conflicts, of each once.
    private func report(_ met: MetConflicts) throws {
        for start in stride(from: 0, to: met.ids.count, by: Self.chunk) {
            let some = Array(met.ids[start...].prefix(Self.chunk))
            for (id, entry) in zip(some, try store.conflicts.entries(ids: some)) {
                // What waits with a conflict is told with that.
                if id < 0 {
                    if met.areBack[id] == true { recordWritten() }
                    continue
                }
                guard met.areBack[id] == true else {
                    leftEntries += 1
                    leftConflicts.append(id)
                    continue
                }
                recordWritten()
                guard var entry else {
                    withdrawnConflicts.append(id)
                    continue
                }
                if run == nil { entry.id = nil }
                observer.conflict(entry)
            }
        }
        withdrawnConflicts.sort()
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

internal import SluiceModel
package import SluicePlans
package import SluiceStore

/// Writes what becomes of conflicts: one is open over a field of a record, or over a record, at most.
///
/// Whoever finds a conflict where one is open brings that up to date, under whatever policy and of whatever kind either is.
package struct ConflictWriter {
    /// A conflict that was written, as it is told.
    package struct Notice {
        /// The conflict; a plan gives it no number.
        package let entry: ConflictEntry
        /// Whether it waits for a decision and is new, or the source says something else of it.
        package let isNews: Bool
    }

    private let ledger: any ConflictLedger
    let canonical: CanonicalRecord
    /// The run's number, nil in a plan.
    private let run: Int64?
    /// The records about which it told something new.
    private let asked = Asked()

    /// The numbers of conflicts.
    private final class Asked {
        var ids: Set<Int64> = []
    }

    init(_ ledger: any ConflictLedger, canonical: CanonicalRecord, run: Int64?) {
        (self.ledger, self.canonical, self.run) = (ledger, canonical, run)
    }

    /// What becomes of the conflicts of one record, in this order.
    package struct Changes {
        /// Those that close, whatever is found of the record.
        var before: [ConflictChange] = []
        /// What was planned. One that is closed and found once more stays open.
        let planned: [ConflictChange]
        /// Those that close after that.
        var after: [ConflictChange] = []

        package init(_ planned: [ConflictChange]) { self.planned = planned }

        /// The keys under which conflicts may be open that are found.
        fileprivate var keys: Set<ExactText> {
            var keys: Set<ExactText> = []
            for case .remember(let entry, nil, _) in planned { keys.insert(ExactText(entry.key)) }
            return keys
        }
    }

    /// Writes what becomes of some conflicts of one record, in their order. One that is closed and found once more stays open.
    ///
    /// - Returns: What is told of them.
    /// - Throws: `StoreError`.
    package func apply(_ changes: [ConflictChange]) throws -> [Notice] {
        try apply([Changes(changes)]).flatMap { $0 }
    }

    /// Writes what becomes of the conflicts of some records: together, as far as no record comes twice.
    ///
    /// - Parameter records: The changes of each record.
    /// - Returns: What is told of each record.
    /// - Throws: `StoreError`.
    package func apply(_ records: [Changes]) throws -> [[Notice]] {
        var notices: [[Notice]] = []
        var rest = records[...]
        while !rest.isEmpty {
            var met: Set<ExactText> = []
            let some = rest.prefix { changes in
                let keys = changes.keys
                defer { met.formUnion(keys) }
                return met.isDisjoint(with: keys)
            }
            notices += try applyTogether(some)
            rest = rest.dropFirst(some.count)
        }
        return notices
    }

    private func applyTogether(_ records: ArraySlice<Changes>) throws -> [[Notice]] {
        // What asks of a record as a whole has its number before the conflicts are closed that name it.
        let found = try remember(records.map(\.planned))
        var ended: [ConflictEntry] = []
        var notices: [[Notice]] = []
        for (changes, found) in zip(records, found) {
            var told: [Notice] = []
            func end(_ entry: ConflictEntry) {
                ended.append(entry)
                told.append(Notice(entry: shown(entry), isNews: false))
            }
            for change in changes.before { self.ended(change).map(end) }
            for (index, change) in changes.planned.enumerated() {
                switch change {
                case .remember: if let notice = found.notices[index] { told.append(notice) }
                case .close(let entry, _, _) where entry.id.map(found.open.contains) ?? false: break
                case .close(let entry, let status, .record(let known)):
                    end(closed(entry, as: status, since: .record(found.asking ?? known)))
                case .close, .revise: self.ended(change).map(end)
                }
            }
            for change in changes.after { self.ended(change).map(end) }
            notices.append(told)
        }
        let known = ended.filter { $0.id != nil }
        if !known.isEmpty { _ = try ledger.write(known) }
        return notices
    }

    // MARK: What is found

    /// What was found of one record.
    private struct Found {
        /// What is told, by the position of the change.
        var notices: [Int: Notice] = [:]
        /// The number of the conflict that asks of the record as a whole.
        var asking: Int64?
        /// The numbers of the conflicts that are open.
        var open: Set<Int64> = []
    }

    /// A conflict that is found, and what becomes of it.
    private struct Memory {
        let record: Int
        let change: Int
        /// As it was found.
        let found: ConflictEntry
        /// As it is kept.
        var kept: ConflictEntry
        /// Whether anything of it is written.
        var isWritten = true
        /// Whether it is told, and whether that is news.
        var news: Bool?
    }

    /// Opens the conflicts that are found or, where they are known, brings them up to date.
    private func remember(_ records: [[ConflictChange]]) throws -> [Found] {
        var found = [Found](repeating: Found(), count: records.count)
        var memories = try memories(of: records)
        if memories.isEmpty { return found }
        let written = memories.indices.filter { memories[$0].isWritten }
        let ids = written.isEmpty ? [] : try ledger.write(written.map { memories[$0].kept })
        for (index, id) in zip(written, ids) { memories[index].kept.id = id }
        for memory in memories {
            let (record, kept) = (memory.record, memory.kept)
            if let isNews = memory.news {
                found[record].notices[memory.change] = Notice(entry: shown(kept), isNews: isNews)
            }
            if memory.found.field == nil { found[record].asking = kept.id }
            if memory.found.status == .open, let id = kept.id { found[record].open.insert(id) }
        }
        return found
    }

    /// What becomes of the conflicts that are found.
    private func memories(of records: [[ConflictChange]]) throws -> [Memory] {
        var memories: [Memory] = []
        let open = try open(like: records)
        for (record, changes) in records.enumerated() {
            for (index, change) in changes.enumerated() {
                guard case .remember(let entry, let over, let isNews) = change else { continue }
                // One that is settled already is none that is open.
                let like = entry.status == .open ? open[ExactText(entry.key)] ?? [] : []
                var memory = Memory(record: record, change: index, found: entry, kept: entry)
                if let known = over ?? like.first(where: { $0.field == entry.field }) {
                    bringUpToDate(known, &memory, isNews: isNews)
                } else {
                    memory.news = entry.status == .open
                }
                memories.append(memory)
            }
        }
        return memories
    }

    /// The open conflicts of the records of which some are to be opened, by the records' keys.
    private func open(like records: [[ConflictChange]]) throws -> [ExactText: [ConflictEntry]] {
        var keys: [RecordMapping: [String]] = [:]
        for case .remember(let entry, nil, _) in records.joined() where entry.status == .open {
            keys[entry.mapping, default: []].append(entry.key)
        }
        var open: [ExactText: [ConflictEntry]] = [:]
        for (mapping, keys) in keys { open.merge(try ledger.open(of: mapping, keys: keys)) { $0 + $1 } }
        return open
    }

    /// Brings a conflict up to date that is found once more.
    private func bringUpToDate(_ known: ConflictEntry, _ memory: inout Memory, isNews: Bool?) {
        let entry = memory.found
        // A source that only writes the same value in another way says nothing new.
        let isQuiet = isNews == false
        let isNews = isNews ?? (known.kind != entry.kind || !canonical.saysSame(known, entry))
        let isShown =
            (known.base, known.local, known.note, known.otherSource)
            == (entry.base, entry.local, entry.note, entry.otherSource)
        // What it said before the field had its type is written as it says that now.
        let isRestated = known.remote != entry.remote && (isQuiet || !canonical.isCurrent(known))
        memory.kept = known
        memory.isWritten = isNews || !isShown || isRestated
        if !memory.isWritten { return }
        var kept = known
        (kept.kind, kept.base, kept.local, kept.remote) = (entry.kind, entry.base, entry.local, entry.remote)
        (kept.note, kept.policy, kept.otherSource) = (entry.note, entry.policy, entry.otherSource)
        kept.baseAbsence = entry.baseAbsence
        kept.lastRun = run
        // What the run itself asked of the record before is one question, of whatever parts of the record it is put together.
        let isAsked = entry.field == nil && (known.firstRun == run || known.id.map(asked.ids.contains) ?? false)
        if isNews && !isAsked {
            kept.seen += 1
            memory.news = true
            if entry.field == nil, let id = known.id { asked.ids.insert(id) }
        }
        memory.kept = kept
    }

    // MARK: What is over

    /// A conflict as a change leaves it that closes it or writes it as it stands; nil for one that is found.
    private func ended(_ change: ConflictChange) -> ConflictEntry? {
        switch change {
        case .remember: nil
        case .close(let entry, let status, let end): closed(entry, as: status, since: end)
        case .revise(let entry): entry
        }
    }

    private func closed(_ entry: ConflictEntry, as status: ConflictStatus, since end: ConflictEnd?) -> ConflictEntry {
        var closed = entry
        closed.status = status
        closed.end = status == .obsolete ? end : nil
        closed.lastRun = run
        return closed
    }

    /// Numbers are not kept by a plan, so it shows none.
    private func shown(_ entry: ConflictEntry) -> ConflictEntry {
        var shown = entry
        if run == nil {
            shown.id = nil
            if case .record = shown.end { shown.end = .record(nil) }
        }
        return shown
    }
}

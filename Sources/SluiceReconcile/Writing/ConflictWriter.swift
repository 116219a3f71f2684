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
    private let canonical: CanonicalRecord
    /// The run's number, nil in a plan.
    private let run: Int64?

    init(_ ledger: any ConflictLedger, canonical: CanonicalRecord, run: Int64?) {
        (self.ledger, self.canonical, self.run) = (ledger, canonical, run)
    }

    /// Writes what becomes of some conflicts, in their order. One that is closed and found once more stays open.
    ///
    /// - Returns: What is told of them.
    /// - Throws: `StoreError`.
    package func apply(_ changes: [ConflictChange]) throws -> [Notice] {
        var notices: [Notice?] = Array(repeating: nil, count: changes.count)
        // What asks of the record as a whole has its number before the conflicts are closed that name it.
        var asking: Int64?
        var found: Set<Int64> = []
        for (index, change) in changes.enumerated() {
            guard case .remember(let entry, let known, let isNews) = change else { continue }
            let (notice, id) = try remembered(entry, over: known, isNews: isNews)
            notices[index] = notice
            if entry.field == nil { asking = id }
            if entry.status == .open, let id { found.insert(id) }
        }
        for (index, change) in changes.enumerated() {
            switch change {
            case .remember: break
            case .close(let entry, _, _) where entry.id.map(found.contains) ?? false: break
            case .close(let entry, let status, .record):
                notices[index] = try close(entry, as: status, since: .record(asking))
            case .close(let entry, let status, let end): notices[index] = try close(entry, as: status, since: end)
            case .revise(let entry): notices[index] = try revise(entry)
            }
        }
        return notices.compactMap { $0 }
    }

    /// Opens a conflict or, where it is known, brings it up to date.
    ///
    /// - Parameters:
    ///   - entry: The conflict.
    ///   - known: The open one about the same; nil where none is known.
    ///   - isNews: Whether it is news even where both sides are as they were.
    /// - Returns: Nil where there is no news.
    /// - Throws: `StoreError`.
    func remember(_ entry: ConflictEntry, over known: ConflictEntry?, isNews: Bool = false) throws -> Notice? {
        try remembered(entry, over: known, isNews: isNews).notice
    }

    private func remembered(
        _ entry: ConflictEntry, over known: ConflictEntry?, isNews: Bool
    ) throws -> (notice: Notice?, id: Int64?) {
        guard var known = try known ?? open(like: entry) else {
            var entry = entry
            entry.id = try ledger.insert(entry)
            return (Notice(entry: shown(entry), isNews: entry.status == .open), entry.id)
        }
        // A source that only writes the same value in another way says nothing new.
        let isNews = isNews || known.kind != entry.kind || !canonical.saysSame(known, entry)
        let isShown =
            (known.base, known.local, known.note, known.otherSource)
            == (entry.base, entry.local, entry.note, entry.otherSource)
        if !isNews && isShown { return (nil, known.id) }
        (known.kind, known.base, known.local, known.remote) = (entry.kind, entry.base, entry.local, entry.remote)
        (known.note, known.policy, known.otherSource) = (entry.note, entry.policy, entry.otherSource)
        known.baseAbsence = entry.baseAbsence
        known.lastRun = run
        if isNews { known.seen += 1 }
        try ledger.update(known)
        return (isNews ? Notice(entry: shown(known), isNews: true) : nil, known.id)
    }

    /// The open conflict about the same as another one that is to be opened; nil where there is none, and where the other one
    /// is settled already.
    private func open(like entry: ConflictEntry) throws -> ConflictEntry? {
        if entry.status != .open { return nil }
        return try ledger.open(of: entry.mapping, key: entry.key).first { $0.field == entry.field }
    }

    /// Closes a conflict.
    ///
    /// - Parameters:
    ///   - entry: The conflict.
    ///   - status: How it is closed.
    ///   - end: Why it is over, where nobody decided.
    /// - Returns: What is told of it.
    /// - Throws: `StoreError`.
    func close(_ entry: ConflictEntry, as status: ConflictStatus, since end: ConflictEnd? = nil) throws -> Notice {
        var closed = entry
        closed.status = status
        closed.end = status == .obsolete ? end : nil
        closed.lastRun = run
        try ledger.update(closed)
        return Notice(entry: shown(closed), isNews: false)
    }

    private func revise(_ entry: ConflictEntry) throws -> Notice {
        try ledger.update(entry)
        return Notice(entry: shown(entry), isNews: false)
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

internal import SluiceModel
package import SluicePlans
package import SluiceStore

/// Writes what becomes of conflicts.
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

    /// Writes what becomes of some conflicts, in their order.
    ///
    /// - Returns: What is told of them.
    /// - Throws: `StoreError`.
    package func apply(_ changes: [ConflictChange]) throws -> [Notice] {
        try changes.compactMap { change in
            switch change {
            case .remember(let entry, let known, let isNews): try remember(entry, over: known, isNews: isNews)
            case .close(let entry, let status): try close(entry, as: status)
            case .revise(let entry): try revise(entry)
            }
        }
    }

    /// Opens a conflict or, where it is known, brings it up to date.
    ///
    /// - Parameters:
    ///   - entry: The conflict.
    ///   - known: The open one about the same; nil where there is none.
    ///   - isNews: Whether it is news even where both sides are as they were.
    /// - Returns: Nil where there is no news.
    /// - Throws: `StoreError`.
    func remember(_ entry: ConflictEntry, over known: ConflictEntry?, isNews: Bool = false) throws -> Notice? {
        guard var known else {
            var entry = entry
            entry.id = try ledger.insert(entry)
            return Notice(entry: shown(entry), isNews: entry.status == .open)
        }
        // A source that only writes the same value in another way says nothing new.
        let isNews = isNews || known.kind != entry.kind || !canonical.saysSame(known, entry)
        let isShown =
            (known.base, known.local, known.note, known.otherSource)
            == (entry.base, entry.local, entry.note, entry.otherSource)
        if !isNews && isShown { return nil }
        (known.kind, known.base, known.local, known.remote) = (entry.kind, entry.base, entry.local, entry.remote)
        (known.note, known.policy, known.otherSource) = (entry.note, entry.policy, entry.otherSource)
        known.baseAbsence = entry.baseAbsence
        known.lastRun = run
        if isNews { known.seen += 1 }
        try ledger.update(known)
        return isNews ? Notice(entry: shown(known), isNews: true) : nil
    }

    /// Closes a conflict.
    ///
    /// - Throws: `StoreError`.
    func close(_ entry: ConflictEntry, as status: ConflictStatus) throws -> Notice {
        var closed = entry
        closed.status = status
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
        if run == nil { shown.id = nil }
        return shown
    }
}

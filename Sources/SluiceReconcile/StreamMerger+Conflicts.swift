internal import SluiceDecode
internal import SluiceMerge
package import SluiceModel
internal import SluiceReport
package import SluiceStore

/// What was planned for conflicts is kept and told.
extension StreamMerger {
    /// Keeps what becomes of a record's conflicts.
    mutating func apply(_ changes: [ConflictChange]) throws {
        for change in changes {
            switch change {
            case .remember(let entry, let known, let isNews): try remember(entry, over: known, isNews: isNews)
            case .close(let entry, let status): try close(entry, as: status)
            }
        }
    }

    /// The open conflicts of a record whose base says that there are some.
    package func openConflicts(_ key: RecordKey, _ base: BaseRow?) throws -> [ConflictEntry] {
        if base?.isOpen != true { return [] }
        return try context.store.conflicts.open(of: schema.source, key: FieldJSON.object(key: key, schema: schema))
    }

    package mutating func remember(_ entry: ConflictEntry, over known: ConflictEntry?, isNews: Bool = false) throws {
        guard var known else {
            var entry = entry
            let id = try context.store.conflicts.insert(entry)
            entry.id = context.run == nil ? nil : id
            if entry.status == .open { report.newConflicts += 1 }
            tell(entry)
            return
        }
        // A source that only writes the same value in another way says nothing new.
        let isNews = isNews || known.kind != entry.kind || !planner.saysSame(known, entry)
        let isShown =
            (known.base, known.local, known.note, known.otherSource)
            == (entry.base, entry.local, entry.note, entry.otherSource)
        if !isNews && isShown { return }
        (known.kind, known.base, known.local, known.remote) = (entry.kind, entry.base, entry.local, entry.remote)
        (known.note, known.policy, known.otherSource) = (entry.note, entry.policy, entry.otherSource)
        known.baseAbsence = entry.baseAbsence
        known.lastRun = context.run
        if isNews {
            known.seen += 1
            report.newConflicts += 1
        }
        try context.store.conflicts.update(known)
        if isNews { tell(shown(known)) }
    }

    package mutating func close(_ entry: ConflictEntry, as status: ConflictStatus) throws {
        var closed = entry
        closed.status = status
        closed.lastRun = context.run
        try context.store.conflicts.update(closed)
        tell(shown(closed))
    }

    /// Ids are not kept by a plan, so it shows none.
    package func shown(_ entry: ConflictEntry) -> ConflictEntry {
        var shown = entry
        if context.run == nil { shown.id = nil }
        return shown
    }
}

extension ConflictEntry {
    /// Whether another row has the value that the source gives.
    var isUniqueCollision: Bool { kind == FieldClass.uniqueCollision.rawValue }
}

/// What a value knows of its record in the store.
struct KnownRecord<M: PersistentModel> {
    /// What remembers the value as it was read or saved; nil where it was not.
    var memory: (any OriginMemory)?
    /// What remembers the value as it was when its record was deleted; nil where it was not.
    var gone: (any OriginMemory)?
    /// The value as a record around it had it when that was read or saved; nil where none had, or where it is remembered itself.
    var read: BoxedRecord?
    /// Whether it was read in what was taken back, behind writes that may have been those of this record.
    var isDoubtful = false
    /// The identifier that the store gave and that is no longer the record's, as its insert was taken back; nil where there is none.
    var lostIdentifier: M.Identifier?
    /// What became of its links and was taken back.
    var lostChanges = LinkEdits()

    /// The value as it was read or saved; nil where it was not.
    ///
    /// - Throws: ``BoxError`` where the store cannot hold it.
    func boxed() throws(BoxError) -> BoxedRecord? {
        if let read { return read }
        return try memory?.boxed()
    }

    /// An identifier of the value; nil where the store has not given it, or where that was taken back.
    func held(_ identifier: M.Identifier?) -> M.Identifier? { identifier == lostIdentifier ? nil : identifier }
}

/// What is to become of links, by the positions of the relationships.
struct LinkEdits: Sendable {
    /// The keys that come and go.
    typealias Keys = (added: [[BoxedValue]], removed: [[BoxedValue]])

    var links: [Int: Keys] = [:]
    var orders: [Int: [OrderChange<[BoxedValue]>]] = [:]

    var isEmpty: Bool { links.isEmpty && orders.isEmpty }

    /// These and then others, as one change.
    func followed(by others: LinkEdits) -> LinkEdits {
        if others.isEmpty { return self }
        if isEmpty { return others }
        var all = self
        for (index, keys) in others.links { all.links[index] = all.links[index].map { Self.joined($0, keys) } ?? keys }
        for (index, changes) in others.orders {
            let isWhole = if case .assign(_)? = changes.first { true } else { false }
            all.orders[index] = isWhole ? changes : all.orders[index, default: []] + changes
        }
        return all
    }

    private static func joined(_ first: Keys, _ then: Keys) -> Keys {
        let said = Set(then.added).union(then.removed)
        func left(_ keys: [[BoxedValue]]) -> [[BoxedValue]] { keys.filter { !said.contains($0) } }
        return (left(first.added) + then.added, left(first.removed) + then.removed)
    }
}

extension PersistentModel {
    /// What the value knows of its record.
    var known: KnownRecord<Self> { storedOrigin?.known(as: Self.self) ?? KnownRecord() }

    /// What identifies the record in the store; nil where the store has not given it, or where that was taken back.
    var heldIdentifier: Identifier? { known.held(savedIdentifier) }
}

/// What a report lists of one record and of all that belongs to it.
struct RecordTree {
    /// What happens to one of the records.
    struct Entry {
        /// The records from the outermost one to this one.
        let path: [RecordName]
        let kind: ReportGroup.Kind
        let sort: GroupedEntries.Sort
        /// Whole lines, as they are where nothing stands before them.
        let text: String
    }

    /// One record with what happens to it and to those that belong to it.
    struct Node {
        let name: RecordName
        let entries: [Entry]
        let children: [Node]
    }

    let root: RecordName
    private(set) var entries: [Entry] = []
    /// How many of its entries are not listed.
    private(set) var left = 0
    /// Whether something may have happened to its records that was never added.
    let mayLack: Bool

    init(root: RecordName, mayLack: Bool) { (self.root, self.mayLack) = (root, mayLack) }

    /// Whether nothing is known to happen to a record of which there is no entry.
    var isWhole: Bool { left == 0 && !mayLack }

    mutating func append(_ entry: Entry) { entries.append(entry) }

    /// Leaves out the last entry of a sort, the outermost record's only where there is no other.
    ///
    /// - Returns: Whether there was one.
    mutating func dropLast(_ sort: GroupedEntries.Sort) -> Bool {
        let index =
            entries.lastIndex { $0.sort == sort && $0.path.count > 1 } ?? entries.lastIndex { $0.sort == sort }
        guard let index else { return false }
        entries.remove(at: index)
        left += 1
        return true
    }

    /// The group that it is listed in: that of the outermost record, or one of those in which that record stays.
    var kind: ReportGroup.Kind {
        if let own = entries.first(where: { $0.path.count == 1 }) { return own.kind }
        return hasConflictWithin ? .conflictWithin : .within
    }

    /// Whether a record within the outermost one is in conflict.
    var hasConflictWithin: Bool { entries.contains { $0.path.count > 1 && $0.kind == .conflict } }

    /// The outermost record with all below it: by the order of the entities, and as they came.
    ///
    /// - Parameter place: Where an entity stands among the others.
    /// - Returns: The outermost record.
    func node(_ place: (String) -> Int) -> Node { Self.node(root, entries, depth: 1, place) }

    private static func node(
        _ name: RecordName, _ entries: [Entry], depth: Int, _ place: (String) -> Int
    ) -> Node {
        var order: [RecordName] = []
        var below: [RecordName: [Entry]] = [:]
        for entry in entries where entry.path.count > depth {
            if below[entry.path[depth], default: []].isEmpty { order.append(entry.path[depth]) }
            below[entry.path[depth], default: []].append(entry)
        }
        let sorted = order.enumerated().sorted {
            (place($0.element.entity), $0.offset) < (place($1.element.entity), $1.offset)
        }
        return Node(
            name: name, entries: entries.filter { $0.path.count == depth },
            children: sorted.map { node($0.element, below[$0.element] ?? [], depth: depth + 1, place) })
    }
}

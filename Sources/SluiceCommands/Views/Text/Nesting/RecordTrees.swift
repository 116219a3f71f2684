internal import SluiceModel

/// The records of a report that others belong to, each with those, in the order in which they came.
///
/// Entries are dropped from the end, so that those that come first have all of theirs.
struct RecordTrees {
    /// One place for each record that came; the entries of some were all dropped.
    private var trees: [RecordTree] = []
    private var places: [RecordName: Int] = [:]
    /// What the keys of the outermost records that were ever added begin with.
    private var firstValues: Set<String> = []
    /// Behind this place no tree has an entry of a sort.
    private var lastPlace: [GroupedEntries.Sort: Int] = [:]
    /// How many entries there are.
    private(set) var count = 0

    /// The trees that have entries.
    var all: [RecordTree] { trees.filter { !$0.entries.isEmpty } }

    /// Whether there is a tree of a record.
    func has(_ root: RecordName) -> Bool { places[root] != nil }

    /// Whether there may be a tree of a record whose key begins with a value.
    func mayHave(_ first: String) -> Bool { firstValues.contains(first) }

    /// Adds an entry, to a new tree where its record has none.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - mayLack: Whether a new tree may lack what came before.
    mutating func add(_ entry: RecordTree.Entry, mayLack: Bool) {
        guard let root = entry.path.first else { return }
        let place = places[root] ?? trees.count
        if place == trees.count {
            trees.append(RecordTree(root: root, mayLack: mayLack))
            places[root] = place
            if let first = root.key.first { firstValues.insert(first.text) }
        }
        trees[place].append(entry)
        lastPlace[entry.sort] = max(lastPlace[entry.sort] ?? 0, place)
        count += 1
    }

    /// Leaves out the last entry of a sort; a tree without entries is no more.
    ///
    /// - Returns: Whether there was one.
    mutating func dropLast(_ sort: GroupedEntries.Sort) -> Bool {
        while let place = lastPlace[sort], place < trees.count {
            if trees[place].dropLast(sort) {
                count -= 1
                if trees[place].entries.isEmpty { places[trees[place].root] = nil }
                return true
            }
            lastPlace[sort] = place == 0 ? nil : place - 1
        }
        return false
    }

    /// Takes the first half of the trees out.
    mutating func takeFirst() -> [RecordTree] {
        let taken = trees.prefix((trees.count + 1) / 2)
        let rest = trees.dropFirst(taken.count)
        self = RecordTrees()
        for tree in rest where !tree.entries.isEmpty {
            for entry in tree.entries { add(entry, mayLack: tree.mayLack) }
        }
        return taken.filter { !$0.entries.isEmpty }
    }
}

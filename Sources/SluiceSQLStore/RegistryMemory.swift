internal import SluiceModel

/// What the registry of a store says, read once a transaction: nobody else writes to it until that ends.
///
/// A run asks for the same few entries of each of its streams again and again. Only kinds that are about tables are kept, whose
/// entries are few; those that are about rows are read where they are wanted.
package final class RegistryMemory {
    /// The entries of one kind, in the order of the bytes of their names.
    private struct Entries {
        var names: [String] = []
        var values: [ExactText: String] = [:]

        init(_ entries: [(name: String, value: String)]) {
            for entry in entries { put(entry.name, entry.value) }
        }

        mutating func put(_ name: String, _ value: String) {
            if values.updateValue(value, forKey: ExactText(name)) != nil { return }
            // They come in their order.
            let isLast = names.last.map { $0.utf8.lexicographicallyPrecedes(name.utf8) } ?? true
            names.insert(name, at: isLast ? names.count : place(of: name))
        }

        mutating func remove(_ name: String) {
            if values.removeValue(forKey: ExactText(name)) != nil { names.remove(at: place(of: name)) }
        }

        /// Where a name stands, or would stand.
        private func place(of name: String) -> Int {
            var (low, high) = (0, names.count)
            while low < high {
                let middle = (low + high) / 2
                if names[middle].utf8.lexicographicallyPrecedes(name.utf8) { low = middle + 1 } else { high = middle }
            }
            return low
        }

        func beginning(with prefix: String) -> [(name: String, value: String)] {
            names[place(of: prefix)...].prefix { $0.utf8.starts(with: prefix.utf8) }.map {
                ($0, values[ExactText($0)] ?? "")
            }
        }
    }

    /// The kinds that are kept.
    private static let kinds: Set = [
        "mapping", "deletes", "slot", "reference", EntityRegistry.leftKind, "unique", "index", "view", "made",
        EntityRegistry.movedKind, EntityRegistry.emptiedKind,
    ]

    private var isKept = false
    private var known: [String: Entries] = [:] {
        didSet { slots.removeAll() }
    }
    /// The slots that were read out of the entries, by their mapping.
    private var slots: [String: [EntityRegistry.Slot]] = [:]

    /// Makes a memory that keeps nothing yet.
    package init() {}

    /// A transaction begins that alone may write.
    package func begin() {
        isKept = true
        known = [:]
    }

    /// It is over.
    package func end() {
        isKept = false
        known = [:]
    }

    /// Something was taken back.
    package func forget() { known = [:] }

    /// An entry.
    ///
    /// - Parameters:
    ///   - kind: Its kind.
    ///   - name: Its name.
    ///   - read: Reads all entries of the kind.
    /// - Returns: Its value, nil within where there is none; nil where the kind is not kept.
    func entry(
        _ kind: String, _ name: String, read: () throws -> [(name: String, value: String)]
    ) rethrows -> String?? {
        try entries(kind, read).map { .some($0.values[ExactText(name)]) } ?? nil
    }

    /// The entries of a kind whose names begin with some words, by name; nil where the kind is not kept.
    func entries(
        _ kind: String, prefix: String, read: () throws -> [(name: String, value: String)]
    ) rethrows -> [(name: String, value: String)]? {
        try entries(kind, read)?.beginning(with: prefix)
    }

    private func entries(
        _ kind: String, _ read: () throws -> [(name: String, value: String)]
    ) rethrows -> Entries? {
        if !isKept || !Self.kinds.contains(kind) { return nil }
        if let entries = known[kind] { return entries }
        let entries = Entries(try read())
        known[kind] = entries
        return entries
    }

    /// The slots of a mapping, read out of its entries once as long as no entry changes.
    func slots(
        of mapping: String, read: () throws -> [EntityRegistry.Slot]
    ) rethrows -> [EntityRegistry.Slot] {
        if let slots = slots[mapping] { return slots }
        let found = try read()
        if isKept { slots[mapping] = found }
        return found
    }

    /// An entry was written.
    func put(_ kind: String, _ name: String, _ value: String) { known[kind]?.put(name, value) }

    /// An entry is gone.
    func remove(_ kind: String, _ name: String) { known[kind]?.remove(name) }
}

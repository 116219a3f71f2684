/// A value as a merge within it sees it: what can be taken apart, and what is taken as a whole.
///
/// `{"size": 1.0, "tags": ["a"]}` is the members `size` and `tags`, each of which is taken as a whole.
package indirect enum MergeTree: Sendable {
    /// A part of a tree under its name.
    package struct Member: Sendable, Equatable {
        /// The name's bytes: two names are the same only if these are.
        package var name: [UInt8]
        /// What stands under the name.
        package var value: MergeTree

        /// Makes a member.
        package init(name: [UInt8], value: MergeTree) {
            self.name = name
            self.value = value
        }
    }

    /// A value without parts of its own.
    case whole(MergeItem)
    /// Parts under names, no name twice.
    case members([Member])
}

/// A value that is taken as a whole. How it was written is kept, and makes no difference.
package struct MergeItem: Sendable, Hashable {
    /// The form by which values are told apart.
    package let canonical: [UInt8]
    /// The value as one side wrote it.
    package let text: [UInt8]

    /// Makes an item.
    package init(canonical: [UInt8], text: [UInt8]) {
        self.canonical = canonical
        self.text = text
    }

    /// Whether two items are the same value.
    package static func == (left: MergeItem, right: MergeItem) -> Bool { left.canonical == right.canonical }

    /// Feeds what makes items equal into a hasher.
    package func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}

extension MergeTree: Equatable {
    /// Whether two values are the same, in whatever order their members stand.
    package static func == (left: MergeTree, right: MergeTree) -> Bool {
        switch (left, right) {
        case (.whole(let left), .whole(let right)): return left == right
        case (.members(let left), .members(let right)):
            if left.count != right.count { return false }
            // One source writes its members in one order, most of the time.
            if zip(left, right).allSatisfy({ $0.name == $1.name }) {
                return zip(left, right).allSatisfy { $0.value == $1.value }
            }
            let others = byName(right)
            return left.allSatisfy { others[$0.name] == $0.value }
        case (.whole, .members), (.members, .whole): return false
        }
    }

    package static func byName(_ members: [Member]) -> [[UInt8]: MergeTree] {
        Dictionary(members.map { ($0.name, $0.value) }) { $1 }
    }
}

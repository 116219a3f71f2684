extension StreamDefinition {
    /// The stream whose records this one asks for, one after the other: `{{ parent.x }}`.
    package struct Parent: Sendable, Hashable {
        /// Of which parents it asks.
        package enum Selection: String, Sendable, CaseIterable {
            /// Of all that the parent stream read.
            case all
            /// Of those that are new or changed.
            case changed
        }

        /// The name of the parent stream.
        package var stream: String
        /// The names of the fields of the parent's entity that tell requests apart.
        package var key: [String]
        /// Of which parents it asks.
        package var only = Selection.all

        /// Makes a parent.
        package init(stream: String, key: [String]) {
            self.stream = stream
            self.key = key
        }
    }

    /// Texts for each of which a stream asks once.
    package struct ItemList: Sendable, Hashable {
        /// What stands behind `item.`; nil where `{{ item }}` is the text.
        package var name: String?
        /// The texts in order.
        package var values: [String]

        /// Makes a list.
        package init(name: String? = nil, values: [String]) {
            self.name = name
            self.values = values
        }
    }
}

extension StreamDefinition {
    /// The stream whose records this one asks for, one after the other: `{{ parent.x }}`.
    public struct Parent: Sendable, Hashable {
        /// Of which parents it asks.
        public enum Selection: String, Sendable, CaseIterable {
            /// Of all that the parent stream read.
            case all
            /// Of those that are new or changed.
            case changed
        }

        /// The name of the parent stream.
        public var stream: String
        /// The names of the fields of the parent's entity that tell requests apart.
        public var key: [String]
        /// Of which parents it asks.
        public var only = Selection.all

        /// Makes a parent.
        public init(stream: String, key: [String]) {
            self.stream = stream
            self.key = key
        }
    }

    /// Texts for each of which a stream asks once.
    public struct ItemList: Sendable, Hashable {
        /// What stands behind `item.`; nil where `{{ item }}` is the text.
        public var name: String?
        /// The texts in order.
        public var values: [String]

        /// Makes a list.
        public init(name: String? = nil, values: [String]) {
            self.name = name
            self.values = values
        }
    }
}

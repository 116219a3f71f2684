public import SluiceJSON

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

    /// A list within each record that is like a page: it may have more than the record shows.
    public struct NestedList: Sendable {
        /// What is asked for the rest.
        public struct More: Sendable, Hashable {
            /// The jq program over the record that is true where there is more.
            public var condition: String
            /// The path of the request for it, in which `{{ parent.x }}` is a field of the record.
            public var path: ConfigurationText

            /// Makes a request.
            public init(condition: String, path: ConfigurationText) {
                self.condition = condition
                self.path = path
            }
        }

        /// The path to the list's envelope within the record.
        public var path: JSONPath
        /// The path to the records within the envelope; nil is `$[*]` for an array and `$` for an object.
        public var records: JSONPath?
        /// The name of the entity that they are.
        public var entity: String
        /// What is asked for the rest; nil where the record has it all.
        public var more: More?

        /// Makes a list.
        public init(path: JSONPath, records: JSONPath? = nil, entity: String, more: More? = nil) {
            self.path = path
            self.records = records
            self.entity = entity
            self.more = more
        }
    }
}

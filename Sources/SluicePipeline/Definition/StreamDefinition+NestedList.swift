package import SluiceJSON

extension StreamDefinition {
    /// A list within each record that is like a page: it may have more than the record shows.
    package struct NestedList: Sendable {
        /// What is asked for the rest.
        package struct More: Sendable {
            /// The jq program over the record that is true where there is more.
            package var condition: String
            /// The requests for it, in which `{{ parent.x }}` is a field of the record, and how their pages are read.
            package var request: StreamDefinition
            /// The path within the list to the cursor or the link that the first request takes; nil for where a page of
            /// the rest has it.
            package var start: JSONPath?

            /// Makes a request.
            package init(condition: String, request: StreamDefinition) {
                self.condition = condition
                self.request = request
            }
        }

        /// The path to the list's envelope within the record.
        package var path: JSONPath
        /// The path to the records within the envelope; nil is `$[*]`.
        package var records: JSONPath?
        /// The name of the entity that they are.
        package var entity: String
        /// What is asked for the rest; nil where the record has it all.
        package var more: More?

        /// Makes a list.
        package init(path: JSONPath, records: JSONPath? = nil, entity: String, more: More? = nil) {
            self.path = path
            self.records = records
            self.entity = entity
            self.more = more
        }

        /// The path to the records within the record.
        package var place: JSONPath {
            let steps = path.steps + (records?.steps ?? [.wildcard])
            let text = steps.reduce(into: "$") { text, step in
                switch step {
                case .name(let name): text += ".\(name)"
                case .index(let index): text += "[\(index)]"
                case .wildcard: text += "[*]"
                }
            }
            return JSONPath(steps: steps, text: text.hasPrefix("$.") ? String(text.dropFirst(2)) : text)
        }
    }

    /// The lists of which the rest may have to be asked for, with their positions.
    package var listsWithMore: [(index: Int, list: NestedList, more: NestedList.More)] {
        nested.enumerated().compactMap { index, list in list.more.map { (index, list, $0) } }
    }
}

internal import SluiceDecode
package import SluiceJSON
internal import SluicePipeline

/// Finds out where the rest of a list begins.
struct ContinuedListStart {
    let list: StreamDefinition.NestedList
    let more: StreamDefinition.NestedList.More

    /// Where a list goes on.
    struct Place {
        /// How many records it has.
        let count: Int
        /// What the first request asks for; nil for the first page.
        let token: PageToken?

        /// Makes a value of its parts.
        package init(count: Int, token: PageToken?) {
            self.count = count
            self.token = token
        }
    }

    /// Looks at the list of a record.
    ///
    /// - Returns: Nil where there is no list.
    func place(in record: JSONElement) -> Place? {
        guard let envelope = list.path.first(in: record),
            let container = list.container.first(in: record), container.isNull || container.kind == .array
        else { return nil }
        let count = container.kind == .array ? container.count : 0
        let beginning = ListBeginning(
            envelope: envelope, container: container, count: count, start: more.start,
            pageSize: more.request.pageLimits.size)
        return Place(count: count, token: more.request.paginator.requester.beginning(of: beginning))
    }
}

extension StreamDefinition.NestedList {
    /// The path to the array that holds the records.
    package var container: JSONPath { JSONPath(steps: place.steps.dropLast(), text: place.text) }
}

internal import SluiceDecode
package import SluiceJSON
internal import SluicePipeline

/// Finds out where the rest of a list begins.
struct RestStart {
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
        return Place(count: count, token: token(envelope, container, count))
    }

    private func token(_ envelope: JSONElement, _ container: JSONElement, _ count: Int) -> PageToken? {
        switch more.request.paginator {
        case .none, .headerLink: return nil
        case .jsonLink(let path):
            guard let link = (more.start ?? path).first(in: envelope)?.string, !link.isEmpty else { return nil }
            return PageToken(lead: .link(link))
        case .cursor(let cursor):
            var value: PageValue?
            if let start = more.start {
                value = start.first(in: envelope).flatMap { PageValue($0) }
            } else if let path = cursor.path, cursor.origin == .body {
                value = path.first(in: envelope).flatMap { PageValue($0) }
            } else if let path = cursor.path, cursor.origin == .lastRecord, count > 0 {
                value = container.element(at: count - 1).flatMap { path.first(in: $0) }.flatMap { PageValue($0) }
            }
            return value.map { PageToken(lead: .value($0)) }
        case .offset:
            return count == 0 ? nil : PageToken(records: count, lead: .value(PageValue(count)))
        case .pageNumber(let rule):
            guard let size = more.request.pageLimits.size, count > 0, count.isMultiple(of: size) else { return nil }
            let number = rule.start.addingReportingOverflow(count / size)
            return number.overflow
                ? nil : PageToken(pages: count / size, lead: .value(PageValue(number.partialValue)))
        }
    }
}

extension StreamDefinition.NestedList {
    /// The path to the array that holds the records.
    package var container: JSONPath { JSONPath(steps: place.steps.dropLast(), text: place.text) }
}

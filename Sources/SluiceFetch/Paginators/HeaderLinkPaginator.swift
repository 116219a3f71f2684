package import SluiceHTTP
package import SluicePipeline

/// The page behind one is that of a link in its header.
extension StreamDefinition.HeaderLink: Paginator {
    package var endsWithoutLink: Bool { true }
    package var isLedByWord: Bool { true }

    package func next(after page: ReceivedPage, _ counts: PageCounts) throws -> NextPage {
        try page.head.links.target(of: relation, from: page.head.url).map { .link($0) } ?? .end
    }

    package func end(unchanged head: HTTPResponseHead) -> UnchangedEnd {
        if head.links.first(relation, from: head.url) != nil { return .isNotLast }
        return head.links.links.isEmpty ? .isSilent : .isLast
    }

    package func leadsElsewhere(unchanged head: HTTPResponseHead, than url: HTTPURL) throws -> Bool {
        if head.links.links.isEmpty { return false }
        return try head.links.target(of: relation, from: head.url)?.text != url.text
    }

    package func unreadable(in head: HTTPResponseHead) -> String? {
        !head.headers.all("Link").isEmpty && head.links.links.isEmpty ? "the Link header" : nil
    }
}

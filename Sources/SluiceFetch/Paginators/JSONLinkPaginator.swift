package import SluiceDecode
internal import SluiceHTTP
package import SluiceJSON
package import SluicePipeline

/// The page behind one is that of a URL in its body.
extension StreamDefinition.JSONLink: Paginator {
    package var needs: PageView.Needs { .body }
    package var endsWithoutLink: Bool { true }
    package var isLedByWord: Bool { true }
    package var followedPaths: [JSONPath] { [path] }

    package func next(after page: ReceivedPage, _ counts: PageCounts) throws -> NextPage {
        try page.view.body?.text(at: path).map { .link(try page.head.url.resolving($0)) } ?? .end
    }

    package func saysEnd(_ page: ReceivedPage) -> Bool { page.view.body?.isEmpty(at: path) == true }

    package func beginning(of list: ListBeginning) -> PageToken? {
        guard let link = (list.start ?? path).first(in: list.envelope)?.string, !link.isEmpty else { return nil }
        return PageToken(lead: .link(link))
    }
}

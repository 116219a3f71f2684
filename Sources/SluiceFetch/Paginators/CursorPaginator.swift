package import SluiceDecode
package import SluiceHTTP
package import SluiceJSON
package import SluicePipeline

/// A page is requested by a value of the page before it: of its body, a header, or its last record.
extension StreamDefinition.Cursor: Paginator {
    package var valueParameter: String? { parameter }
    package var needs: PageView.Needs {
        var needs: PageView.Needs = []
        if origin == .body || hasMorePath != nil { needs.insert(.body) }
        if origin == .lastRecord { needs.insert(.lastRecord) }
        return needs
    }

    package var endsWithoutLink: Bool { true }
    // Every record has an identifier, behind the last page too.
    package var isLedByWord: Bool { origin != .lastRecord }
    package var followedPaths: [JSONPath] { origin == .body ? [path].compactMap { $0 } : [] }
    package var followedHeader: String? { origin == .header ? header : nil }

    package func next(after page: ReceivedPage, _ counts: PageCounts) -> NextPage {
        if let path = hasMorePath, page.view.body?.isFalse(at: path) == true { return .end }
        return NextPage(value(of: page))
    }

    package func saysEnd(_ page: ReceivedPage) -> Bool {
        if let path = hasMorePath, page.view.body?.isFalse(at: path) == true { return true }
        return switch origin {
        case .header: page.head.headers.first(header)?.isEmpty == true
        case .body: path.map { page.view.body?.isEmpty(at: $0) == true } ?? false
        // A record without an identifier is no word about pages.
        case .lastRecord: false
        }
    }

    private func value(of page: ReceivedPage) -> PageValue? {
        switch origin {
        case .header:
            guard let text = page.head.headers.first(header), !text.isEmpty else { return nil }
            return .text(text)
        case .body: return path.flatMap { page.view.body?.value(at: $0) }
        case .lastRecord: return path.flatMap { page.view.lastRecord?.value(at: $0) }
        }
    }

    package func end(unchanged head: HTTPResponseHead) -> UnchangedEnd {
        if origin != .header { return .isLast }
        guard let value = head.headers.first(header) else { return .isSilent }
        return value.isEmpty ? .isLast : .isNotLast
    }

    package func beginning(of list: ListBeginning) -> PageToken? {
        element(in: list).flatMap { PageValue($0) }.map { PageToken(lead: .value($0)) }
    }

    private func element(in list: ListBeginning) -> JSONElement? {
        if let start = list.start { return start.first(in: list.envelope) }
        guard let path else { return nil }
        switch origin {
        case .header: return nil
        case .body: return path.first(in: list.envelope)
        case .lastRecord:
            return list.count == 0 ? nil : list.container.element(at: list.count - 1).flatMap { path.first(in: $0) }
        }
    }
}

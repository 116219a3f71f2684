package import SluiceDecode
internal import SluiceHTTP
internal import SluicePages

/// Where the reading of pages begins.
package enum PageStart: Sendable {
    /// At the first page.
    case first
    /// Where an earlier reading left off: at a token whose secrets are hidden, behind requests with these digests.
    case resumed(PageToken, requests: Set<UInt64>)
    /// Behind what a record shows of a list; nil for the list's first page.
    case list(PageToken?)

    /// What leads to the first page that is requested.
    ///
    /// - Parameters:
    ///   - marks: The secrets of the stream.
    ///   - url: What the links of lists are relative to.
    /// - Returns: Nil where it is the first page of the stream.
    /// - Throws: ``HTTPError`` where a link leads nowhere.
    func token(_ marks: SecretMarks, _ url: HTTPURL) throws(HTTPError) -> PageToken? {
        switch self {
        case .first: return nil
        case .resumed(let token, _): return token.shown(marks)
        case .list(var token):
            if case .link(let link)? = token?.lead { token?.lead = .link(try url.resolving(link).text) }
            return token
        }
    }

    /// The requests that brought the pages before.
    var requests: Set<UInt64> { if case .resumed(_, let requests) = self { requests } else { [] } }

    /// Whether a reading is continued.
    var isResumed: Bool { if case .resumed = self { true } else { false } }

    /// The window of time that it belongs to.
    var window: Int { if case .resumed(let token, _) = self { token.window } else { 0 } }

    /// The key of the pipeline that says how one page leads to the next, for messages.
    var paginatorKey: String { if case .list = self { "`paginator` of `more`" } else { "`paginator`" } }
}

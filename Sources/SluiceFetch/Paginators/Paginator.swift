package import SluiceDecode
package import SluiceHTTP
package import SluiceJSON
package import SluicePipeline

/// How the pages of a stream are requested one after the other: one type for each `type` of `paginator`.
///
/// A paginator keeps nothing. What it has to know of the pages before comes with each question.
package protocol Paginator: PaginatorRule {
    // MARK: Requests

    /// What takes the value that requests a page: a query parameter, a header, or a path within the body; nil where a
    /// page is requested by its URL.
    var valueParameter: String? { get }
    /// What takes the page size; nil for the key of the pipeline.
    var sizeParameter: String? { get }
    /// The value that requests the first page; nil where it takes none.
    var first: PageValue? { get }

    // MARK: Pages

    /// What must be known of a page to find the next one.
    var needs: PageView.Needs { get }
    /// What must be known besides of a page of which ``needs`` are known.
    func furtherNeeds(of page: PageView) -> PageView.Needs
    /// What follows a page.
    ///
    /// - Throws: ``HTTPError`` where a link cannot be followed.
    func next(after page: ReceivedPage, _ counts: PageCounts) throws -> NextPage
    /// The value that requests a page before the page in front of it came.
    ///
    /// - Parameters:
    ///   - distance: How many pages lie between the one that is asked for and the last one that came.
    ///   - counts: What is known of the pages that came.
    /// - Returns: Nil behind the end, and where a page has to come first.
    func value(ahead distance: Int, _ counts: PageCounts) -> PageValue?
    /// Whether the last page is told by a link or a cursor that is missing.
    var endsWithoutLink: Bool { get }
    /// Whether whatever leads it on is a word of the page before, rather than a count.
    var isLedByWord: Bool { get }
    /// Whether a page that leads to no other one says itself that it is the last one, where ``endsWithoutLink`` holds.
    func saysEnd(_ page: ReceivedPage) -> Bool
    /// Whether records are counted on all pages in any case.
    var countsRecords: Bool { get }

    // MARK: The end

    /// Whether the page that was the last one still is, as the headers of an answer without a body say.
    func end(unchanged head: HTTPResponseHead) -> UnchangedEnd
    /// Whether a page that did not change leads to another URL than it did, as far as its headers say that.
    func leadsElsewhere(unchanged head: HTTPResponseHead, than url: HTTPURL) throws -> Bool
    /// What of an answer cannot be read and may have led on; nil for nothing.
    func unreadable(in head: HTTPResponseHead) -> String?
    /// The members of a page's body that it follows, so that they do not contradict the end.
    var followedPaths: [JSONPath] { get }
    /// The header that it follows.
    var followedHeader: String? { get }

    // MARK: Lists within records

    /// Where the pages of a continued list begin; nil for their first one.
    func beginning(of list: ListBeginning) -> PageToken?
}

/// What follows a page.
package enum NextPage: Equatable {
    /// The page of a URL.
    case link(HTTPURL)
    /// The page that a value requests.
    case value(PageValue)
    /// The page is the last one.
    case end
    /// Pages are left unread, for this reason.
    case stop(String)

    /// The page that a value requests; the end where there is no value.
    init(_ value: PageValue?) { self = value.map { .value($0) } ?? .end }
}

/// What an answer without a body says of being the last page.
package enum UnchangedEnd {
    /// It still is.
    case isLast
    /// Another one follows.
    case isNotLast
    /// The header that would lead on is not there, which an answer without a body need not repeat.
    case isSilent
}

/// A page as a paginator gets it.
package struct ReceivedPage {
    package let head: HTTPResponseHead
    package let view: PageView

    /// Makes a value of its parts.
    package init(_ head: HTTPResponseHead, _ view: PageView) { (self.head, self.view) = (head, view) }
}

/// What is known of the pages that came.
package struct PageCounts: Equatable {
    /// How many they are.
    package var pages = 0
    /// How many records they have.
    package var records = 0
    /// How many records the last one has.
    package var pageRecords = 0
    /// How many pages or records there are in all, as the last page says.
    package var total: Int?

    /// Makes a value of its parts.
    package init(pages: Int = 0, records: Int = 0, pageRecords: Int = 0, total: Int? = nil) {
        (self.pages, self.records, self.pageRecords, self.total) = (pages, records, pageRecords, total)
    }
}

/// What a record shows of a list that continues elsewhere.
package struct ListBeginning {
    /// The object that holds the list.
    let envelope: JSONElement
    /// The list.
    let container: JSONElement
    /// How many records of it are there.
    let count: Int
    /// The path from the object to what requests the first page; nil where the paginator's own path leads there.
    let start: JSONPath?
    /// How many records a page is asked for.
    let pageSize: Int?
}

extension Paginator {
    package var valueParameter: String? { nil }
    package var sizeParameter: String? { nil }
    package var first: PageValue? { nil }
    package var needs: PageView.Needs { [] }
    package func furtherNeeds(of page: PageView) -> PageView.Needs { [] }
    package func value(ahead distance: Int, _ counts: PageCounts) -> PageValue? { nil }
    package var endsWithoutLink: Bool { false }
    package var isLedByWord: Bool { false }
    package func saysEnd(_ page: ReceivedPage) -> Bool { false }
    package var countsRecords: Bool { false }
    package func end(unchanged head: HTTPResponseHead) -> UnchangedEnd { .isLast }
    package func leadsElsewhere(unchanged head: HTTPResponseHead, than url: HTTPURL) throws -> Bool { false }
    package func unreadable(in head: HTTPResponseHead) -> String? { nil }
    package var followedPaths: [JSONPath] { [totalPath].compactMap { $0 } }
    package var followedHeader: String? { nil }
    package func beginning(of list: ListBeginning) -> PageToken? { nil }
}

extension PaginatorRule {
    /// How many pages or records there are in all, as a page says; nil where it does not.
    func total(of page: PageView) -> Int? { totalPath.flatMap { page.body?.integer(at: $0) } }
}

extension StreamDefinition.Paginator {
    /// What requests its pages: one row for each `type` of `paginator`.
    package var requester: any Paginator {
        switch self {
        case .none: StreamDefinition.SinglePage()
        case .headerLink(let relation): StreamDefinition.HeaderLink(relation: relation)
        case .jsonLink(let path): StreamDefinition.JSONLink(path: path)
        case .cursor(let cursor): cursor
        case .pageNumber(let rule): rule
        case .offset(let rule): rule
        }
    }
}

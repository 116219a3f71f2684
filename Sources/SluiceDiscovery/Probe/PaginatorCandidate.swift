internal import SluiceJSON
internal import SluicePipeline

/// A paginator that a first page gives a reason to suspect.
struct PaginatorCandidate {
    var paginator: StreamDefinition.Paginator
    /// What speaks for it, as the end of a sentence.
    var reason: String
    /// Whether the source names the next page itself, so that no name had to be guessed.
    var isStated = false
    /// Whether the first page says that there is another one; else it can only be noted.
    var hasNext = true
    /// Whether the first page's number was guessed.
    var guessesStart = false

    /// The paginator in a few words.
    var text: String { Self.text(of: paginator) }

    static func text(of paginator: StreamDefinition.Paginator) -> String {
        switch paginator {
        case .none: "none, there is one page"
        case .headerLink(let relation): "header_link, the Link header's rel=\(relation)"
        case .jsonLink(let path): "json_link, the URL at \(path.text)"
        case .cursor(let cursor):
            switch cursor.origin {
            case .body: "cursor, \(cursor.path?.text ?? "") sent back as \(cursor.parameter)"
            case .header: "cursor, the header \(cursor.header) sent back as \(cursor.parameter)"
            case .lastRecord: "cursor, \(cursor.path?.text ?? "") of the last record sent back as \(cursor.parameter)"
            }
        case .pageNumber(let rule): "page_number, \(rule.parameter) from \(rule.start)"
        case .offset(let rule): "offset, the parameter \(rule.parameter)"
        }
    }
}

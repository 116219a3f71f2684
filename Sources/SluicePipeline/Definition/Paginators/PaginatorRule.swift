package import SluiceJSON

/// What one `type` of `paginator` says, and what follows from it wherever no page is read.
///
/// How its pages are requested is the matter of the fetch stage.
package protocol PaginatorRule: Sendable, Hashable {
    /// The `type` in a pipeline.
    var type: String { get }
    /// The keys in a pipeline, but for those with their default.
    var keys: [PaginatorKey] { get }
    /// The paginator in a few words.
    var summary: String { get }
    /// Whether pages are requested by their number or place, so that a record that goes shifts those behind it.
    var isCounted: Bool { get }
    /// Whether the body of a page holds what requests the next one.
    var readsNextPlace: Bool { get }
    /// Whether the first records of a list say what to request behind them.
    var continuesLists: Bool { get }
    /// The path to the number of all that is counted; nil where nothing is, or where the source does not say it.
    var totalPath: JSONPath? { get }
    /// What makes a source give one page again and again, as a clause.
    var causeOfRepetition: String { get }
}

extension PaginatorRule {
    package var keys: [PaginatorKey] { [] }
    package var isCounted: Bool { false }
    package var readsNextPlace: Bool { false }
    package var continuesLists: Bool { readsNextPlace }
    package var totalPath: JSONPath? { nil }
    package var causeOfRepetition: String { "the source's next links are wrong" }

    /// That a source does not know a parameter, as a clause.
    static func isIgnored(_ parameter: String, _ key: String) -> String {
        "the source ignores `\(parameter)` (`\(key)`)"
    }
}

/// A key of a paginator with its value.
package struct PaginatorKey {
    /// What a key holds.
    package enum Value {
        case text(String)
        case path(JSONPath)
        case number(Int)
    }

    package let name: String
    package let value: Value

    init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }
}

extension StreamDefinition {
    /// How the next page is found.
    package enum Paginator: Sendable, Hashable {
        /// There is one page.
        case none
        /// The `Link` header's relation of this name, see RFC 8288.
        case headerLink(relation: String)
        /// The value of this path is the next page's URL.
        case jsonLink(path: JSONPath)
        /// A value of each page asks for the next one.
        case cursor(Cursor)
        /// Pages are counted.
        case pageNumber(PageNumber)
        /// Records are counted.
        case offset(Offset)

        /// The type of the paginator.
        package var rule: any PaginatorRule {
            switch self {
            case .none: SinglePage()
            case .headerLink(let relation): HeaderLink(relation: relation)
            case .jsonLink(let path): JSONLink(path: path)
            case .cursor(let cursor): cursor
            case .pageNumber(let rule): rule
            case .offset(let rule): rule
            }
        }
    }
}

internal import SluicePipeline

/// The words of a name, in lower case: `next`, `page` and `token` of `nextPageToken`.
package enum NameWords {
    package static func of(_ name: String) -> [String] {
        // What stands before a colon names a vocabulary, as in `hydra:next`.
        let name = name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
        return SnakeCase.convert(name).split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
    }

    private static let pages: Set<String> = [
        "meta", "metadata", "paging", "pagination", "paginator", "page", "pages", "pager", "pageinfo", "info", "links",
        "link", "cursor", "cursors", "response", "result", "search", "list", "envelope", "next", "more", "odata",
        "total",
        "count", "hits", "continue",
    ]

    private static let pagings: Set<[String]> = [
        ["pagination"], ["paging"], ["paginator"], ["pager"], ["page", "info"], ["pageinfo"],
    ]

    /// Whether an object of this name is one about pages wherever it stands.
    package static func areOfPagesAlone(_ name: String) -> Bool { pagings.contains(of(name)) }

    /// Whether an object of this name is one about pages, such as `meta`, `pagination` or `response_metadata`.
    package static func areOfPages(_ name: String) -> Bool { of(name).allSatisfy(pages.contains) }

    private static let endings: Set<String> = [
        "meta", "metadata", "paging", "pagination", "paginator", "pager", "info",
    ]

    /// Whether an object of this name that stands beside the records is one about pages, also `books_meta`, `item_info` or
    /// `header`.
    package static func areOfPagesBesideRecords(_ name: String) -> Bool {
        let words = of(name)
        return areOfPages(name) || words == ["header"] || words.last.map(endings.contains) == true
    }

    /// Whether a `size` within an object of this name is that of pages.
    package static func areOfOnePage(_ name: String) -> Bool { of(name) == ["page"] || areOfPagesAlone(name) }

    private static let limits: Set<[String]> = [
        ["limit"], ["per", "page"], ["perpage"], ["page", "size"], ["pagesize"], ["page", "limit"], ["max", "results"],
        ["pagelen"], ["max", "items"],
        ["items", "per", "page"], ["hits", "per", "page"], ["results", "per", "page"], ["records", "per", "page"],
    ]

    private static let places: Set<[String]> = [
        ["page"], ["current", "page"], ["page", "number"], ["page", "index"], ["page", "no"], ["offset"], ["skip"],
        ["start", "at"], ["start", "index"],
    ]

    /// Whether a number of this name says which page it is, or where a page begins.
    static func areOfPlace(_ words: [String]) -> Bool { places.contains(words) }

    /// Whether a member of this name says how many records a page has at most.
    package static func areOfLimit(_ words: [String]) -> Bool { limits.contains(words) }

    private static let sizes: Set<String> = [
        "limit", "size", "count", "rows", "top", "first", "take", "pagesize", "pagelen", "rpp", "length", "retmax",
    ]

    /// Whether a parameter of this name says how many records a page has, such as `limit`, `per_page` or `maxResults`.
    package static func areOfSize(_ name: String) -> Bool {
        let words = of(name)
        return words.contains(where: sizes.contains)
            || [["items", "per", "page"], ["max", "keys"], ["max"], ["num"], ["n"], ["results"]].contains(words)
            || [["per", "page"], ["hits", "per", "page"], ["results", "per", "page"], ["records", "per", "page"]]
                .contains(words)
            || [["max", "results"], ["max", "items"], ["max", "records"]].contains(words)
            || words == ["perpage"]
    }
}

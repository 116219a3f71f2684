/// What a page says of others.
extension Envelope {
    package static func isURL(_ text: String) -> Bool {
        text.hasPrefix("http://") || text.hasPrefix("https://") || text.hasPrefix("/") || text.hasPrefix("?")
    }

    /// Whether it says that it is the last one.
    package var saysEnd: Bool { members.contains { $0.saysMore == false } }
}

extension Envelope.Member {
    /// The names of numbers of pages.
    package static let pageCounts: Set<[String]> = [
        ["total", "pages"], ["page", "count"], ["pages", "count"], ["pages"], ["last", "page"], ["num", "pages"],
        ["nb", "pages"], ["pages", "total"], ["total", "page"], ["page", "total"], ["max", "page"],
        ["number", "of", "pages"],
    ]
    /// The names of numbers of records, the plainest first.
    package static let recordCounts: [[String]] = [
        ["total"], ["total", "count"], ["total", "results"], ["total", "records"], ["total", "items"],
        ["total", "elements"], ["total", "size"], ["total", "hits"], ["total", "rows"], ["total", "entries"],
        ["num", "found"], ["nb", "hits"], ["record", "count"], ["records", "total"], ["items", "total"],
        ["results", "total"], ["odata", "count"], ["found"], ["hit", "count"], ["number", "matched"], ["count"],
    ]
    /// Flags that are true where there is more.
    private static let ofMore: Set<[String]> = [
        ["more"], ["next"], ["next", "page"], ["truncated"], ["is", "truncated"], ["incomplete", "results"],
        ["exceeded", "transfer", "limit"], ["more", "items", "in", "collection"], ["more", "available"],
        ["more", "results"],
        ["more", "pages"], ["more", "records"], ["more", "items"], ["result", "truncated"],
        ["results", "truncated"], ["incomplete", "search"],
    ]
    /// Flags that are true on the last page.
    private static let ofEnd: Set<[String]> = [
        ["last"], ["is", "last"], ["last", "page"], ["is", "last", "page"], ["done"], ["is", "done"], ["is", "end"],
        ["end", "of", "records"], ["end", "of", "list"], ["end", "of", "results"], ["end", "of", "stream"],
        ["complete"], ["is", "complete"],
    ]
    private static let nextWords: Set<String> = [
        "next", "nextlink", "nexturl", "nextpage", "nexthref", "nexttoken", "nextcursor",
    ]
    /// What may stand beside them in the name of what leads on.
    private static let leadWords: Set<String> = nextWords.union([
        "page", "pages", "link", "url", "uri", "href", "token", "cursor", "offset", "marker", "after", "start", "from",
        "key", "id", "odata", "records", "results", "items", "batch", "path", "position", "continuation", "state",
        "str", "params", "parameters", "number", "index",
    ])
    private static let continuations: Set<[String]> = [
        ["continuation"], ["continuation", "token"], ["continuationtoken"], ["continue"], ["skip", "token"],
        ["skiptoken"],
    ]
    /// Flags that speak of further pages wherever they stand.
    private static let ofMoreAnywhere: Set<[String]> = [["exceeded", "transfer", "limit"]]

    /// The names of what leads on that do not say so, and that a page has only where there is more: not `bookmark` of CouchDB or
    /// `_scroll_id` of Elasticsearch, which are always there.
    private static let unnamed: Set<[String]> = [
        ["after"], ["cursor"], ["continuation", "key"], ["end", "cursor"], ["page", "token"], ["marker"],
    ]

    /// The key behind which a page of DynamoDB ends: there only where there is more.
    package static let lastEvaluated = ["last", "evaluated", "key"]
    /// What names of things to send back end in.
    private static let sentBack: Set<String> = [
        "token", "cursor", "key", "nexttoken", "nextcursor", "params", "parameters",
    ]

    /// Whether there is more, by a flag or by how many are left; nil for what speaks of neither.
    package var saysMore: Bool? {
        if isNear, words == ["remaining", "item", "count"], let number, number > 0 { return true }
        guard let value = stated else { return nil }
        let words = words
        if [["has", "more"], ["has", "next"], ["have", "more"]].contains(where: words.starts(with:)) {
            return value
        }
        // `@Microsoft.Dynamics.CRM.morerecords` of Dataverse.
        if Self.ofMoreAnywhere.contains(words) || words.last == "morerecords" { return value }
        if !isNear { return nil }
        return Self.ofMore.contains(words) ? value : Self.ofEnd.contains(words) ? !value : nil
    }

    /// Whether its names speak of the next page, and of nothing else.
    private var isNamedNext: Bool {
        let words = names.map { NameWords.of($0) }
        guard let first = words.firstIndex(where: { !Self.nextWords.isDisjoint(with: $0) }) else { return false }
        return words[first...].joined().allSatisfy(Self.leadWords.contains)
    }

    /// Whether it is a URL, which may be one relative to the page where its name speaks of a link.
    package var isURL: Bool {
        guard let string else { return false }
        if Envelope.isURL(string) { return true }
        let isNamedLink = words.contains {
            ["link", "url", "uri", "href", "nextlink", "nexturl", "nexthref"].contains($0)
        }
        return isNamedLink && string.contains("?") && !string.contains(where: \.isWhitespace)
    }

    /// Whether it is the URL of the next page.
    package var isNextLink: Bool { isNamedNext && isURL }

    /// Whether it says that there is no next page.
    package var deniesNext: Bool { isNamedNext && !isFlag && leadsNowhere }

    /// Whether it is what is sent back to get the next page.
    package var isNextToken: Bool {
        if isFlag || leadsNowhere || isURL { return false }
        if words == Self.lastEvaluated { return isNear }
        // Of other objects each member speaks for itself.
        if value == .object, words.last.map(Self.sentBack.contains) != true { return false }
        if isNamedNext { return words == ["next"] ? isNear : true }
        // `offset` of Airtable is a text, and there only where there is more.
        if words == ["offset"] { return isNear && string.map { Int($0) == nil } ?? false }
        // `paging.cursors.after` and `pageInfo.endCursor` are always there; `result.cursor` beside `result.list` is not.
        if isUnnamed {
            let isApart = !isOnTheWay && names.dropLast().contains(where: NameWords.areOfPagesBesideRecords)
            return isNear && string != nil && !isApart
        }
        return isContinuation || Self.continuations.contains(words) && !isBesideContinuation
    }

    /// Whether its name is one of what leads on without saying so, as `cursor` of Square.
    package var isUnnamed: Bool { Self.unnamed.contains(words) }

    private var isWithinContinue: Bool { names.count > 1 && NameWords.of(names[names.count - 2]) == ["continue"] }

    /// Whether it is what MediaWiki is asked for the next page with: `apcontinue` of `{"apcontinue": "10", "continue": "-||"}`.
    package var isContinuation: Bool {
        isWithinContinue && words != ["continue"] && (string?.isEmpty == false || integer != nil)
    }

    /// Whether it stands beside such a member, and leads nowhere by itself.
    package var isBesideContinuation: Bool { isWithinContinue && words == ["continue"] }

    private var isFlag: Bool { flag != nil }

    /// What it says of yes or no: a flag, or 1 or 0 of a name that asks for one.
    package var stated: Bool? {
        flag ?? (["has", "is"].contains(words.first) ? value.answer : nil)
    }

    /// True or false, also where a source writes it as a text.
    package var flag: Bool? { value.flag }

    /// Whether nothing can be asked for with it; 0 and -1 stand for that in some sources.
    private var leadsNowhere: Bool {
        switch value {
        case .null: true
        case .integer(let number): number <= 0
        case .text(let text): ["", "0", "-1", "null", "none", "nil"].contains(text.lowercased())
        case .flag(let value): !value
        case .object: false
        }
    }

    private var number: Int? { value.number }

    /// How many pages there are, as it says; nil where it does not speak of that.
    package var pageTotal: Int? { isNear && Self.pageCounts.contains(words) ? number : nil }

    /// How many records a page has at most, as it says; nil where it does not speak of that.
    package var pageLimit: Int? {
        let isSize = words == ["size"] && names.count > 1 && NameWords.areOfOnePage(names[names.count - 2])
        return isNear && (isSize || NameWords.areOfLimit(words)) ? integer : nil
    }

    /// How many records there are in all, as it says; nil where it does not speak of that.
    package var recordTotal: Int? {
        guard isNear, let number else { return nil }
        // `hits.total.value` of Elasticsearch.
        let isValue = words == ["value"] && names.count > 1
        if isTotalOfRecords { return number }
        return Self.recordCounts.contains(isValue ? NameWords.of(names[names.count - 2]) : words) ? number : nil
    }
}

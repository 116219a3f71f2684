internal import SluiceDecode
internal import SluiceFetch
internal import SluiceHTTP
internal import SluiceJSON
internal import SluicePipeline

/// The paginators that a first page gives a reason to suspect, the likeliest first.
///
/// What the source names itself comes before what has to be guessed: the `Link` header, a URL or a cursor in the body,
/// numbers of pages and records, a flag, and at last the length of the page.
struct PaginatorCandidates {
    let page: ProbedPage
    /// The parameters of the URL.
    let query: [(name: String, value: String)]
    /// The path of what identifies a record, nil where that is not known.
    let key: JSONPath?
    /// Whether the page is a list of records, rather than one.
    let isList: Bool

    var members: [Envelope.Member] { page.envelope.members }

    /// All of them, those that the page leads on by before those that it only speaks of.
    var all: [PaginatorCandidate] {
        let cursors = cursors
        let found =
            hasLossyLink(cursors)
            ? cursors + links + counted + flagged + fullPages : links + cursors + counted + flagged + fullPages
        return found.filter(\.hasNext) + found.filter { !$0.hasNext }
    }

    // MARK: What the source names

    private var links: [PaginatorCandidate] {
        var found: [PaginatorCandidate] = []
        let links = page.answer.head.links
        if links.links.contains(where: { $0.relations.contains("next") }) {
            found.append(
                PaginatorCandidate(
                    paginator: .headerLink(relation: "next"), reason: "the Link header names rel=next", isStated: true))
        } else if let other = links.links.flatMap(\.relations).first(where: { ["first", "last", "prev"].contains($0) })
        {
            found.append(
                PaginatorCandidate(
                    paginator: .headerLink(relation: "next"),
                    reason: "the Link header names rel=\(other), and no next page", isStated: true, hasNext: false))
        }
        for member in members where member.isOfNextPage {
            if member.isURL {
                found.append(
                    PaginatorCandidate(
                        paginator: .jsonLink(path: member.path), reason: "`\(member.text)` holds a URL", isStated: true
                    ))
            } else if member.isNothing, !member.isNamedLikeCursor {
                found.append(
                    PaginatorCandidate(
                        paginator: .jsonLink(path: member.path),
                        reason:
                            "`\(member.text)` is \(member.value == .null ? "null" : "empty") here, on the only page",
                        isStated: true, hasNext: false))
            }
        }
        return found
    }

    /// Whether a link to the next page leaves out what the first page was asked for, while a cursor that it carries goes
    /// along with all of that.
    private func hasLossyLink(_ cursors: [PaginatorCandidate]) -> Bool {
        members.contains { member in
            guard member.isOfNextPage, member.isURL, let text = member.string,
                let url = try? page.answer.head.url.resolving(text)
            else { return false }
            let kept = url.parameters
            let values = members.filter { $0.isCursor && !$0.isNothing }.compactMap {
                $0.string ?? $0.integer.map { "\($0)" }
            }
            return cursors.contains(where: \.hasNext)
                && query.contains { asked in !kept.contains { $0.name == asked.name } }
                && kept.contains { values.contains($0.value) }
        }
    }

    // MARK: Cursors

    private var cursors: [PaginatorCandidate] {
        // What is named so may also be the page's own cursor.
        let found = members.filter(\.isCursor)
        return (found.filter(\.isOfNextPage) + found.filter { !$0.isOfNextPage }).flatMap { member in
            let isHere = !member.isNothing && !saysEnd
            let graphQL = GraphQLQuery(in: query)
            let places = graphQL?.cursorPlaces ?? CursorParameter.guesses(for: member, query: query.map(\.name))
            let parameters = places.isEmpty ? ["variables.after"] : places
            return parameters.prefix(isHere ? 4 : 1).map { parameter in
                var cursor = StreamDefinition.Cursor()
                cursor.path = member.path
                cursor.parameter = parameter
                cursor.hasMorePath = moreFlag?.path
                return PaginatorCandidate(
                    paginator: .cursor(cursor),
                    reason: member.isNothing
                        ? "`\(member.text)` is empty here, on the only page, so the parameter `\(parameter)` is a guess"
                        : "`\(member.text)` holds a cursor"
                            + (places.isEmpty ? Self.withoutVariable : ""), hasNext: isHere)
            }
        }
    }

    private static let withoutVariable =
        ", and the query has no variable for it; begin it with `query($after: String)` and ask with `after: $after`"

    // MARK: Flags

    /// The flag that says whether there is more.
    var moreFlag: Envelope.Member? {
        members.first { member in
            guard case .flag = member.value else { return false }
            let words = member.words
            return words == ["more"] || words.starts(with: ["has", "more"]) || words.starts(with: ["has", "next"])
        }
    }

    /// Whether the page says that it is the last one.
    var saysEnd: Bool { moreFlag?.value == .flag(false) }

    /// Nothing but a flag tells that there is more: then mostly the last record leads on.
    private var flagged: [PaginatorCandidate] {
        guard let flag = moreFlag, cursors.isEmpty, counted.isEmpty else { return [] }
        let isTrue = flag.value == .flag(true)
        let reason = isTrue ? "`\(flag.text)` is true" : "`\(flag.text)` is false here, on the only page"
        let last = ["starting_after", "after"].compactMap { lastRecord($0, reason, more: flag.path, hasNext: isTrue) }
        return isTrue ? last + [pages("page", reason), offset("offset", reason)] : Array(last.prefix(1))
    }

    func lastRecord(_ parameter: String, _ reason: String, more: JSONPath?, hasNext: Bool = true) -> PaginatorCandidate?
    {
        guard let key else { return nil }
        var cursor = StreamDefinition.Cursor()
        cursor.origin = .lastRecord
        cursor.path = key
        cursor.parameter = parameter
        cursor.hasMorePath = more
        return PaginatorCandidate(paginator: .cursor(cursor), reason: reason, hasNext: hasNext)
    }
}

extension Envelope.Member {
    private static let nextNames: Set<String> = ["next", "nextlink", "nexturl", "nextpage", "nexthref"]

    /// Whether its names speak of the next page.
    var isOfNextPage: Bool {
        if isSyncToken { return false }
        let words = names.flatMap { NameWords.of($0) }
        return words.contains { Self.nextNames.contains($0) }
    }

    var isNamedLikeCursor: Bool {
        words.contains { ["cursor", "token", "after", "continuation", "bookmark", "marker", "scroll"].contains($0) }
    }

    /// Whether it is, or would be, what is sent back to get the next page.
    package var isCursor: Bool {
        if isSyncToken { return false }
        switch value {
        case .flag, .object: return false
        case .text where isURL: return false
        case .text, .null, .integer: break
        }
        let words = words
        let isOther = words.contains { ["prev", "previous", "before", "start", "first", "since"].contains($0) }
        if isOther { return false }
        // A number that is named `next_page` goes back as it came.
        if words == Envelope.Member.lastEvaluated { return string != nil }
        if isContinuation { return true }
        if isBesideContinuation { return false }
        if isOfNextPage, isNamedLikeCursor || string != nil || integer != nil { return true }
        if case .integer = value { return false }
        // `offset` of Airtable is a text; a token that is not spoken of as the next one may be anything.
        if words == ["offset"] { return string?.isEmpty == false }
        return isUnnamed
            || words.contains { ["cursor", "after", "continuation", "bookmark", "marker", "scroll"].contains($0) }
    }
}

internal import SluiceDecode
internal import SluiceHTTP
internal import SluiceJSON
internal import SluicePipeline
internal import SluiceReport

/// The page that a paginator takes for the last one, and what it says itself: the end of a scan proves what is gone only
/// where nothing contradicts it.
struct PageEnd {
    /// The stream; what its paginator follows is no contradiction.
    let stream: StreamDefinition
    let head: HTTPResponseHead
    var outline = PageOutline()
    /// The parameters of the request.
    var parameters: [HTTPField] = []
    /// How many pages were read, this one included; nil where that is not known.
    var pages: Int?
    /// How many records were read, those of this page included; nil where that is not known.
    var records: Int?

    /// What says that there are further pages; nil where nothing does.
    var contradiction: PageSign? {
        let signs = [header, listedLink, link, headerToken, token, flag, pageTotal, recordTotal, fullPage]
        return signs.lazy.compactMap(\.self).first
    }

    /// Whether a response speaks of how many records there are in all, so that they have to be counted.
    static func statesTotal(_ head: HTTPResponseHead, _ outline: PageOutline) -> Bool {
        outline.envelope.members.contains { $0.recordTotal != nil }
            || head.headers.fields.contains { HeaderMember($0)?.recordTotal != nil }
    }

    // MARK: Links

    private var header: PageSign? {
        head.links.first("next", from: head.url).map { _ in
            PageSign(words: "names a next page in its Link header", paginator: .headerLink(relation: "next"))
        }
    }

    private var listedLink: PageSign? {
        outline.envelope.listsNext ? PageSign(words: "has a link to a next page in a list of links") : nil
    }

    private var link: PageSign? {
        others.first(where: \.isNextLink).map {
            PageSign(words: "has the URL of a next page at `\($0.text)`", paginator: .jsonLink(path: $0.path))
        }
    }

    // MARK: Tokens

    private var headerToken: PageSign? {
        let own = stream.paginator.requester.followedHeader
        for field in head.headers.fields where own.map({ !field.isNamed($0) }) ?? true {
            guard let member = HeaderMember(field), member.isNextToken else { continue }
            var cursor = StreamDefinition.Cursor()
            (cursor.origin, cursor.header) = (.header, field.name)
            cursor.parameter = CursorParameter.guesses(for: member.known, query: parameters.map(\.name)).first ?? ""
            return PageSign(words: "names a next page in its header \(field.name)", paginator: .cursor(cursor))
        }
        return nil
    }

    private var token: PageSign? {
        // A cursor may stay where a flag says that there is no more.
        if outline.envelope.saysEnd { return nil }
        return others.first(where: \.isNextToken).map { member in
            let words = "has what asks for a next page at `\(member.text)`"
            // No paginator sends an object back.
            if member.value == .object { return PageSign(words: words) }
            var cursor = StreamDefinition.Cursor()
            cursor.path = member.path
            cursor.parameter = CursorParameter.guesses(for: member, query: parameters.map(\.name)).first ?? ""
            cursor.hasMorePath = outline.envelope.members.first { $0.saysMore == true }?.path
            return PageSign(words: words, paginator: .cursor(cursor))
        }
    }

    private var flag: PageSign? {
        outline.envelope.members.first { $0.saysMore == true }.map { member in
            let value = member.flag == true
            var cursor = StreamDefinition.Cursor()
            (cursor.origin, cursor.path, cursor.parameter) = (.lastRecord, JSONPath(names: ["id"]), "starting_after")
            // Such a paginator ends where the flag is false.
            cursor.hasMorePath = member.value == .flag(true) ? member.path : nil
            return PageSign(
                words: "says `\(member.text): \(value)`", paginator: value ? .cursor(cursor) : .pageNumber(.init()))
        }
    }

    // MARK: Counts

    private var pageTotal: PageSign? {
        exceeded("pages", read: pages, \.pageTotal) { path in
            var rule = StreamDefinition.PageNumber()
            rule.totalPath = path
            return .pageNumber(rule)
        }
    }

    private var recordTotal: PageSign? {
        exceeded("records", read: outline.isList ? records : nil, \.recordTotal) { path in
            var rule = StreamDefinition.Offset()
            rule.totalPath = path
            return .offset(rule)
        }
    }

    /// A total that is larger than what was read, in the body or in a header.
    ///
    /// - Parameters:
    ///   - noun: What is counted.
    ///   - read: How many were read; nil where that is not known.
    ///   - count: What a member says of them.
    ///   - paginator: The paginator that follows a total at a place of the body.
    /// - Returns: Nil where there is no such total.
    private func exceeded(
        _ noun: String, read: Int?, _ count: (Envelope.Member) -> Int?,
        paginator: (JSONPath) -> StreamDefinition.Paginator
    ) -> PageSign? {
        guard let read else { return nil }
        func sign(_ total: Int, _ name: String, _ paginator: StreamDefinition.Paginator) -> PageSign {
            let were = read == 1 ? "1 was" : "\(read) were"
            return PageSign(
                words: "says that there are \(total) \(noun) (`\(name)`), and \(were) read", paginator: paginator)
        }
        for member in others {
            if let total = count(member), total > read { return sign(total, member.text, paginator(member.path)) }
        }
        for field in head.headers.fields {
            guard let total = HeaderMember(field).flatMap({ count($0.known) }), total > read else { continue }
            return sign(total, field.name, .pageNumber(.init()))
        }
        return nil
    }

    /// A page that is as long as was asked for may have been cut there, unless it says how it ends.
    private var fullPage: PageSign? {
        guard stream.paginator == .none, !saysItsEnd, let count = outline.recordCount, count > 0,
            let size = parameters.first(where: { Int($0.value) == count && NameWords.areOfSize($0.name) })
        else { return nil }
        let records = count == 1 ? "the 1 record" : "the \(count) records"
        return PageSign(
            words: "has exactly \(records) that `\(size.name)` asks for", paginator: .pageNumber(.init()))
    }

    private var saysItsEnd: Bool {
        let totals = outline.envelope.members.filter { $0.words != ["count"] }.map(\.recordTotal)
        let relations = head.links.links.flatMap(\.relations)
        return outline.envelope.saysEnd || outline.envelope.members.contains(where: \.deniesNext)
            || totals.contains { $0 != nil && $0 == outline.recordCount }
            || relations.contains { ["first", "prev", "last"].contains($0) }
    }

    // MARK: What the paginator follows

    /// The members that the paginator does not read.
    private var others: [Envelope.Member] {
        let own = stream.paginator.requester.followedPaths
        return outline.envelope.members.filter { member in !own.contains { $0.steps == member.path.steps } }
    }
}

/// A header as what it says of pages: `X-Next-Page`, `X-Total-Count`, `X-WP-TotalPages`.
private struct HeaderMember {
    let known: Envelope.Member
    var isNextToken: Bool { known.isNextToken }
    var recordTotal: Int? { known.recordTotal }

    /// Nil for a header that says nothing of pages.
    init?(_ field: HTTPField) {
        if let total = Self.total(ofRange: field) {
            known = Envelope.Member(names: ["total_count"], value: .text(total), isNear: true)
            return
        }
        var words = NameWords.of(field.name)
        if words.first == "x" { words.removeFirst() }
        let ofPages = ["next", "total", "continuation", "continuationtoken"]
        // A vendor's name may stand before.
        if words.count > 1, !ofPages.contains(words[0]) { words.removeFirst() }
        guard let first = words.first, ofPages.contains(first) else { return nil }
        let member = Envelope.Member(names: [words.joined(separator: "_")], value: .text(field.value), isNear: true)
        guard member.isNextToken || member.pageTotal != nil || member.recordTotal != nil else { return nil }
        known = member
    }

    /// How many records there are in all by a `Content-Range` such as `items 0-24/3573`, as PostgREST and others send it.
    private static func total(ofRange field: HTTPField) -> String? {
        guard field.isNamed("Content-Range"), !field.value.lowercased().hasPrefix("bytes"),
            let slash = field.value.lastIndex(of: "/")
        else { return nil }
        let total = String(field.value[field.value.index(after: slash)...])
        return Int(total) == nil ? nil : total
    }
}

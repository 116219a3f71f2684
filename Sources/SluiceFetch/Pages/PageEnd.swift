internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceHTTP
internal import SluiceJSON
internal import SluicePipeline
internal import SluiceReport

/// The page that a paginator takes for the last one, and what it says itself: the end of a scan proves what is gone only
/// where nothing contradicts it.
struct PageEnd {
    /// The stream; what its paginator follows is no contradiction.
    let stream: StreamDefinition
    /// What came before it; nil for a file.
    let head: HTTPResponseHead?
    var outline = PageOutline()
    /// The parameters of the request.
    var parameters: [HTTPField] = []
    /// How many pages were read, this one included; nil where that is not known.
    var pages: Int?
    /// How many records were read, those of this page included; nil where that is not known.
    var records: Int?
    /// Whether its paginator read of it that it is the last one.
    var saidEnd = false
    /// What the pages before it say of how many there are.
    var told = PageTotals()

    /// What says that there are further pages; nil where nothing does.
    var contradiction: PageSign? {
        [next, pageTotal, recordTotal, outline.rest, fullPage].lazy.compactMap(\.self).first
    }

    /// What leads from it to a further page; nil where nothing does.
    var next: PageSign? {
        [header, listedLink, link, headerToken, token, flag].lazy.compactMap(\.self).first
    }

    private var fields: [HTTPField] { head?.headers.fields ?? [] }

    // MARK: Links

    private var header: PageSign? {
        head.flatMap { $0.links.first("next", from: $0.url) }.map { _ in
            PageSign(words: "names a next page in its Link header", paginator: .headerLink(relation: "next"))
        }
    }

    private var listedLink: PageSign? {
        outline.envelope.listsNext
            ? PageSign(words: "has a link to a next page in a list of links, which no `paginator` can follow") : nil
    }

    private var link: PageSign? {
        others.first(where: \.isNextLink).map {
            PageSign(words: "has the URL of a next page at `\($0.text)`", paginator: .jsonLink(path: $0.path))
        }
    }

    // MARK: Tokens

    private var headerToken: PageSign? {
        let own = stream.paginator.requester.followedHeader
        for field in fields where own.map({ !field.isNamed($0) }) ?? true {
            for member in HeaderMember.all(field) {
                if member.known.saysMore == true {
                    return PageSign(
                        words: "says in its header \(field.name) that there is more", paginator: .pageNumber(counting))
                }
                if member.known.isNextLink {
                    return PageSign(words: "has the URL of a next page in its header \(field.name)")
                }
                if member.known.isNextToken { return sign(member, of: field) }
            }
        }
        return nil
    }

    private func sign(_ member: HeaderMember, of field: HTTPField) -> PageSign {
        let words = "names a next page in its header \(field.name)"
        // No paginator reads what stands within a header's value.
        if !member.isWhole { return PageSign(words: words) }
        var cursor = StreamDefinition.Cursor()
        (cursor.origin, cursor.header) = (.header, field.name)
        cursor.parameter = CursorParameter.guesses(for: member.known, query: parameters.map(\.name)).first ?? ""
        return PageSign(words: words, paginator: .cursor(cursor))
    }

    private var token: PageSign? {
        // A cursor may stay where a flag says that there is no more.
        if saysNoMore { return nil }
        return others.first(where: { $0.isNextToken && !isEcho($0) }).map { member in
            let words = "has what asks for a next page at `\(member.text)`"
            // No paginator sends an object back.
            if member.value == .object { return PageSign(words: words) }
            var cursor = StreamDefinition.Cursor()
            cursor.path = member.path
            cursor.parameter = CursorParameter.guesses(for: member, query: parameters.map(\.name)).first ?? ""
            // One that is true on the last page says the opposite.
            cursor.hasMorePath = outline.envelope.members.first { $0.saysMore == true && $0.stated == true }?.path
            return PageSign(words: words, paginator: .cursor(cursor))
        }
    }

    /// Whether a member repeats what the request itself says.
    private func isEcho(_ member: Envelope.Member) -> Bool {
        parameters.contains { NameWords.of($0.name) == member.words && $0.value == member.string }
    }

    private var flag: PageSign? {
        outline.envelope.members.first { $0.saysMore == true }.map { member in
            if let left = member.integer, member.stated == nil {
                return PageSign(words: "says `\(member.text): \(left)`")
            }
            let value = member.stated == true
            var cursor = StreamDefinition.Cursor()
            (cursor.origin, cursor.path, cursor.parameter) = (.lastRecord, JSONPath(names: ["id"]), "starting_after")
            if let end = end(beside: member) {
                (cursor.origin, cursor.path) = (.body, end.path)
                cursor.parameter = stream.body == nil ? "after" : "variables.after"
            }
            // Such a paginator ends where the flag is false.
            cursor.hasMorePath = member.value == .flag(true) ? member.path : nil
            return PageSign(
                words: "says `\(member.text): \(value)`", paginator: value ? .cursor(cursor) : .pageNumber(counting))
        }
    }

    /// The cursor of a page's last record, as connections of GraphQL have it beside their flag.
    private func end(beside flag: Envelope.Member) -> Envelope.Member? {
        outline.envelope.members.first {
            $0.words == ["end", "cursor"] && $0.string != nil && $0.names.dropLast() == flag.names.dropLast()
        }
    }

    // MARK: Counts

    /// What a page calls its own number.
    private static let ownNumbers: [[String]] = [
        ["number"], ["page"], ["page", "number"], ["page", "index"], ["page", "no"], ["current", "page"],
    ]

    /// A paginator that counts pages, from 0 where the page says that it is that one.
    private var counting: StreamDefinition.PageNumber {
        var rule = StreamDefinition.PageNumber()
        // What stands deeper is hardly about the page.
        let members = outline.envelope.members.filter { $0.names.count < 3 }
        if members.contains(where: { Self.ownNumbers.contains($0.words) && $0.integer == 0 }) {
            rule.start = 0
        }
        return rule
    }

    var pageTotal: PageSign? {
        exceeded(.pages, read: pages) { path in
            var rule = counting
            rule.totalPath = path
            return .pageNumber(rule)
        }
    }

    var recordTotal: PageSign? {
        exceeded(.records, read: records) { path in
            var rule = StreamDefinition.Offset()
            rule.totalPath = path
            return .offset(rule)
        }
    }

    /// A total that is larger than what was read, as this page or one before it says.
    ///
    /// - Parameters:
    ///   - noun: What is counted.
    ///   - read: How many were read; nil where that is not known.
    ///   - paginator: The paginator that follows a total at a place of the body.
    /// - Returns: Nil where there is no such total.
    private func exceeded(
        _ noun: PageTotals.Noun, read: Int?, paginator: (JSONPath) -> StreamDefinition.Paginator
    ) -> PageSign? {
        var all = told
        for total in totals { all.record(total) }
        guard let read, let total = all.exceeding(read, noun) else { return nil }
        let were = Plural.of(read, "was", "were")
        return PageSign(
            words: "says that there are \(total.count) \(noun.rawValue) (`\(total.text)`), and \(were) read",
            paginator: total.path.map(paginator) ?? .pageNumber(counting))
    }

    /// What the page says of how many there are in all, in its body and in its headers.
    var totals: [PageTotals.Total] {
        let members = others.map { (member: $0, names: $0.names, isHeader: false) }
        let headers = fields.flatMap { field in
            HeaderMember.all(field).map { (member: $0.known, names: [field.name], isHeader: true) }
        }
        return (members + headers).flatMap { member, names, isHeader -> [PageTotals.Total] in
            let pages = member.pageTotal.map { PageTotals.Total(.pages, $0, names: names, isHeader: isHeader) }
            let records = outline.isList ? member.recordTotal : nil
            return [pages, records.map { PageTotals.Total(.records, $0, names: names, isHeader: isHeader) }]
                .compactMap(\.self)
        }
    }

    /// A page that is as long as was asked for, or as it says itself that pages are at most, may have been cut there,
    /// unless it says how it ends.
    var fullPage: PageSign? {
        guard isUnled, !saysItsEnd, let count = outline.recordCount, count > 0 else { return nil }
        let records = "the \(Plural.of(count, "record"))"
        let asked =
            (parameters + parameters.flatMap(Self.arguments)).first {
                Int($0.value) == count && NameWords.areOfSize($0.name)
            } ?? stream.headers.lazy.compactMap(Self.limit).first { Int($0.value) == count }
        if asked == nil, stream.pageLimits.size == count, stream.paginator != .none {
            return PageSign(words: "has exactly \(records) of `page_size`", paginator: .pageNumber(counting))
        }
        if let asked {
            return PageSign(
                words: "has exactly \(records) that `\(asked.name)` asks for", paginator: .pageNumber(counting))
        }
        if let header = fields.first(where: { Int($0.value) == count && HeaderMember.isOfLimit($0) }) {
            return PageSign(
                words: "has exactly \(records) of its header \(header.name)", paginator: .pageNumber(counting))
        }
        return outline.envelope.members.first { $0.pageLimit == count }.map {
            PageSign(words: "has exactly \(records) of its `\($0.text)`", paginator: place ?? .pageNumber(counting))
        }
    }

    /// Whether nothing was there that could have led on: there is no paginator, or the only page has nothing where its
    /// paginator looks, neither a next page nor a word that there is none.
    private var isUnled: Bool {
        if stream.paginator == .none { return true }
        let requester = stream.paginator.requester
        guard pages == 1, requester.endsWithoutLink, !saidEnd else { return false }
        if let header = requester.followedHeader, head?.headers.all(header).isEmpty == false { return false }
        return !outline.envelope.members.contains { member in
            requester.followedPaths.contains { $0.steps == member.path.steps }
        }
    }

    /// The paginator that asks for a place in the list, by the name under which the page says where it begins.
    private var place: StreamDefinition.Paginator? {
        let names: [[String]] = [["start", "at"], ["start", "index"], ["offset"], ["skip"], ["start"]]
        let member = outline.envelope.members.first { $0.isNear && $0.integer != nil && names.contains($0.words) }
        return member.map { member in
            var rule = StreamDefinition.Offset()
            rule.parameter = member.name
            return .offset(rule)
        }
    }

    /// The arguments in a text of GraphQL or JSON: `first` of `items(first: 3)`, `limit` of `{"limit": 3}`.
    private static func arguments(_ parameter: HTTPField) -> [HTTPField] {
        guard parameter.value.contains("{") else { return [] }
        return parameter.value.matches(of: /([A-Za-z_]+)"?\s*:\s*([0-9]+)/).map {
            HTTPField(String($0.1), String($0.2))
        }
    }

    /// How many records a header of the request asks for: `odata.maxpagesize=5` of `Prefer`, `items=0-4` of `Range`; nil where it
    /// does not.
    private static func limit(_ header: NamedText) -> HTTPField? {
        let field = HTTPField(header.name, header.value.description)
        if HeaderMember.isOfLimit(field) { return field }
        if field.isNamed("Prefer") {
            return field.value.firstMatch(of: /maxpagesize\s*=\s*"?([0-9]+)/).map {
                HTTPField(field.name, String($0.1))
            }
        }
        guard field.isNamed("Range"), !field.value.hasPrefix("bytes"),
            let range = field.value.wholeMatch(of: /(?:[a-z]+=)?([0-9]{1,9})-([0-9]{1,9})/),
            let start = Int(range.1), let end = Int(range.2)
        else { return nil }
        return HTTPField(field.name, String(end - start + 1))
    }

    private var saysItsEnd: Bool {
        let headers = fields.flatMap { HeaderMember.all($0).map(\.known) }
        let totals = (outline.envelope.members.filter { $0.words != ["count"] } + headers).map(\.recordTotal)
        let countsThesePages = (outline.envelope.members + headers).contains { $0.pageTotal == pages ?? 1 }
        let relations = head?.links.links.flatMap(\.relations) ?? []
        return saysNoMore || countsThesePages || outline.envelope.members.contains(where: \.deniesNext)
            || totals.contains { $0 != nil && $0 == outline.recordCount }
            || relations.contains { ["first", "prev", "last"].contains($0) }
    }

    /// Whether a flag says that there is no more.
    private var saysNoMore: Bool {
        outline.envelope.saysEnd
            || fields.contains { HeaderMember.all($0).contains { $0.known.saysMore == false } }
    }

    // MARK: What the paginator follows

    /// The members that neither the paginator reads nor what asks for changes.
    private var others: [Envelope.Member] {
        let own = stream.paginator.requester.followedPaths + [stream.syncToken?.path].compactMap(\.self)
        return outline.envelope.members.filter { member in !own.contains { $0.steps == member.path.steps } }
    }
}

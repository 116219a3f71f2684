internal import SluiceDecode
internal import SluiceFetch
internal import SluiceJSON
internal import SluicePipeline

extension PaginatorCandidates {
    private static let offsets: [[String]] = [
        ["offset"], ["skip"], ["start"], ["start", "at"], ["start", "index"], ["from"],
    ]

    /// What the body counts.
    var counted: [PaginatorCandidate] { pagesOfBody + recordsOfBody }

    private func member(_ names: [[String]]) -> Envelope.Member? {
        names.lazy.compactMap { words in members.first { $0.integer != nil && $0.words == words } }.first
    }

    /// How many records there are in all.
    var total: Envelope.Member? {
        let found = Envelope.Member.recordCounts.lazy.compactMap { words in
            members.first { $0.words == words && ($0.integer ?? -1) >= page.recordCount }
        }
        // `hits.total.value` of Elasticsearch.
        return found.first
            ?? members.first { $0.words == ["value"] && $0.integer != nil && $0.recordTotal ?? -1 >= page.recordCount }
    }

    // MARK: Pages

    private var pageNumber: Envelope.Member? {
        let named = member([
            ["page"], ["current", "page"], ["page", "number"], ["page", "index"], ["page", "no"], ["p"],
        ])
        return named ?? members.first { $0.integer != nil && $0.words == ["number"] && pageCount != nil }
    }

    private var pageCount: Envelope.Member? {
        members.first { $0.integer != nil && Envelope.Member.pageCounts.contains($0.words) }
    }

    private var pagesOfBody: [PaginatorCandidate] {
        let number = pageNumber
        guard let known = pageCount ?? number else { return [] }
        var reason = "`\(known.text)` is \(known.integer ?? 0)"
        if let pageCount, let number {
            reason = "`\(number.text)` is \(number.integer ?? 0) and `\(pageCount.text)` is \(pageCount.integer ?? 0)"
        }
        let start = number?.integer
        var hasNext = !saysEnd
        if let pages = pageCount?.integer {
            hasNext = pages > 1 && (start ?? 1) < pages
        } else if let total = total?.integer {
            hasNext = total > page.recordCount
        }
        var names = ownParameters { $0.contains("page") && !$0.contains("size") && !$0.contains("per") || $0 == ["p"] }
        if let number, number.words != ["number"], number.words != ["current", "page"] { names.append(number.name) }
        names.append("page")
        if let number { names.append(number.name) }
        return unique(names).prefix(hasNext ? 3 : 1).map {
            pages($0, reason, start: start, total: pageCount?.path, hasNext: hasNext)
        }
    }

    func pages(
        _ parameter: String, _ reason: String, start: Int? = nil, total: JSONPath? = nil, hasNext: Bool = true
    ) -> PaginatorCandidate {
        var rule = StreamDefinition.PageNumber()
        rule.parameter = parameter
        let asked = query.last { $0.name == parameter }.flatMap { Int($0.value) }
        rule.start = max(0, start ?? asked ?? 1)
        rule.totalPath = total
        return PaginatorCandidate(
            paginator: .pageNumber(rule), reason: reason, hasNext: hasNext,
            guessesStart: start == nil && asked == nil)
    }

    // MARK: Records

    private var recordsOfBody: [PaginatorCandidate] {
        let position = member(Self.offsets)
        let total = total
        // Whoever counts from 1 is not understood.
        if let position, position.integer != 0, !query.contains(where: { $0.name == position.name }) { return [] }
        guard position != nil || total != nil else { return [] }
        let hasNext = total.map { ($0.integer ?? 0) > page.recordCount } ?? (!saysEnd && page.recordCount > 0)
        var reason = ""
        if let position { reason = "`\(position.text)` is \(position.integer ?? 0)" }
        if let total {
            reason +=
                (reason.isEmpty ? "" : " and ")
                + "`\(total.text)` is \(total.integer ?? 0), of which \(page.recordCount) are here"
        }
        // A total alone may be a number of records for the asking.
        if position == nil, !hasNext {
            return pageNumber != nil ? [] : [offset(offsetName, reason, total: total?.path, hasNext: false)]
        }
        let own = ownParameters { $0 == ["offset"] || $0 == ["skip"] }
        let names = unique(own + (position.map { [$0.name] } ?? [offsetName]))
        var found = names.prefix(hasNext ? 2 : 1).map { offset($0, reason, total: total?.path, hasNext: hasNext) }
        if position == nil, pageNumber == nil, pageCount == nil, !isOData { found.append(pages("page", reason)) }
        return found
    }

    func offset(
        _ parameter: String, _ reason: String, total: JSONPath? = nil, hasNext: Bool = true
    ) -> PaginatorCandidate {
        var rule = StreamDefinition.Offset()
        rule.parameter = parameter
        rule.totalPath = total
        return PaginatorCandidate(paginator: .offset(rule), reason: reason, hasNext: hasNext)
    }

    // MARK: The page's length

    /// A page that is as long as a round number, or as the URL asks for, may be followed by another one.
    var fullPages: [PaginatorCandidate] {
        let isSpokenOf = !members.filter(\.isOfNextPage).isEmpty || moreFlag != nil || !counted.isEmpty
        guard isList, page.recordCount > 0, !isSpokenOf else { return [] }
        let count = page.recordCount
        let size = fulfilledSize
        let numbered = ownParameters { $0 == ["page"] || $0 == ["p"] }
        let skipping = ownParameters { $0 == ["offset"] || $0 == ["skip"] }
        var reason = "\(count) records are a round number"
        if let size { reason = "there are as many records as `\(size)` asks for" }
        let isRound = isRound
        if let name = (numbered + skipping).first, size == nil, !isRound { reason = "the URL asks with `\(name)`" }
        guard size != nil || isRound || !(numbered + skipping).isEmpty else { return [] }
        if isOData { return unique(skipping + [offsetName]).map { offset($0, reason) } }
        var found = unique(numbered + (skipping.isEmpty ? ["page"] : [])).map { pages($0, reason) }
        found += unique(skipping + (numbered.isEmpty ? [offsetName] : [])).map { offset($0, reason) }
        found += ["starting_after", "since_id"].compactMap { lastRecord($0, reason, more: nil) }
        return found
    }

    private var isRound: Bool {
        let count = page.recordCount
        return count >= 10 && (count % 10 == 0 || count % 25 == 0)
    }

    /// The parameter of the URL that asks for as many records as there are.
    private var fulfilledSize: String? {
        query.first { Int($0.value) == page.recordCount && NameWords.areOfSize($0.name) }?.name
    }

    /// What speaks for a page that is cut, as a clause, where nothing says how many records there are in all.
    var usualLength: String? {
        if fullPages.isEmpty || page.answer.head.recordTotal != nil { return nil }
        if let fulfilledSize { return "\(page.recordCount) records are as many as `\(fulfilledSize)` asks for" }
        return isRound ? "\(page.recordCount) records are a usual length of a page" : nil
    }

    // MARK: OData

    private static let ofOData: Set<String> = [
        "$top", "$skip", "$count", "$filter", "$orderby", "$select", "$expand", "$search", "$inlinecount",
    ]

    /// Whether the source speaks OData, which skips records by `$skip` and has no numbers of pages.
    private var isOData: Bool {
        query.contains { Self.ofOData.contains($0.name.lowercased()) }
            || members.contains { $0.name.hasPrefix("@odata.") || $0.name.hasPrefix("odata.") }
    }

    /// The parameter for the number of records to skip, where nothing names it.
    private var offsetName: String { isOData ? "$skip" : "offset" }

    // MARK: Names

    private func ownParameters(_ fits: ([String]) -> Bool) -> [String] {
        query.map(\.name).filter { fits(NameWords.of($0)) }
    }

    private func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}

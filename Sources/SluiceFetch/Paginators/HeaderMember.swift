internal import SluiceDecode
package import SluiceHTTP
internal import SluiceJSON

/// A header as what it says of pages: `X-Next-Page`, `X-Total-Count`, `X-WP-TotalPages`.
struct HeaderMember {
    let known: Envelope.Member
    /// Whether it is all that the header says, rather than a member of an object.
    let isWhole: Bool

    /// All that a header says: some hold an object, such as `X-Pagination: {"TotalCount":6,"HasNext":true}`.
    ///
    /// - Parameter field: The header.
    /// - Returns: What may say something of pages.
    static func all(_ field: HTTPField) -> [HeaderMember] {
        guard field.value.hasPrefix("{"), NameWords.of(field.name).contains("pagination") else {
            return HeaderMember(field).map { [$0] } ?? []
        }
        guard let body = try? PageBody(Array(field.value.utf8)) else { return [] }
        return Envelope(body, records: JSONPath(steps: [])).members.map { HeaderMember(known: $0, isWhole: false) }
    }

    /// How many pages there are in all by a header such as `X-WP-TotalPages`; nil where none says it.
    static func pageTotal(of head: HTTPResponseHead) -> Int? {
        head.headers.fields.lazy.flatMap { all($0) }.compactMap(\.known.pageTotal).first
    }

    /// Whether a header says how many records a page has at most, such as `X-Per-Page`.
    static func isOfLimit(_ field: HTTPField) -> Bool {
        let words = NameWords.of(field.name)
        return NameWords.areOfLimit(words.first == "x" ? Array(words.dropFirst()) : words)
    }

    private init(known: Envelope.Member, isWhole: Bool) { (self.known, self.isWhole) = (known, isWhole) }

    /// Nil for a header that says nothing of pages.
    private init?(_ field: HTTPField) {
        func member(_ name: String, _ value: String) -> Envelope.Member {
            Envelope.Member(names: [name], value: .text(value), isNear: true)
        }
        if let total = Self.total(ofRange: field) {
            self.init(known: member("total_count", total), isWhole: true)
            return
        }
        var words = NameWords.of(field.name)
        if words.first == "x" { words.removeFirst() }
        let ofPages = ["next", "total", "continuation", "continuationtoken", "has"]
        // A vendor's name may stand before.
        if words.count > 1, !ofPages.contains(words[0]) { words.removeFirst() }
        guard let first = words.first, ofPages.contains(first) else { return nil }
        let known = member(words.joined(separator: "_"), field.value)
        guard
            known.isNextToken || known.isNextLink || known.saysMore != nil || known.pageTotal != nil
                || known.recordTotal != nil
        else { return nil }
        self.init(known: known, isWhole: true)
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

extension HTTPResponseHead {
    /// How many records there are in all by a header such as `X-Total-Count`; nil where none says it.
    package var recordTotal: Int? {
        headers.fields.lazy.flatMap { HeaderMember.all($0) }.compactMap(\.known.recordTotal).first
    }
}

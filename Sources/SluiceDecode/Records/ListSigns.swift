package import SluiceJSON
internal import SluiceModel

/// Tells by what stands around a list within a record whether there is more of it: as a page does, but for names that
/// speak of other things in records.
package final class ListSigns {
    /// What says that there is more.
    package struct Sign: Sendable, Hashable {
        /// What the list says, as the rest of a sentence that begins with it.
        package let words: String
        /// The jq condition over the record that holds where it says so.
        package let condition: String
    }

    /// What members of a name may say.
    private struct Meaning {
        /// The value of a flag that means that there is more.
        var more: Bool?
        /// Whether it may be the number of a page instead.
        var numbersPages = false
        var isLink = false
        var isToken = false
        var isTotal = false
        /// Whether it is one beside what says which part of the list this is.
        var mayBeTotal = false
        var isOfPages = false
        var isNothing: Bool { more == nil && !isLink && !isToken && !isTotal && !mayBeTotal && !isOfPages }
    }

    private static let maximumDepth = 3
    private var meanings: [String: Meaning] = [:]
    /// The names of flags beside lists, by the names of those.
    private var flagNames: [String: [String]] = [:]

    /// Makes one that has seen no names.
    package init() {}

    /// What says how many elements a list has in all, which holds also where the rest of it was read.
    ///
    /// - Parameters:
    ///   - list: The path to its elements.
    ///   - record: The value that the path begins in.
    /// - Returns: Nil where nothing does.
    package func total(of list: JSONPath, in record: JSONElement) -> (count: Int, path: String)? {
        guard let names = list.namesOfList, names.count > 1, let name = names.last,
            let around = around(names, in: record)
        else { return nil }
        var finding = Finding()
        search(at: around, [], below: Array(names.dropLast()), leavingOut: name, &finding)
        return finding.total.map { ($0.0, $0.path.joined(separator: ".")) }
    }

    /// What a list stands in.
    private func around(_ list: [String], in record: JSONElement) -> JSONElement? {
        var around = record
        for name in list.dropLast() {
            guard around.kind == .object, let next = around.member(named: name) else { return nil }
            around = next
        }
        return around.kind == .object ? around : nil
    }

    /// What says that there is more of a list than the record shows.
    ///
    /// - Parameters:
    ///   - list: The names that lead to the list.
    ///   - record: The value that they begin in.
    ///   - isRecord: Whether that is a record, and not just what lists stand in.
    /// - Returns: Nil where nothing does.
    func sign(of list: [String], in record: JSONElement, isRecord: Bool = true) -> Sign? {
        guard let name = list.last, let around = around(list, in: record) else { return nil }
        if let sign = annotation(of: name, list, around) { return sign }
        // Beside a list that is a member of the record stands what the record says of itself.
        if isRecord && list.count < 2 { return nil }
        var finding = Finding()
        search(at: around, [], below: Array(list.dropLast()), leavingOut: name, &finding)
        if let sign = finding.flag ?? finding.link { return sign }
        // A cursor may stay where a flag says that there is no more.
        if !finding.saysEnd, let sign = finding.token { return sign }
        guard let (total, path) = finding.total, let count = Self.count(around.member(named: name)), total > count
        else { return nil }
        let said = path.dropFirst(list.count - 1).reduce(around) { $0.member(named: $1) ?? $0 }
        let number = said.kind == .string ? "(\(Self.program(path)) | tonumber)" : Self.program(path)
        return Sign(
            words: "says that there are \(total) of them (`\(path.joined(separator: "."))`), and \(count) are there",
            condition: "\(number) > (\(Self.program(list)) | length)")
    }

    /// What stands beside a list and is named after it, as OData's `lines@odata.nextLink`.
    private func annotation(of name: String, _ list: [String], _ around: JSONElement) -> Sign? {
        // Nearly no record has such a member, and each name is sought in all of it.
        guard around.hasMember(namedAfter: name) else { return nil }
        for suffix in ["@odata.", "@"] {
            let link = "\(name)\(suffix)nextLink"
            if around.member(named: link)?.string?.isEmpty == false {
                let path = list.dropLast() + [link]
                return Sign(
                    words: "has the URL of its rest at `\(path.joined(separator: "."))`",
                    condition: "\(Self.program(path)) != null")
            }
        }
        return flag(of: name, list, around)
    }

    /// What a flag says that stands beside a list and is named after it: `lines_has_more`, `linesTruncated`.
    private func flag(of name: String, _ list: [String], _ around: JSONElement) -> Sign? {
        let names = flagNames[name] ?? Self.namedFlags.map { name + $0 }
        flagNames[name] = names
        for flag in names {
            guard let said = around.member(named: flag).flatMap({ Envelope.Value($0) }), said.answer == true else {
                continue
            }
            let path = list.dropLast() + [flag]
            return Sign(
                words: "says `\(path.joined(separator: ".")): true`",
                condition: "\(Self.program(path))\(Self.condition(said))")
        }
        return nil
    }

    private struct Finding {
        var flag: Sign?
        var link: Sign?
        var token: Sign?
        var total: (Int, path: [String])?
        var saysEnd = false
    }

    private func search(
        at object: JSONElement, _ names: [String], below list: [String], leavingOut left: String?,
        _ finding: inout Finding
    ) {
        var cursor = object.members()
        while cursor.next() {
            let name = cursor.name
            if name == left { continue }
            let meaning = meaning(of: names + [name])
            if meaning.isNothing { continue }
            let value = cursor.value
            let path = list + names + [name]
            func sign(_ words: String, _ condition: String) -> Sign {
                Sign(words: words, condition: "\(Self.program(path))\(condition)")
            }
            let text = path.joined(separator: ".")
            func takeFlag(_ flag: Bool, _ condition: String) {
                guard let more = meaning.more else { return }
                if flag == more {
                    finding.flag = finding.flag ?? sign("says `\(text): \(more)`", condition)
                } else {
                    finding.saysEnd = true
                }
            }
            if value.kind == .object {
                let key = Envelope.Member(names: names + [name], value: .object, isNear: true)
                if meaning.isToken, key.isNextToken {
                    finding.token = finding.token ?? sign("has what asks for its rest at `\(text)`", " != null")
                } else if meaning.isOfPages, names.count + 1 < Self.maximumDepth {
                    search(at: value, names + [name], below: list, leavingOut: nil, &finding)
                }
                continue
            }
            guard let said = Envelope.Value(value) else { continue }
            if meaning.isTotal || meaning.mayBeTotal && Self.saysPlace(object), let number = said.number {
                finding.total = finding.total ?? (number, path)
                continue
            }
            let member = Envelope.Member(names: names + [name], value: said, isNear: true)
            // The last page may have a number.
            if let flag = meaning.numbersPages ? said.flag : said.answer, meaning.more != nil {
                takeFlag(flag, Self.condition(said))
            } else if meaning.isLink, member.isNextLink {
                finding.link = finding.link ?? sign("has the URL of its rest at `\(text)`", " != null")
            } else if meaning.isToken, member.isNextToken {
                finding.token = finding.token ?? sign("has what asks for its rest at `\(text)`", " != null")
            }
        }
    }

    /// The rest of the condition that a flag has a value, behind its path.
    private static func condition(_ value: Envelope.Value) -> String {
        switch value {
        case .flag(let flag): flag ? "" : " == false"
        case .integer(let number): " == \(number)"
        case .text(let text): " == \(FieldJSON.quoted(text))"
        case .null, .object: ""
        }
    }

    private func meaning(of names: [String]) -> Meaning {
        let path = names.joined(separator: "\u{0}")
        if let known = meanings[path] { return known }
        func member(_ value: Envelope.Value) -> Envelope.Member {
            Envelope.Member(names: names, value: value, isNear: true)
        }
        var meaning = Meaning()
        let words = member(.null).words
        if Self.flags.contains(words) || words.starts(with: ["has", "more"]) || words.starts(with: ["has", "next"]) {
            meaning.more = true
        } else if Self.endFlags.contains(words) {
            meaning.more = false
            meaning.numbersPages = words == ["last", "page"]
        }
        meaning.isLink = member(.text("/next")).isNextLink
        // Records speak of next steps and states of their own.
        meaning.isToken = words.last.map(Self.tokens.contains) == true && member(.text("x")).isNextToken
        meaning.isTotal = Self.totals.contains(words)
        meaning.mayBeTotal = Self.plainTotals.contains(words)
        meaning.isOfPages = names.last.map(NameWords.areOfPages) ?? false
        meanings[path] = meaning
        return meaning
    }

    private static let flags: Set<[String]> = [
        ["more"], ["truncated"], ["is", "truncated"], ["exceeded", "transfer", "limit"],
    ]
    private static let endFlags: Set<[String]> = [["last", "page"], ["is", "last", "page"], ["is", "last"]]
    /// What the names of flags add to that of a list.
    private static let namedFlags = [
        "_has_more", "HasMore", "_has_next", "HasNext", "_has_next_page", "HasNextPage", "_truncated", "Truncated",
    ]
    private static let tokens: Set<String> = [
        "token", "cursor", "page", "continuation", "nexttoken", "nextcursor", "key", "marker",
    ]
    /// Numbers of elements; `total` and `count` alone may be sums of money or of pieces.
    private static let totals: Set<[String]> = [
        ["total", "count"], ["total", "results"], ["total", "records"], ["total", "elements"], ["total", "size"],
        ["total", "hits"], ["total", "rows"], ["total", "entries"],
    ]

    /// Numbers of elements where a place in the list stands beside them, as in `{startAt: 0, maxResults: 2, total: 5}`.
    private static let plainTotals: Set<[String]> = [["total"], ["total", "items"]]
    private static let places: Set<[String]> = [
        ["start", "at"], ["start", "index"], ["offset"], ["skip"], ["max", "results"], ["limit"], ["per", "page"],
        ["page", "size"],
    ]

    /// Whether an object says which part of a list it holds.
    private static func saysPlace(_ object: JSONElement) -> Bool {
        var cursor = object.members()
        while cursor.next() {
            if places.contains(NameWords.of(cursor.name)), Envelope.Value(cursor.value)?.number != nil { return true }
        }
        return false
    }

    private static func count(_ list: JSONElement?) -> Int? {
        guard let list, list.kind == .array else { return nil }
        return list.count
    }

    /// A path as jq writes it.
    private static func program(_ path: some Sequence<String>) -> String {
        path.map { name in
            let isPlain = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            return isPlain && name.first?.isNumber == false ? ".\(name)" : ".[\(FieldJSON.quoted(name))]"
        }.joined()
    }
}

extension JSONElement {
    /// The value of a number without a fraction, also of one that is written with a point; nil for anything else.
    var wholeNumber: Int? {
        switch kind {
        case .integer: Int(exactly: integer)
        case .number: numberText.flatMap { Double($0) }.flatMap { Int(exactly: $0) }
        default: nil
        }
    }

    /// Whether an object has a member whose name begins with another name and is longer.
    fileprivate func hasMember(namedAfter name: String) -> Bool {
        var name = name
        return name.withUTF8 { wanted in
            var cursor = members()
            while cursor.next() {
                let key = unsafe cursor.key
                if key.count > wanted.count, unsafe key.prefix(wanted.count).elementsEqual(wanted) { return true }
            }
            return false
        }
    }
}

package import SluiceJSON

/// The scalars of a page that stand around its records: what it says of itself and of other pages.
package struct Envelope {
    package enum Value: Equatable {
        case null
        case text(String)
        case integer(Int)
        case flag(Bool)
        /// An object that is sent back as it is.
        case object

        /// True or false, also where a source writes it as a text.
        package var flag: Bool? {
            switch self {
            case .flag(let value): value
            case .text(let text): ["true": true, "false": false][text.lowercased()]
            case .null, .integer, .object: nil
            }
        }

        /// What it says where its name asks for yes or no: a flag, or 1 or 0, each also as a text.
        package var answer: Bool? { flag ?? number.flatMap { (0...1).contains($0) ? $0 == 1 : nil } }

        /// A whole number, also where a source writes it as a text; nil for anything else.
        package var number: Int? {
            switch self {
            case .integer(let value): value
            case .text(let text): Int(Self.withoutZeros(text))
            case .null, .flag, .object: nil
            }
        }

        /// The text of a number without a fraction that is nothing: `2` of `2.0`.
        private static func withoutZeros(_ text: String) -> Substring {
            guard let point = text.firstIndex(of: ".") else { return text[...] }
            let fraction = text[text.index(after: point)...]
            return !fraction.isEmpty && fraction.allSatisfy { $0 == "0" } ? text[..<point] : text[...]
        }

        /// A scalar of a page or a record; nil for what is none, and for a number that is not whole.
        init?(_ element: JSONElement) {
            switch element.kind {
            case .null: self = .null
            case .bool: self = .flag(element.boolean)
            case .integer, .number:
                guard let number = element.wholeNumber else { return nil }
                self = .integer(number)
            case .string:
                guard let text = element.string else { return nil }
                self = .text(text)
            case .object, .array: return nil
            }
        }
    }

    package struct Member: Equatable {
        /// The names that lead to it from the root.
        package let names: [String]
        package let value: Value
        /// Whether it stands beside the records, or in an object that is named as one about pages.
        package let isNear: Bool
        /// Whether it stands in an object that leads to the records, however that is named.
        package let isOnTheWay: Bool
        /// Whether it is named as the total of the list that the records are: `total_orders` beside `orders`.
        package let isTotalOfRecords: Bool

        /// Makes a value of its parts.
        package init(
            names: [String], value: Value, isNear: Bool, isOnTheWay: Bool = false, isTotalOfRecords: Bool = false
        ) {
            self.isTotalOfRecords = isTotalOfRecords
            self.names = names
            self.value = value
            self.isNear = isNear
            self.isOnTheWay = isOnTheWay
        }

        package var name: String { names.last ?? "" }
        package var words: [String] { NameWords.of(name) }
        package var path: JSONPath { Envelope.path(of: names) }
        /// The path as it is said.
        package var text: String { Envelope.text(of: names) }
        package var integer: Int? { if case .integer(let value) = value { value } else { nil } }
        package var string: String? { if case .text(let value) = value { value } else { nil } }
        /// Whether it says that there is nothing: null or an empty text.
        package var isNothing: Bool { value == .null || value == .text("") }
    }

    private static let maximumDepth = 4
    /// So many members are kept that stand elsewhere than beside the records or on the way to them: they are other data, such as maps of
    /// what records refer to. What a page says of other pages is kept wherever it stands behind them.
    private static let mostElsewhere = 300
    private static let mostElements = 300
    private static let longestText = 8192

    package private(set) var members: [Member] = []
    /// Whether a list of links holds one to a next page.
    package private(set) var listsNext = false
    /// Whether the page says, as GraphQL does, that errors kept it from giving all of its data: a list `errors` stands beside
    /// `data`. See: spec.graphql.org, section 7.1.
    package private(set) var isInError = false
    /// The names that lead to the records.
    private var recordNames: [String] = []
    /// How many members stand elsewhere.
    private var elsewhere = 0

    /// An envelope with nothing in it.
    package init() {}

    /// Looks around the records of a page.
    ///
    /// - Parameters:
    ///   - body: The page.
    ///   - records: Where the records are.
    package init(_ body: PageBody, records: JSONPath?) {
        guard let records, let root = body.element(at: JSONPath(steps: [])) else { return }
        var names: [String] = []
        steps: for step in records.steps {
            switch step {
            case .name(let name): names.append(name)
            case .index(let index): names.append("[\(index)]")
            default: break steps
            }
        }
        recordNames = names
        if root.kind == .array { walk(elements: root, []) }
        if root.kind != .object { return }
        walk(root, [], isNear: true)
        let errors = root.member(named: "errors")
        isInError = errors?.kind == .array && errors?.count ?? 0 > 0 && root.member(named: "data") != nil
        // The parser's memory belongs to the body.
        withExtendedLifetime(body) {}
    }

    /// Looks at the elements of an array that lead to the records, and at what a page that is an array holds besides them:
    /// `[{"page": 1, "pages": 2}, […]]`.
    private mutating func walk(elements array: JSONElement, _ names: [String]) {
        guard recordNames.starts(with: names), recordNames.count > names.count else { return }
        let isOfRecords = names.isEmpty && recordNames.count == 1
        var elements = array.elements()
        var place = 0
        while elements.next(), place < Self.mostElements {
            let path = names + ["[\(place)]"]
            place += 1
            let leads = recordNames.starts(with: path) && path != recordNames
            switch elements.value.kind {
            case .object where leads || isOfRecords && path != recordNames: walk(elements.value, path, isNear: true)
            case .array where leads: walk(elements: elements.value, path)
            default: continue
            }
        }
    }

    /// The position that a name stands for which leads to an element: 1 of `[1]`.
    private static func index(of name: String) -> Int? {
        name.first == "[" && name.last == "]" ? Int(name.dropFirst().dropLast()) : nil
    }

    /// The path of the names that lead to a member.
    package static func path(of names: [String]) -> JSONPath {
        if names.allSatisfy({ index(of: $0) == nil }) { return JSONPath(names: names) }
        return JSONPath(
            steps: names.map { name in index(of: name).map { .index($0) } ?? .name(name) }, text: text(of: names))
    }

    /// These names as they are said.
    package static func text(of names: [String]) -> String {
        names.joined(separator: ".").replacing(".[", with: "[")
    }

    private mutating func walk(_ object: JSONElement, _ names: [String], isNear: Bool) {
        var cursor = object.members()
        let isOnTheWay = recordNames.starts(with: names)
        while cursor.next() {
            let element = cursor.value
            let isElsewhere = !isNear && !isOnTheWay
            if isElsewhere, elsewhere >= Self.mostElsewhere, element.kind != .object && element.kind != .array {
                continue
            }
            let path = names + [cursor.name]
            if path == recordNames { continue }
            switch element.kind {
            case .object:
                let member = Member(names: path, value: .object, isNear: isNear)
                if member.isNextToken, element.holdsScalar {
                    members.append(member)
                    continue
                }
                let staysNear =
                    isNear && (recordNames.starts(with: path) || NameWords.areOfPagesBesideRecords(cursor.name))
                    || NameWords.areOfPagesAlone(cursor.name) || isBeside(path) && element.speaksOfPages
                // Of a map of records nothing within these speaks of pages.
                let isOfMap = recordNames.isEmpty && !staysNear && elsewhere >= Self.mostElsewhere
                if path.count < max(Self.maximumDepth, recordNames.count + 2), !isOfMap {
                    walk(element, path, isNear: staysNear)
                }
            case .null, .bool, .integer, .number, .string:
                guard var value = Value(element) else { continue }
                if case .text(let text) = value, text.utf8.count > Self.longestText {
                    // That there is a token, its beginning says as well.
                    if isElsewhere { continue }
                    value = .text(String(text.prefix(Self.longestText)))
                }
                if isElsewhere { elsewhere += 1 }
                members.append(
                    Member(
                        names: path, value: value, isNear: isNear, isOnTheWay: isOnTheWay,
                        isTotalOfRecords: isTotalOfRecords(cursor.name)))
            case .array:
                let words = NameWords.of(cursor.name)
                if words.contains(where: ["link", "links"].contains) { inspect(element) }
                // `queries.nextPage` of Google's search: what to ask for, as a list of one.
                if words == ["next", "page"], element.count > 0 { listsNext = true }
                walk(elements: element, path)
            }
        }
    }

    private func isTotalOfRecords(_ name: String) -> Bool {
        guard let list = recordNames.last else { return false }
        let (words, records) = (NameWords.of(name), NameWords.of(list))
        return !records.isEmpty && (words == ["total"] + records || words == records + ["total"])
    }

    /// Whether an object stands beside what leads to the records, or within one that does.
    private func isBeside(_ names: [String]) -> Bool {
        names.count - zip(names, recordNames).prefix { $0 == $1 }.count <= 2
    }

    /// Looks for a next page in a list of links, such as `[{"rel": "next", "href": "…"}]`.
    private mutating func inspect(_ links: JSONElement) {
        var elements = links.elements()
        while elements.next() {
            let link = elements.value
            guard link.kind == .object else { return }
            listsNext =
                listsNext
                || ["rel", "relation"].contains {
                    ["next", "next-page"].contains(link.member(named: $0)?.string?.lowercased())
                }
        }
    }
}

extension JSONElement {
    /// The most members of an object that speaks of pages; others are maps.
    private static var mostOfPages: Int { 50 }

    /// Whether an object speaks of pages by what it holds, whatever its name: of the place or the size of a page, or of their
    /// number, and of something else that is counted. One that holds a list speaks of that.
    fileprivate var speaksOfPages: Bool {
        if count > Self.mostOfPages { return false }
        var (ofPages, counts) = (0, 0)
        var cursor = members()
        while cursor.next() {
            if cursor.value.kind == .array { return false }
            guard Envelope.Value(cursor.value)?.number != nil else { continue }
            let words = NameWords.of(cursor.name)
            // A book has `pages` as well, and a quota has a `limit` and a `total`.
            let isLimit = NameWords.areOfLimit(words)
            let isPageCount = Envelope.Member.pageCounts.contains(words)
            if NameWords.areOfPlace(words) || isPageCount && words != ["pages"]
                || isLimit && words.contains(where: { $0.hasPrefix("page") || $0 == "perpage" })
            {
                ofPages += 1
            } else if isLimit || isPageCount || Envelope.Member.recordCounts.contains(words) {
                counts += 1
            }
        }
        return ofPages > 1 || ofPages == 1 && counts > 0
    }

    /// Whether some member of the object is not null, or an object for which that holds.
    fileprivate var holdsScalar: Bool {
        var cursor = members()
        while cursor.next() {
            switch cursor.value.kind {
            case .null: continue
            case .object where !cursor.value.holdsScalar: continue
            case .object, .array, .bool, .integer, .number, .string: return true
            }
        }
        return false
    }
}

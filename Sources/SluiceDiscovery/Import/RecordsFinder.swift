internal import SluiceDiagnostics
internal import SluiceJSON
internal import SluicePipeline

/// Finds the records in the outline of a document.
///
/// An array at the top is the records. Of an object these are looked at, in this order:
///
/// 1. the object has an identifier of its own, and no list that is called like the source: it is one record;
/// 2. all its members are objects of like shape: a map of records, where the member's name identifies the record;
/// 3. all its members are arrays of objects of like shape: the elements of all of them;
/// 4. a map of records further down that makes up nearly all of the document;
/// 5. arrays of objects that are reached by names: the one with the most objects, then the largest, then the deepest;
/// 6. else it is one record.
struct RecordsFinder {
    private let outline: DocumentOutline
    private let sourceName: String?
    private static let entriesKey = "key"
    /// Names that make an object a record rather than an envelope.
    private static let identifiers: Set<String> = [
        "id", "_id", "uuid", "guid", "key", "slug", "code", "sha", "node_id",
    ]

    /// Objects that speak of the list beside them rather than of a record.
    private static let sideNames: Set<String> = [
        "_links", "_meta", "jsonapi", "links", "meta", "metadata", "page", "page_info", "pageInfo", "pagination",
        "paging",
        "response_metadata",
    ]

    /// Names under which interfaces give lists.
    private static let listNames: Set<String> = [
        "data", "entries", "hits", "items", "records", "results", "rows", "value", "values",
    ]

    /// - Parameters:
    ///   - outline: The outline of the document.
    ///   - sourceName: The last part of the source's path as a table's name; nil where it has none.
    init(_ outline: DocumentOutline, sourceName: String? = nil) {
        self.outline = outline
        self.sourceName = sourceName
    }

    /// The place of the records; nil where the document has no object at all.
    func find() -> RecordsPlace? {
        guard let root = outline.nodes.first else { return nil }
        if outline.rootCount > 1 {
            return RecordsPlace(format: .jsonl, reason: "there is a value on each line")
        }
        switch root.kind {
        case .scalar: return nil
        case .array:
            return RecordsPlace(
                format: .json, path: JSONPath(steps: [.wildcard]), reason: "the document is an array")
        case .object: return findInObject()
        }
    }

    /// The records at a path that a person named: elements of an array, members of a map, or one object.
    func place(at path: JSONPath) -> RecordsPlace {
        var place = RecordsPlace(format: outline.rootCount > 1 ? .jsonl : .json, path: path, reason: "as asked for")
        guard path.isSingular, place.format == .json, let node = node(at: path) else { return place }
        let found = outline.nodes[node]
        if found.kind == .array {
            place.path = JSONPath(steps: path.steps + [.wildcard])
        } else if found.kind == .object, found.count > 1, found.objects == found.count {
            place.entries = entriesKey(below: node)
            place.reason = "as asked for, a map of records"
        }
        return place
    }

    private func node(at path: JSONPath) -> Int? {
        var node = 0
        for step in path.steps {
            guard case .name(let name) = step,
                let child = outline.nodes[node].children.last(where: { self.name(of: $0) == name })
            else { return nil }
            node = child
        }
        return outline.nodes.isEmpty ? nil : node
    }

    // MARK: Objects

    private func findInObject() -> RecordsPlace {
        let arrays = outline.nodes.indices.filter { isArrayOfObjects($0) }
        let one = RecordsPlace(format: .json, reason: "", others: arrays.map { path($0, [.wildcard]).text })
        if let name = ownIdentifier, !isEnvelope(around: arrays) {
            return one.because("the document is one record: it has `\(name)`")
        }
        if isMap(0, minimum: 2) { return map(0) }
        if isMapOfArrays {
            return RecordsPlace(
                format: .json, path: JSONPath(steps: [.wildcard, .wildcard]),
                reason:
                    "every member of the document is an array of like objects; the members' names are not kept, which a pipeline does with `records: {jq: …}`"
            )
        }
        if let map = outline.nodes.indices.dropFirst().first(where: { isMap($0, minimum: 5) && isNearlyAll($0) }) {
            return self.map(map)
        }
        if let best = arrays.max(by: isLess) { return array(best, among: arrays) }
        if let empty = onlyEmptyList {
            return RecordsPlace(format: .json, path: path(empty, [.wildcard]), reason: "the one array, which is empty")
        }
        return one.because("the document is one record")
    }

    private var ownIdentifier: String? {
        outline.nodes[0].children.filter { outline.nodes[$0].kind == .scalar }.map(name(of:)).first {
            Self.identifiers.contains($0.lowercased())
        }
    }

    /// Whether the document is an answer around the list that was asked for, whatever identifies the answer: the list has
    /// the source's name.
    private func isEnvelope(around arrays: [Int]) -> Bool {
        guard arrays.count == 1, outline.nodes[arrays[0]].parent == 0, let sourceName else { return false }
        return ColumnNames.snakeCase(name(of: arrays[0])) == sourceName
    }

    private func isArrayOfObjects(_ node: Int) -> Bool {
        let node = outline.nodes[node]
        return node.kind == .array && !node.isWithinArray && node.objects > 0 && node.objects == node.count
    }

    /// An empty array beside nothing but scalars and what speaks of pages, by its name the answer of an interface that
    /// has no records.
    private var onlyEmptyList: Int? {
        let containers = outline.nodes[0].children.filter { child in
            outline.nodes[child].kind == .array
                || outline.nodes[child].kind == .object && !Self.sideNames.contains(name(of: child))
        }
        guard containers.count == 1, isEmpty(containers[0]), Self.listNames.contains(name(of: containers[0])) else {
            return nil
        }
        return containers[0]
    }

    private func isEmpty(_ node: Int) -> Bool { outline.nodes[node].count == 0 && outline.nodes[node].kind == .array }

    private func isLess(_ left: Int, _ right: Int) -> Bool {
        // JSON:API puts what the records refer to beside them.
        func rank(_ node: Int) -> (Int, Int, Int, Int) {
            let isIncluded = names(node) == ["included"] ? 0 : 1
            return (isIncluded, outline.nodes[node].objects, outline.size(of: node), names(node).count)
        }
        return rank(left) < rank(right)
    }

    private func array(_ node: Int, among all: [Int]) -> RecordsPlace {
        let what = Plural.word(all.count, "the one array of objects", "the largest of \(all.count) arrays of objects")
        return RecordsPlace(
            format: .json, path: path(node, [.wildcard]), reason: what,
            others: all.filter { $0 != node }.map { path($0, [.wildcard]).text })
    }

    private var isMapOfArrays: Bool {
        let root = outline.nodes[0]
        guard root.count > 1, root.arrays == root.count,
            root.children.allSatisfy({ isArrayOfObjects($0) || isEmpty($0) })
        else { return false }
        let shapes = shapes(of: root.children.compactMap { outline.nodes[$0].children.first })
        return shapes.count > 1 && Self.areAlike(shapes, share: 0.75)
    }

    // MARK: Maps

    private func map(_ node: Int) -> RecordsPlace {
        let key = entriesKey(below: node)
        return RecordsPlace(
            format: .json, path: path(node, []), entries: key,
            reason: "a map of records: the members are objects of like shape, and their names become `\(key)`")
    }

    private func isMap(_ index: Int, minimum: Int) -> Bool {
        let node = outline.nodes[index]
        guard node.kind == .object, !node.isWithinArray, node.count >= minimum, node.objects == node.count else {
            return false
        }
        let names = shapes(of: node.children)
        return names.count >= minimum && Self.areAlike(names)
    }

    /// The names of the members of each of several objects that have any.
    private func shapes(of objects: [Int]) -> [Set<[UInt8]>] {
        objects.map { Set(outline.nodes[$0].children.map { outline.nodes[$0].name }) }.filter { !$0.isEmpty }
    }

    /// Whether objects have most of their members in common, or, where there are many, an identifier and something else.
    private static func areAlike(_ shapes: [Set<[UInt8]>], share: Double = 0.6) -> Bool {
        var counts: [[UInt8]: Int] = [:]
        for name in shapes.joined() { counts[name, default: 0] += 1 }
        let core = Set(counts.filter { $0.value * 2 > shapes.count }.keys)
        let hasIdentifier = core.contains { identifiers.contains(String(decoding: $0, as: UTF8.self)) }
        if shapes.count >= 5, core.count > 1, hasIdentifier { return true }
        let shared = shapes.reduce(0) { $0 + Double($1.intersection(core).count) / Double($1.count) }
        return shared >= share * Double(shapes.count)
    }

    private func isNearlyAll(_ node: Int) -> Bool { outline.size(of: node) * 5 > outline.byteCount * 4 }

    /// A key for the members' names that the records do not have themselves.
    private func entriesKey(below node: Int) -> String {
        let taken = Set(
            outline.nodes[node].children.flatMap { outline.nodes[$0].children.map { name(of: $0) } })
        let candidates = [Self.entriesKey, "entry_key"] + (2...1000).map { "\(Self.entriesKey)_\($0)" }
        return candidates.first { !taken.contains($0) } ?? Self.entriesKey
    }

    // MARK: Names

    private func path(_ node: Int, _ steps: [JSONPath.Step]) -> JSONPath { JSONPath(names: names(node), then: steps) }

    private func names(_ node: Int) -> [String] {
        node == 0 ? [] : names(outline.nodes[node].parent) + [name(of: node)]
    }

    /// The name of a member without its escapes.
    private func name(of node: Int) -> String {
        let bytes = outline.nodes[node].name
        guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
        let quote = [UInt8(ascii: "\"")]
        return (try? JSONDocument(quote + bytes + quote))?.root.string ?? String(decoding: bytes, as: UTF8.self)
    }
}

extension RecordsPlace {
    fileprivate func because(_ reason: String) -> RecordsPlace {
        var place = self
        place.reason = reason
        return place
    }
}

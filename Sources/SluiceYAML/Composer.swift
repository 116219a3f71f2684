/// Makes nodes of events, and notes what is YAML but not accepted.
struct Composer: ~Copyable {
    private var reader: EventReader
    private let limits: YAMLDocument.Limits
    private var anchors: AnchorTable
    private(set) var problems: [YAMLError] = []

    init(reader: consuming EventReader, limits: YAMLDocument.Limits) {
        self.reader = reader
        self.limits = limits
        anchors = AnchorTable(limits: limits)
    }

    /// Reads the only document of the stream; nil where there is none.
    mutating func document() throws(YAMLError) -> YAMLNode? {
        var root: YAMLNode?
        while true {
            let event = try reader.next()
            switch event.kind {
            case .streamEnd: return root
            case .documentStart where root != nil:
                refuse(
                    "A second document starts here, but a file holds only one. Move it to another file.",
                    at: event.start)
                return root
            case .streamStart, .documentStart, .documentEnd: continue
            default: root = try node(event, depth: 0)
            }
        }
    }

    private mutating func node(_ event: YAMLEvent, depth: Int) throws(YAMLError) -> YAMLNode {
        guard let anchor = event.anchor else { return try value(event, depth: depth) }
        anchors.open(anchor)
        let node = try value(event, depth: depth)
        anchors.close(anchor, value: node)
        return node
    }

    private mutating func value(_ event: YAMLEvent, depth: Int) throws(YAMLError) -> YAMLNode {
        switch event.kind {
        case .scalar(let text, let style, let properties):
            let value = resolve(text, style: style, properties: properties, at: event.start)
            let scalar = YAMLScalar(text: text, style: style, value: value)
            return YAMLNode(content: .scalar(scalar), start: event.start, end: event.end)
        case .sequenceStart(let properties):
            check(properties, expected: "seq", at: event.start)
            return try sequence(from: event.start, depth: depth + 1)
        case .mappingStart(let properties):
            check(properties, expected: "map", at: event.start)
            return try mapping(from: event.start, depth: depth + 1)
        case .alias(let name):
            do throws(YAMLError) {
                return try anchors.value(of: name, event: event, depth: depth)
            } catch {
                // Without its value the rest can still be read, but beyond a limit reading ends.
                if error.code == .limit { throw error }
                problems.append(error)
            }
        default:
            refuse("A value is expected here.", at: event.start)
        }
        let nothing = YAMLScalar(text: "", style: .plain, value: .null)
        return YAMLNode(content: .scalar(nothing), start: event.start, end: event.end)
    }

    private mutating func sequence(from start: Mark, depth: Int) throws(YAMLError) -> YAMLNode {
        try checkDepth(depth, at: start)
        var elements: [YAMLNode] = []
        while true {
            let event = try reader.next()
            if case .sequenceEnd = event.kind {
                return YAMLNode(content: .sequence(elements), start: start, end: event.end)
            }
            elements.append(try node(event, depth: depth))
        }
    }

    private mutating func mapping(from start: Mark, depth: Int) throws(YAMLError) -> YAMLNode {
        try checkDepth(depth, at: start)
        var members: [YAMLMember] = []
        var merged: [Int: [YAMLMember]] = [:]
        var first: [String: Mark] = [:]
        while true {
            let event = try reader.next()
            if case .mappingEnd = event.kind {
                let content = YAMLNode.Content.mapping(MergeKey.resolve(members, merged: merged))
                return YAMLNode(content: content, start: start, end: event.end)
            }
            let key = try key(event, depth: depth)
            let value = try node(try reader.next(), depth: depth)
            guard let scalar = key.scalar else {
                refuse("A key must be a text, not a list or a mapping.", at: key.start)
                continue
            }
            if MergeKey.isMerge(scalar) { merged[members.count] = mergedMembers(of: value) }
            if let earlier = first[scalar.text] {
                let place = "line \(earlier.line), column \(earlier.column)"
                let message = "The key `\(scalar.text)` is already in this mapping, at \(place)."
                problems.append(
                    YAMLError(code: .duplicateKey, message: message, mark: key.start, contextMark: earlier))
            } else {
                first[scalar.text] = key.start
            }
            members.append(YAMLMember(key: key, value: value))
        }
    }

    /// A key; one that is an alias stands where the alias does, since that is where the mapping has it.
    private mutating func key(_ event: YAMLEvent, depth: Int) throws(YAMLError) -> YAMLNode {
        var key = try node(event, depth: depth)
        guard key.usedAt != nil else { return key }
        key.start = event.start
        key.end = event.end
        return key
    }

    private mutating func mergedMembers(of value: YAMLNode) -> [YAMLMember] {
        // An alias that stands for nothing was reported as such.
        if let last = problems.last, last.code == .invalidAlias, last.mark == value.start { return [] }
        do throws(YAMLError) {
            return try MergeKey.members(of: value)
        } catch {
            problems.append(error)
            return []
        }
    }

    /// What a scalar means: by its tag, by the core schema if it is plain, else text.
    private mutating func resolve(
        _ text: String, style: YAMLScalar.Style, properties: YAMLEvent.Properties, at mark: Mark
    ) -> YAMLValue {
        guard let tag = properties.tag else { return style == .plain ? CoreSchema.resolve(text) : .string }
        let value = CoreSchema.resolve(text)
        switch (tag.coreTagName, value) {
        case ("str", _): return .string
        case ("null", .null), ("bool", .bool), ("int", .int), ("float", .double): return value
        case ("float", .int(let whole)): return .double(Double(whole))
        case ("null", _), ("bool", _), ("int", _), ("float", _):
            refuse("`\(text)` does not fit its tag.", at: mark)
        default:
            refuse("The tag `\(tag)` is not supported.", at: mark)
        }
        return .string
    }

    private mutating func check(_ properties: YAMLEvent.Properties, expected: String, at mark: Mark) {
        if let tag = properties.tag, tag != "!", tag.coreTagName != expected {
            refuse("The tag `\(tag)` is not supported.", at: mark)
        }
    }

    private func checkDepth(_ depth: Int, at mark: Mark) throws(YAMLError) {
        if depth <= limits.maximumDepth { return }
        throw .tooDeep(limits, at: mark)
    }

    private mutating func refuse(_ message: String, at mark: Mark) {
        problems.append(YAMLError(code: .unsupported, message: message, mark: mark))
    }
}

extension String {
    /// `int` of `tag:yaml.org,2002:int`, `str` of the non-specific tag `!`, else nil.
    fileprivate var coreTagName: String? {
        if self == "!" { return "str" }
        let prefix = "tag:yaml.org,2002:"
        return hasPrefix(prefix) ? String(dropFirst(prefix.utf8.count)) : nil
    }
}

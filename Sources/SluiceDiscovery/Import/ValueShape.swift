internal import SluiceJSON
internal import SluiceModel

/// What the values at one place of many records look like.
final class ValueShape {
    /// How many records are looked at for whether values repeat.
    static let evidenceLimit = 10_000
    /// How many different keys records may have in all.
    static let maximumKeys = 1500
    private static let maximumDepth = 3
    private static let exampleBytes = 120

    /// The values that are not null, by type.
    private(set) var integers = 0
    private(set) var numbers = 0
    private(set) var strings = 0
    private(set) var booleans = 0
    private(set) var arrays = 0
    private(set) var objects = 0
    private(set) var nulls = 0
    private(set) var forms = TextForms.all
    /// The patterns by which all texts and whole numbers can be read as dates.
    private(set) var spellings = DateSpellings.all
    /// Whether a number would change its value as a `double`.
    private(set) var needsDecimal = false
    /// The bytes of the longest text or number.
    private(set) var longest = 0
    /// A value as JSON, cut where it is long.
    private(set) var example: String?
    /// The members, in the order in which they were first seen; none where there are too many, or other values too.
    private(set) var children: [(name: String, shape: ValueShape)] = []
    /// Whether there were too many members to remember them, or other values besides objects.
    private(set) var membersAreForgotten = false
    /// For the first records a hash of each one's value, as long as every one has it.
    private(set) var hashes: [UInt64] = []
    /// The elements of its lists; nil where there are none.
    private(set) var list: ListShape?
    private var names: [[UInt8]] = []
    private var positions: [[UInt8]: Int] = [:]
    private var lastRecord = -1

    var values: Int { integers + numbers + strings + booleans + arrays + objects }

    /// Takes the value of a record.
    ///
    /// - Parameters:
    ///   - element: The value.
    ///   - record: The record's position; a member that comes twice in it counts once.
    ///   - depth: How many names lead here.
    func add(_ element: JSONElement, record: Int, depth: Int = 0) {
        guard record > lastRecord else { return }
        lastRecord = record
        let kind = element.kind
        if kind == .null {
            nulls += 1
            return
        }
        if example == nil { example = Self.excerpt(element) }
        switch kind {
        case .null: break
        case .bool: booleans += 1
        case .integer:
            integers += 1
            if !spellings.isEmpty { spellings = spellings.kept(by: element) }
            if !needsDecimal { needsDecimal = Int64(exactly: Double(element.integer)) != element.integer }
        case .number:
            numbers += 1
            if !needsDecimal { needsDecimal = Self.isBeyondDouble(element) }
        case .string:
            strings += 1
            if !forms.isEmpty { forms = forms.kept(by: element) }
            if !spellings.isEmpty { spellings = spellings.kept(by: element) }
        case .array:
            arrays += 1
            if depth > 0 && depth < Self.maximumDepth {
                if list == nil { list = ListShape() }
                list?.add(element, depth: depth)
            }
        case .object:
            objects += 1
            if depth < Self.maximumDepth && !membersAreForgotten { descend(element, record: record, depth: depth) }
        }
        // What is an object now and a text then is never taken apart.
        if depth > 0 && !names.isEmpty && objects < values { forgetMembers() }
        self.record(element, kind, record: record)
    }

    /// Members mostly stand in the order of the record before.
    private func descend(_ element: JSONElement, record: Int, depth: Int) {
        var place = 0
        var members = element.members()
        while members.next() {
            let isExpected = place < names.count && members.isNamed(names[place])
            if !isExpected {
                guard let found = position(of: members.keyCopy, depth: depth) else { return forgetMembers() }
                place = found
            }
            children[place].shape.add(members.value, record: record, depth: depth + 1)
            place += 1
        }
    }

    /// Where the members of a name are noted; nil where there are too many names.
    private func position(of name: [UInt8], depth: Int) -> Int? {
        if let known = positions[name] { return known }
        // Only few members are ever taken apart, but all that a record has of its own are wanted.
        guard names.count < (depth == 0 ? Self.maximumKeys : SchemaInference.maximumMembers) else { return nil }
        positions[name] = names.count
        names.append(name)
        children.append((String(decoding: name, as: UTF8.self), ValueShape()))
        return names.count - 1
    }

    private func forgetMembers() {
        membersAreForgotten = true
        (children, names, positions) = ([], [], [:])
    }

    private func record(_ element: JSONElement, _ kind: JSONKind, record: Int) {
        guard kind == .string || kind == .integer || kind == .number else { return }
        longest = max(longest, element.textByteCount)
        if record == hashes.count, record < Self.evidenceLimit { hashes.append(FieldDigest.text(of: element)) }
    }

    /// Notes a text that is no JSON: the name of a member.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - record: The record's position.
    ///   - parser: Its present elements are no longer needed.
    func add(name: String, record: Int, parser: JSONParser) {
        var json: [UInt8] = []
        JSONWriter.append(name, to: &json)
        try? parser.withRoot(of: json) { add($0, record: record) }
    }

    // MARK: Looking at values

    private static func isBeyondDouble(_ element: JSONElement) -> Bool {
        // A double holds any 15 digits, see IEEE 754.
        if element.textByteCount <= 16, !element.hasExponent { return false }
        guard let text = element.numberText, let exact = DecimalText.normalized(text) else { return true }
        guard let value = Double(text), value.isFinite else { return true }
        return DecimalText.normalized("\(value)") != exact
    }

    private static func excerpt(_ element: JSONElement) -> String {
        var json: [UInt8] = []
        JSONWriter.append(element, to: &json)
        if json.count <= exampleBytes { return String(decoding: json, as: UTF8.self) }
        var end = exampleBytes
        // Not within a character.
        while end > 0, json[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: json[..<end], as: UTF8.self) + "…"
    }
}

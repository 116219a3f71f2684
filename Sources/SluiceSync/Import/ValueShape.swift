internal import SluiceJSON
internal import SluiceMerge

/// What the values at one place of many records look like.
final class ValueShape {
    /// The forms that all texts so far have.
    struct Forms: OptionSet {
        let rawValue: UInt8
        static let uuid = Forms(rawValue: 1)
        static let date = Forms(rawValue: 2)
        static let datetime = Forms(rawValue: 4)
        static let url = Forms(rawValue: 8)
        static let all: Forms = [.uuid, .date, .datetime, .url]
    }

    /// How many records are looked at for whether values repeat.
    static let evidenceLimit = 10_000
    private static let maximumChildren = 1500
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
    private(set) var forms = Forms.all
    /// Whether a number would change its value as a `double`.
    private(set) var needsDecimal = false
    /// The bytes of the longest text or number.
    private(set) var longest = 0
    /// A value as JSON, cut where it is long.
    private(set) var example: String?
    /// The members, in the order in which they were first seen.
    private(set) var children: [(name: String, shape: ValueShape)] = []
    /// Whether there are more members than are remembered.
    private(set) var isTooWide = false
    /// For the first records a hash of each one's value, as long as every one has it.
    private(set) var hashes: [UInt64] = []
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
        if element.isNull {
            nulls += 1
            return
        }
        if example == nil { example = Self.excerpt(element) }
        switch element.kind {
        case .null: break
        case .bool: booleans += 1
        case .integer: integers += 1
        case .number:
            numbers += 1
            needsDecimal = needsDecimal || Self.isBeyondDouble(element)
        case .string:
            strings += 1
            if !forms.isEmpty { forms.formIntersection(Self.forms(of: element, among: forms)) }
        case .array: arrays += 1
        case .object:
            objects += 1
            if depth < Self.maximumDepth { descend(element, record: record, depth: depth) }
        }
        if element.kind == .integer, Int64(exactly: Double(element.integer)) != element.integer { needsDecimal = true }
        note(element, record: record)
    }

    private func descend(_ element: JSONElement, record: Int, depth: Int) {
        var members = element.members()
        while members.next() {
            let name = unsafe Array(members.key)
            if let position = positions[name] {
                children[position].shape.add(members.value, record: record, depth: depth + 1)
            } else if children.count < Self.maximumChildren {
                let shape = ValueShape()
                shape.add(members.value, record: record, depth: depth + 1)
                positions[name] = children.count
                children.append((String(decoding: name, as: UTF8.self), shape))
            } else {
                isTooWide = true
            }
        }
    }

    private func note(_ element: JSONElement, record: Int) {
        longest = max(longest, unsafe element.utf8.count, unsafe element.token.count)
        guard record == hashes.count, record < Self.evidenceLimit else { return }
        switch element.kind {
        case .string: unsafe hashes.append(FieldDigest.text(element.utf8))
        case .integer, .number: unsafe hashes.append(FieldDigest.text(element.token))
        default: break
        }
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
        if let element = try? unsafe parser.parse(json) { add(element, record: record) }
        withExtendedLifetime(parser) {}
    }

    // MARK: Looking at values

    private static let converters: [(Forms, ValueConverter)] = [
        (.uuid, ValueConverter(type: .uuid)), (.date, ValueConverter(type: .date)),
        (.datetime, ValueConverter(type: .datetime)), (.url, ValueConverter(type: .url)),
    ]

    private static func forms(of element: JSONElement, among wanted: Forms) -> Forms {
        var found: Forms = []
        var scratch: [UInt8] = []
        for (form, converter) in converters where wanted.contains(form) {
            if (try? converter.convert(element, into: &scratch)) != nil { found.insert(form) }
        }
        // The type takes any URI; in a source's texts only those with a host are likely to be meant as one.
        if found.contains(.url), element.string?.contains("://") != true { found.remove(.url) }
        return found
    }

    private static func isBeyondDouble(_ element: JSONElement) -> Bool {
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

internal import CSluiceSimdjson

/// Finds records in a document that is in memory as a whole, for paths that cannot be followed while it streams past.
@safe
struct RecordSearch: ~Copyable {
    private let path: JSONPath
    /// Leads to what holds the records, where the last segment can select several; else nil.
    private let container: [PathSegment]?
    private let isForMembers: Bool
    private let parser: JSONParser

    private(set) var recordCount = 0
    private(set) var pathWasFound = false

    // Of the present document:
    private var document = unsafe RawRecord(
        bytes: UnsafeRawBufferPointer(start: nil, count: 0), byteOffset: 0, ordinal: 0)
    private var records: [JSONElement] = []
    private var offsets: [Int] = []
    private var position = 0
    private var locator: JSONLocator?

    init(path: JSONPath, members: Bool, maximumDepth: Int) {
        self.path = path
        isForMembers = members
        parser = JSONParser(maximumDepth: maximumDepth)
        let segments = path.isPlain ? path.steps.map(PathSegment.init) : path.segments
        container = segments.last.map { $0.isSingular } ?? true ? nil : segments.dropLast()
    }

    /// Whether another path than the streamed ones is needed.
    static func isNeeded(for path: JSONPath?) -> Bool { path.map { !$0.isStreamable } ?? false }

    /// Searches a document.
    ///
    /// - Parameter document: The document, which stays in memory until the next one.
    /// - Throws: ``JSONError`` whose offset counts from the start of the document.
    mutating func open(_ document: RawRecord) throws(JSONError) {
        self.document = document
        records = []
        position = 0
        locator = nil
        let root = try parse(document)
        locator = JSONLocator(root: root)
        records = try path.matches(in: root)
        if records.isEmpty, !pathWasFound, let container {
            pathWasFound = JSONPath(segments: container, text: path.text, invalidPatterns: []).matches(
                anyContainerIn: root)
        } else if !records.isEmpty {
            pathWasFound = true
        }
        if isForMembers { records = try members(of: records) }
        guard let offsets = parser.byteOffsets(of: records) else { throw JSONError(SLUICE_JSON_INTERNAL, at: 0) }
        self.offsets = offsets
    }

    /// The document, whose records need not all be such as can be taken.
    private func parse(_ document: RawRecord) throws(JSONError) -> JSONElement {
        // The name of a member is a part of its record, which must not change.
        if isForMembers { return try unsafe parser.parse(document.bytes) }
        do throws(JSONError) {
            return try unsafe parser.parse(document.bytes)
        } catch {
            guard error.isOfValueAlone else { throw error }
            return try unsafe parser.parse(JSONText.tamed(Array(document.bytes)))
        }
    }

    private mutating func members(of objects: [JSONElement]) throws(JSONError) -> [JSONElement] {
        var values: [JSONElement] = []
        for object in objects where !object.isNull {
            guard object.kind == .object else {
                throw JSONError(
                    code: .wrongType,
                    message: "Expected an object whose members are the records, but found \(object.kind).",
                    byteOffset: parser.byteOffsets(of: [object])?.first ?? 0, pointer: locator?.pointer(to: object))
            }
            var members = object.members()
            while members.next() { values.append(members.value) }
        }
        return values
    }

    /// The next record of the document; nil behind the last one.
    ///
    /// - Throws: ``JSONError`` if the record is over the limit; its offset counts from the start of the document.
    mutating func next(maximumRecordBytes: Int) throws(JSONError) -> RawRecord? {
        guard position < records.count else { return nil }
        let start = offsets[position]
        let text = unsafe document.bytes
        let end = unsafe sluice_json_value_end(text.assumingMemoryBound(to: UInt8.self).baseAddress, text.count, start)
        guard end - start <= maximumRecordBytes else {
            throw .recordTooLarge(limit: maximumRecordBytes, at: start)
        }
        var name: UnsafeRawBufferPointer? = nil
        if case .name(let element) = locator?.lastStep(to: records[position]) { unsafe name = element.utf8 }
        position += 1
        recordCount += 1
        return unsafe RawRecord(
            bytes: UnsafeRawBufferPointer(rebasing: text[start..<end]), byteOffset: document.byteOffset + start,
            ordinal: recordCount - 1, memberName: name)
    }

    /// Where the present document begins.
    var documentOffset: Int { document.byteOffset }

    /// The JSON pointer of the record that was given last.
    var pointer: String {
        mutating get { position > 0 ? locator?.pointer(to: records[position - 1]) ?? "" : "" }
    }
}

extension PathSegment {
    init(_ step: JSONPath.Step) {
        switch step {
        case .name(let name): self.init(selectors: [.name(name)])
        case .index(let index): self.init(selectors: [.index(index)])
        case .wildcard: self.init(selectors: [.wildcard])
        }
    }
}

extension JSONPath {
    /// Whether some value that the path selects can have children.
    fileprivate func matches(anyContainerIn root: JSONElement) -> Bool {
        let found = try? matches(in: root)
        return found?.contains { $0.isContainer } ?? false
    }
}

extension JSONError {
    static func recordTooLarge(limit: Int, at offset: Int) -> JSONError {
        JSONError(
            code: .recordTooLarge, message: "The record is larger than the limit of \(limit) bytes.",
            byteOffset: offset)
    }
}

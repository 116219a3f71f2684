internal import SluiceDecode
internal import SluiceJSON
internal import SluicePages
internal import SluicePipeline
internal import SluiceReport
internal import SluiceSystem

/// A page without its records: what stands around them, and how many they are.
struct PageOutline {
    private static let longest = 16 << 20

    private(set) var envelope = Envelope()
    /// How many records there are; nil where the page is one record.
    private(set) var recordCount: Int?
    /// Whether the page lists records, so that a total speaks of them.
    private(set) var isList = true

    /// What a list of records within an element of another list says of more of it; nil where there is none.
    private(set) var rest: PageSign?

    /// A page without content, or one that is not looked at.
    init() {}

    /// A page of which nothing is known.
    private static let unknown = {
        var outline = PageOutline()
        outline.isList = false
        return outline
    }()

    /// Reads a page. Of one that cannot be understood nothing is known: decoding says what is wrong with it.
    ///
    /// - Parameters:
    ///   - index: The page.
    ///   - body: The page as a value, where it was parsed already.
    ///   - stream: Its stream.
    /// - Throws: `SystemError` where it cannot be read.
    init(_ index: PageIndex, body: PageBody? = nil, stream: StreamDefinition) throws {
        do {
            if let body { try read(body, index, stream) } else { try read(index, stream) }
        } catch let error as SystemError {
            throw error
        } catch {
            self = .unknown
        }
    }

    /// Whether looking at a page costs little, since what it takes was done already.
    static func isCheap(_ index: PageIndex, _ body: PageBody?, _ stream: StreamDefinition) -> Bool {
        body != nil || index.isScanned && !stream.isPicked
    }

    private mutating func read(_ body: PageBody, _ index: PageIndex, _ stream: StreamDefinition) throws {
        guard stream.format == .json else { return }
        let root = JSONPath(steps: [])
        isList = false
        if stream.isRoot {
            if let list = stream.list.flatMap({ body.element(at: $0) }), list.kind == .array || stream.entries != nil {
                (recordCount, isList) = (list.count, true)
            }
            return
        }
        // What an array begins with is its records.
        if stream.records?.steps.first != .wildcard {
            envelope = Envelope(body, records: stream.records ?? stream.programStart ?? root)
        }
        guard let path = stream.list else {
            // What picks records may leave some out of a list, or take them from several ones.
            (recordCount, isList) = (max(body.longestList, try index.records().listed ?? 0), true)
            rest = stream.records.flatMap { ListSigns().words(ofListsOf: $0, in: body) }.map { PageSign(words: $0) }
            return
        }
        let list = body.element(at: path)
        if !stream.isSearched || list?.kind == .array {
            // What is not there lists nothing.
            (recordCount, isList) = (list?.count ?? 0, true)
        } else if index.isScanned {
            recordCount = try index.records().listed
        }
        // The parser's memory belongs to the body.
        withExtendedLifetime(body) {}
    }

    private mutating func read(_ index: PageIndex, _ stream: StreamDefinition) throws {
        let page = index.page
        isList = false
        if stream.isRoot, stream.entries == nil, stream.format == .json,
            try PageBytes(page).firstBytes().first == UInt8(ascii: "{")
        {
            return
        }
        let records = try index.records()
        recordCount = records.listed
        isList = !stream.isPicked
        guard stream.format == .json, !stream.isRoot,
            let text = try Self.text(of: page, leavingOut: stream.isPicked ? nil : records.range)
        else { return }
        let body = try PageBody(text)
        // A total speaks of a list as it stands there, not of what a path or a program takes of it.
        if stream.isPicked { return try read(body, index, stream) }
        if stream.records?.steps.first != .wildcard {
            envelope = Envelope(body, records: stream.records ?? JSONPath(steps: []))
        }
    }

    /// The text of a page with null in the place of its records; nil where what is left is too much.
    private static func text(of page: Page, leavingOut records: Range<Int>?) throws -> [UInt8]? {
        let source = try PageBytes(page)
        let gap = records ?? Int.max..<Int.max
        var text: [UInt8] = []
        var position = 0
        while true {
            let part = try source.read(upTo: 256 << 10)
            if part.isEmpty { return text }
            let end = position + part.count
            text += part[..<max(0, min(part.count, gap.lowerBound - position))]
            if (position..<end).contains(gap.lowerBound) { text += Array("null".utf8) }
            if end > gap.upperBound { text += part[max(0, gap.upperBound - position)...] }
            if text.count > longest { return nil }
            position = end
        }
    }
}

extension StreamDefinition {
    /// Whether a page is its records, with nothing around them.
    fileprivate var isRoot: Bool { records == nil && recordsProgram == nil }

    /// Whether records are found only where the whole page is known, since they are picked out of it.
    var isSearched: Bool { recordsProgram != nil || records?.isStreamable == false }

    /// The one list of a page whose elements or members are the records, or of which `records` picks some; nil where it takes
    /// them from several lists, or from places that only the page tells.
    fileprivate var list: JSONPath? {
        if recordsProgram != nil { return nil }
        guard let records else { return JSONPath(steps: []) }
        if !records.isPlain {
            return entries == nil ? records.filteredParent.flatMap { $0.isSingular ? $0 : nil } : nil
        }
        if entries != nil { return records.isSingular ? records : nil }
        guard records.steps.count(where: { $0 == .wildcard }) == 1 else { return nil }
        return JSONPath(steps: Array(records.steps.prefix { $0 != .wildcard }))
    }

    /// Where the program of `records` begins to read: `a.b` of `.a.b[] | select(.c)`; nil where it has none, and where it begins
    /// otherwise.
    fileprivate var programStart: JSONPath? {
        guard let program = recordsProgram?.drop(while: \.isWhitespace), program.first == "." else { return nil }
        var names: [String] = []
        var rest = program
        while rest.first == "." {
            let name = rest.dropFirst().prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            if name.isEmpty { break }
            names.append(String(name))
            rest = rest.dropFirst(name.count + 1)
        }
        return names.isEmpty ? nil : JSONPath(names: names)
    }

    /// Whether the records are not just one list of a page, as it stands there.
    fileprivate var isPicked: Bool { isSearched || list == nil }

    /// Whether its records are those of lists within others, of each of which there may be more.
    var hasInnerLists: Bool { format == .json && list == nil && recordsProgram == nil }

    /// Whether a page without records among those that were picked may still list some.
    var mayPickNothing: Bool { isSearched && list == nil }
}

internal import SluiceDecode
internal import SluiceJSON
internal import SluicePipeline
internal import SluiceSystem

/// A page without its records: what stands around them, and how many they are.
struct PageOutline {
    private static let longest = 16 << 20

    private(set) var envelope = Envelope()
    /// How many records there are; nil where the page is one record.
    private(set) var recordCount: Int?
    /// Whether the records are all that one list has, so that a total speaks of them.
    private(set) var isList = false

    /// A page without content.
    init() {}

    /// Reads a page. Of one that cannot be understood nothing is known: decoding says what is wrong with it.
    ///
    /// - Parameters:
    ///   - index: The page.
    ///   - stream: Its stream.
    /// - Throws: `SystemError` where it cannot be read.
    init(_ index: PageIndex, stream: StreamDefinition) throws {
        do {
            try read(index, stream)
        } catch let error as SystemError {
            throw error
        } catch {
            self = PageOutline()
        }
    }

    private mutating func read(_ index: PageIndex, _ stream: StreamDefinition) throws {
        let page = index.page
        let isSearched = stream.recordsProgram != nil || stream.records?.isStreamable == false
        let isRoot = stream.records == nil && stream.recordsProgram == nil
        if isRoot, stream.entries == nil, stream.format == .json,
            try PageBytes(page).firstBytes().first == UInt8(ascii: "{")
        {
            return
        }
        let records = try index.records()
        recordCount = records.listed
        isList = !isSearched && stream.records.map(\.selectsOneList) ?? true
        // What an array begins with is its records.
        guard stream.format == .json, !isRoot, stream.records?.steps.first != .wildcard,
            let text = try Self.text(of: page, leavingOut: isSearched ? nil : records.range)
        else { return }
        envelope = Envelope(try PageBody(text), records: stream.records ?? JSONPath(steps: []))
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

extension JSONPath {
    /// Whether each value that it selects is of another element of one array.
    fileprivate var selectsOneList: Bool { isPlain && steps.count { $0 == .wildcard } == 1 }
}

internal import CSluiceSimdjson

/// A place in a text.
public struct JSONPosition: Sendable, Hashable {
    /// The offset in bytes from the start of the text.
    public var byteOffset: Int
    /// The line, from 1.
    public var line: Int
    /// The column in bytes, from 1.
    public var column: Int
}

extension JSONParser {
    /// Where a value begins in the text, or the name of a member; nil for one that is not of the text parsed last.
    ///
    /// The tape does not keep it: this goes through the text, and is meant for errors.
    public func position(of element: JSONElement) -> JSONPosition? {
        guard let offset = byteOffsets(of: [element])?.first else { return nil }
        var document = unsafe sluice_json_document()
        guard let handle = unsafe handle, unsafe sluice_json_latest(handle, &document) != 0 else { return nil }
        let lines = unsafe sluice_json_count_lines(document.bytes, offset)
        return JSONPosition(byteOffset: offset, line: lines.line_feeds + 1, column: lines.behind_last + 1)
    }

    /// Where values begin in the text; nil if one of them is not of the text parsed last.
    ///
    /// It takes one pass through the text, however many they are and in whatever order.
    public func byteOffsets(of elements: [JSONElement]) -> [Int]? {
        var document = unsafe sluice_json_document()
        guard let handle = unsafe handle, unsafe sluice_json_latest(handle, &document) != 0 else { return nil }
        guard let tape = unsafe document.tape else { return nil }
        var words: [UInt32] = []
        words.reserveCapacity(elements.count)
        for element in elements {
            let isOnTape = unsafe element.word >= tape && element.word < tape + document.tape_length
            guard isOnTape else { return nil }
            words.append(unsafe UInt32(truncatingIfNeeded: element.word - tape))
        }
        // Most paths select in the order of the text, and nothing needs sorting then.
        let isAscending = zip(words, words.dropFirst()).allSatisfy { $0 <= $1 }
        let order = isAscending ? Array(words.indices) : words.indices.sorted { words[$0] < words[$1] }
        let sorted = isAscending ? words : order.map { words[$0] }
        var offsets = [UInt32](repeating: 0, count: words.count)
        guard unsafe sluice_json_source_offsets(handle, sorted, sorted.count, &offsets) != 0 else { return nil }
        if isAscending { return offsets.map { Int($0) } }
        var result = [Int](repeating: 0, count: words.count)
        for (position, offset) in zip(order, offsets) { result[position] = Int(offset) }
        return result
    }
}

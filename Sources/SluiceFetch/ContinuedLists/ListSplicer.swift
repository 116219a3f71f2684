internal import SluiceDecode
internal import SluiceJSON
package import SluicePages
package import SluicePipeline
internal import SluiceReport

/// Puts the rest of a list behind what its record shows of it, so that all that follows sees one list.
package struct ListSplicer {
    /// Why a list cannot be completed, as sentences.
    package struct Failure: Error {
        package let message: String

        /// Makes a value of its parts.
        package init(message: String) {
            self.message = message
        }
    }

    /// What takes the place of some bytes of a record.
    struct Splice {
        let range: Range<Int>
        let text: [UInt8]
        /// What the record or a page of the rest says of how many there are, where that is more than were read; as the rest
        /// of a sentence.
        let shortfall: String?
    }

    private let list: StreamDefinition.NestedList
    private let request: StreamDefinition
    private let reading: RecordsReading
    private let keys: ChildKeys?
    private let maximumRecordBytes: Int
    private let restParser = JSONParser()
    private let signs = ListSigns()

    /// - Parameters:
    ///   - list: The list.
    ///   - request: What asks for the rest.
    ///   - reading: How the records of a page of the rest are found.
    ///   - keys: What tells the records apart; nil where their positions do.
    ///   - maximumRecordBytes: The limit of one record, its lists included.
    package init(
        list: StreamDefinition.NestedList, request: StreamDefinition, reading: RecordsReading, keys: ChildKeys?,
        maximumRecordBytes: Int
    ) {
        (self.list, self.request, self.reading, self.keys) = (list, request, reading, keys)
        self.maximumRecordBytes = maximumRecordBytes
    }

    /// The splice that completes a record.
    ///
    /// - Parameters:
    ///   - record: The record's text.
    ///   - rest: The pages of the rest, in order.
    /// - Returns: What to put where.
    /// - Throws: ``Failure``, and what reading a page throws.
    mutating func splice(_ record: [UInt8], _ rest: [Page]) throws -> Splice {
        guard let document = try? JSONDocument(record), let container = list.container.first(in: document.element),
            let start = document.byteOffsets(of: [container])?.first
        else { throw Failure(message: "Its list is not there any more. This is a bug in sluice.") }
        var known: Set<UInt64> = []
        var size = 0
        if container.kind == .array {
            var elements = container.elements()
            while elements.next() {
                size += 1
                if let hash = keys?.hash(of: elements.value) { known.insert(hash) }
            }
        }
        var text: [UInt8] = container.isNull ? [UInt8(ascii: "[")] : []
        let room = maximumRecordBytes - record.count
        var met: Set<UInt64> = []
        for (number, page) in rest.enumerated() {
            var (count, news) = (0, 0)
            let reader = try reading.makeReader(of: PageBytes(page), page)
            while let next = try reader.next() {
                count += 1
                try restParser.withRoot(of: next) { element in
                    let hash = keys?.hash(of: element)
                    if hash.map({ met.insert($0).inserted }) ?? true { news += 1 }
                    if let hash, !known.insert(hash).inserted { return }
                    if size > 0 { text.append(UInt8(ascii: ",")) }
                    size += 1
                    JSONWriter.append(element, to: &text)
                }
                if text.count > room {
                    throw Failure(
                        message:
                            "With its list it is larger than \(maximumRecordBytes) bytes. If such records are expected, raise `max_record`."
                    )
                }
            }
            if number > 0, count > 0, news == 0 {
                throw Failure(
                    message:
                        "The pages repeat themselves: \(page.name) has no record that an earlier page did not have. Check `paginator` of `more`."
                )
            }
        }
        let recordShortfall = signs.total(of: list.place, in: document.element).flatMap { total in
            total.count <= size
                ? nil : "the record says that there are \(total.count) (`\(total.path)`), and \(size) were read"
        }
        let shortfall = try recordShortfall ?? self.shortfall(rest, read: size)
        if container.isNull {
            text.append(UInt8(ascii: "]"))
            return Splice(range: start..<start + 4, text: text, shortfall: shortfall)
        }
        guard let end = Self.end(of: start, in: record) else {
            throw Failure(message: "Its list has no end. This is a bug in sluice.")
        }
        return Splice(range: end..<end, text: text, shortfall: shortfall)
    }

    /// What the pages of a rest say of how many there are, where that is more than the list has with them.
    private func shortfall(_ rest: [Page], read size: Int) throws -> String? {
        guard let last = rest.last else { return nil }
        var end = PageEnd(stream: request, head: nil, records: size)
        for page in rest {
            end.outline = try PageOutline(PageIndex(page, reading: reading, keeping: []), stream: request)
            for total in end.totals { end.told.record(total) }
        }
        return end.recordTotal.map { "\(last.name) \($0.words)" }
    }

    /// Where the bracket stands that closes the array that begins at an offset of a JSON text.
    private static func end(of start: Int, in text: [UInt8]) -> Int? {
        var depth = 0
        var isText = false
        var position = start
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\\") where isText: position += 1
            case UInt8(ascii: "\""): isText.toggle()
            case _ where isText: break
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return position }
            default: break
            }
            position += 1
        }
        return nil
    }
}

internal import SluiceJQ
internal import SluiceJSON
internal import SluicePipeline
internal import SluiceSystem

extension DecodeStage {
    /// A reader of the records of a page.
    func makeReader(of source: PageBytes, _ page: Page) throws -> JSONRecordReader {
        if let program = stream.recordsProgram { return try makeReader(of: source, page, program: program) }
        return try unsafe JSONRecordReader(
            records: stream.records, members: stream.entries != nil, format: stream.format == .jsonl ? .jsonl : .json,
            maximumRecordBytes: maximumRecordBytes
        ) { buffer in try unsafe source.read(into: buffer) }
    }

    /// A reader of what a jq program yields for a whole page, each output as a line.
    private func makeReader(of source: PageBytes, _ page: Page, program text: String) throws -> JSONRecordReader {
        let output: JQResult<[[UInt8]]>
        let bytes = try source.all(maximum: JSONParser.maximumByteCount, page.name)
        let parser = JSONParser()
        // The page's elements read the parser's memory.
        defer { withExtendedLifetime(parser) {} }
        let root: JSONElement
        do {
            unsafe root = try parser.parse(bytes)
        } catch {
            throw error.placed(in: bytes)
        }
        do {
            output = try JQProgram(text).evaluate(root)
        } catch {
            throw SyncError(
                .invalidDocument,
                "The program `\(error.program)` for the records of `\(stream.name)` failed on \(page.name): \(error.message) Nothing was written."
            )
        }
        if let number = output.lossyNumbers.first {
            throw SyncError(
                .invalidDocument,
                "The program `\(text)` for the records of `\(stream.name)` would round the number \(number) of \(page.name), since jq counts in doubles. Name the records by a path instead; nothing was written."
            )
        }
        let lines = Array(output.output.joined(separator: [UInt8(ascii: "\n")]))
        var position = 0
        return try unsafe JSONRecordReader(
            records: nil, format: .jsonl, maximumRecordBytes: maximumRecordBytes
        ) { buffer in
            let count = min(buffer.count, lines.count - position)
            unsafe buffer.copyBytes(from: lines[position..<position + count])
            position += count
            return count
        }
    }

    /// The text and place of some records, by their positions within the stream; the pages are read once more for it.
    ///
    /// - Throws: What reading a page throws.
    func texts(at ordinals: Set<Int>) throws -> [Int: RecordText] {
        guard let last = ordinals.max() else { return [:] }
        var texts: [Int: RecordText] = [:]
        var next = 0
        for page in pages where next <= last {
            try cancellation.check()
            let source = try PageBytes(page)
            let reader = try makeReader(of: source, page)
            let first = next
            while next <= last, let record = try reader.next() {
                next = first + record.ordinal + 1
                guard ordinals.contains(next - 1) else { continue }
                // What a program yields has no place of its own in the page.
                let isOwn = stream.recordsProgram == nil
                let place = reader.located(JSONError(code: .internal, message: "", byteOffset: 0), in: record)
                texts[next - 1] = RecordText(
                    bytes: unsafe Array(record.bytes), page: page.name, number: record.ordinal + 1,
                    line: isOwn ? place.line : nil, pointer: isOwn ? reader.pointer : nil)
            }
        }
        return texts
    }
}

/// A record as it was read, and where it stands.
struct RecordText {
    let bytes: [UInt8]
    /// The page's name.
    let page: String
    /// The record's position on the page, from 1.
    let number: Int
    /// The line of its page, nil where that is not known.
    let line: Int?
    /// The JSON pointer within its document or line, nil where that is not known.
    let pointer: String?

    /// The place in words, as in `books.json, line 4, /items/2`.
    var place: String {
        guard let line else { return "\(page), record \(number)" }
        return ([page, "line \(line)"] + [pointer].compactMap { $0 }.filter { !$0.isEmpty }).joined(separator: ", ")
    }
}

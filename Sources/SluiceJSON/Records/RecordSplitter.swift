internal import CSluiceSimdjson

/// The state of a ``JSONRecordReader``.
@safe
struct RecordSplitter: ~Copyable {
    enum Mode {
        case document, lines, searchedLines
    }

    private(set) var recordCount = 0
    private let mode: Mode
    private let path: JSONPath?
    let maximumRecordBytes: Int
    private let source: JSONRecordReader.Source
    private var buffer: RecordBuffer
    private var scanner: RecordScanner
    /// The offset behind what was looked at.
    private var position = 0
    /// Where the line ends that is being searched for records.
    private var lineEnd: Int?

    init(
        scanner: consuming RecordScanner, mode: Mode, path: JSONPath?, maximumRecordBytes: Int, bufferSize: Int,
        source: @escaping JSONRecordReader.Source
    ) {
        self.scanner = scanner
        self.mode = mode
        self.path = path
        self.maximumRecordBytes = maximumRecordBytes
        unsafe self.source = source
        buffer = RecordBuffer(capacity: bufferSize)
    }

    var byteCount: Int { buffer.end }
    var pathWasFound: Bool { mode == .lines || scanner.pathWasFound }
    var pointer: String { scanner.pointer }

    mutating func next() throws -> RawRecord? {
        try mode == .document ? nextOfDocument() : nextOfLines()
    }

    private mutating func nextOfDocument() throws -> RawRecord? {
        while true {
            if let record = try scan(to: buffer.end) { return record }
            if buffer.isAtEnd { return try record(for: scanner.finish()) }
            try unsafe buffer.fill(keepingFrom: scanner.openRecordStart ?? position, from: source)
        }
    }

    private mutating func nextOfLines() throws -> RawRecord? {
        while true {
            if let lineEnd {
                if let record = try scan(to: lineEnd) ?? record(for: scanner.finish()) { return record }
                self.lineEnd = nil
            }
            guard let line = try nextLine() else { return nil }
            if mode == .lines { return unsafe makeRecord(line) }
            scanner.restart(at: line.lowerBound)
            position = line.lowerBound
            lineEnd = line.upperBound
        }
    }

    /// The next line that is not blank, without the white space around it.
    private mutating func nextLine() throws -> Range<Int>? {
        while true {
            while position < buffer.end, isSpace(buffer.byte(at: position)) { position += 1 }
            if position < buffer.end { break }
            if buffer.isAtEnd { return nil }
            try unsafe buffer.fill(keepingFrom: position, from: source)
        }
        var start = position
        while true {
            let feed = buffer.lineFeed(from: position)
            position = feed ?? buffer.end
            try checkSize(start..<position)
            if feed != nil || buffer.isAtEnd { break }
            try unsafe buffer.fill(keepingFrom: start, from: source)
        }
        if start == 0, unsafe buffer.bytes(0..<position).starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
        var end = position
        while start < end, isSpace(buffer.byte(at: start)) { start += 1 }
        while start < end, isSpace(buffer.byte(at: end - 1)) { end -= 1 }
        if start == end { return try nextLine() }
        switch buffer.byte(at: start) {
        case UInt8(ascii: "<"): throw placed(JSONError(SLUICE_JSON_HTML, at: start))
        case 0xEF: throw placed(JSONError(SLUICE_JSON_EXPECTED_VALUE, at: start))
        default: return start..<end
        }
    }

    private mutating func scan(to end: Int) throws -> RawRecord? {
        guard position < end else { return nil }
        let status = unsafe scanner.scan(buffer.bytes(position..<end))
        position += scanner.consumed
        return try record(for: status)
    }

    private mutating func record(for status: sluice_json_scan_status) throws -> RawRecord? {
        switch status {
        case SLUICE_SCAN_RECORD:
            try checkSize(scanner.record)
            return unsafe makeRecord(scanner.record, memberName: scanner.memberName)
        case SLUICE_SCAN_FAILED:
            // A record that comes in pieces is followed to the limit, and a fault behind it is never seen.
            if let start = scanner.openRecordStart { try checkSize(start..<position) }
            let error = scanner.error(path: path)
            readOn(behind: error.byteOffset)
            throw placed(error)
        default:
            if let start = scanner.openRecordStart { try checkSize(start..<position) }
            return nil
        }
    }

    /// Reads what an error quotes, so that it says the same however the source divides its bytes.
    private mutating func readOn(behind offset: Int) {
        while !buffer.isAtEnd, buffer.end - offset < JSONError.longestFinding {
            guard (try? unsafe buffer.fill(keepingFrom: min(offset, buffer.end), from: source)) != nil else { return }
        }
    }

    private mutating func makeRecord(_ range: Range<Int>, memberName: UnsafeRawBufferPointer? = nil) -> RawRecord {
        defer { recordCount += 1 }
        return unsafe RawRecord(
            bytes: buffer.bytes(range), byteOffset: range.lowerBound, ordinal: recordCount, memberName: memberName)
    }

    private func checkSize(_ range: Range<Int>) throws(JSONError) {
        guard range.count > maximumRecordBytes else { return }
        throw placed(.recordTooLarge(limit: maximumRecordBytes, at: range.lowerBound))
    }

    func placed(_ error: JSONError) -> JSONError {
        guard let place = buffer.place(of: error.byteOffset) else { return error }
        var error = buffer.finding(of: error)
        error.line = place.line
        error.column = place.column
        return error
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
}

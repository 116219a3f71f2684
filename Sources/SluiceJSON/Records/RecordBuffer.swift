internal import CSluiceSimdjson

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The part of a document that is in memory, addressed by offsets in the whole document.
@safe
struct RecordBuffer: ~Copyable {
    private var storage: UnsafeMutableRawBufferPointer
    /// The offset of the first byte in memory.
    private var origin = 0
    /// The offset behind the last byte in memory.
    private(set) var end = 0
    /// Whether the source has no more bytes.
    private(set) var isAtEnd = false
    /// How many line feeds came before the first byte in memory, and the offset behind the last of them.
    private var lineFeeds = 0
    private var lineStart = 0

    init(capacity: Int) {
        unsafe storage = .allocate(byteCount: capacity, alignment: 64)
    }

    deinit { unsafe storage.deallocate() }

    /// The bytes of a range that is in memory, valid until the next call of `fill`.
    func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: storage[(range.lowerBound - origin)..<(range.upperBound - origin)])
    }

    func byte(at offset: Int) -> UInt8 { unsafe storage[offset - origin] }

    /// The offset of the next line feed, or nil if it is not in memory.
    func lineFeed(from offset: Int) -> Int? {
        let bytes = unsafe bytes(offset..<end)
        guard let start = bytes.baseAddress, let found = unsafe memchr(start, 0x0A, bytes.count) else { return nil }
        return unsafe offset + (UnsafeRawPointer(found) - start)
    }

    /// Reads more, and forgets what comes before `kept`.
    mutating func fill(
        keepingFrom kept: Int, from source: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws {
        // What is kept moves rarely, when half of the space is used; only a record that takes half of it needs more.
        if unsafe kept == end || end - origin > storage.count / 2 { discard(to: kept) }
        if unsafe end - origin > storage.count / 2 { grow() }
        let free = unsafe UnsafeMutableRawBufferPointer(rebasing: storage[(end - origin)...])
        let count = try unsafe source(free)
        // A failed read must not pass for the end of the document.
        guard count >= 0, count <= free.count else {
            throw JSONError(
                code: .internal, message: "The source returned an impossible number of bytes.", byteOffset: end)
        }
        end += count
        isAtEnd = count == 0
    }

    private mutating func discard(to offset: Int) {
        guard offset > origin else { return }
        let count = offset - origin
        let lines = linesBefore(offset)
        lineFeeds += lines.line_feeds
        if lines.line_feeds > 0 { lineStart = offset - lines.behind_last }
        unsafe storage.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[count..<(end - origin)]))
        origin = offset
    }

    private mutating func grow() {
        let larger = unsafe UnsafeMutableRawBufferPointer.allocate(byteCount: storage.count * 2, alignment: 64)
        unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[..<(end - origin)]))
        unsafe storage.deallocate()
        unsafe storage = larger
    }

    private func linesBefore(_ offset: Int) -> sluice_json_lines {
        unsafe sluice_json_count_lines(
            storage.baseAddress?.assumingMemoryBound(to: UInt8.self), offset - origin)
    }

    /// The same error with what stands at its fault, if that is in memory.
    func finding(of error: JSONError) -> JSONError { unsafe error.found(in: bytes(origin..<end), from: origin) }

    /// Line and column of an offset, both from 1; nil if its line is no longer known.
    func place(of offset: Int) -> (line: Int, column: Int)? {
        guard offset >= lineStart, offset <= end else { return nil }
        guard offset > origin else { return (lineFeeds + 1, offset - lineStart + 1) }
        let lines = linesBefore(offset)
        let start = lines.line_feeds > 0 ? offset - lines.behind_last : lineStart
        return (lineFeeds + lines.line_feeds + 1, offset - start + 1)
    }
}

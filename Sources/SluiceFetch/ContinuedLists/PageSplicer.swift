internal import SluiceDecode
internal import SluiceHTTP
internal import SluiceJSON
internal import SluicePages

/// Copies a page with other text in some of its records.
struct PageSplicer {
    private let page: Page
    private let source: PageBytes
    private var spool: Spool
    /// How much of the page was copied or left out.
    private(set) var position = 0
    /// What was read and not yet copied.
    private var pending: ArraySlice<UInt8> = []

    /// - Parameters:
    ///   - page: The page.
    ///   - spool: Takes the copy.
    /// - Throws: `SystemError` where the page cannot be read.
    init(_ page: Page, into spool: Spool) throws {
        self.page = page
        self.spool = spool
        source = try PageBytes(page)
    }

    /// Copies up to an offset of the page, puts a text there and leaves out what it stands for.
    mutating func put(_ text: [UInt8], at range: Range<Int>) throws {
        try copy(to: range.lowerBound)
        if !text.isEmpty { try spool.write(text.span) }
        while position < range.upperBound, let part = try read(range.upperBound - position) { position += part.count }
    }

    /// Copies the rest.
    ///
    /// - Returns: The copy, with the spool that holds it.
    mutating func finish() throws -> (page: Page, spool: Spool) {
        try copy(to: .max)
        let (content, _) = spool.finishBody()
        var copy = Page(content: content, name: page.name, fileStem: page.fileStem)
        (copy.partition, copy.lists) = (page.partition, page.lists)
        return (copy, spool)
    }

    private mutating func copy(to end: Int) throws {
        while position < end, let part = try read(end - position) {
            try spool.write(part.span)
            position += part.count
        }
    }

    /// The next bytes, at most so many; nil at the end.
    private mutating func read(_ count: Int) throws -> ArraySlice<UInt8>? {
        if pending.isEmpty {
            pending = try source.read(upTo: 64 << 10)[...]
            if pending.isEmpty { return nil }
        }
        let part = pending.prefix(count)
        pending = pending.dropFirst(part.count)
        return part
    }
}

package import SluiceDecode
package import SluiceHTTP
internal import SluiceModel
internal import SluiceSystem

/// Keeps response bodies in a temporary file until the store takes them: no transaction waits for a network.
package struct Spool: HTTPBodySink {
    private let file: ByteFile
    /// Where the present body begins.
    package private(set) var start = 0
    /// Where the next byte goes.
    package private(set) var end = 0
    /// The URL that answered.
    package private(set) var head: HTTPResponseHead?

    package init() throws { file = try ByteFile(temporaryIn: nil) }

    package mutating func begin(_ head: HTTPResponseHead) { self.head = head }

    package mutating func write(_ bytes: Span<UInt8>) throws {
        try file.write(bytes, at: end)
        end += bytes.count
    }

    package mutating func restart() { end = start }

    /// A copy of the present body.
    package func received() throws -> [UInt8] { try file.bytes(at: start, count: end - start) }

    /// A digest of the present body, by which pages that are alike are told.
    func bodyDigest() throws -> UInt64 {
        var digest: UInt64 = 0
        var position = start
        while position < end {
            let part = try file.read(at: position, upTo: min(64 << 10, end - position))
            if part.isEmpty { break }
            digest = KeyHash.combine(digest, FieldDigest.text(part))
            position += part.count
        }
        return digest
    }

    /// Ends the present body.
    ///
    /// - Returns: Where it stands.
    package mutating func finishBody() -> (content: Page.Content, count: Int) {
        defer { start = end }
        return (.part(of: file, offset: start, count: end - start), end - start)
    }
}

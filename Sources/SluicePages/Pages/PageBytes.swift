package import SluiceDecode
internal import SluiceGzip
internal import SluiceHTTP
internal import SluiceReport
internal import SluiceSystem

/// The bytes of one page, from first to last; gzip data is unpacked on the way.
package final class PageBytes {
    private let file: ByteFile
    private var position: Int
    private let end: Int?
    /// The first bytes, which were read to see what they are: a pipe cannot be read twice.
    private var start: ArraySlice<UInt8> = []
    private var isProbed = false
    private var gzip: GzipReader?
    private let page: Page
    private var unpackedBytes = 0
    /// How many bytes were read so far, of packed ones as they were before.
    package private(set) var byteCount = 0

    package init(_ page: Page) throws {
        self.page = page
        switch page.content {
        case .file(let path):
            file = try ByteFile(reading: path)
            position = 0
            end = nil
        case .part(let shared, let offset, let count):
            file = shared
            position = offset
            end = offset + count
        }
    }

    /// Reads the next bytes.
    ///
    /// - Returns: How many; 0 at the end.
    /// - Throws: `SystemError` or `GzipError`.
    @unsafe
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try unsafe readUnpacked(into: buffer)
        byteCount += count
        return count
    }

    @unsafe
    private func readUnpacked(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if !isProbed { try probe() }
        guard let gzip else { return try unsafe readStored(into: buffer) }
        let count = try unsafe gzip.read(into: buffer)
        unpackedBytes += count
        if let maximum = page.maximumBytes, unpackedBytes > maximum {
            throw SyncError(
                .responseTooLarge,
                "\(page.name) is larger than \(maximum.inBinaryUnits) once it is unpacked. If such a response is expected, raise `max_response`."
            )
        }
        return count
    }

    /// The next bytes of the page.
    ///
    /// - Parameter count: The most bytes.
    /// - Returns: The bytes; none at the end.
    /// - Throws: What reading them throws.
    package func read(upTo count: Int) throws -> [UInt8] {
        try unsafe Array(unsafeUninitializedCapacity: count) { bytes, read in
            read = try unsafe self.read(into: UnsafeMutableRawBufferPointer(bytes))
        }
    }

    /// The whole page at once.
    ///
    /// - Throws: ``SyncError`` where it has more bytes than `maximum`.
    package func all(maximum: Int, _ name: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        // What is packed takes more, and grows when it comes to that.
        if case .part(_, _, let count) = page.content { bytes.reserveCapacity(min(count, maximum)) }
        while true {
            let part = try read(upTo: 64 << 10)
            if part.isEmpty { return bytes }
            bytes += part
            if bytes.count > maximum {
                throw SyncError(
                    .invalidDocument,
                    "\(name) has more than \(maximum) bytes, too many for a jq program or a paginator that needs the whole page. Name the records by a path, or request smaller pages."
                )
            }
        }
    }

    private func probe() throws {
        isProbed = true
        var bytes: [UInt8] = [0, 0]
        var count = 0
        while count < bytes.count {
            let more = try unsafe bytes.withUnsafeMutableBytes { all in
                try unsafe readStored(into: UnsafeMutableRawBufferPointer(rebasing: all[count...]))
            }
            if more == 0 { break }
            count += more
        }
        start = bytes.prefix(count)
        guard GzipReader.isGzip(Array(start)) else { return }
        // The reader belongs to this object, so it must not keep it alive.
        gzip = unsafe GzipReader { [unowned self] buffer in try unsafe readStored(into: buffer) }
    }

    @unsafe
    private func readStored(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if !start.isEmpty {
            let count = min(start.count, buffer.count)
            unsafe buffer.copyBytes(from: start.prefix(count))
            start = start.dropFirst(count)
            return count
        }
        let wanted = end.map { min(buffer.count, $0 - position) } ?? buffer.count
        if wanted == 0 { return 0 }
        let count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: position)
        position += count
        return count
    }
}

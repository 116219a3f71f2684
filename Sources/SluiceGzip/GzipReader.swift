internal import CSluiceZlib

/// Unpacks gzip data that is read piece by piece (RFC 1952), also several members in a row.
///
/// Only one piece of the packed data is in memory. A file that ends within a member, whose check sum is wrong, or that
/// goes on with something else behind its last member is an error, never a shorter text.
@safe
package final class GzipReader {
    /// Reads the next packed bytes into a buffer and returns their number, 0 at the end; throws if it cannot.
    package typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

    private static let pieceSize = 64 << 10
    private let source: Source
    // zlib keeps a pointer to the stream's own place, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let piece: UnsafeMutablePointer<UInt8>
    private let isReady: Bool
    private var isWithinMember = true
    private var isAtEnd = false

    /// Whether bytes begin like gzip data, which no JSON text does.
    package static func isGzip(_ start: [UInt8]) -> Bool { start.starts(with: [0x1F, 0x8B]) }

    /// Makes a reader.
    ///
    /// - Parameter source: Reads the packed data.
    package init(source: @escaping Source) {
        unsafe self.source = source
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        unsafe piece = .allocate(capacity: Self.pieceSize)
        unsafe isReady = sluice_gunzip_init(stream) == Z_OK
    }

    deinit {
        if isReady { unsafe inflateEnd(stream) }
        unsafe stream.deallocate()
        unsafe piece.deallocate()
    }

    /// Unpacks the next bytes.
    ///
    /// - Parameter buffer: Where they go.
    /// - Returns: How many; 0 at the end.
    /// - Throws: ``GzipError``, and what the source throws.
    @unsafe
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard isReady else { throw GzipError(message: "there is no memory left to unpack it") }
        guard buffer.count > 0, !isAtEnd else { return 0 }
        let room = min(buffer.count, Int(UInt32.max))
        unsafe stream.pointee.next_out = buffer.assumingMemoryBound(to: UInt8.self).baseAddress
        unsafe stream.pointee.avail_out = UInt32(room)
        while unsafe stream.pointee.avail_out == UInt32(room) {
            let isUsedUp = unsafe stream.pointee.avail_in == 0
            if isUsedUp, try !refill() { return 0 }
            if !isWithinMember { try beginMember() }
            let code = unsafe inflate(stream, Z_NO_FLUSH)
            switch code {
            case Z_OK, Z_BUF_ERROR: break
            case Z_STREAM_END: isWithinMember = false
            case Z_MEM_ERROR: throw GzipError(message: "there is no memory left to unpack it")
            default:
                let reason = unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "not valid"
                throw GzipError(message: "its gzip data is damaged (\(reason))")
            }
        }
        return unsafe room - Int(stream.pointee.avail_out)
    }

    /// Reads packed bytes; false at a proper end.
    private func refill() throws -> Bool {
        let count = try unsafe source(UnsafeMutableRawBufferPointer(start: piece, count: Self.pieceSize))
        if count == 0 {
            if isWithinMember { throw GzipError(message: "its gzip data ends too early", isTruncated: true) }
            isAtEnd = true
            return false
        }
        unsafe stream.pointee.next_in = piece
        unsafe stream.pointee.avail_in = UInt32(min(count, Self.pieceSize))
        return true
    }

    private func beginMember() throws(GzipError) {
        guard unsafe inflateReset(stream) == Z_OK else { throw GzipError(message: "it cannot be unpacked") }
        isWithinMember = true
    }
}

/// Packed data that cannot be unpacked.
package struct GzipError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong, as the end of a sentence.
    package let message: String
    /// Whether the data merely ends too early.
    package var isTruncated = false

    /// The message.
    package var description: String { message }
}

@available(*, unavailable)
extension GzipReader: Sendable {}

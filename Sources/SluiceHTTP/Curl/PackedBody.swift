internal import SluiceGzip

/// The body of a response that was packed for the way, unpacked piece by piece (RFC 9110, section 8.4).
///
/// libcurl could do it, but takes data that ends too early for whole, and keeps all that it has unpacked while the reader
/// makes it wait.
final class PackedBody {
    /// Why there are no more packed bytes.
    private struct Ended: Error {}

    /// What the packed bytes come through.
    private final class Feed {
        let transfer: Transfer
        let loop: TransferLoop
        var piece: ArraySlice<UInt8> = []
        var spare: [UInt8] = []
        var hasBytes = false
        /// What came in the place of bytes.
        var end = TransferState.Delivery.ended(.complete)

        init(_ transfer: Transfer, _ loop: TransferLoop) {
            self.transfer = transfer
            self.loop = loop
        }

        @unsafe
        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            while piece.isEmpty {
                let delivery = transfer.next(spare: &spare)
                switch delivery {
                case .head: continue
                case .bytes(let bytes, let resumes):
                    if resumes { loop.resume(transfer) }
                    piece = bytes[...]
                    hasBytes = hasBytes || !bytes.isEmpty
                case .ended(.complete): return 0
                case .ended, .cancelled:
                    end = delivery
                    throw Ended()
                }
            }
            let count = min(piece.count, buffer.count)
            unsafe buffer.copyBytes(from: piece.prefix(count))
            piece = piece.dropFirst(count)
            return count
        }
    }

    private let feed: Feed
    private let reader: GzipReader
    private let maximumBytes: Int
    private var unpackedBytes = 0

    /// - Parameters:
    ///   - transfer: What receives the response, whose head was taken.
    ///   - loop: Where it goes on.
    ///   - maximumBytes: The largest body.
    init(_ transfer: Transfer, _ loop: TransferLoop, maximumBytes: Int) {
        let feed = Feed(transfer, loop)
        self.feed = feed
        self.maximumBytes = maximumBytes
        reader = unsafe GzipReader { buffer in try unsafe feed.read(into: buffer) }
    }

    /// Waits for the next bytes of the body, or its end.
    ///
    /// - Parameter spare: An array whose storage is used again.
    /// - Returns: Some bytes, how the transfer ended, or that it was cancelled.
    func next(spare: inout [UInt8]) -> TransferState.Delivery {
        var bytes: [UInt8] = []
        swap(&bytes, &spare)
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: Self.room)
        do {
            let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe reader.read(into: $0) }
            if count == 0 { return feed.end }
            unpackedBytes += count
            if unpackedBytes > maximumBytes { return .ended(.bodyTooLarge) }
            bytes.removeLast(bytes.count - count)
            return .bytes(bytes, resumes: false)
        } catch let error as GzipError {
            // There is nothing to unpack of a body that is empty.
            return feed.hasBytes ? .ended(.packedBodyDamaged(error)) : feed.end
        } catch {
            return feed.end
        }
    }

    /// Room for a piece. An array is copied as a whole, and `repeatElement` byte by byte.
    private static let room = [UInt8](repeating: 0, count: 64 << 10)
}

extension HeadParser.Head {
    /// How the body was packed, in lower case; nil where it was not.
    var packing: String? {
        let words = headers.all("Content-Encoding").joined(separator: ",").lowercased().split(separator: ",")
            .map { String($0).trimmingBlanks }
        return words.filter { !["", "identity"].contains($0) }.joined(separator: ", ").nilIfEmpty
    }
}

extension String {
    fileprivate var nilIfEmpty: String? { isEmpty ? nil : self }
}

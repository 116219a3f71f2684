internal import SluiceModel
internal import SluiceSystem

/// A piece of a saved plan: what it is, and its bytes, packed.
///
///     magic   "sluice.plan/" and the number of the format, ended by a line feed
///     frame   kind (1 byte), count of packed bytes (8), count of bytes (8), packed bytes
///     …       little endian; the last frame is of the kind `end`
///     sum     a check sum of all bytes before it (32)
struct PlanFrame {
    /// What a frame holds.
    enum Kind: UInt8 {
        /// What the plan says of itself, as JSON: the first frame.
        case head = 0x68
        /// A request and what came back without its body, as JSON; the body is the next frame.
        case exchange = 0x78
        case body = 0x62
        /// The name of a file that was read, as JSON; its bytes are the frames `part` behind it.
        case file = 0x66
        case part = 0x70
        /// Marks of changes, eight bytes each.
        case marks = 0x6D
        /// What was told of records, as lines of JSON.
        case events = 0x76
        /// The report, as JSON.
        case report = 0x72
        /// What is known once all else is, as JSON.
        case end = 0x65
    }

    /// The format. A file of another one is not read: those of earlier ones have no check sum.
    static let format = 4
    static let magic = "sluice.plan/"
    /// So much of a file, and so many marks and events, stand in one frame.
    static let partSize = 1 << 20
    /// A frame that says that it is larger was not written by this program: no response and no line is.
    static let largest = 4 << 30
    static let headerSize = 17
    static let checksumSize = 32

    let kind: Kind
    /// Where its packed bytes begin.
    let offset: Int
    let packedCount: Int
    let count: Int

    /// The bytes before a frame's own.
    static func header(_ kind: Kind, packed: Int, count: Int) -> [UInt8] {
        [kind.rawValue] + bytes(UInt64(packed)) + bytes(UInt64(count))
    }

    /// The check sum of the first bytes of a file, of which one piece is in memory at a time: the digest of each piece
    /// behind the digest of those before.
    static func checksum(of file: ByteFile, upTo end: Int) throws(SystemError) -> [UInt8] {
        var sum: [UInt8] = []
        for start in stride(from: 0, to: end, by: partSize) {
            let piece = try file.bytes(at: start, count: min(partSize, end - start))
            sum = SHA256.bytes(of: sum + piece)
        }
        return sum
    }

    /// A number's bytes, the lowest first.
    static func bytes(_ number: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }

    /// The number that bytes stand for, the lowest first.
    static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}

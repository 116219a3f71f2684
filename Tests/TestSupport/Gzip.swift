/// Writes gzip data (RFC 1952) by the simplest means, so that a test needs no compression library.
public enum Gzip {
    /// The bytes in stored blocks: correct gzip, no smaller than its content.
    public static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result = header
        var position = 0
        repeat {
            let end = min(bytes.count, position + 0xFFFF)
            result.append(end == bytes.count ? 1 : 0)
            let length = UInt16(end - position)
            result += littleEndian(length) + littleEndian(~length) + bytes[position..<end]
            position = end
        } while position < bytes.count
        return result + trailer(bytes)
    }

    /// One byte many times, about 160 times smaller than its content.
    ///
    /// - Parameters:
    ///   - byte: An ASCII character, which has a code of 8 bits.
    ///   - pieces: How many times 258 bytes follow the first one.
    /// - Returns: Gzip data in one block, with header and checksum.
    public static func run(of byte: UInt8, pieces: Int) -> [UInt8] {
        precondition(byte < 0x80)
        var bits = BitWriter(header)
        // A last block with fixed codes (RFC 1951, section 3.2.6).
        bits.write(1, count: 1)
        bits.write(1, count: 2)
        bits.writeCode(0x30 + UInt32(byte), count: 8)
        for _ in 0..<pieces {
            // "Repeat 258 bytes from one byte back": length symbol 285, distance symbol 0.
            bits.writeCode(0b1100_0101, count: 8)
            bits.writeCode(0, count: 5)
        }
        bits.writeCode(0, count: 7)
        return bits.bytes + trailer([UInt8](repeating: byte, count: 1 + 258 * pieces))
    }

    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

    private static func trailer(_ bytes: [UInt8]) -> [UInt8] {
        littleEndian(crc32(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
    }

    /// Numbers begin at their lowest bit, Huffman codes at their highest one.
    private struct BitWriter {
        private(set) var bytes: [UInt8]
        private var used = 8

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        mutating func write(_ value: UInt32, count: Int) {
            for bit in 0..<count { write(bit: UInt8(value >> bit & 1)) }
        }

        mutating func writeCode(_ code: UInt32, count: Int) {
            for bit in (0..<count).reversed() { write(bit: UInt8(code >> bit & 1)) }
        }

        private mutating func write(bit: UInt8) {
            if used == 8 {
                bytes.append(0)
                used = 0
            }
            bytes[bytes.count - 1] |= bit << used
            used += 1
        }
    }
}

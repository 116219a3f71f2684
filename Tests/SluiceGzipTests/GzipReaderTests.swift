import SluiceGzip
import TestSupport
import Testing

@Suite struct GzipReaderTests {
    /// Unpacks data that comes in pieces of a size into a buffer of another.
    private func unpack(_ packed: [UInt8], piece: Int = 7, buffer size: Int = 5) throws -> [UInt8] {
        var rest = packed[...]
        let reader = unsafe GzipReader { buffer in
            let count = min(piece, buffer.count, rest.count)
            unsafe buffer.copyBytes(from: rest.prefix(count))
            rest = rest.dropFirst(count)
            return count
        }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: size)
        while true {
            let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe reader.read(into: $0) }
            if count == 0 { return text }
            text += buffer.prefix(count)
        }
    }

    @Test(arguments: [(1, 1), (7, 5), (100_000, 3), (3, 100_000), (100_000, 100_000)])
    func piecesOfAnySizeGiveTheSameText(piece: Int, buffer: Int) throws {
        let text = Array((0..<1000).map { "{\"id\": \($0)}\n" }.joined().utf8)
        #expect(try unpack(Gzip.stored(text), piece: piece, buffer: buffer) == text)
    }

    @Test func membersInARowAreOneText() throws {
        let packed = Gzip.stored(Array("[1,".utf8)) + Gzip.stored([]) + Gzip.stored(Array("2]".utf8))
        #expect(try unpack(packed) == Array("[1,2]".utf8))
    }

    @Test func anEmptyTextIsEmpty() throws { #expect(try unpack(Gzip.stored([])).isEmpty) }

    @Test func everyDataThatIsCutIsAnError() {
        let packed = Gzip.stored(Array("[1, 2, 3, 4, 5, 6, 7, 8]".utf8))
        for count in 0..<packed.count {
            #expect(throws: GzipError.self, "\(count) bytes") { try unpack(Array(packed.prefix(count))) }
        }
    }

    @Test func aWrongCheckSumIsAnError() {
        var packed = Gzip.stored(Array("[1, 2, 3]".utf8))
        packed[packed.count - 6] ^= 1
        #expect(throws: GzipError.self) { try unpack(packed) }
    }

    @Test func somethingElseBehindTheEndIsAnError() {
        #expect(throws: GzipError.self) { try unpack(Gzip.stored(Array("[]".utf8)) + Array("tail".utf8)) }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func damagedDataNeverTraps(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let packed = Gzip.stored(Array((0..<200).map { "\($0) " }.joined().utf8))
        for _ in 0..<100 {
            var damaged = packed
            for _ in 0..<3 { damaged[Int.random(in: 2..<damaged.count, using: &generator)] = .random(in: 0...255) }
            _ = try? unpack(damaged, piece: 64, buffer: 64)
        }
    }

    @Test func gzipIsKnownByItsFirstBytes() {
        #expect(GzipReader.isGzip(Gzip.stored([])))
        #expect(!GzipReader.isGzip(Array("[]".utf8)))
        #expect(!GzipReader.isGzip([0x1F]))
    }
}

import FoundationEssentials
import SluiceHTTP
import SluiceReport
import TestSupport
import Testing

@testable import SluiceFetch

/// One check sum over the whole file of a saved plan tells whatever befell it.
@Suite("The file of a saved plan") struct PlanFileTests {
    private let folder: TemporaryDirectory
    private var path: String { folder.file("a.plan") }

    init() throws { folder = try TemporaryDirectory() }

    /// Saves a plan and gives its bytes.
    private func saved(event: [UInt8] = Array("an event".utf8)) throws -> [UInt8] {
        let head = PlanHead(
            pipeline: "shop", startedAt: "2026-01-01T00:00:00Z", version: "1", file: "shop.yaml", fingerprint: "7",
            options: [:])
        let writer = try PlanFileWriter(path, head, hiding: [])
        try writer.keep(
            RecordedRequest(method: "GET", url: "https://example.com/items"),
            RecordedResponse(status: 200, body: Array("[]".utf8)))
        writer.keep(event: event)
        try writer.finish(PlanEnd(lastRun: nil, lastRunAt: nil, schema: []), marks: [7, 8], report: Array("{}".utf8))
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// What is said of a file of these bytes; nil where it is read.
    private func refusal(of bytes: [UInt8]) throws -> String? {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        do throws(SyncError) {
            _ = try PlanFileReader(path)
            return nil
        } catch { return error.message }
    }

    @Test func isReadAsItWasWritten() throws {
        let bytes = try saved()
        #expect(try refusal(of: bytes) == nil)
        #expect(try PlanFileReader(path).marks == [7, 8])
    }

    @Test func isRefusedWhateverByteOfItIsSpoilt() throws {
        let bytes = try saved()
        let magic = PlanFrame.magic.utf8.count + 2
        for place in bytes.indices {
            var spoilt = bytes
            spoilt[place] ^= 1 << (place % 8)
            let words = try refusal(of: spoilt)
            #expect(words != nil, "byte \(place)")
            if place >= magic { #expect(words?.contains("is damaged") == true, "byte \(place)") }
        }
    }

    @Test func isRefusedWhereBytesAreMissingOrTooMany() throws {
        let bytes = try saved()
        for more in [[0], [0x65], bytes, Array(bytes.suffix(32))] as [[UInt8]] {
            #expect(try refusal(of: bytes + more)?.contains("is damaged") == true, "\(more.count) more")
        }
        for count in 14..<bytes.count {
            #expect(try refusal(of: Array(bytes.prefix(count)))?.contains("is damaged") == true, "\(count) of them")
        }
    }

    /// Where the check sum goes over several pieces.
    @Test func isRefusedInWhicheverPieceAByteIsSpoilt() throws {
        var random = SeededGenerator(seed: 11)
        let bytes = try saved(event: (0..<3 << 20).map { _ in UInt8.random(in: 32...126, using: &random) })
        #expect(try refusal(of: bytes) == nil)
        #expect(bytes.count > 2 * PlanFrame.partSize)
        for place in stride(from: PlanFrame.partSize / 2, to: bytes.count, by: PlanFrame.partSize) {
            var spoilt = bytes
            spoilt[place] ^= 1
            #expect(try refusal(of: spoilt)?.contains("is damaged") == true, "byte \(place)")
        }
    }
}

import Foundation
import SluicePipeline
import SluiceSystem
import TestSupport
import Testing

@testable import SluiceModel
@testable import SluiceReconcile
@testable import SluiceReport
@testable import SluiceSync

/// Runs whose seen keys go to a file after every batch do what other runs do.
@Suite("Runs with more seen keys than memory holds")
struct SpilledRunTests {
    private static let rules: [StreamDefinition.DuplicateRule] = [.last, .first, .newest, .quarantine]

    private func shop(
        _ type: FieldType, spilling folder: TemporaryDirectory? = nil,
        rule: DeleteRule = DeleteRule(mode: .hard, maximum: .percent(100), minimumRecords: 0)
    ) throws -> Workshop {
        let fields = [try field("id", type), try field("a"), try field("n", .int), try field("at", .datetime)]
        let shop = try Workshop(fields: fields, rule: rule)
        if let folder {
            shop.adjustOptions = { $0.keyRoom = SpillableHashes.Room(bytes: 64 << 10, folder: folder.path) }
        }
        return shop
    }

    private func adjust(_ shop: Workshop, _ rule: StreamDefinition.DuplicateRule, _ mode: DeleteRule.Mode) {
        shop.adjust = { pipeline in
            pipeline.streams[0].onDuplicate = rule
            pipeline.streams[0].deleteMissing.mode = mode
            pipeline.entities[0].newestField = "at"
        }
    }

    /// Up to 2000 records in some order, some of them more than once, some that cannot be decoded.
    private func source(_ type: FieldType, _ random: inout SeededGenerator) -> String {
        var ids = (0..<2500).filter { _ in random.chance(70) }
        for _ in 0..<(random.chance(50) ? 40 : 0) { ids.append(random.pick(ids)) }
        ids.shuffle(using: &random)
        let records = ids.map { id in
            let key = type == .int ? "\(id * 1_000_003 - 1_000_000_000)" : "\"key \(id)\""
            let number = random.chance(1) ? "\"many\"" : "\(id)"
            let hour = 10 + Int(random.next() % 10)
            let text = random.chance(3) ? "x\(random.next() % 3)" : "v"
            return #"{"id":\#(key),"a":"\#(text)","n":\#(number),"at":"2024-01-01T\#(hour):00:00Z"}"#
        }
        return "[" + records.joined(separator: ",\n") + "]"
    }

    @Test(
        "The same as with all of them in memory", arguments: [.string, .int] as [FieldType],
        [11, 12] as [UInt64]
    )
    func same(_ type: FieldType, _ seed: UInt64) throws {
        let folder = try TemporaryDirectory()
        var random = SeededGenerator(seed: seed)
        let shops = [try shop(type), try shop(type, spilling: folder)]
        var deletes = 0
        var duplicates = 0
        for step in 1...4 {
            let json = source(type, &random)
            let rule = random.pick(Self.rules)
            let mode = random.chance(70) ? DeleteRule.Mode.hard : .report
            var told: [[String]] = []
            var counts: [[Int]] = []
            for shop in shops {
                adjust(shop, rule, mode)
                // A plan and its run say the same, or this throws.
                let (report, recorder) = try shop.syncPlanned(json)
                #expect(report.status == .succeeded || report.status == .partial, "seed \(seed): \(report.problems)")
                // Where what is gone is looked for by ranges of hashes, the order is another.
                told.append(recorder.told.sorted() + [report.summary.text])
                let stream = try #require(report.streams.first)
                counts.append([stream.read, stream.duplicates, stream.quarantined, stream.reportedGone])
            }
            #expect(told[0] == told[1], "seed \(seed), step \(step), \(rule), \(mode)")
            #expect(counts[0] == counts[1], "seed \(seed), step \(step), \(rule), \(mode)")
            #expect(try shops[0].items == shops[1].items, "seed \(seed), step \(step)")
            #expect(try shops[0].bases == shops[1].bases, "seed \(seed), step \(step)")
            deletes += told[0].count { $0.hasPrefix("delete") }
            duplicates += counts[0][1]
        }
        #expect(deletes > 100 && duplicates > 10, "seed \(seed) tests little")
        let (_, written) = try shops[1].quietRun()
        #expect(written == [], "seed \(seed)")
    }

    /// Keys that take their order from `places` and are otherwise 0 to 1999.
    private func records(_ first: String, last: String) -> String {
        let others = (1..<2000).map { #"{"id":"key \#($0)","a":"v"}"# }
        return "[" + ([first] + others + [last]).joined(separator: ",") + "]"
    }

    @Test("A record in whose place another one stands ends no run")
    func premature() throws {
        let folder = try TemporaryDirectory()
        for spills in [false, true] {
            let shop = try shop(.string, spilling: spills ? folder : nil)
            shop.rules = ConflictRules(fallback: .fail)
            adjust(shop, .first, .hard)
            let kept = #"{"id":"key 0","a":"v"}"#
            _ = try shop.syncPlanned(records(kept, last: #"{"id":"key 2000","a":"v"}"#))
            try shop.sql("UPDATE items SET a = 'mine' WHERE id = 'key 0'")
            let (report, _) = try shop.syncPlanned(records(kept, last: #"{"id":"key 0","a":"w"}"#))
            #expect(report.status == .succeeded, "\(report.problems)")
            #expect(report.summary.delete == 1 && report.streams[0].duplicates == 1)
            // Where it stands it does.
            adjust(shop, .last, .hard)
            let (failed, _) = try shop.syncPlanned(records(kept, last: #"{"id":"key 0","a":"w"}"#))
            #expect(failed.status == .failed && failed.problems.map(\.code) == ["conflict"])
            let (alone, _) = try shop.syncPlanned(
                records(#"{"id":"key 3000","a":"v"}"#, last: #"{"id":"key 0","a":"w"}"#))
            #expect(alone.status == .failed && alone.problems.map(\.code) == ["conflict"])
        }
    }

    @Test("Deletes beyond a limit are refused, and named")
    func refused() throws {
        let folder = try TemporaryDirectory()
        let shop = try shop(
            .string, spilling: folder, rule: DeleteRule(mode: .hard, maximum: .count(3), minimumRecords: 0))
        _ = try shop.syncPlanned(records(#"{"id":"a"}"#, last: #"{"id":"z"}"#))
        let (report, _) = try shop.syncPlanned(#"[{"id":"a"},{"id":"key 7","a":"v"}]"#)
        #expect(report.refusedDeletes?.count == 1999)
        let rest = (5..<2000).map { #"{"id":"key \#($0)","a":"v"}"# }.joined(separator: ",")
        let (many, _) = try shop.syncPlanned("[\(rest)]")
        #expect(many.refusedDeletes?.count == 6)
        #expect(Set(many.problems[0].keys).contains(#"{"id":"z"}"#), "\(many.problems[0].keys)")
        let (done, _) = try shop.syncPlanned("[\(rest)]", allowing: 6)
        #expect(done.summary.delete == 6)
    }

    @Test("The file has no name, is nobody else's, and is gone after a run and after a failure")
    func file() throws {
        let folder = try TemporaryDirectory()
        let shop = try shop(.string, spilling: folder)
        var during: Set<[UInt32]> = []
        func run() -> RunReport {
            let recorder = Recorder()
            recorder.onProgress = { _ in during.insert(OpenFiles.modes(in: folder.path)) }
            return shop.sync(recorder: recorder).report
        }
        try shop.put(records(#"{"id":"a"}"#, last: #"{"id":"z"}"#))
        #expect(run().status == .succeeded)
        #expect(during.contains([0o600]))
        #expect(OpenFiles.modes(in: folder.path).isEmpty)
        adjust(shop, .fail, .hard)
        during = []
        try shop.put(records(#"{"id":"a","a":"x"}"#, last: #"{"id":"a","a":"y"}"#))
        #expect(run().problems.map(\.code) == ["duplicate_key"])
        #expect(during.contains([0o600]))
        #expect(OpenFiles.modes(in: folder.path).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("Where the file cannot be made, the run fails and nothing is written")
    func noFile() throws {
        let folder = try TemporaryDirectory()
        let shop = try shop(.string, spilling: folder)
        _ = try shop.syncPlanned(#"[{"id":"a"}]"#)
        let before = try shop.contents()
        shop.adjustOptions = { $0.keyRoom = SpillableHashes.Room(bytes: 1, folder: "/nowhere") }
        let (report, _) = try shop.syncPlanned(records(#"{"id":"a"}"#, last: #"{"id":"z"}"#))
        #expect(report.status == .failed)
        #expect(report.problems.map(\.code) == ["file_failed"])
        #expect(report.problems[0].message.contains("The keys do not fit into memory"))
        #expect(try shop.contents() == before)
    }
}

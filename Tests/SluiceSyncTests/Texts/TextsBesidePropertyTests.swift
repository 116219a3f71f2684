import SluicePipeline
import SluiceReport
import SluiceSync
import TestSupport
import Testing

/// Random histories of a source and of edits in the table, whose texts are compared with marks that are read beside a plan or a run,
/// and with those that it reads itself.
///
/// A failure names its seed; see ``Seeds``.
@Suite("Marks of texts over random histories")
struct TextsBesidePropertyTests {
    @Test("Who reads the marks makes no difference", arguments: Seeds.first(8))
    func whoReadsMarksMakesNoDifference(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let shop = try Workshop(rule: DeleteTests.hard(.percent(100)))
        // Two batches of marks and more.
        var source = Dictionary(uniqueKeysWithValues: (1...5_000).map { ($0 * 3, 0) })
        for step in 0..<4 {
            var ids = source.keys.sorted()
            if random.chance(25) { ids.shuffle(using: &random) }
            if random.chance(20) { ids.append(random.pick(ids)) }
            let records = ids.map { #"{"id":\#($0),"a":"a\#(source[$0] ?? 0)","b":"b"}"# }
            try shop.put("[" + records.joined(separator: ",") + "]")
            shop.adjustOptions = { $0.leastBytesBeside = .max }
            let alone = shop.sync(.plan)
            shop.adjustOptions = { $0.leastBytesBeside = 1 }
            let beside = shop.sync(.plan)
            let run = shop.sync()
            for other in [beside, run] {
                #expect(
                    other.report.status == alone.report.status, "seed \(seed), step \(step): \(other.report.problems)")
                #expect(other.report.summary == alone.report.summary, "seed \(seed), step \(step)")
                #expect(other.recorder.told == alone.recorder.told, "seed \(seed), step \(step)")
            }
            #expect(beside.report.edits == alone.report.edits, "seed \(seed), step \(step)")
            // The source and people go on.
            for id in ids where random.chance(1) { source[id, default: 0] += 1 }
            for id in ids where random.chance(1) { source[id] = nil }
            for _ in 0..<20 { source[Int.random(in: 1...16_000, using: &random)] = 7 }
            for _ in 0..<10 {
                let id = random.pick(ids)
                try shop.sql(
                    random.chance(70)
                        ? "UPDATE items SET a = 'mine' WHERE id = \(id)" : "DELETE FROM items WHERE id = \(id)")
            }
        }
        #expect(try shop.database.damage() == [])
    }
}

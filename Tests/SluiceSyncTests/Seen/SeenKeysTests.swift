import SluicePipeline
import TestSupport
import Testing

@testable import SluiceModel
@testable import SluiceReconcile

/// Seen keys of batches, where they stand in memory and where most of them are in a file.
@Suite("Seen keys")
struct SeenKeysTests {
    private let tiny = SpillableHashes.Room(bytes: 1)

    private func schema(_ type: FieldType) -> RecordSchema {
        RecordSchema(
            pipeline: "test", stream: "things", entity: "Thing", table: "things",
            fields: [RecordSchema.Field(name: "id", column: "id", type: type)], keyFields: [0])
    }

    private func batch(_ type: FieldType, page: Int, _ ids: some Sequence<Int>) throws -> RecordBatch {
        let texts = ids.map { type == .int ? "\($0)" : "\"key-\($0)\"" }
        let json = "[" + texts.map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"
        var batch = try Decoding(fields: [try field("id", type)], key: ["id"]).batch(of: json).batch
        for index in batch.origins.indices { batch.origins[index].page = page }
        return batch
    }

    private func watch(
        _ type: FieldType, _ room: SpillableHashes.Room, _ pages: [Range<Int>]
    ) throws -> (watch: KeyTracker, circle: Int?) {
        var watch = KeyTracker(isPaginated: true, schema: schema(type), room: room)
        for (number, page) in pages.enumerated() {
            try watch.observe(try batch(type, page: number, page), schema: schema(type))
        }
        let circle = try watch.finish(seeksDuplicates: true)
        return (watch, circle)
    }

    @Test(
        "Pages in a circle: told where memory holds the keys, duplicates in any case",
        arguments: [.string, .int] as [FieldType])
    func circles(_ type: FieldType) throws {
        let around = [0..<600, 600..<1200, 0..<600]
        let small = try watch(type, SpillableHashes.Room(), around)
        #expect(small.circle == 2)
        #expect(small.watch.isPrompt && !small.watch.duplicates.isEmpty)
        let large = try watch(type, tiny, around)
        #expect(!large.watch.isPrompt && large.watch.duplicates.hasSuspects)
        #expect(large.circle == nil)
        let straight = try watch(type, tiny, [0..<600, 600..<1200, 1200..<1800, 1800..<1801])
        #expect(straight.circle == nil)
        #expect(!straight.watch.isPrompt && straight.watch.duplicates.isEmpty)
    }

    /// Far apart they stand in lists, close together in bitmaps, and both where some are close.
    @Test("What a set of integers has besides another one", arguments: Seeds.first(8))
    func integersBesides(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (one, two) = (IntegerSet(), IntegerSet())
        var (first, second): (Set<Int64>, Set<Int64>) = ([], [])
        for _ in 0..<30_000 {
            let isNear = seed % 3 == 0 || seed % 3 == 1 && Bool.random(using: &random)
            let value = Int64.random(in: isNear ? -9_000...9_000 : -4_000_000...4_000_000, using: &random)
            if Int.random(in: 0..<9, using: &random) > 0 { (_, _) = (one.insert(value), first.insert(value)) }
            if Int.random(in: 0..<9, using: &random) > 0 { (_, _) = (two.insert(value), second.insert(value)) }
        }
        var found: [Int64] = []
        one.forEach(besides: two) { found.append($0) }
        #expect(found.sorted() == first.subtracting(second).sorted())
    }

    @Test("A page is compared with the batches since keys went to a file")
    func recent() throws {
        let type = FieldType.string
        var watch = KeyTracker(isPaginated: true, schema: schema(type), room: SpillableHashes.Room(bytes: 100 << 10))
        for (page, ids) in [0..<600, 600..<610, 610..<620, 600..<610].enumerated() {
            try watch.observe(try batch(type, page: page, ids), schema: schema(type))
        }
        #expect(!watch.isPrompt)
        #expect(try watch.finish(seeksDuplicates: false) == 3)
    }

    @Test("Integers stay as they are while they lie close, and can leave the memory where they do not")
    func integers() throws {
        let schema = schema(.int)
        for (room, step, staysInMemory) in [
            (SpillableHashes.Room(), 1, true), (SpillableHashes.Room(), 1 << 20, true),
            (SpillableHashes.Room(bytes: 64 << 10), 1, true), (SpillableHashes.Room(bytes: 64 << 10), 1 << 20, false),
        ] {
            var keys = SeenKeys(schema: schema, room: room)
            for start in stride(from: 0, to: 60_000, by: 500) {
                try keys.makeRoom()
                for value in start..<start + 500 { keys.insert(RecordKey([.integer(Int64(value * step - 7))])) }
            }
            #expect((keys.runs == nil) == staysInMemory, "step \(step), \(room.bytes) bytes")
            if !staysInMemory { continue }
            for value in stride(from: 0, to: 60_000, by: 997) {
                #expect(keys.contains(RecordKey([.integer(Int64(value * step - 7))])))
                #expect(!keys.contains(RecordKey([.integer(Int64(value * step - 7) + (step == 1 ? 60_000 : 1))])))
            }
        }
    }
}

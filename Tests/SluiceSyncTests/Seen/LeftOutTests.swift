import SluicePages
import SluicePipeline
import SluiceSystem
import TestSupport
import Testing

@testable import SluiceDecode
@testable import SluiceModel
@testable import SluiceReconcile

/// Keys of records that are listed and left out: they are handed over as they come, and only where somebody asks for them.
@Suite struct LeftOutTests {
    private static let count = 2_000

    private func schema(_ fields: [FieldDefinition]) -> RecordSchema {
        RecordSchema(
            pipeline: "shop", stream: "items", entity: "Item", table: "items",
            fields: fields.map { RecordSchema.Field(name: $0.name, column: $0.column, type: $0.type) }, keyFields: [0])
    }

    /// What a stage hands over of a file whose records all lie before what is asked for.
    private func handedOver(isAskedFor: Bool) throws -> [[RecordKey]] {
        let shop = try Workshop(fields: [try field("id", .int), try field("at", .datetime)])
        let records = (0..<Self.count).map { #"{"id":\#($0),"at":"2024-01-01T00:00:00Z"}"# }
        try shop.put("[" + records.joined(separator: ",") + "]")
        let pipeline = shop.pipeline
        let (stream, entity) = (pipeline.streams[0], pipeline.entities[0])
        var rule = IncrementalRule(field: "at")
        rule.isClientSide = true
        rule.initialJSON = "\"2025-01-01T00:00:00Z\""
        let reading = try CursorRange(
            rule, field: entity.fields[1], kept: nil, overrides: CursorRange.Overrides(),
            startedAt: "2026-01-01T00:00:00Z")
        var plan = try DecodePlan(entity: entity, schema: schema(entity.fields), entriesKey: nil, stream: stream)
        plan.cursor = CursorFilter(reading, field: 1)
        plan.keepsLeftOut = isAskedFor
        let file = shop.directory.file("remote.json")
        let stage = DecodeStage(
            pages: [Page(content: .file(path: file), name: file, fileStem: "remote")], stream: stream,
            maximumRecordBytes: 1 << 20, plan: plan, tools: DecodeTools(), cancellation: Cancellation())
        stage.start()
        defer { stage.stop() }
        var keys: [[RecordKey]] = []
        var isOver = false
        while let output = stage.next() {
            switch output {
            case .leftOut(let some): keys.append(some)
            case .end(let filtered, _, _, _): isOver = filtered == Self.count
            case .error(let error): throw error
            case .batch, .fingerprinted, .failures: break
            }
        }
        #expect(isOver)
        return keys
    }

    @Test func theyAreHandedOverAsTheyCome() throws {
        let keys = try handedOver(isAskedFor: true)
        #expect(keys.allSatisfy { $0.count <= BatchSize.usual.records }, "\(keys.map(\.count))")
        #expect(keys.flatMap { $0 } == (0..<Self.count).map { RecordKey([.integer(Int64($0))]) })
        #expect(try handedOver(isAskedFor: false).isEmpty)
    }

    /// A record that is left out in one place and merged in another comes once, and its page has something new.
    @Test(arguments: [.string, .int] as [FieldType], [1, 32 << 20])
    func theyMakeNoDuplicates(_ type: FieldType, _ bytes: Int) throws {
        let fields = [try field("id", type)]
        let schema = schema(fields)
        func key(_ id: Int) -> RecordKey { RecordKey([type == .int ? .integer(Int64(id)) : FieldValue("key-\(id)")]) }
        var tracker = KeyTracker(isPaginated: true, schema: schema, room: SpillableHashes.Room(bytes: bytes))
        for id in 0..<1_200 { try tracker.leaveOut(key(id), schema: schema) }
        for page in 0..<2 {
            let texts = (page * 300..<page * 300 + 300).map { type == .int ? "\($0)" : "\"key-\($0)\"" }
            let json = "[" + texts.map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"
            var batch = try Decoding(fields: fields, key: ["id"]).batch(of: json).batch
            for index in batch.origins.indices { batch.origins[index].page = page }
            try tracker.observe(batch, schema: schema)
        }
        #expect(try tracker.finish(seeksDuplicates: true) == nil)
        #expect(tracker.duplicates.isEmpty)
        for id in [0, 599, 600, 1_199] { #expect(try tracker.seen.containsAnywhere(key(id)), "\(id)") }
        #expect(try !tracker.seen.containsAnywhere(key(1_200)))
    }
}

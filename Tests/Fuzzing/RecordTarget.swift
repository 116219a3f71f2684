import SluiceJSON
import SluicePipeline
import SluiceReport

@testable import SluiceDecode
@testable import SluiceModel

/// Decoding of records into fields of every type, as a run does it, and what the store is told of them.
enum RecordTarget {
    private static let entity = EntityDefinition(name: "Thing", table: "things", primaryKey: ["id"], fields: fields())

    private static func fields() -> [FieldDefinition] {
        func field(_ name: String, _ type: FieldType, from path: String? = nil, format: String? = nil)
            -> FieldDefinition
        {
            let path = (try? JSONPath(parsing: path ?? name)) ?? JSONPath(steps: [], text: "$")
            return FieldDefinition(name: name, column: name, origin: .path(path), type: type, format: format)
        }
        var fields = [
            field("id", .string), field("text", .string, from: "a"), field("count", .int, from: "b"),
            field("ratio", .double, from: "c"), field("price", .decimal, from: "d"), field("flag", .bool, from: "e"),
            field("link", .url, from: "f"), field("code", .uuid, from: "g"), field("day", .date, from: "h"),
            field("at", .datetime, from: "i"), field("epoch", .datetime, from: "j", format: "unix"),
            field("milli", .datetime, from: "k", format: "unix_ms"),
            field("german", .datetime, from: "l", format: "%d.%m.%Y %H:%M:%S.%f %z"),
            field("blob", .bytes, from: "m"), field("extra", .json, from: "n"), field("all", .json, from: "o[*].p"),
            field("first", .json, from: "o[0]"), field("last", .json, from: "o[-1]"),
            field("some", .json, from: "$..q"), field("folded", .string, from: "a"),
            field("unordered", .json, from: "n"), field("merged", .json, from: "n"),
        ]
        for (name, comparison) in [("folded", FieldComparison.ignoringCase), ("unordered", .set), ("merged", .json)] {
            for index in fields.indices where fields[index].name == name { fields[index].comparison = comparison }
        }
        // A value that does not fit is null, so that the others are looked at all the same.
        for index in fields.indices.dropFirst() { fields[index].onTypeMismatch = .setNull }
        return fields
    }

    static func run(_ bytes: [UInt8], _ chance: inout Chance) {
        let stream = StreamDefinition(name: "s", entity: "Thing")
        let pipeline = PipelineDefinition(
            name: "p", file: "fuzz.yaml", source: SourceDefinition(base: .file("/nowhere")), entities: [entity],
            streams: [stream])
        let schema = RecordSchema(pipeline: pipeline, stream: stream, entity: entity)
        guard let plan = try? DecodePlan(entity: entity, schema: schema, entriesKey: nil),
            var decoder = try? RecordDecoder(plan: plan, entriesKey: nil, language: NoPrograms()),
            let reader = try? unsafe JSONRecordReader(
                records: nil, format: chance.pick(.json, .jsonl), source: JSONTarget.source(bytes))
        else { fatalError("the plan cannot be made") }
        var batch = RecordBatch(fieldCount: plan.fields.count)
        var parts: [NestedBatch] = []
        while let record = try? reader.next() {
            let before = (batch.count, batch.cells.count, batch.bytes.count)
            if let failure = decoder.decode(record, page: RecordDecoder.Page(), into: &batch, parts: &parts) {
                require(before == (batch.count, batch.cells.count, batch.bytes.count), "a failure leaves a trace")
                let text = unsafe Array(record.bytes)
                require(failure.record == text, "another record is kept")
            }
        }
        for record in 0..<batch.count { check(record, of: batch, schema) }
    }

    /// A value that was stored and read back is the value that was decoded, and so is its JSON.
    private static func check(_ record: Int, of batch: borrowing RecordBatch, _ schema: RecordSchema) {
        let canonical = CanonicalValue()
        let json = StoredJSON()
        for (index, field) in schema.fields.enumerated() {
            guard let value = batch.value(record: record, field: index) else { continue }
            let digest = batch.digest(record: record, field: index)
            func stored(_ value: FieldValue) -> UInt64 {
                canonical.digest(of: value, type: field.type, comparison: field.comparison)
            }
            require(stored(value) == digest, "\(field.name): \(value) has another digest")
            let text = FieldJSON.text(value, type: field.type)
            guard let again = json.value(text, type: field.type) else {
                fatalError("\(field.name): \(text) cannot be read back")
            }
            require(stored(again) == digest, "\(field.name): \(text) is read as \(again)")
        }
    }
}

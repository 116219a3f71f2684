import SluiceJSON
import SluicePages
import SluicePipeline

@testable import SluiceDecode
@testable import SluiceModel
@testable import SluiceReport

/// A field of a name, from the path of the same name unless another is given.
func field(
    _ name: String, _ type: FieldType = .string, from path: String? = nil, required: Bool = false,
    default fallback: String? = nil, format: String? = nil, timezone: String? = nil, values: [String] = [],
    map: [String: FieldDefinition.MappedValue] = [:], onMissing: FieldDefinition.MissingRule? = nil,
    onNull: FieldDefinition.NullRule = .setNull
) throws -> FieldDefinition {
    FieldDefinition(
        name: name, column: name, origin: .path(try JSONPath(parsing: path ?? name)), type: type, isRequired: required,
        defaultJSON: fallback, format: format, timezone: timezone, values: values, map: map,
        onMissing: onMissing ?? (fallback == nil ? .keep : .default), onNull: onNull)
}

/// What became of one record: its values, nil for an absent one, or why it was refused.
enum Decoded: Equatable {
    case values([FieldValue?])
    case refused(reason: String, pointer: String, value: String?)

    var values: [FieldValue?] { if case .values(let values) = self { values } else { [] } }
}

/// Decodes whole documents with the decoder that the engine uses.
struct Decoding {
    var fields: [FieldDefinition]
    var key: [String] = []
    var entries: String?
    var records: String?
    var stem = "page"

    func batch(of json: String) throws -> (outcomes: [Decoded], failures: [DecodeFailure], batch: RecordBatch) {
        let entity = EntityDefinition(name: "Thing", table: "things", primaryKey: key, fields: fields)
        let schema = RecordSchema(
            pipeline: "test", stream: "things", entity: "Thing", table: "things",
            fields: fields.map { RecordSchema.Field(name: $0.name, column: $0.column, type: $0.type) },
            keyFields: key.compactMap { name in fields.firstIndex { $0.name == name } })
        let plan = try DecodePlan(entity: entity, schema: schema, entriesKey: entries)
        var decoder = try RecordDecoder(plan: plan, entriesKey: entries)
        var batch = RecordBatch(fieldCount: fields.count)
        var parts: [NestedBatch] = []
        var outcomes: [Decoded] = []
        var failures: [DecodeFailure] = []
        let bytes = Array(json.utf8)
        var position = 0
        let reader = try unsafe JSONRecordReader(
            records: try records.map { try JSONPath(parsing: $0) }, members: entries != nil
        ) { buffer in
            let count = min(buffer.count, bytes.count - position)
            unsafe buffer.copyBytes(from: bytes[position..<position + count])
            position += count
            return count
        }
        while let record = try reader.next() {
            let page = RecordDecoder.Page(number: 0, firstOrdinal: 0, fileStem: stem)
            if let failure = decoder.decode(record, page: page, into: &batch, parts: &parts) {
                failures.append(failure)
                outcomes.append(
                    .refused(reason: failure.reason.rawValue, pointer: failure.pointer, value: failure.value))
            } else {
                let values = fields.indices.map { batch.value(record: batch.count - 1, field: $0) }
                outcomes.append(.values(values))
            }
        }
        return (outcomes, failures, batch)
    }

    func all(_ json: String) throws -> [Decoded] { try batch(of: json).outcomes }

    func one(_ json: String) throws -> Decoded? { try all(json).first }
}

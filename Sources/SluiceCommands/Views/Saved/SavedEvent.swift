internal import SluiceJSON
internal import SluiceMerge
internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// What a run's observer is told, as lines of a saved plan: a letter, for records the number of their schema, and JSON.
enum SavedEvent {
    /// What views know of a schema.
    struct Schema: Codable {
        struct Field: Codable {
            let name: String
            let column: String
            let type: FieldType
            let owner: FieldOwner
        }

        let pipeline: String
        let stream: String
        let entity: String
        let table: String
        let fields: [Field]
        let keyFields: [Int]
        let writeMode: WriteMode
        let isNew: Bool

        init(_ schema: RecordSchema, isNew: Bool) {
            (pipeline, stream, entity, table) = (schema.pipeline, schema.stream, schema.entity, schema.table)
            fields = schema.fields.map { Field(name: $0.name, column: $0.column, type: $0.type, owner: $0.owner) }
            (keyFields, writeMode, self.isNew) = (schema.keyFields, schema.writeMode, isNew)
        }

        var schema: RecordSchema {
            var schema = RecordSchema(
                pipeline: pipeline, stream: stream, entity: entity, table: table,
                fields: fields.map {
                    RecordSchema.Field(name: $0.name, column: $0.column, type: $0.type, owner: $0.owner)
                }, keyFields: keyFields)
            schema.follow(writeMode)
            return schema
        }
    }

    enum Letter: UInt8 {
        case opened = 0x6F
        case changed = 0x63
        case skipped = 0x73
        case kept = 0x6B
        case conflict = 0x66
        case quarantined = 0x71
    }

    static func line(_ letter: Letter, schema: Int? = nil, _ json: String = "") -> [UInt8] {
        [letter.rawValue] + Array((schema.map { "\($0) " } ?? "").utf8) + Array(json.utf8)
    }

    /// Parts of a line.
    static func parts(_ line: ArraySlice<UInt8>) -> (letter: Letter, schema: Int, json: [UInt8])? {
        guard let letter = line.first.flatMap(Letter.init(rawValue:)) else { return nil }
        let rest = line.dropFirst()
        switch letter {
        case .opened, .conflict, .quarantined: return (letter, 0, Array(rest))
        case .changed, .skipped, .kept:
            let digits = rest.prefix { 0x30...0x39 ~= $0 }
            guard let schema = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
            return (letter, schema, Array(rest.dropFirst(digits.count + 1)))
        }
    }
}

import SluiceModel
import SluiceStore

extension RecordTable {
    /// Ends a run; of what collides nothing is written.
    func finish() throws -> [UniqueCollision] { try finish(run: 2) { _, _ in nil }.collisions }

    /// Ends a run; what collides is written without the fields that do.
    func finishHolding(run: Int64 = 2) throws -> FinishOutcome {
        try finish(run: run) { write, fields in
            var write = write
            write.base = nil
            switch write.row {
            case .insert(var values):
                for field in fields { values[field] = .null }
                write.row = .insert(values)
            case .update(let all, let values):
                let kept = zip(all, values).filter { !fields.contains($0.0) }
                write.row = kept.isEmpty ? .none : .update(fields: kept.map(\.0), values: kept.map(\.1))
            case .none, .delete, .markDeleted, .set, .restore: return nil
            }
            return write
        }
    }
}

extension RecordSchema {
    /// A schema of a test: fields by name and type, key and unique groups by name.
    static func test(
        _ fields: [(name: String, type: FieldType)], key: [String] = ["id"], unique: [[String]] = [],
        table: String = "items", stream: String = "items"
    ) -> RecordSchema {
        func position(_ name: String) -> Int { fields.firstIndex { $0.name == name } ?? 0 }
        return RecordSchema(
            pipeline: "test", stream: stream, entity: "Item", table: table,
            fields: fields.map { Field(name: $0.name, column: $0.name, type: $0.type) },
            keyFields: key.map(position), unique: unique.map { $0.map(position) })
    }

    /// Items with a code that may be unique.
    static func items(unique: [[String]] = []) -> RecordSchema {
        test([("id", .int), ("code", .string), ("name", .string)], unique: unique)
    }

    /// A batch of records; nil is an absent key.
    func batch(_ records: [[FieldValue?]]) -> RecordBatch {
        var batch = RecordBatch(fieldCount: fields.count, capacity: records.count)
        for (ordinal, record) in records.enumerated() {
            for value in record {
                batch.cells.append(batch.append(value))
                batch.digests.append(value.map(KeyHash.valueHash) ?? 0)
            }
            batch.rowHashes.append(rowHash(digests: Array(batch.digests.suffix(fields.count))))
            batch.keyHashes.append(KeyHash.hash(batch.key(of: ordinal, schema: self)))
            batch.origins.append(RecordOrigin(page: 0, ordinal: ordinal))
        }
        return batch
    }

    /// The base of a live record that says these values.
    func base(_ values: [FieldValue?], state: BaseState = .live, isOpen: Bool = false, run: Int64 = 2) -> BaseRow {
        let digests = values.map { $0.map(KeyHash.valueHash) ?? 0 }
        return BaseRow(
            rowHash: rowHash(digests: digests),
            entries: zip(values, digests).map { value, digest in
                value.map { BaseEntry(value: $0, digest: digest) } ?? .none
            }, state: state, isOpen: isOpen, firstRun: 1, lastRun: run)
    }
}

extension RecordBatch {
    fileprivate mutating func append(_ value: FieldValue?) -> Cell {
        switch value {
        case nil: return Cell(kind: .absent)
        case .null: return Cell(kind: .null)
        case .integer(let number): return Cell(kind: .integer, payload: number)
        case .real(let number): return Cell(kind: .real, payload: Int64(bitPattern: number.bitPattern))
        case .text(let text): return append(text, .text)
        case .blob(let blob): return append(blob, .blob)
        }
    }

    private mutating func append(_ content: [UInt8], _ kind: Cell.Kind) -> Cell {
        defer { bytes += content }
        return Cell(kind: kind, payload: Int64(bytes.count), length: UInt32(content.count))
    }
}

extension FieldValue {
    static func text(_ text: String) -> FieldValue { FieldValue(text) }
}

/// The key of an item.
func key(_ values: FieldValue...) -> RecordKey { RecordKey(values) }

/// A key in eight bytes: a key that is one integer as it is, any other as its hash.
package enum KeyWord {
    /// Whether the keys of a schema are kept as they are.
    package static func isInteger(_ schema: RecordSchema) -> Bool {
        schema.keyFields.count == 1 && schema.fields[schema.keyFields[0]].type == .int
    }

    /// The word of a key.
    package static func word(_ key: RecordKey, schema: RecordSchema) -> UInt64 {
        if isInteger(schema), case .integer(let value)? = key.values.first { return UInt64(bitPattern: value) }
        return KeyHash.hash(key)
    }

    /// The word of a record's key.
    package static func word(_ record: Int, of batch: borrowing RecordBatch, schema: RecordSchema) -> UInt64 {
        if isInteger(schema) {
            return UInt64(bitPattern: batch.cells[record &* batch.fieldCount &+ schema.keyFields[0]].payload)
        }
        return batch.keyHashes[record]
    }
}

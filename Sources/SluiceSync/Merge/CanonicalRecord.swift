internal import SluiceMerge

/// The values of records in the canonical form of their types: what base, local and remote are compared by.
struct CanonicalRecord {
    let schema: RecordSchema
    private let canonical = CanonicalValue()

    init(schema: RecordSchema) { self.schema = schema }

    /// The base's sides.
    func sides(of entries: [BaseEntry]) -> [FieldSide] { digests(of: entries).map(FieldSide.init(digest:)) }

    /// The local sides.
    func sides(of values: [FieldValue]) -> [FieldSide] {
        zip(values, schema.fields).map { FieldSide(digest: canonical.digest(of: $0, type: $1.type)) }
    }

    /// The side of one value.
    func side(of value: FieldValue, field: Int) -> FieldSide {
        FieldSide(digest: canonical.digest(of: value, type: schema.fields[field].type))
    }

    /// The remote sides of a record of a batch.
    func sides(of record: Int, in batch: borrowing RecordBatch) -> [FieldSide] {
        var sides: [FieldSide] = []
        for field in schema.fields.indices {
            sides.append(FieldSide(digest: batch.digest(record: record, field: field)))
        }
        return sides
    }

    /// The hash of a base row with these entries.
    func rowHash(of entries: [BaseEntry]) -> UInt64 { schema.rowHash(digests: digests(of: entries)) }

    /// The entry for a value.
    func entry(_ value: FieldValue, field: Int) -> BaseEntry {
        BaseEntry(value: value, digest: canonical.digest(of: value, type: schema.fields[field].type))
    }

    /// Entries that take a record's values, of all fields or of some, where its keys are not absent.
    func entries(
        _ record: Int, of batch: borrowing RecordBatch, over old: [BaseEntry], only fields: [Int]? = nil
    ) -> [BaseEntry] {
        var entries = old
        for field in fields ?? Array(schema.fields.indices) {
            guard let value = batch.value(record: record, field: field) else { continue }
            entries[field] = BaseEntry(value: value, digest: batch.digest(record: record, field: field))
        }
        return entries
    }

    /// A record as a JSON object of its mapped fields; what is nil is left out.
    func object(_ values: [FieldValue?]) -> String {
        let members = zip(schema.fields, values).compactMap { field, value in
            value.map { FieldJSON.quoted(field.name) + ":" + FieldJSON.text($0, type: field.type) }
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private func digests(of entries: [BaseEntry]) -> [UInt64] {
        zip(entries, schema.fields).map { entry, field in
            switch entry {
            case .none: 0
            case .null: FieldDigest.null
            case .digest(let digest): digest
            case .value(let value): canonical.digest(of: value, type: field.type)
            }
        }
    }
}

package import SluiceMerge
package import SluiceModel
package import SluiceStore

/// The values of records in the canonical form of their types: what base, local and remote are compared by.
package struct CanonicalRecord {
    package let schema: RecordSchema
    let canonical = CanonicalValue()
    private let inner = InnerMerge()

    /// What a source meant by a value, in no type, that it said of a field before that had its type; nil where that is not known.
    package typealias Meaning = (_ said: FieldValue, _ field: Int) -> FieldValue?
    /// What the source of the records meant by what it said before.
    package let meaning: Meaning

    package init(schema: RecordSchema, meaning: @escaping Meaning = { _, _ in nil }) {
        (self.schema, self.meaning) = (schema, meaning)
    }

    /// The base's sides.
    package func sides(of entries: [BaseEntry]) -> [FieldSide] { digests(of: entries).map(FieldSide.init(digest:)) }

    /// The local sides.
    package func sides(of values: [FieldValue]) -> [FieldSide] {
        fields(values.count).map { FieldSide(digest: digest(of: values[$0], field: $0)) }
    }

    /// The side of one value.
    package func side(of value: FieldValue, field: Int) -> FieldSide {
        FieldSide(digest: digest(of: value, field: field))
    }

    /// The remote sides of a record of a batch.
    package func sides(of record: Int, in batch: borrowing RecordBatch) -> [FieldSide] {
        var sides: [FieldSide] = []
        for field in schema.fields.indices {
            sides.append(FieldSide(digest: batch.digest(record: record, field: field)))
        }
        return sides
    }

    /// The hash of a base row with these entries.
    package func rowHash(of entries: [BaseEntry]) -> UInt64 { schema.rowHash(digests: digests(of: entries)) }

    /// The hash of a base row that stands for these values.
    package func rowHash(of values: [FieldValue]) -> UInt64 {
        schema.rowHash(digests: fields(values.count).map { digest(of: values[$0], field: $0) })
    }

    /// The entry for a value.
    package func entry(_ value: FieldValue, field: Int) -> BaseEntry {
        BaseEntry(value: value, digest: digest(of: value, field: field), keeping: schema.fields[field].baseKeeping)
    }

    /// Why the value that an entry stands for is not known; nil where it is.
    package func absence(of entry: BaseEntry?, field: Int) -> BaseAbsence? {
        (entry ?? .none).absence(
            schema.fields[field].baseKeeping, hadDigests: schema.fields[field].hadDigests)
    }

    /// Whether two values of a field are the same.
    package func same(_ left: FieldValue, _ right: FieldValue, field: Int) -> Bool {
        left == right || digest(of: left, field: field) == digest(of: right, field: field)
    }

    /// Entries that take a record's values, of all fields or of some, where its keys are not absent.
    package func entries(
        _ record: Int, of batch: borrowing RecordBatch, over old: [BaseEntry], only fields: [Int]? = nil
    ) -> [BaseEntry] {
        var entries = old
        for field in fields ?? Array(schema.fields.indices) {
            guard let value = batch.value(record: record, field: field) else { continue }
            entries[field] = BaseEntry(
                value: value, digest: batch.digest(record: record, field: field),
                keeping: schema.fields[field].baseKeeping)
        }
        return entries
    }

    /// Entries that take what a source listed last, where that still waits in open conflicts.
    package func entries(listedIn awaited: [AwaitedRemote], over old: [BaseEntry]) -> [BaseEntry] {
        var entries = old
        for remote in awaited {
            for (field, value) in remote.values {
                entries[field] = entry(schema.stored(value, field: field), field: field)
            }
        }
        return entries
    }

    /// What the store holds after both sides changed a value within, nil where somebody must decide.
    package func merged(_ field: Int, base: BaseEntry, local: FieldValue, remote: FieldValue?) -> FieldDecision.Result?
    {
        inner.result(
            schema.fields[field].comparison, base: base, local: local, remote: remote,
            addsOnly: schema.fields[field].addsOnly)
    }

    /// Entries in which a value stands for a digest wherever a side still has the value that it was taken of.
    ///
    /// Where a pipeline changes how a field compares, the digests of before say nothing any more by themselves. But a
    /// side whose digest of the old kind is the same is what the source said then. Where both sides are, and yet
    /// differ, nobody knows which of them changed.
    package func recognised(_ entries: [BaseEntry], local: [FieldValue]?, remote: (Int) -> FieldValue?) -> [BaseEntry] {
        var entries = entries
        for index in schema.fields.indices {
            guard case .digest(let known) = entries[index] else { continue }
            let field = schema.fields[index]
            let values = [local?[index], remote(index)].compactMap { $0 }
            if let value = values.first(where: { digest(of: $0, field: index) == known }) {
                entries[index] = BaseEntry(value: value, digest: known, keeping: field.baseKeeping)
                continue
            }
            let former = values.filter { oldDigests(of: $0, field).contains(known) }
            if let value = former.first, former.allSatisfy({ same(value, $0, field: index) }) {
                entries[index] = entry(value, field: index)
            }
        }
        return entries
    }

    /// Whether a row has nothing but its key, as one that is made for others that refer to it. What was a part of its key
    /// before is as the base has it.
    ///
    /// - Parameters:
    ///   - row: One value for each field.
    ///   - entries: The base.
    /// - Returns: Whether all else is null.
    package func isBare(_ row: [FieldValue], over entries: [BaseEntry]) -> Bool {
        guard let held = schema.formerKeyFields(ofBare: row) else { return false }
        if held.isEmpty { return true }
        let said = sides(of: entries)
        return held.allSatisfy { said[$0] == side(of: row[$0], field: $0) }
    }

    /// Whether a row stands for a record to come, made since others refer to it: it has nothing but its key, and its source does not
    /// have the record, nor is it known to have said more of it. A run that makes such a row has bases forget what they said, so
    /// that a row which people emptied is told from it; the base of a record of which another source says that it is deleted keeps
    /// that, since it tells what is new. A record that its source gave with its key alone has the row that this made, and stands
    /// for itself.
    ///
    /// - Parameters:
    ///   - row: One value for each field.
    ///   - base: What its source said; nil where it never did.
    /// - Returns: Whether it does.
    package func standsForRecord(_ row: [FieldValue], of base: BaseRow?) -> Bool {
        guard let base else { return isBare(row, over: Array(repeating: .none, count: schema.fields.count)) }
        if base.state.isLive { return false }
        return (base.state == .overruled || saysNothing(base.entries)) && isBare(row, over: base.entries)
    }

    /// Whether a base says no more of a record than its key, and what was a part of that before.
    private func saysNothing(_ entries: [BaseEntry]) -> Bool {
        schema.fields.indices.allSatisfy {
            entries[$0] == .none || schema.fields[$0].wasIdentifier || schema.keyFields.contains($0)
        }
    }

    /// What of a base holds for a row that has nothing but its key: the parts of the key that it had before.
    package func entries(ofBare entries: [BaseEntry]) -> [BaseEntry] {
        schema.fields.indices.map { schema.fields[$0].wasIdentifier ? entries[$0] : .none }
    }

    /// The row that entries stand for; nil where they do not hold every value. What was said before a field had its type is
    /// null in the row.
    package func row(of entries: [BaseEntry]) -> [FieldValue]? {
        var values: [FieldValue] = []
        for (field, entry) in entries.enumerated() {
            switch entry {
            case .none, .null: values.append(.null)
            case .value(let value):
                let isHeld = schema.fields[field].canHold(value)
                values.append(isHeld ? schema.stored(value, field: field) : .null)
            case .digest: return nil
            }
        }
        return values
    }

    /// Whether two bases say the same of a record. Their hashes, which a change of the schema voids, say nothing, nor does
    /// it matter how much of a value is kept, nor how many scans missed the record.
    package func saysTheSame(_ base: BaseRow, _ other: BaseRow) -> Bool {
        base.state == other.state && base.isOpen == other.isOpen && sides(of: base.entries) == sides(of: other.entries)
    }

    /// The digests that a value had if its field were compared in another way.
    private func oldDigests(of value: FieldValue, _ field: RecordSchema.Field) -> [UInt64] {
        FieldComparison.allCases.filter { $0 != field.comparison }.map {
            canonical.digest(of: value, type: field.type, comparison: $0)
        }
    }

    /// A value as JSON, as it may be kept and told.
    package func text(_ value: FieldValue, field: Int) -> String {
        FieldJSON.text(schema.shown(value, field: field), type: schema.fields[field].type)
    }

    /// A change as it may be told: redacted fields may hold what a person wrote, or what a source gave before.
    package func shown(_ change: RecordChange) -> RecordChange {
        var change = change
        for (position, part) in change.fields.enumerated() {
            if schema.fields[part.index].redaction == nil { continue }
            change.fields[position].base = part.base.map { schema.shown($0, field: part.index) }
            change.fields[position].local = part.local.map { schema.shown($0, field: part.index) }
            change.fields[position].remote = part.remote.map { schema.shown($0, field: part.index) }
            change.fields[position].result = part.result.map { schema.shown($0, field: part.index) }
        }
        return change
    }

    /// A record as a JSON object of its mapped fields; what is nil is left out.
    ///
    /// - Parameters:
    ///   - values: Its values, field by field.
    ///   - within: What people did below the record, see ``EditsWithin/mark``; nil for nothing.
    /// - Returns: The object's text.
    package func object(_ values: [FieldValue?], within: String? = nil) -> String {
        var members = zip(schema.fields.indices, values).compactMap { index, value in
            value.map { FieldJSON.quoted(schema.fields[index].name) + ":" + text($0, field: index) }
        }
        if let within { members.append(FieldJSON.quoted(RecordSchema.withinName) + ":" + FieldJSON.quoted(within)) }
        return "{" + members.joined(separator: ",") + "}"
    }

    private func digests(of entries: [BaseEntry]) -> [UInt64] {
        fields(entries.count).map { field in
            switch entries[field] {
            case .none: 0
            case .null: FieldDigest.null
            case .digest(let digest): digest
            case .value(let value): digest(of: value, field: field)
            }
        }
    }

    /// The positions of the first fields, as many as there are.
    private func fields(_ count: Int) -> Range<Int> { 0..<min(count, schema.fields.count) }

    /// The digest of a value. The field is named by its position: a copy of its description costs more than the digest.
    func digest(of value: FieldValue, field: Int) -> UInt64 {
        canonical.digest(of: value, type: schema.fields[field].type, comparison: schema.fields[field].comparison)
    }
}

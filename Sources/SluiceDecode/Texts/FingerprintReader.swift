package import SluiceJSON
internal import SluiceModel

/// Reads the keys of records and leaves their other fields alone.
///
/// A key is taken from where it stands first, and what comes behind it is not even parsed. So it need not be the record's,
/// where that has two members of one name; but then its text was never noted under that key, and the record is decoded as
/// one that is not known.
///
/// Shared, so that no record counts references to what is in it.
package final class FingerprintReader {
    private let keys: [Key]
    /// The number of parts that stand within records.
    let partCount: Int
    private let parser = JSONParser()
    /// The cells and digests of a record of which nothing is known: arrays, which are copied at once.
    private let absent: [Cell]
    private let nothing: [UInt64]

    /// Nil where it takes more than a look at the key to tell what record it is.
    package init?(plan: DecodePlan) {
        guard plan.textSeed != nil, let paths = plan.keyPaths else { return nil }
        partCount = plan.parts?.parts.count ?? 0
        absent = Array(repeating: Cell(kind: .absent), count: plan.fields.count)
        nothing = Array(repeating: 0, count: plan.fields.count)
        keys = zip(plan.keyFields, paths).map { Key(field: $0, path: $1, plan.fields[$0].converter) }
    }

    /// A field of the key; shared, so that it is not copied for each record.
    private final class Key {
        let field: Int
        let path: JSONPath
        /// The names that the path consists of; nil where it has other steps.
        let names: [[UInt8]]?
        let converter: ValueConverter

        init(field: Int, path: JSONPath, _ converter: ValueConverter) {
            self.field = field
            self.path = path
            self.converter = converter
            var names: [[UInt8]] = []
            for case .name(let name) in path.steps { names.append(Array(name.utf8)) }
            self.names = path.isPlain && !names.isEmpty && names.count == path.steps.count ? names : nil
        }
    }

    /// What became of a record.
    package enum Outcome {
        /// Its key could not be read, and nothing was appended.
        case unread
        case taken
        /// It was taken, and the batch is to be handed over.
        case full
    }

    /// Appends a record to a batch.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - fingerprinted: The batch, which is there.
    ///   - marks: Compares its text, if the marks are there.
    /// - Returns: What became of it.
    package func accept(
        _ record: RawRecord, into fingerprinted: inout FingerprintBatch?, comparing marks: inout TextsInOrder
    ) -> Outcome {
        guard let isFull = fingerprinted?.append(record, by: self, &marks) else { return .unread }
        return isFull ? .full : .taken
    }

    /// The key of a record that was appended; nil where it is not one integer.
    func integerKey(of record: Int, in records: borrowing RecordBatch) -> Int64? {
        if keys.count != 1 { return nil }
        let cell = records.cells[record &* records.fieldCount &+ keys[0].field]
        return cell.kind == .integer ? cell.payload : nil
    }

    /// Appends the key of a record to records.
    ///
    /// - Returns: The hash of the key; nil where it could not be read, and nothing was appended.
    fileprivate func appendKey(of record: RawRecord, to records: inout RecordBatch) -> UInt64? {
        let first = records.cells.count
        let byte = records.bytes.count
        records.cells.append(contentsOf: absent)
        records.digests.append(contentsOf: nothing)
        var hash: UInt64 = 0
        for key in keys {
            guard let (cell, digest) = converted(key, in: record, into: &records.bytes) else {
                records.removeRecord(fromCell: first, byte: byte)
                return nil
            }
            records.cells[first + key.field] = cell
            records.digests[first + key.field] = digest
            hash = KeyHash.combine(hash, digest)
        }
        return hash
    }

    /// A field of the key and its digest; nil where it could not be read.
    private func converted(_ key: Key, in record: RawRecord, into bytes: inout [UInt8]) -> (Cell, UInt64)? {
        if let names = key.names, let text = unsafe record.peek(names) {
            if let found = unsafe key.converter.convert(plainInteger: text) { return found }
            if let value = try? unsafe parser.parse(text) {
                return value.isNull ? nil : try? key.converter.convert(value, into: &bytes)
            }
        }
        guard let root = try? unsafe parser.parse(record.bytes), root.kind == .object,
            let value = key.path.first(in: root), !value.isNull
        else { return nil }
        return try? key.converter.convert(value, into: &bytes)
    }
}

extension FingerprintBatch {
    /// Appends a record.
    ///
    /// - Returns: Whether it is time to hand the batch over; nil where the record's key could not be read.
    fileprivate mutating func append(
        _ record: RawRecord, by reader: FingerprintReader, _ marks: inout TextsInOrder
    ) -> Bool? {
        guard let seed = page.textSeed, let hash = reader.appendKey(of: record, to: &records) else { return nil }
        records.close(
            rowHash: 0, keyHash: hash,
            origin: RecordOrigin(page: page.number, ordinal: page.firstOrdinal + record.ordinal))
        append(textOf: record, hash: unsafe KeyHash.combine(seed, FieldDigest.text(record.bytes)), by: reader, &marks)
        return isFull
    }
}

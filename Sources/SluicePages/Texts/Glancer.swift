internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel

/// Reads the keys of records and leaves their other fields alone.
///
/// Shared, so that no record counts references to what is in it.
final class Glancer {
    private let keys: [(field: Int, path: JSONPath)]
    private let plan: DecodePlan
    private let parser = JSONParser()

    /// Nil where it takes more than a look at the key to tell what record it is.
    init?(plan: DecodePlan) {
        guard plan.textSeed != nil, let paths = plan.keyPaths else { return nil }
        self.plan = plan
        keys = Array(zip(plan.keyFields, paths))
    }

    /// What became of a record.
    enum Outcome {
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
    ///   - glanced: The batch, which is there.
    /// - Returns: What became of it.
    func take(_ record: RawRecord, into glanced: inout GlancedBatch?) -> Outcome {
        guard let isLarge = glanced?.append(record, by: self) else { return .unread }
        return isLarge ? .full : .taken
    }

    /// Appends the key of a record to records.
    ///
    /// - Returns: The hash of the key; nil where it could not be read, and nothing was appended.
    fileprivate func appendKey(of record: RawRecord, to records: inout RecordBatch) -> UInt64? {
        guard let root = try? unsafe parser.parse(record.bytes), root.kind == .object else { return nil }
        let first = records.cells.count
        let byte = records.bytes.count
        records.cells.append(contentsOf: repeatElement(Cell(kind: .absent), count: records.fieldCount))
        records.digests.append(contentsOf: repeatElement(0, count: records.fieldCount))
        var hash: UInt64 = 0
        for (field, path) in keys {
            guard let value = path.first(in: root), !value.isNull,
                let (cell, digest) = try? plan.fields[field].converter.convert(value, into: &records.bytes)
            else {
                records.removeRecord(fromCell: first, byte: byte)
                return nil
            }
            records.cells[first + field] = cell
            records.digests[first + field] = digest
            hash = KeyHash.combine(hash, digest)
        }
        return hash
    }
}

extension GlancedBatch {
    /// Appends a record.
    ///
    /// - Returns: Whether it is time to hand the batch over; nil where the record's key could not be read.
    fileprivate mutating func append(_ record: RawRecord, by glancer: Glancer) -> Bool? {
        guard let seed = page.textSeed, let hash = glancer.appendKey(of: record, to: &records) else { return nil }
        records.close(
            rowHash: 0, keyHash: hash,
            origin: RecordOrigin(page: page.number, ordinal: page.firstOrdinal + record.ordinal))
        records.textMarks.append(hash: unsafe KeyHash.combine(seed, FieldDigest.text(record.bytes)))
        unsafe append(text: record.bytes)
        return isLarge
    }
}

package import SluiceDecode
package import SluiceJSON
internal import SluiceModel
internal import SluicePages

/// Tells the records of a list apart by their keys.
package final class ChildKeys {
    private var decoder: RecordDecoder
    private var batch: RecordBatch

    /// - Parameter plan: How the records are decoded.
    /// - Throws: ``SyncError`` where a program of the pipeline cannot be used.
    package init(_ plan: DecodePlan) throws {
        decoder = try RecordDecoder(plan: plan, entriesKey: nil)
        batch = RecordBatch(fieldCount: plan.fields.count)
    }

    /// The hash of a record's own key; nil where it cannot be taken, as decoding then says.
    package func hash(of element: JSONElement) -> UInt64? {
        defer { batch.removeRecords(from: 0, byte: 0) }
        let around = NestedDecoder.Around(record: .empty, page: RecordDecoder.Page())
        do throws(RecordDecoder.FieldFailure) {
            try decoder.append(element, at: NestedDecoder.Place(), around, to: &batch)
        } catch {
            return nil
        }
        return batch.keyHashes.first
    }
}

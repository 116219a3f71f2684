package import SluiceDecode
package import SluiceModel
package import SluiceReport

/// How far the partitions of an incremental stream were read in one run, and what of them could not be stored.
package struct PartitionTracker {
    package private(set) var trackers: [ExactText: CursorTracker] = [:]
    /// The partition of each page.
    private let keys: [ExactText]

    /// - Parameters:
    ///   - result: What became of the partitions.
    ///   - cursors: How far they were read before.
    ///   - pages: The pages of the stream.
    ///   - field: The position of the cursor's field.
    /// - Throws: ``SyncError`` where what the command line asks for cannot be.
    package init(_ result: PartitionResult, _ cursors: PartitionCursors, pages: [Page], field: Int) throws {
        keys = pages.map { $0.partition?.key ?? "" }
        let failed = Set(result.failures.map(\.partition))
        for partition in result.plan.asked where !failed.contains(partition) {
            trackers[partition.key] = CursorTracker(try cursors.reading(of: partition.key), field: field)
        }
    }

    /// What becomes of the records of each partition.
    package func filters(field: Int) -> [ExactText: CursorFilter] {
        trackers.mapValues { CursorFilter($0.reading, field: field) }
    }

    /// Notes the records of a batch.
    package mutating func observe(_ batch: borrowing RecordBatch) {
        for record in 0..<batch.count {
            let page = batch.origins[record].page
            if keys.indices.contains(page) { trackers[keys[page]]?.observe(record, of: batch) }
        }
    }

    /// Notes a record of a batch that was not read as a whole.
    package mutating func lose(_ record: Int, of batch: borrowing RecordBatch) {
        let page = batch.origins[record].page
        if keys.indices.contains(page) { trackers[keys[page]]?.lose(record, of: batch) }
    }

    /// Notes a record that could not be decoded.
    package mutating func lose(_ failure: DecodeFailure) {
        if keys.indices.contains(failure.page) { trackers[keys[failure.page]]?.lose(failure) }
    }

    /// Notes records that were decoded and could not be written; of which partition they are is not known.
    package mutating func lose(decoded count: Int) {
        for key in trackers.keys { trackers[key]?.lose(decoded: count) }
    }
}

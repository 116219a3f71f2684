package import SluiceDecode
package import SluiceModel

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

    /// Records a record of a batch that was not read as a whole.
    package mutating func recordIncomplete(_ record: Int, of batch: borrowing RecordBatch) {
        let page = batch.origins[record].page
        if keys.indices.contains(page) { trackers[keys[page]]?.recordIncomplete(record, of: batch) }
    }

    /// Notes a record that is not stored.
    ///
    /// - Parameters:
    ///   - record: The record as it was read.
    ///   - page: The position of its page, from 0.
    package mutating func reject(_ record: [UInt8], onPage page: Int) {
        if keys.indices.contains(page) { trackers[keys[page]]?.reject(record) }
    }
}

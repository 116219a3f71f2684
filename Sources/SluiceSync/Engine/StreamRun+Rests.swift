internal import SluiceMerge

/// Records whose lists were not read to their ends.
extension StreamRun {
    /// Whether all lists within the records were read to their ends, none of them by counting.
    var hasWholeLists: Bool { pages.pages.allSatisfy { $0.lists == nil } && part?.state.hasCutLists != true }

    /// Keeps the cursor from passing records whose rests could not be read, so that the next run asks for them again.
    mutating func loseUnread(_ batch: borrowing RecordBatch) {
        if pages.rests.isEmpty || cursor == nil && partitionWatch == nil { return }
        for record in 0..<batch.count {
            let origin = batch.origins[record]
            guard pages.pages.indices.contains(origin.page),
                pages.pages[origin.page].lists?.failed.contains(origin.ordinal) == true
            else { continue }
            cursor?.lose(record, of: batch)
            partitionWatch?.lose(record, of: batch)
        }
    }
}

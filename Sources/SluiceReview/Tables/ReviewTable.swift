internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceStore

/// A table whose records are changed from the store alone, with what comparing and writing them takes.
final class ReviewTable {
    let canonical: CanonicalRecord
    /// The other sources of the table.
    let otherSources: OtherSourceLedger
    /// The rows of the records' children.
    let children: [ChildRows]
    /// Carries plans for its records out.
    var writer: PlanWriter
    var records: any RecordTable { writer.table }
    var schema: RecordSchema { canonical.schema }

    /// - Parameters:
    ///   - records: The table.
    ///   - store: The store that it is in.
    ///   - children: The rows of the records' children, as far as they go and come with the records.
    ///   - run: The number of the run that changes it, nil in a plan.
    /// - Throws: `StoreError`.
    init(_ records: any RecordTable, in store: any RecordStore, children: [ChildRows] = [], run: Int64?) throws {
        canonical = CanonicalRecord(schema: records.schema)
        otherSources = try OtherSourceLedger(of: records.schema, in: store)
        self.children = children
        writer = PlanWriter(
            records, in: store, canonical: canonical, otherSources: otherSources, children: children, run: run)
    }
}

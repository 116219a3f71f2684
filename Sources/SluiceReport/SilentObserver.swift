package import SluiceMerge
package import SluiceModel
package import SluiceStore

/// Observes a run and does nothing: for checks that report in another way.
package final class SilentObserver: RunObserver {
    /// Makes an observer.
    package init() {}

    package var wantsChanges: Bool { false }
    package func listens(to schema: RecordSchema) -> Bool { false }
    package func changed(_ change: RecordChange, schema: RecordSchema) {}
    package func skippedChange(of schema: RecordSchema) {}
    package func conflict(_ entry: ConflictEntry) {}
    package func quarantined(_ entry: QuarantineEntry) {}
    package func restart() {}
    package func progress(_ progress: RunProgress) {}
}

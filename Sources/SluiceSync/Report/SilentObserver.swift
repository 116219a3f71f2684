internal import SluiceMerge
internal import SluiceStore

/// Observes a run and does nothing: for checks that report in another way.
final class SilentObserver: RunObserver {
    var wantsChanges: Bool { false }
    func listens(to schema: RecordSchema) -> Bool { false }
    func changed(_ change: RecordChange, schema: RecordSchema) {}
    func skippedChange(of schema: RecordSchema) {}
    func conflict(_ entry: ConflictEntry) {}
    func quarantined(_ entry: QuarantineEntry) {}
    func restart() {}
    func progress(_ progress: RunProgress) {}
}

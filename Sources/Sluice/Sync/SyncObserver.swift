internal import SluiceMerge
internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// Keeps what could not be taken of a sync.
final class SyncObserver: RunObserver {
    private(set) var entries: [QuarantineEntry] = []

    var wantsChanges: Bool { false }
    func listens(to schema: RecordSchema) -> Bool { false }
    func changed(_ change: RecordChange, schema: RecordSchema) {}
    func skippedChange(of schema: RecordSchema) {}
    func conflict(_ entry: ConflictEntry) {}
    func quarantined(_ entry: QuarantineEntry) { entries.append(entry) }
    func restart() { entries = [] }
    func progress(_ progress: RunProgress) {}
}

internal import SluiceMerge
internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// Holds back which records a table refused until all streams are merged: what a later one writes may allow them. So it does with
/// conflicts, where streams fill a table together.
final class LateNotices: RunObserver {
    /// The reasons of which another stream may dispose.
    private static let reasons = Set([Mismatch.Reason.constraint, .uniqueCollision].map(\.rawValue))
    /// How many are held at most; more are told at once.
    private static let most = 10_000

    private let observer: any RunObserver
    private let conflicts: LateConflicts?
    private var held: [QuarantineEntry] = []

    init(_ observer: any RunObserver, sharesTables: Bool) {
        let conflicts = sharesTables ? LateConflicts(observer) : nil
        self.conflicts = conflicts
        if let conflicts { self.observer = conflicts } else { self.observer = observer }
    }

    func opened(_ schema: RecordSchema, isNew: Bool) { observer.opened(schema, isNew: isNew) }

    func listens(to schema: RecordSchema) -> Bool { observer.listens(to: schema) }

    var wantsChanges: Bool { observer.wantsChanges }

    func wants(_ key: @autoclosure () -> RecordKey, of schema: RecordSchema) -> Bool {
        observer.wants(key(), of: schema)
    }

    func changed(_ change: RecordChange, schema: RecordSchema) { observer.changed(change, schema: schema) }

    func skippedChange(of schema: RecordSchema) { observer.skippedChange(of: schema) }

    func kept(_ change: @autoclosure () -> RecordChange, schema: RecordSchema) {
        observer.kept(change(), schema: schema)
    }

    func conflict(_ entry: ConflictEntry) { observer.conflict(entry) }

    func quarantined(_ entry: QuarantineEntry) {
        if Self.reasons.contains(entry.reason), entry.key != nil, held.count < Self.most {
            held.append(entry)
        } else {
            observer.quarantined(entry)
        }
    }

    func restart() {
        held = []
        observer.restart()
    }

    func progress(_ progress: RunProgress) { observer.progress(progress) }

    /// Tells what was held back, and of records that a table refused those that are in the quarantine still.
    ///
    /// - Parameter quarantine: The store's quarantine.
    /// - Throws: `StoreError`.
    func flush(_ quarantine: any QuarantineLedger) throws {
        conflicts?.flush()
        let groups = Dictionary(grouping: held.indices) { place in
            RecordMapping(pipeline: held[place].pipeline, stream: held[place].stream, entity: held[place].entity)
        }
        var open: Set<Int> = []
        for (mapping, places) in groups {
            let known = try quarantine.open(of: mapping, keys: places.compactMap { held[$0].key })
            open.formUnion(
                places.filter { place in
                    guard let key = held[place].key else { return false }
                    return known[ExactText(key)]?.contains { $0.reason == held[place].reason } ?? false
                })
        }
        for place in open.sorted() { observer.quarantined(held[place]) }
        held = []
    }
}

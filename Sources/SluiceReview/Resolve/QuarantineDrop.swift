internal import SluiceModel
internal import SluiceReport
package import SluiceStore
internal import SluiceSystem

/// Gives records in quarantine up as a person decides, from the store alone.
package struct QuarantineDrop {
    private let store: any RecordStore

    /// Makes it; the store's transaction is the caller's.
    package init(store: any RecordStore) { self.store = store }

    /// Closes entries, as one run for each pipeline, which keeps who did it and when and can be taken back.
    ///
    /// - Parameters:
    ///   - entries: Open entries.
    ///   - who: Who gave them up.
    /// - Returns: The entries as they are kept then, in their order.
    /// - Throws: `StoreError`.
    package func carryOut(_ entries: [QuarantineEntry], who: String?) throws -> [QuarantineEntry] {
        var dropped = entries
        for pipeline in Set(entries.map(\.pipeline)).sorted() {
            var run = RunEntry(
                id: try store.runs.nextID(), pipeline: pipeline, command: RunEntry.dropCommand, status: "succeeded",
                startedAt: WallClock.now())
            store.startRecording(run: run.id, naming: FieldJSON.object)
            for index in entries.indices where entries[index].pipeline == pipeline {
                guard let id = entries[index].id else { continue }
                try store.quarantine.drop(id: id, run: run.id)
                (dropped[index].status, dropped[index].lastRun) = (.dropped, run.id)
            }
            (run.finishedAt, run.who, run.changes) = (WallClock.now(), who, .kept)
            try store.runs.record(run)
        }
        return dropped
    }
}

internal import SluicePipeline
internal import SluiceReconcile
package import SluiceReport
internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem

/// A run over records in quarantine takes them from the store, and all else goes its usual way.
extension SyncEngine {
    /// There is no quarantine where there is no store, and none is made for it.
    func requireStore() throws {
        let backend = options.store.backend
        if backend.exists { return }
        throw SyncError(
            .storeFailed,
            "The store `\(options.address)` does not exist. \(backend.traits.remedyWhereMissing)")
    }

    /// The open entries that are meant, by stream; what is meant and cannot be tried stands in the report.
    func keptRecords(
        _ selection: QuarantineSelection, _ store: any RecordStore
    ) throws -> (entries: [String: [Int64]], report: RetryReport) {
        var kept = try store.quarantine.open(selection, pipeline: pipeline.name)
        var retry = RetryReport()
        if let ids = selection.ids {
            let open = Set(kept.values.joined())
            retry.known = open
            for id in ids.subtracting(open).sorted() {
                guard let entry = try store.quarantine.entry(id: id), entry.pipeline == pipeline.name else { continue }
                retry.known.insert(id)
                retry.refuse([id], entry.ending ?? "it is of another pipeline.")
            }
        }
        let known = Set(pipeline.streams.map(\.name))
        for (stream, ids) in kept.sorted(by: { $0.key < $1.key }) where !known.contains(stream) {
            retry.refuse(ids, "its stream `\(stream)` is no longer in the pipeline.")
            kept[stream] = nil
        }
        let meant = Set(streams.map(\.name))
        for (stream, ids) in kept where !meant.contains(stream) {
            if selection.ids != nil { retry.refuse(ids, "it is of the stream `\(stream)`.") }
            kept[stream] = nil
        }
        return (kept, retry)
    }
}

extension RetryReport {
    /// Notes what cannot be tried.
    package mutating func refuse(_ ids: [Int64], _ reason: String) {
        refused += ids.map { Refusal(id: $0, reason: reason) }
    }

    /// Adds what became of one stream's records.
    package mutating func add(_ records: RetriedRecords, _ report: StreamReport) {
        refused += records.refused
        stayed += report.quarantined
        left += records.accepted.count - report.quarantined
    }
}

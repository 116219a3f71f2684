internal import SluicePipeline
internal import SluiceReport
internal import SluiceStore
internal import SluiceSystem

extension Store {
    /// Tries the records of a model once more that wait because they did not fit: the model takes more now, or a check is
    /// another one.
    ///
    /// What a typed stage kept aside is not tried: it is for the stage to say whether it fits.
    ///
    /// - Parameter model: The model.
    /// - Returns: What became of them; it is a run for each source that they came from.
    /// - Throws: ``SluiceError``, `CancellationError`; of the source that it is about nothing is written then.
    @discardableResult
    public func retryQuarantine<M: PersistentModel>(_ model: M.Type) async throws -> RetryResult {
        let description = M.model.description
        try check(description)
        let all = try await look { store in
            try store.quarantine.list(includingClosed: false).filter { description.isEntity($0.entity) }
        }
        let tried = all.filter(\.mayFit)
        var (runs, taken, stayed, left): ([Int], Int, Int, Int) = ([], 0, 0, all.count - tried.count)
        let sources = Dictionary(grouping: tried) { Source(pipeline: $0.pipeline, stream: $0.stream) }
        for (name, entries) in sources.sorted(by: { $0.key.words < $1.key.words }) {
            let source = try ModelSource(
                model, from: name, SyncOptions(source: name), precedence: precedence)
            var feed = RecordFeed(pages: entries.map(\.record))
            feed.retried = RetriedEntries(entries: entries)
            let outcome = try await interruptibly(telling: true) { [writer, feed] point in
                try await writer.sync(
                    feed, source, isPlan: false, refusesMismatches: false, SyncPart(), isHeld: false,
                    point)
            }
            if let run = outcome.report.run { runs.append(Int(run)) }
            taken += outcome.report.retry?.left ?? 0
            stayed += outcome.report.retry?.stayed ?? 0
            left += outcome.report.retry?.refused.count ?? 0
        }
        return RetryResult(runs: runs, taken: taken, stayed: stayed, left: left)
    }
}

extension QuarantineEntry {
    /// Whether another look at the record may find that it fits: it is JSON, and no typed stage refused the whole of it.
    fileprivate var mayFit: Bool {
        let isOfStage = reason == Mismatch.Reason.notAllowed.rawValue && pointer.isEmpty
        return !isOfStage && changedField == nil && reason != Mismatch.Reason.invalidJSON.rawValue
    }
}

extension Source {
    /// Pipeline and stream, by which sources are put in order.
    fileprivate var words: String { "\(pipeline)/\(stream ?? "")" }
}

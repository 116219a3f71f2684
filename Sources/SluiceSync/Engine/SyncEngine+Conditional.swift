package import SluiceDecode
internal import SluiceHTTP
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
package import SluiceSQLiteStore
internal import SluiceStore

/// Whether pages changed since the last run, as their source says.
extension SyncEngine {
    /// What streams may ask with, by their names: what the last run kept under the same definition.
    ///
    /// - Parameter store: The store as it is, nil where there is none.
    /// - Returns: The validators of streams whose pages need not be read again where they did not change.
    /// - Throws: `StoreError`.
    package func validators(in store: SQLiteRecordStore?) throws -> [String: PageValidators] {
        guard let store, !options.isFull, options.retry == nil, pipeline.source.conditional != .none else { return [:] }
        var kept: [String: PageValidators] = [:]
        for stream in streams where mayBeConditional(stream) {
            guard
                let validators = try store.state.value(.validators, pipeline: pipeline.name, stream: stream.name),
                validators.fingerprint == pipeline.fingerprint,
                let table = pipeline.entity(named: stream.entity)?.table, try store.sources(of: table).count == 1
            else { continue }
            kept[stream.name] = validators
        }
        return kept
    }

    /// Whether unchanged pages mean that there is nothing to do: where the source owns values, edits are put back by
    /// reading its records again.
    private func mayBeConditional(_ stream: StreamDefinition) -> Bool {
        guard stream.method == .get, stream.body == nil, stream.writeMode != .replace, !stream.asksForChanges,
            !stream.isPartitioned, stream.listsWithMore.isEmpty
        else { return false }
        return entities(filledBy: stream).allSatisfy { $0.fields.allSatisfy { $0.owner != .remote } }
    }

    /// The stream's entity and those of what stands within its records.
    private func entities(filledBy stream: StreamDefinition) -> [EntityDefinition] {
        let names = PartTree.entities(of: stream, in: pipeline).union([stream.entity])
        return pipeline.entities.filter { names.contains($0.name) }
    }

    /// Keeps what the pages of a stream said of their version, where all that they hold is settled.
    ///
    /// - Parameters:
    ///   - pages: The pages.
    ///   - stream: Their stream.
    ///   - outcome: What became of their records.
    ///   - store: Where it is kept.
    /// - Throws: `StoreError`.
    func keepValidators(
        of pages: FetchedPages, _ stream: StreamDefinition, _ outcome: StreamRun.Outcome, in store: any RecordStore
    ) throws {
        if pages.isNotModified { return }
        let summaries = [outcome.report.summary] + outcome.report.parts.map(\.summary)
        let isSettled =
            pages.coverage.proof == .whole && outcome.refusedDeletes == nil && outcome.foresight == nil
            && outcome.report.missing == 0
            && summaries.allSatisfy { $0.quarantined == 0 && $0.conflict == 0 } && mayBeConditional(stream)
        var next: PageValidators?
        if isSettled, let kept = pages.validators, !kept.isEmpty, !kept.contains(where: { holdsSecret($0.url) }) {
            next = PageValidators(fingerprint: pipeline.fingerprint, pages: kept)
        }
        try store.state.set(.validators, to: next, pipeline: pipeline.name, stream: stream.name)
    }

    private func holdsSecret(_ url: String) -> Bool { secrets.contains { url.contains($0) } }
}

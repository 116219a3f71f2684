package import SluiceDecode
internal import SluiceHTTP
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
package import SluiceStore

/// Whether pages changed since the last run, as their source says.
extension SyncEngine {
    /// What streams may ask with, by their names: what the last run kept under the same definition.
    ///
    /// - Parameter store: The store as it is, nil where there is none.
    /// - Returns: The validators of streams whose pages need not be read again where they did not change.
    /// - Throws: `StoreError`.
    package func validators(in store: (any RecordStore)?) throws -> [String: PageValidators] {
        guard let store, !options.isFull, options.retry == nil else { return [:] }
        var kept: [String: PageValidators] = [:]
        for stream in streams where has(.conditionalRequests, stream) {
            guard
                let validators = try store.state.value(.validators, pipeline: pipeline.name, stream: stream.name),
                validators.fingerprint == pipeline.fingerprint,
                let table = pipeline.entity(named: stream.entity)?.table, try store.sources(of: table).count == 1
            else { continue }
            kept[stream.name] = validators
        }
        return kept
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
            isProof(pages.coverage) && outcome.refusedDeletes == nil && outcome.needs == nil
            && outcome.report.missing == 0
            // A page that is not read tells of no records that share a key.
            && outcome.report.differingProblem(of: stream)?.severity != .warning
            && summaries.allSatisfy { $0.quarantined == 0 && $0.conflict == 0 } && has(.conditionalRequests, stream)
        var next: PageValidators?
        if isSettled, let kept = pages.validators, !kept.isEmpty, !kept.contains(where: { holdsSecret($0.url) }) {
            next = PageValidators(fingerprint: pipeline.fingerprint, pages: kept)
        }
        try store.state.set(.validators, to: next, pipeline: pipeline.name, stream: stream.name)
    }

    /// Whether pages that are all as they were have every record: one that slipped past would stand on one of them, as
    /// long as their versions tell what they hold, which is asked of the links of a source and not of mere numbers, see
    /// `FeatureCondition.isCounted`.
    private func isProof(_ coverage: Coverage) -> Bool {
        switch coverage.proof {
        case .whole, .counted: true
        case .scoped, .filtered, .partial: false
        }
    }

    private func holdsSecret(_ url: String) -> Bool { secrets.contains { url.contains($0) } }
}

internal import SluiceDecode
internal import SluiceFetch
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore

/// What the next run asks for changes with.
extension StreamRun {
    /// Keeps the token that the last page gave together with the records. Where something of them could not be stored the
    /// old one stays: what a token has passed the source does not tell again.
    ///
    /// - Parameters:
    ///   - refused: How many records could not be written.
    ///   - outcome: Is told why the token stays where it does.
    /// - Throws: `StoreError`.
    func keepToken(refused: Int, _ outcome: inout Outcome) throws {
        guard stream.syncToken != nil, retry == nil, part?.isEnd != false else { return }
        if let reason = tokenObstacle(lost: refused + outcome.report.quarantined) {
            let next = pages.coverage.isFiltered ? "reads the same changes again" : "reads everything"
            outcome.problems.append(
                RunProblem(
                    code: "token_held", severity: .warning,
                    message: "The new token of `\(stream.name)` is not stored, because \(reason). The next run \(next)."
                ))
            return
        }
        try context.store.state.set(
            .token, to: pages.token.map { KeptToken(fingerprint: stream.requestFingerprint, lead: $0.lead) },
            pipeline: plan.schema.pipeline, stream: stream.name)
    }

    private func tokenObstacle(lost: Int) -> String? {
        if pages.coverage.leavesPages { return "pages were not read" }
        if pages.rests.contains(where: { $0.failed > 0 }) { return "the rest of a list could not be read" }
        if lost > 0 { return "\(lost) \(lost == 1 ? "record" : "records") could not be written" }
        guard pages.token == nil, let rule = stream.syncToken else { return nil }
        return "the last page has no token at `\(rule.path.text)`"
    }
}

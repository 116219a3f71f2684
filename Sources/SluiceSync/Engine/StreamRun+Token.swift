internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceFetch
internal import SluiceJSON
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore

/// What the next run asks for changes with.
extension StreamRun {
    /// Keeps the token that the last page gave together with the records. Where something of them could not be stored the
    /// old one stays, or goes where everything was read: what a token has passed the source does not tell again.
    ///
    /// - Parameters:
    ///   - lost: How many records the scan met that could not be stored.
    ///   - outcome: Is told why the token stays where it does.
    /// - Throws: `StoreError`.
    func keepToken(lost: Int, _ outcome: inout Outcome) throws {
        guard stream.syncToken != nil, endsStream else { return }
        if let reason = tokenObstacle(lost: lost) {
            if !pages.coverage.isFiltered {
                try context.store.state.set(.token, to: nil, pipeline: plan.schema.pipeline, stream: stream.name)
            }
            let next = pages.coverage.isFiltered ? "reads the same changes again" : "reads everything"
            outcome.problems.append(
                RunProblem(
                    code: "token_held", severity: .warning,
                    message: "The new token of `\(stream.name)` is not stored\(reason) The next run \(next)."
                ))
            return
        }
        let (state, pipeline) = (context.store.state, plan.schema.pipeline)
        let old = try state.value(.token, pipeline: pipeline, stream: stream.name)
        try keepDefinition(&outcome, isOther: old.map { !stream.asks(by: $0.fingerprint) } ?? false)
        try reportGivenUpToken(&outcome)
        if options.isFull, old != nil, stream.missesDeletions {
            outcome.problems.append(.passedToken(of: stream))
        }
        try state.set(
            .token, to: pages.token.map { KeptToken(fingerprint: stream.requestFingerprint, lead: $0.lead) },
            pipeline: pipeline, stream: stream.name)
    }

    /// Says that everything was read since an undo gave the token up, where that was not said of something else already.
    private func reportGivenUpToken(_ outcome: inout Outcome) throws {
        let (state, pipeline) = (context.store.state, plan.schema.pipeline)
        guard let run = try state.value(.tokenGivenUp, pipeline: pipeline, stream: stream.name) else { return }
        try state.set(.tokenGivenUp, to: nil, pipeline: pipeline, stream: stream.name)
        let isTold = outcome.problems.contains { $0.code == RunProblem.definitionChangedCode }
        if !stream.missesDeletions || isTold { return }
        outcome.problems.append(.givenUpToken(of: stream, byUndoing: run))
    }

    /// Why the token is not kept, as the rest of a sentence that says so.
    private func tokenObstacle(lost: Int) -> String? {
        func because(_ reason: String) -> String { ", because \(reason)." }
        if pages.coverage.leavesPages { return because(pages.coverage.reason ?? "pages were not read") }
        if pages.continuedLists.contains(where: { $0.failed > 0 }) {
            return because("the rest of a list could not be read")
        }
        if lost > 0 { return because("\(Plural.of(lost, "record")) could not be written") }
        if let refusal = pages.tokenRefusal { return ": \(refusal)" }
        guard pages.token == nil, let rule = stream.syncToken else { return nil }
        return because("the last page has no token at `\(rule.path.text)`")
    }
}

extension RunProblem {
    fileprivate static let definitionChangedCode = "definition_changed"

    /// Said where rows stay because nothing tells any more that they were deleted.
    private static let deletedRowsStay =
        " Rows that the source deleted since the last run stay, since the stream has no `delete_missing`."

    /// Of a stream that is read from its beginning, since the pipeline asks for other records or for more of them.
    static func definitionChanged(of stream: StreamDefinition) -> RunProblem {
        let loses = stream.syncToken != nil && stream.missesDeletions
        return RunProblem(
            code: definitionChangedCode, severity: loses ? .warning : .note,
            message:
                "All of `\(stream.name)` was read, since its definition has changed since the last run: fields, `filter`, `path` or `params`, for example.\(loses ? deletedRowsStay : "")"
        )
    }

    /// Of a run with `--full` that passes a token by.
    static func passedToken(of stream: StreamDefinition) -> RunProblem {
        RunProblem(
            code: "token_passed", severity: .note,
            message: "All of `\(stream.name)` was read, instead of only what changed since its token.\(deletedRowsStay)"
        )
    }

    /// Of a stream that has no token any more, since the undoing of a run gave it up.
    fileprivate static func givenUpToken(of stream: StreamDefinition, byUndoing run: Int) -> RunProblem {
        RunProblem(
            code: "token_given_up", severity: .warning,
            message:
                "All of `\(stream.name)` was read, since the undoing of run \(run) gave its token up.\(deletedRowsStay)"
        )
    }
}

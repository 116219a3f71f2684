internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceSystem

/// What becomes of records whose key comes more than once.
extension StreamRun {
    /// Says which records stand, by the stream's rule; the pages are decoded once more where their order alone does
    /// not decide it, or where only the hashes of the keys are known.
    ///
    /// - Throws: ``SyncError`` where records differ and the rule is that this ends the run.
    func settle(_ index: DuplicateIndex) throws -> DuplicateIndex {
        if stream.onDuplicate == .last && !index.hasSuspects { return index }
        var survey = DuplicateSurvey(stream.onDuplicate, index: index, schema: plan.schema)
        let stage = try makeStage()
        stage.start()
        defer { stage.stop() }
        reading: while let output = stage.next() {
            try options.cancellation.check()
            switch output {
            case .batch(let batch, _): survey.observe(batch)
            case .failures, .leftOut, .fingerprinted: continue
            case .end: break reading
            case .error(let error): throw error
            }
        }
        try options.cancellation.check()
        if stream.onDuplicate == .fail, let dispute = survey.dispute { throw try failure(dispute) }
        return survey.settled()
    }

    private func failure(_ dispute: DuplicateSurvey.Dispute) throws -> SyncError {
        let (first, second) = dispute.ordinals
        let texts = try texts(at: [first, second])
        func place(_ ordinal: Int) -> String { texts[ordinal]?.place ?? "record \(ordinal + 1)" }
        let others = dispute.count - 1
        let more = others == 0 ? "" : " \(others) more \(Plural.word(others, "key has", "keys have")) such records."
        return SyncError(
            .duplicateKey,
            "Two records of `\(stream.name)` have the key \(FieldJSON.object(key: dispute.key, schema: plan.schema)) and differ: \(place(first)), and \(place(second)).\(more) `on_duplicate` is `fail`, which ends the run. Correct the source, or set `on_duplicate` to `last`, `first`, `newest` or `quarantine`."
        )
    }
}

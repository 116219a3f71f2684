internal import SluiceDecode
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore

/// Where a stream's records come from.
extension StreamRun {
    /// What reads and decodes the records, from the first one.
    ///
    /// - Parameters:
    ///   - pace: Where records may be known by their texts: whether to look at no more than their keys.
    ///   - marks: The marks of texts as they were, which are read beside the run; nil where these are not.
    /// - Returns: The stage, which has to be started.
    /// - Throws: ``SyncError`` where what a retried record needs cannot be made.
    func makeStage(_ pace: FingerprintPace? = nil, _ marks: TextsBeside? = nil) throws -> any RecordStage {
        guard let retry else { return makePageStage(pace, marks) }
        return RetryStage(
            try retry.makeDecoder(), ids: retry.accepted, ledger: context.store.quarantine, stream: stream.name)
    }

    private func makePageStage(_ pace: FingerprintPace? = nil, _ marks: TextsBeside? = nil) -> DecodeStage {
        var plan = plan
        // Who else fills the table asks what this source lists.
        if !context.otherSources.isEmpty { plan.keepsLeftOut = true }
        return DecodeStage(
            pages: pages.pages, stream: stream, maximumRecordBytes: maximumRecordBytes, plan: plan, tools: tools,
            cancellation: options.cancellation, pace: pace, marks: marks,
            size: options.store.backend.traits.isDistant ? .distant : .usual)
    }

    /// The text and place of some records, by their positions within the stream.
    ///
    /// - Throws: What reading a page or the quarantine throws.
    func texts(at ordinals: Set<Int>) throws -> [Int: RecordText] {
        guard let retry else { return try makePageStage().texts(at: ordinals) }
        var texts: [Int: RecordText] = [:]
        for ordinal in ordinals where retry.accepted.indices.contains(ordinal) {
            let id = retry.accepted[ordinal]
            guard let entry = try context.store.quarantine.entry(id: id) else { continue }
            // What is no JSON of the source stays as it is kept.
            texts[ordinal] = RecordText(
                bytes: entry.holdsValues ? [] : entry.record, page: "quarantine", number: Int(id), line: nil,
                pointer: nil, entry: id)
        }
        return texts
    }
}

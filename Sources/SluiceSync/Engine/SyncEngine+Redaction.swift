internal import SluiceDecode
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReconcile
package import SluiceReport
package import SluiceStore

/// What was stored before a field was redacted.
extension SyncEngine {
    /// Replaces clear values of fields that are redacted from now on, wherever the store keeps them.
    ///
    /// - Returns: What was done.
    /// - Throws: ``SyncError`` and `StoreError`.
    package func redactStored(in store: any RecordStore) throws -> [SchemaChange] {
        if schemas.allSatisfy({ $0.fields.allSatisfy { $0.redaction == nil } }) { return [] }
        var redactors: [String: RecordRedactor] = [:]
        for stream in pipeline.streams {
            guard let entity = pipeline.entity(named: stream.entity) else { continue }
            let parts = try NestedTree(pipeline: pipeline, stream: stream, entity: entity)
            redactors[stream.name] = RecordRedactor(entity.fields, below: parts?.redactedPaths ?? [])
        }
        return try store.redactStored(schemas, isSame: Sameness().holds) { record, entity, stream in
            let isOwn = pipeline.streams.contains { $0.name == stream && $0.entity == entity }
            // What is kept of records within others may be all of them.
            let kept = isOwn ? redactors[stream]?.record(record) : nil
            return RedactedQuarantine(
                record: kept ?? Array(RecordRedactor.hiddenJSON.utf8), value: RecordRedactor.hiddenJSON,
                message: "\(RecordRedactor.silence) \(RecordRedactor.note)")
        }
    }
}

extension StoreSession {
    /// Lets no unused page of the store hold what was replaced; nothing of the run is to be done after it but to close. Where nothing is redacted and the store does not answer, there
    /// is nothing to tell: the next run looks again.
    ///
    /// - Parameter isRedacted: Whether some field of the pipeline is redacted.
    /// - Returns: What people should know where that could not be done.
    package func clearUnusedPages(isRedacted: Bool) -> RunProblem? {
        do {
            stepAside()
            try store?.clearUnusedPages()
            return nil
        } catch {
            guard isRedacted else { return nil }
            return RunProblem(
                code: "unused_pages", severity: .warning,
                message:
                    "Unused pages of the store may still hold clear values of fields that are redacted now. \(error) The next run tries again."
            )
        }
    }
}

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

    /// Columns of which another pipeline of the store keeps something else. What is redacted is a column, so all that fill it
    /// must agree: what the store keeps of a source, only that source's next run redacts.
    ///
    /// Nothing is said of a pipeline of the same invocation that agrees by now.
    ///
    /// - Returns: A warning for each such column and pipeline.
    /// - Throws: `StoreError`.
    func redactionsOfOthers(in store: any RecordStore) throws -> [RunProblem] {
        let formers = Set(schemas.flatMap(\.formerSources))
        let others = try store.mappings(pipeline: nil, entity: nil).filter {
            $0.pipeline != pipeline.name && !formers.contains($0)
        }
        if others.isEmpty { return [] }
        var messages: [String] = []
        for schema in schemas {
            for source in try store.sources(of: schema.table) where others.contains(source) {
                let known = try store.knownTable(
                    pipeline: source.pipeline, stream: source.stream, entity: source.entity)?.schema
                for field in schema.fields where !field.isLink {
                    guard let place = known?.field(ofColumn: field.column), let theirs = known?.fields[place],
                        theirs.redaction != field.redaction,
                        !options.companions.redacts(
                            source.pipeline, field.column, of: schema.table, as: field.redaction)
                    else { continue }
                    let message = Self.redactionDiffers(field, of: schema.table, theirs, in: source.pipeline)
                    if !messages.contains(message) { messages.append(message) }
                }
            }
        }
        return messages.map { RunProblem(code: RunProblem.redactionDiffers, severity: .warning, message: $0) }
    }

    private static func redactionDiffers(
        _ field: RecordSchema.Field, of table: String, _ theirs: RecordSchema.Field, in other: String
    ) -> String {
        let fact =
            "The pipeline `\(other)` fills `\(field.column)` of `\(table)` too: the column \(theirs.redaction.words) there and \(field.redaction.words) here."
        let kept = "the last values of its source, its quarantine, its conflicts and its history hold clear values."
        return switch (field.redaction, theirs.redaction) {
        case (let own?, nil):
            "\(fact) Give the field `\(theirs.name)` of `\(other)` the same `redact: \(own.rawValue)`, and run `\(other)`: until then \(kept)"
        case (nil, let theirs?):
            "\(fact) Give the field `\(field.name)` here the same `redact: \(theirs.rawValue)`, and run this pipeline again: until then \(kept)"
        default: "\(fact) Give both fields the same `redact`, and run both pipelines."
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

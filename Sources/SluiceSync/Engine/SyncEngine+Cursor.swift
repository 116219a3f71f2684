package import SluiceDecode
package import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
package import SluiceStore
internal import SluiceStores
internal import SluiceSystem

/// How far streams were read, and what a run asks for therefore.
extension SyncEngine {
    /// What each incremental stream is asked for, by its name.
    ///
    /// - Parameters:
    ///   - store: The store as it is, nil where there is none.
    ///   - startedAt: When the run began, RFC 3339.
    /// - Returns: The readings; none for a run over the quarantine, which asks for nothing.
    /// - Throws: ``SyncError`` and `StoreError`.
    func cursorRanges(in store: (any RecordStore)?, startedAt: String) throws -> [String: CursorRange] {
        if options.retry != nil { return [:] }
        try checkBounds()
        // Partitions have cursors of their own.
        let incremental = streams.filter { $0.incremental != nil && !$0.isPartitioned }
        var readings: [String: CursorRange] = [:]
        for stream in incremental {
            readings[stream.name] = try cursorRange(
                of: stream, kept: keptCursor(of: stream, in: store), overrides: options.cursor, startedAt: startedAt)
        }
        return readings
    }

    /// Refuses bounds that a pipeline's streams cannot keep.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - options: The bounds, and which streams are meant.
    /// - Throws: ``SyncError``.
    package static func checkBounds(of pipeline: PipelineDefinition, options: SyncOptions) throws {
        try SyncEngine(pipeline: pipeline, options: options, observer: SilentObserver()).checkBounds()
    }

    package func checkBounds() throws {
        if options.cursor.from == nil && options.cursor.to == nil { return }
        let fields = streams.compactMap { stream in
            stream.incremental.flatMap { rule in
                pipeline.entity(named: stream.entity)?.fields.first { $0.name == rule.field }
            }
        }
        for field in fields { _ = try CursorRange.bounds(options.cursor, field) }
        if !fields.isEmpty { return }
        let need = "`--from` and `--to` need a stream with `incremental: {cursor_field: …}`"
        guard let asked = streams.first(where: { $0.syncToken != nil }) else {
            throw SyncError(.invalidPipeline, "\(need), and `\(pipeline.name)` has none.")
        }
        throw SyncError(
            .invalidPipeline,
            "\(need). `\(asked.name)` of `\(pipeline.name)` asks for changes by a token, which stands for no time; `--full` reads everything."
        )
    }

    /// How far an incremental stream was read, as its cursor's field is stored.
    func keptCursor(of stream: StreamDefinition, in store: (any RecordStore)?) throws -> String? {
        guard try isDefined(stream, as: store) else { return nil }
        return try stream.incremental.flatMap { try keptState(.cursor($0), of: stream, in: store) }
    }

    /// Whether the pipeline says the same of a stream's records as when it was kept how far it was read. If not, that
    /// holds for other records, or for less of them.
    func isDefined(_ stream: StreamDefinition, as store: (any RecordStore)?) throws -> Bool {
        let kept = try keptState(.definition, of: stream, in: store)
        guard let kept, let store, !stream.contentFingerprint.isEmpty else { return true }
        let streams = [stream.name, stream.renamedFrom].compactMap { $0 }
        return try stream.content.holds(kept) { entity in
            let names = [entity, pipeline.entity(named: entity)?.renamedFrom].compactMap { $0 }
            return try [pipeline.name, pipeline.renamedFrom].compactMap { $0 }.contains { pipeline in
                try streams.contains { stream in
                    try names.contains { try store.hasGiven($0, by: stream, of: pipeline) }
                }
            }
        }
    }

    /// What a store keeps of a stream under a key, those of the names that it and its pipeline had before among them.
    package func keptState<Value>(
        _ key: StateKey<Value>, of stream: StreamDefinition, in store: (any RecordStore)?
    ) throws -> Value? {
        guard let store else { return nil }
        let pipelines = [pipeline.name, pipeline.renamedFrom].compactMap { $0 }
        let names = [stream.name, stream.renamedFrom].compactMap { $0 }
        for (pipeline, stream) in pipelines.flatMap({ pipeline in names.map { (pipeline, $0) } }) {
            let kept = try store.state.value(key, pipeline: pipeline, stream: stream)
            if let kept { return kept }
        }
        return nil
    }

    /// What an incremental stream is asked for; nil for a stream that is read as a whole.
    package func cursorRange(
        of stream: StreamDefinition, kept: String?, overrides: CursorRange.Overrides, startedAt: String
    ) throws -> CursorRange? {
        guard let rule = stream.incremental,
            let field = pipeline.entity(named: stream.entity)?.fields.first(where: { $0.name == rule.field })
        else { return nil }
        return try CursorRange(rule, field: field, kept: kept, overrides: overrides, startedAt: startedAt)
    }

    /// The store as it is, on a connection of its own that is closed before anything is fetched: while the network is
    /// waited for, the store is nobody's.
    package func storeToRead() throws -> (any RecordStore)? {
        var hasFiles = false
        if case .file = pipeline.source.base { hasFiles = true }
        if hasFiles && streams.allSatisfy({ $0.incremental == nil }) { return nil }
        return try options.store.backend.openToRead(busyMilliseconds: options.store.busyMilliseconds)
    }
}

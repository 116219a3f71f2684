package import SluiceDecode
package import SluiceFetch
package import SluiceModel
package import SluicePages
package import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore

/// What a stream is merged into, and for which run.
struct StreamTarget {
    let stream: StreamDefinition
    let entity: EntityDefinition
    let table: any RecordTable
    let store: any RecordStore
    let observer: any RunObserver
    /// The run's number, nil in a plan.
    let run: Int64?
    /// When the run was started, RFC 3339 in UTC.
    let time: String
    /// What the run read so far; nil where each stream is kept for itself.
    var reading: RunReading?
}

extension SyncEngine {
    /// One attempt at merging pages of a stream, or records in quarantine.
    ///
    /// - Parameters:
    ///   - base: The stream with its table.
    ///   - pages: The pages.
    ///   - reading: What an incremental stream was asked for.
    ///   - ids: The records in quarantine to try again, nil for pages.
    ///   - checkpoint: The checkpoint of a scan that the pages are, nil where the run is kept as a whole.
    ///   - changes: Grows by what had to be changed in the database's schema.
    /// - Returns: What does it.
    /// - Throws: ``SyncError`` and `StoreError`.
    func streamRun(
        _ base: StreamTarget, _ pages: FetchedPages, _ reading: CursorRange?, retrying ids: [Int64]? = nil,
        checkpoint: ScanCheckpoint? = nil, _ changes: inout [SchemaChange]
    ) throws -> StreamRun {
        let (stream, entity, table) = (base.stream, base.entity, base.table)
        let (plan, cursor, tracker) = try decodePlan(stream, entity, table.schema, pages, reading)
        let retry = try ids.map {
            try RetriedRecords($0, stream: stream, entity: entity, plan: plan, store: base.store, table: table)
        }
        var context = StreamMerger.Context(
            store: base.store, table: table, observer: base.observer, run: base.run, retried: retry?.accepted,
            countsScans: stream.countsScans, time: base.time,
            otherSources: try OtherSourceLedger(
                of: table.schema, in: base.store, pipeline: pipeline, reading: base.reading))
        context.written = base.reading?.written(of: table.schema.source, isBound: table.isBound)
        context.gate = options.gate
        context.origins = plan.fields.map(\.path)
        context.hasCompanions = options.companions.tables.contains(table.schema.table.lowercased())
        let parts = try context.openParts(plan.parts, pipeline: pipeline, reading: base.reading, &changes)
        var run = StreamRun(
            stream: stream, entity: entity, pages: pages, plan: plan, context: context, parts: parts,
            maximumRecordBytes: pipeline.source.maximumRecordBytes, options: options, retry: retry,
            cursor: cursor.map {
                CursorTracker($0, field: $1, memory: checkpoint?.state.memory ?? CursorTracker.Memory())
            },
            partitionTracker: tracker, checkpoint: checkpoint)
        run.reading = base.reading
        run.isFirst =
            ids == nil && checkpoint == nil && streams.count == 1 && context.otherSources.isEmpty
            && changes.allSatisfy(\.sql.isEmpty)
        // What a program makes of a record is no matter of its text.
        if ids == nil && !plan.isLookedAt && has(.fingerprints, stream) { try run.prepareTexts(changes) }
        return run
    }

    /// How the records of some pages are decoded.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - entity: What its records are.
    ///   - schema: The schema of its table.
    ///   - pages: The pages.
    ///   - reading: What an incremental stream was asked for.
    /// - Returns: The mapping; with the position of the cursor's field and what watches the partitions, where they are
    ///   read by cursors.
    /// - Throws: ``SyncError``.
    package func decodePlan(
        _ stream: StreamDefinition, _ entity: EntityDefinition, _ schema: RecordSchema, _ pages: FetchedPages,
        _ reading: CursorRange?
    ) throws -> (DecodePlan, (CursorRange, Int)?, PartitionTracker?) {
        var plan = try DecodePlan(
            entity: entity, schema: schema, entriesKey: stream.entries, stream: stream,
            parts: try NestedTree(pipeline: pipeline, stream: stream, entity: entity)?
                .lookedAt(by: options.looksWithin))
        plan.partitions = PartitionShape(stream, in: pipeline)
        plan.looks = options.looks[entity.name]
        // Who deletes asks whether a record is listed, and so does who forgets what was stated, and who asks for what belongs to each.
        plan.keepsLeftOut =
            stream.deleteMissing.mode != .ignore || stream.deletedWhen != nil
            || pipeline.streams.contains { $0.parent?.stream == stream.name }
        let cursor = reading.flatMap { reading in
            plan.fields.firstIndex { $0.name == reading.rule.field }.map { (reading, $0) }
        }
        plan.cursor = cursor.map { CursorFilter($0, field: $1) }
        guard let result = pages.partitions, let cursors = result.plan.cursors,
            let field = plan.fields.firstIndex(where: { $0.name == cursors.rule.field })
        else { return (plan, cursor, nil) }
        let tracker = try PartitionTracker(result, cursors, pages: pages.pages, field: field)
        plan.partitionCursors = tracker.filters(field: field)
        return (plan, cursor, tracker)
    }
}

internal import SluiceDecode
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceSQLiteStore
internal import SluiceStore
internal import SluiceSystem

/// How a program's write is kept in the history.
public struct WriteRecording: Sendable {
    /// Who is noted; nil for ``StoreOptions/who``.
    let who: String?

    /// Somebody is noted with it: a person, or the program itself.
    public static func by(_ who: String) -> WriteRecording { WriteRecording(who: who) }

    /// ``StoreOptions/who`` is noted with it.
    public static let on = WriteRecording(who: nil)
}

extension Store {
    /// Writes all of a transaction or nothing, and keeps in the history what it changed: ``history(limit:)`` has it as a run,
    /// ``life(of:_:)`` says who changed a value, and ``undo(run:planning:)`` takes it back, as `sluice` does.
    ///
    /// ```swift
    /// let run = try await store.write(recording: .by("ann")) { tx in
    ///     try tx.update(Book.self, 7) { $0.title = "Dune" }
    ///     return tx.recordedRun
    /// }
    /// if let run { try await store.undo(run: run) }
    /// ```
    ///
    /// It is a local edit like any other: a source's next change of the same value is a conflict. A transaction that changes
    /// nothing leaves no run, unless it asked for ``Transaction/recordedRun``. It is kept as long as the history of runs is, 90 days. What is written takes about twice as
    /// long.
    ///
    /// - Parameters:
    ///   - recording: Who is noted.
    ///   - body: Writes; where it throws, everything is taken back.
    /// - Returns: What the body returns.
    /// - Throws: ``SluiceError``, `CancellationError` where the task is cancelled, and what the body throws.
    public func write<R: Sendable>(
        recording: WriteRecording, _ body: @Sendable (Transaction) throws -> R
    ) async throws -> R {
        let committed = try await interruptibly { [writer] point in try await writer.write(point, recording, body) }
        signal.send(committed.tables)
        return committed.result
    }
}

/// Keeps a transaction of a program as a run.
struct RecordedWrite {
    private let store: SQLiteRecordStore
    private let recording: EditRecording
    private let startedAt: String
    /// The number that the run gets.
    let run: Int64

    /// The pipeline under which it is kept.
    private static let pipeline = RunEntry.editPipeline

    /// Begins to note changes.
    ///
    /// - Parameters:
    ///   - schema: The models to whose tables changes are noted.
    ///   - store: The store, in which a transaction was begun.
    /// - Throws: `StoreError`.
    init(_ schema: Schema, in store: SQLiteRecordStore) throws {
        self.store = store
        startedAt = WallClock.now()
        run = try store.runs.nextID()
        recording = try EditRecording(of: schema.edited(under: Self.pipeline), run: run, in: store)
    }

    /// Writes the run down, where anything is different.
    ///
    /// - Parameters:
    ///   - who: Who is noted.
    ///   - isAsked: Whether somebody has its number, so that it is kept in any case: another run would have that number else.
    /// - Returns: Whether it was.
    /// - Throws: `StoreError`.
    func finish(who: String?, isAsked: Bool) throws -> Bool {
        let counts = try recording.finish(naming: FieldJSON.object)
        if counts.isEmpty && !isAsked { return false }
        var entry = RunEntry(
            id: run, pipeline: Self.pipeline, command: RunEntry.editCommand, status: "succeeded", startedAt: startedAt)
        (entry.inserted, entry.updated, entry.deleted) = (counts.inserted, counts.updated, counts.deleted)
        entry.finishedAt = WallClock.now()
        entry.changes = .kept
        entry.who = who
        try store.changes.prune(
            pipeline: Self.pipeline, endedBefore: WallClock.now(minus: PipelineDefinition.usualHistory),
            limit: 200_000)
        try store.runs.record(entry)
        return true
    }
}

extension Schema {
    /// The tables of models and of pairs, as the history keeps what programs write to them.
    fileprivate func edited(under pipeline: String) -> [RecordSchema] {
        let tables = records.map { record in
            var schema = record
            (schema.pipeline, schema.stream, schema.references) = (pipeline, record.table, [])
            return schema
        }
        return tables + links.map { $0.edited(under: pipeline) }
    }
}

internal import SluiceModel
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore

/// How far streams were read, so that the next run reads again what is taken back.
extension RunUndo {
    /// Something that the store remembers of a stream.
    struct Mark: Hashable {
        private let stream: String
        private let name: String

        init(_ entry: RecordedEntry) { (stream, name) = (entry.mapping.stream, entry.kind) }

        /// Whether it says how far a stream was read.
        func isOfReading(_ stream: String) -> Bool {
            self.stream == stream && StateKind(name: name)?.afterUndo == .unread
        }

        /// Whether it has a stream read from its beginning where it is taken back.
        func isReread(_ stream: String) -> Bool {
            self.stream == stream && StateKind(name: name)?.afterUndo == .reread
        }
    }

    /// Deals with what a run noted of its reading and a later one noted anew: that holds for the later one, and is nothing
    /// that people could put back, so it does not count as left.
    func skipState(_ entry: RecordedEntry) throws {
        let (pipeline, stream) = (entry.mapping.pipeline, entry.mapping.stream)
        let isChanged = changedStreams.contains(stream)
        switch StateKind(name: entry.kind)?.afterUndo {
        case .unread where isChanged:
            // What is taken back stands before a cursor that a later run has moved.
            if StateKind(name: entry.kind) == .token { try recordGivenUpToken(of: stream) }
            try store.state.set(nil, pipeline: pipeline, stream: stream, name: entry.kind)
            recordForgottenCursor(stream)
        case .reread where isChanged:
            if try forgetReading(of: stream) {
                record(
                    "A later run changed what is kept of the records of `\(stream)`, so the next run reads the stream from its beginning."
                )
            }
        // Nothing of the stream was taken back that would have to be read again.
        case .unread, .reread: return
        // What is void in the end is no affair of later runs.
        case .void: return
        case .before, .same, nil:
            let words = StateKind.telling(entry.kind, old: entry.old, new: entry.new).words
            record("A later run changed the \(words) of `\(stream)`; it \(leftWords).")
        }
    }

    /// A run that was broken off has kept pages and no cursor, which the run that went on with it has moved past them.
    func forgetCursorsOfLaterRuns() throws {
        let ended: [RunReport.Status] = [.succeeded, .partial, .refused]
        if !hasWritten || ended.map(\.rawValue).contains(target.status) { return }
        let streams = Set(try store.mappings(pipeline: target.pipeline, entity: nil).map(\.stream))
        for stream in streams.sorted() where try changedStreams.contains(stream) && forgetReading(of: stream) {
            recordForgottenCursor(stream)
        }
    }

    /// What a run took without moving a mark stands before one that a later run has moved, and beside one where it read more than
    /// what changed since.
    ///
    /// - Parameter marks: What the run itself changed. That was dealt with.
    /// - Throws: `StoreError`.
    func forgetCursorsBeyondRecords(besides marks: Set<Mark>) throws {
        // What people decided, and what was taken back, was not read.
        if !hasWritten || !target.outdatesReading || target.undoes != nil { return }
        for change in try store.changes.stateChanges(since: target.id, of: target.pipeline) {
            let stream = change.mapping.stream
            guard StateKind(name: change.kind)?.afterUndo == .unread, changedStreams.contains(stream),
                !marks.contains(Mark(change)),
                try store.state.value(pipeline: target.pipeline, stream: stream, name: change.kind) != change.old
            else { continue }
            if try forgetReading(of: stream) { recordForgottenCursor(stream) }
        }
        // It read everything there is. A token leads to all that changed since, whatever else was read.
        if target.recordsRead == nil { return try tellUnmovedCursors(besides: marks) }
        for stream in changedStreams.sorted() where !marks.contains(where: { $0.isReread(stream) }) {
            guard try store.state.value(.token, pipeline: target.pipeline, stream: stream) == nil,
                try forgetReading(of: stream)
            else { continue }
            record(
                "Run \(target.id) read all of `\(stream)`, and not only what changed, so the next run reads the stream from its beginning."
            )
        }
    }

    /// Tells where the next run does not ask again for what was taken back: the run asked for more than what changed since its cursor, as
    /// one with `--from` does, and left that where it was.
    private func tellUnmovedCursors(besides marks: Set<Mark>) throws {
        for stream in changedStreams.sorted() where !marks.contains(where: { $0.isOfReading(stream) }) {
            guard try store.state.has(.unread, pipeline: target.pipeline, stream: stream) else { continue }
            record(
                "Run \(target.id) left the cursor of `\(stream)` where it was. The next run asks for what changed since then; a run with `--full` asks for all."
            )
        }
    }

    /// Forgets how far a stream was read, so that the next run reads it from its beginning.
    ///
    /// - Parameter stream: The stream.
    /// - Returns: Whether there was anything to forget.
    /// - Throws: `StoreError`.
    private func forgetReading(of stream: String) throws -> Bool {
        try recordGivenUpToken(of: stream)
        guard try store.state.forget(.unread, pipeline: target.pipeline, stream: stream) else { return false }
        recordWritten()
        return true
    }

    /// Records for the next run that a token which the stream has goes: what the source deleted since then nobody tells it.
    private func recordGivenUpToken(of stream: String) throws {
        let (state, pipeline) = (store.state, target.pipeline)
        if try state.value(.token, pipeline: pipeline, stream: stream) == nil { return }
        try state.set(.tokenGivenUp, to: Int(target.id), pipeline: pipeline, stream: stream)
    }

    private func recordForgottenCursor(_ stream: String) {
        recordWritten()
        record(
            "A later run moved the cursor of `\(stream)` past what was taken back, so the next run reads the stream from its beginning."
        )
    }

    /// What was taken back has to be read again, although its source did not change since.
    func forgetValidators() throws {
        for mapping in try store.mappings(pipeline: target.pipeline, entity: nil) where hasWritten {
            try store.state.voidAfterUndo(pipeline: mapping.pipeline, stream: mapping.stream)
        }
    }
}

internal import SluiceDecode
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore

/// Where the next run begins.
extension StreamRun {
    /// Keeps the cursor together with the records that it was read from.
    ///
    /// - Parameter outcome: Is told what was asked for, and why the cursor stays behind where it does.
    /// - Throws: `StoreError`.
    func keepCursor(_ outcome: inout Outcome) throws {
        try keepPartitionCursors(&outcome)
        guard let cursor else { return }
        let reading = cursor.reading
        // With pages to come the cursor moves only where their records are no older.
        let isEnd = endsScan
        if !isEnd && reading.rule.order != .ascending { return }
        let result = cursor.outcome(
            isTruncated: !isEnd || pages.coverage.leavesPages, isCounted: isEnd && pages.coverage.isCounted)
        let type = reading.field.type
        let next = result.next?.text(type)
        outcome.report.cursor = StreamReport.Cursor(
            start: reading.start?.text(type), end: reading.end?.text(type), next: next,
            isClientSide: reading.rule.isClientSide ? true : nil, isFiltered: reading.isFiltered ? true : nil)
        if isEnd, let reason = result.reason {
            outcome.problems.append(
                RunProblem(
                    code: "cursor_held", severity: .warning,
                    message:
                        "The cursor of `\(stream.name)` \(move(of: reading, to: result.next)), because \(reason). It never passes a record that is not stored: the next run reads from there again."
                ))
        }
        if next == nil && reading.kept == nil { return }
        try context.store.state.set(
            .cursor(reading.rule), to: next, pipeline: plan.schema.pipeline, stream: stream.name)
        try keepDefinition(&outcome)
    }

    /// What becomes of a cursor that does not go as far as was read, as the rest of a sentence.
    private func move(of reading: CursorRange, to next: CursorPoint?) -> String {
        guard let next else { return reading.kept == nil ? "stays at the beginning" : "goes back to the beginning" }
        let goesBack = reading.kept.map { next < $0 } ?? false
        return "goes \(goesBack ? "back to" : "no further than") \(next.text(reading.field.type))"
    }

    /// Records where the records of a batch stood that came before in the scan, be it on an earlier page of a run that keeps
    /// each page, or in a reading that is repeated since it met some.
    ///
    /// - Parameters:
    ///   - batch: The batch, before it is merged.
    ///   - repeated: The hashes of the keys that pages which are kept had as well.
    ///   - duplicates: The keys that come more than once, nil where they are not known.
    /// - Throws: `StoreError`.
    mutating func recordMoved(
        _ batch: borrowing RecordBatch, repeated: Set<UInt64>, _ duplicates: DuplicateIndex?
    ) throws {
        guard let tracker = cursor, tracker.reading.rule.order == .ascending else { return }
        for record in 0..<batch.count {
            let hash = batch.keyHashes[record]
            if repeated.contains(hash) {
                let base = try context.table.baseRow(batch.key(of: record, schema: plan.schema))
                cursor?.meetAgain(record, of: batch, since: base.flatMap { tracker.point(of: $0.entries) })
            } else if duplicates?.mayRepeat(record, in: batch) == true {
                let point = tracker.point(of: record, in: batch)
                cursor?.meetAgain(record, of: batch, since: met[hash])
                met[hash] = met[hash] ?? point
            }
        }
    }

    /// Whether what was kept of how far the stream was read holds for what the file says now.
    private func isDefined(as kept: String) throws -> Bool {
        try stream.content.holds(kept) { entity in
            try context.store.hasGiven(entity, by: stream.name, of: plan.schema.pipeline)
        }
    }

    /// Remembers for which definition it holds how far the stream was read, and says so where that is another one.
    ///
    /// - Parameters:
    ///   - outcome: Is told why everything was read.
    ///   - isOther: Whether the requests were others, too.
    /// - Throws: `StoreError`.
    func keepDefinition(_ outcome: inout Outcome, isOther: Bool = false) throws {
        let (state, pipeline) = (context.store.state, plan.schema.pipeline)
        if retry != nil || stream.contentFingerprint.isEmpty { return }
        let kept = try state.value(.definition, pipeline: pipeline, stream: stream.name)
        let text = stream.content.text
        if kept != text { try state.set(.definition, to: text, pipeline: pipeline, stream: stream.name) }
        if options.isFull { return }
        if !isOther, try kept.map({ try isDefined(as: $0) }) ?? true { return }
        outcome.problems.append(.definitionChanged(of: stream))
    }
}

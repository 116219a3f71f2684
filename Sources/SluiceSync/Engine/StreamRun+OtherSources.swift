internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore

/// What people should know of records that several streams speak of.
extension StreamRun {
    /// Keeps by which order the stream was merged beside the others that fill its tables.
    ///
    /// - Parameter run: The run.
    /// - Throws: `StoreError`.
    func keepOrder(since run: Int64) throws {
        try ([context] + parts).first { !$0.otherSources.isEmpty }?.otherSources.keepOrder(since: run)
    }

    /// Records that are gone from this source and stay, since another one has them; nil where there is none.
    func heldElsewhere(_ merger: borrowing StreamMerger) -> RunProblem? {
        let count = merger.report.heldElsewhere
        if count == 0 { return nil }
        let subject = "\(Plural.of(count, "record")) of `\(stream.name)` \(Plural.word(count, "is", "are"))"
        let others = context.otherSources.names(of: merger.holders)
        var problem = RunProblem(
            code: "held_elsewhere", severity: .warning,
            message:
                "\(subject) gone from this source and \(Plural.word(count, "stays", "stay")) in `\(context.table.schema.table)`, since another source still has \(Plural.word(count, "it", "them"))\(others)."
        )
        problem.entity = stream.entity
        problem.keys = merger.heldKeys.map { FieldJSON.object(key: $0, schema: plan.schema) }
        problem.unlisted = count - problem.keys.count
        return problem
    }

    /// Records that are listed with something new and stated to be deleted in one run; nil where there is none.
    func gainsaid(_ merger: borrowing StreamMerger) -> RunProblem? {
        let (count, first) = merger.gainsaid
        if count == 0 { return nil }
        let subject = "\(Plural.of(count, "record")) of `\(stream.entity)` \(Plural.word(count, "is", "are"))"
        var problem = RunProblem(
            code: "listed_and_deleted", severity: .warning,
            message:
                "\(subject) listed with something new and stated as deleted in one run. The deletion holds until the source changes \(Plural.word(count, "it", "such a record")) again. If it was deleted first and then made again, undo this run, run the stream that states deletions alone (`--stream`), and then the others."
        )
        problem.entity = stream.entity
        problem.keys = first.map { FieldJSON.object(key: $0, schema: plan.schema) }
        problem.unlisted = count - problem.keys.count
        return problem
    }
}

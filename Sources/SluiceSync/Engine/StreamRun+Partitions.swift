internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceFetch
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore

/// A stream that asks for one thing after the other.
extension StreamRun {
    /// Which records may be gone although not every partition was read; nil where no field tells the partitions apart.
    var partitionScope: Coverage.Scope? {
        pages.partitions.flatMap { Coverage.Scope($0, entity: entity, schema: plan.schema) }
    }

    /// Whether each record in quarantine was met that the source still has, although partitions were left out since their
    /// parents did not change: one with such a record is asked for by every run, as long as it is there.
    var hasMetQuarantine: Bool {
        guard stream.parent?.only == .changed, !stream.asksForChanges, let result = pages.partitions else {
            return false
        }
        return result.hiddenCount == 0 && result.plan.isExhaustive && !result.plan.mayLackParents
    }

    /// Why absences prove nothing where partitions were left out; nil where none was.
    var partitionReason: String? {
        guard let result = pages.partitions, !result.isComplete else { return nil }
        let marked = Coverage.Scope.fields(result.plan.shape, entity: entity, schema: plan.schema)
        let parents = stream.parent?.stream ?? ""
        let doubted = result.plan.doubted.count
        if doubted > 0 && doubted == result.hiddenCount {
            return
                "some of `\(parents)` could not be read, and what \(doubted) of its partitions \(Plural.word(doubted, "belongs", "belong")) to may have another address by now"
        }
        if result.unread.isEmpty || result.hiddenCount == 0 && result.plan.mayLackParents {
            let names = marked.map { $0.map { "`\($0)`" }.joined(separator: ", ") } ?? ""
            let reason =
                marked == nil
                ? "no field of `\(entity.name)` says which one that is"
                : "\(names) \(Plural.word(marked?.count ?? 0, "is", "are")) not in the primary key of `\(entity.name)`"
            return result.plan.mayLackParents
                ? "not all records of `\(parents)` could be read, and a record may have moved to one of those, since \(reason)"
                : "the list of its parents may not be complete"
        }
        let count = result.unread.count
        if let marked {
            let hidden = result.hiddenCount
            return
                "\(hidden) of its partitions \(Plural.word(hidden, "was", "were")) not read to the end, and a record may have moved into \(Plural.word(hidden, "it", "one of them")), since \(marked.map { "`\($0)`" }.joined(separator: ", ")) \(Plural.word(marked.count, "is", "are")) not in the primary key of `\(entity.name)`"
        }
        return
            "\(count) of its partitions \(Plural.word(count, "was", "were")) not read to the end, and no field of `\(entity.name)` says which one a record belongs to, as one with a `value` of what tells them apart does"
    }

    /// What is unread of the stream.
    ///
    /// - Parameters:
    ///   - lostKeys: The records whose keys could not be read.
    ///   - seen: The keys that were read.
    /// - Returns: What is known of the others.
    /// - Throws: What `seen` throws.
    func unread(lostKeys: Int, _ seen: () throws -> SeenKeys) throws -> UnreadRecords {
        try UnreadRecords(
            pages.partitions, coverage: pages.coverage, lostKeys: lostKeys,
            isLimited: stream.pageLimits.maximumPages != nil, entity: entity, schema: plan.schema, seen: seen)
    }

    /// Keeps the cursor of each partition together with the records that it was read from. A partition that could not be
    /// read keeps its own, and one that is not there any more loses it.
    func keepPartitionCursors(_ outcome: inout Outcome) throws {
        guard let result = pages.partitions, let cursors = result.plan.cursors, partitionTracker != nil else { return }
        let type = cursors.field.type
        var moved: [ExactText: String?] = [:]
        var held: (count: Int, first: String)?
        for partition in result.plan.asked {
            guard let tracker = partitionTracker?.trackers[partition.key] else { continue }
            let next = tracker.outcome(isTruncated: result.truncated.contains(partition))
            moved[partition.key] = .some(next.next?.text(type))
            guard let reason = next.reason else { continue }
            held = ((held?.count ?? 0) + 1, held?.first ?? "\(partition.label): \(reason)")
        }
        try context.store.state.set(
            .partitionCursors(cursors.rule), to: cursors.next(of: result.plan.all.map(\.key), moved: moved),
            pipeline: plan.schema.pipeline, stream: stream.name)
        try keepDefinition(&outcome)
        guard let held else { return }
        outcome.problems.append(
            RunProblem(
                code: "cursor_held", severity: .warning,
                message:
                    "\(Plural.word(held.count, "The cursor", "The cursors")) of \(Plural.of(held.count, "partition")) of `\(stream.name)` did not go as far as was read. A cursor never passes a record that is not stored: the next run reads from there again. \(Plural.word(held.count, "The reason", "The first")): \(held.first)."
            ))
    }

    /// The rule of what is gone. Where only changed parents are asked for, few records are no sign of a broken source.
    var deleteRule: DeleteRule {
        var rule = stream.deleteMissing
        if stream.parent?.only == .changed { rule.minimumRecords = 0 }
        return rule
    }
}

extension StreamReport.Partitions {
    /// The counts of a result.
    init(_ result: PartitionResult) {
        let plan = result.plan
        self.init(
            count: plan.asked.count + plan.unasked.count + plan.obstacles.count, asked: plan.asked.count,
            failed: result.failures.count)
    }
}

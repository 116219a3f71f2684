internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore
internal import SluiceSystem

/// Merges the records of a sync in one transaction: again from its start where an attempt found out what it should have
/// known. It stands on the merge of pipelines and leaves out what only sources over a network need.
struct RecordSync {
    let store: any RecordStore
    let source: ModelSource
    let feed: RecordFeed
    /// Whether everything is taken back at the end.
    let isPlan: Bool
    /// Whether a record that does not fit ends it.
    let refusesMismatches: Bool
    /// Stops it.
    let cancellation: Cancellation
    /// Does what belongs to the records before all is committed.
    let completion: () throws -> Void
    /// The part of the sync that it is.
    var part = SyncPart()
    let observer = SyncObserver()

    /// What an attempt has to know.
    private struct Needs {
        var duplicates: DuplicateIndex?
        var contested: Set<UInt64>?
        /// References that must not be empty.
        var unmet = UnmetNeeds()
    }

    /// What the attempt met of records in quarantine.
    private final class Retry {
        var entries: RetriedEntries?
        init(_ entries: RetriedEntries?) { self.entries = entries }
    }

    /// What it came to.
    struct Outcome {
        var report: RunReport
        var conflicts: [ConflictEntry] = []
        var quarantined: [QuarantineEntry] = []
        /// What became of references to what is not there, or came.
        var references = ReferenceOutcome()
    }

    /// Does it.
    ///
    /// - Returns: What it came to.
    /// - Throws: What decode, merge and store throw; nothing is written then.
    func perform() throws -> Outcome {
        var needs = Needs()
        while true {
            try cancellation.check()
            try store.begin()
            do {
                let time = WallClock.now()
                let run = isPlan ? nil : try part.run ?? store.runs.nextID()
                if let run { store.startRecording(run: run, naming: FieldJSON.object) }
                var report = RunReport(
                    pipeline: source.pipeline.name, command: isPlan ? .plan : .run, startedAt: time)
                var references = ReferenceOutcome()
                if let more = try attempt(needs, run, &report, &references) {
                    needs = more
                    store.rollback()
                    observer.restart()
                    continue
                }
                var outcome = Outcome(report: report)
                outcome.conflicts = try store.conflicts.open(of: source.schema.source)
                outcome.quarantined = observer.entries
                outcome.references = references
                try end(&outcome.report, run)
                return outcome
            } catch {
                store.rollback()
                throw error
            }
        }
    }

    private func end(_ report: inout RunReport, _ run: Int64?) throws {
        report.finishedAt = WallClock.now()
        report.run = run
        part.complete(&report)
        guard run != nil else { return store.rollback() }
        var entry = RunEntry(report)
        entry.changes = .kept
        try store.changes.prune(
            pipeline: source.pipeline.name, endedBefore: WallClock.now(minus: source.pipeline.historyKept),
            limit: 200_000)
        try store.runs.record(entry)
        try completion()
        try store.commit()
    }

    /// One attempt; what it should have known, where it found that out.
    private func attempt(
        _ known: Needs, _ run: Int64?, _ report: inout RunReport, _ references: inout ReferenceOutcome
    ) throws -> Needs? {
        try checkFields()
        let (table, changes) = try store.openTable(source.schema)
        report.schemaChanges = changes
        let plan = try feed.plan(source)
        var context = StreamMerger.Context(
            store: store, table: table, observer: observer, run: run, time: report.startedAt,
            otherSources: try OtherSourceLedger(of: table.schema, in: store, precedence: source.pipeline.precedence))
        let parts = try context.openParts(
            plan.parts, pipeline: source.pipeline, reading: nil, &report.schemaChanges)
        if let contested = known.contested {
            for context in [context] + parts { context.table.expect(contested: contested) }
        }
        let liveBefore = source.stream.deleteMissing.mode == .ignore ? 0 : try table.liveCount()
        var tree = try TreeMerger(
            context, plan: plan, parts: parts,
            report: StreamReport(stream: source.stream.name, entity: source.entity.name))
        tree.main.duplicateRule = source.stream.onDuplicate
        let texts = plan.parts == nil ? try SyncTexts(source, feed, context, changes: changes) : nil
        tree.texts = texts?.known
        tree.know(known.unmet)
        let retry = Retry(feed.retried)
        var tracker = KeyTracker(isPaginated: false, schema: table.schema, room: SpillableHashes.Room())
        try ingest(&tree, &tracker, known, table, plan, retry)
        if known.duplicates == nil && !tracker.duplicates.isEmpty {
            var needs = known
            needs.duplicates = try settle(tracker.duplicates, table.schema)
            return needs
        }
        try tree.main.settleAwaited(listsChanges: false)
        let coverage =
            tree.main.lostKeys == 0
            ? Coverage.whole : Coverage.partial("\(tree.main.lostKeys) records have no readable identifier")
        try delete(&tree, tracker.seen, coverage, table, liveBefore, &report)
        try tree.finish()
        try texts?.keep(in: store)
        if known.contested == nil && !tree.contested.isEmpty {
            var needs = known
            needs.contested = tree.contested
            return needs
        }
        var needs = known
        if needs.unmet.accept(try store.unmetReferences(), merging: tree.tables) { return needs }
        report.problems += tree.rejectedDeletes
        report.problems += try tree.keepNeeded()
        var merger = tree.main
        let refused = Set(merger.refusals.flatMap(\.ordinals))
        refused.forEach { retry.entries?.stay($0) }
        try merger.keepRefusals(try feed.texts(at: refused, source.stream))
        try retry.entries?.close(store, run: run)
        report.retry = retry.entries?.report
        try merger.closeQuarantine(isComplete: coverage.isComplete && source.stream.deleteMissing.mode != .ignore)
        try tree.closeParts(nil) { try feed.texts(at: $0, source.stream) }
        merger.report.parts = tree.partReports
        merger.report.isComplete = coverage.isComplete && source.stream.deleteMissing.mode != .ignore
        report.streams = [merger.report]
        try store.conflicts.forgetEndedWithin(pipeline: source.pipeline.name)
        references = try store.settleReferences()
        if needs.unmet.accept(references.unmet, merging: tree.tables) { return needs }
        try references.requireUnbroken()
        report.problems += references.problems
        if let run, merger.report.summary.hasNews {
            try ([context] + parts).first { !$0.otherSources.isEmpty }?.otherSources.keepOrder(since: run)
        }
        report.problems += ListsWithoutKeys(source.description).problems
        report.problems += try PassedOverLists(source.description).problems(of: feed, source.stream) + feed.problems
        report.linked = references.linked.values.reduce(0) { $0 + $1.count }
        return nil
    }

    /// Refuses to give up what the source filled before: what people changed of it would be forgotten.
    private func checkFields() throws {
        let schemas = source.pipeline.entities.map {
            RecordSchema(pipeline: source.pipeline, stream: source.stream, entity: $0)
        }
        let orphans = try store.orphans(of: source.pipeline.name, schemas) { _, _, _ in false }
        try checkNames(orphans, schemas)
        let gone = orphans.filter { orphan in
            guard orphan.source == source.schema.source else { return false }
            switch orphan.subject {
            case .source, .passed, .returned, .unsaid, .unsaidLinks, .missing, .missingLinks, .missingMark,
                .missingTable, .renamedElsewhere:
                return false
            // A table without a record of the source may be left.
            case .table(let hasOtherKey, _, _): return orphan.isEdited || hasOtherKey
            case .field, .links, .movedLinks: return true
            }
        }
        if gone.isEmpty { return }
        let names = gone.map { orphan in
            switch orphan.subject {
            case .field(let name, _, _, _), .links(let name, _), .movedLinks(let name, _, _, _): "the field `\(name)`"
            case .table: "the table `\(orphan.table)`"
            case .source, .passed, .returned, .unsaid, .unsaidLinks, .missing, .missingLinks, .missingMark,
                .missingTable, .renamedElsewhere:
                ""
            }
        }
        let other = gone.lazy.compactMap { orphan -> String? in
            guard case .field(let name, _, _, _) = orphan.subject else { return nil }
            return source.description.fields.first { $0.name == name }?.property
        }.first
        if let other {
            throw SluiceError(
                .definitionDiffers,
                "The source `\(source.schema.source.path)` filled `\(source.description.typeName).\(other)` before, in another column than the model names now. Nothing was written, since what people changed would be forgotten. Name the column of before by `column:`; where it was to have another type, rename that column, add one of the new type under its name and copy the values, in a migration.",
                entity: source.entity.name, field: other)
        }
        throw SluiceError(
            .definitionDiffers,
            "The source `\(source.schema.source.path)` filled \(names.joined(separator: ", ")) before, which `\(source.description.typeName)` lacks. Nothing was written. Add what is missing to the model, or sync under another source.",
            entity: source.entity.name)
    }

    /// Refuses to begin anew with a table that the source filled as an entity of another name: its values would all be new, and
    /// what it gave before nobody's.
    private func checkNames(_ orphans: [Orphan], _ schemas: [RecordSchema]) throws {
        for schema in schemas {
            let other = orphans.first { orphan in
                guard case .source = orphan.subject else { return false }
                return orphan.source.pipeline == schema.pipeline && orphan.source.stream == schema.stream
                    && ColumnName.areSame(orphan.table, schema.table)
            }
            guard let other = other?.source else { continue }
            let (own, path) = (schema.source, schema.source.path)
            let known = try store.knownTable(pipeline: own.pipeline, stream: own.stream, entity: own.entity)
            // Where both names have been in use, each goes on.
            if known?.baseWasEmpty == false { continue }
            throw SluiceError(
                .definitionDiffers,
                "The source `\(path)` filled the table `\(schema.table)` as the entity `\(other.entity)` before, and the model's entity is called `\(schema.entity)`. Nothing was written, since what people changed would be forgotten. Write `@PersistentModel(entity: \"\(other.entity)\")`, or `renamedFrom: \"\(other.entity)\"` where it was renamed, or sync under another source.",
                entity: schema.entity)
        }
    }

    // MARK: Reading

    private func ingest(
        _ tree: inout TreeMerger, _ tracker: inout KeyTracker, _ known: Needs, _ table: any RecordTable,
        _ plan: DecodePlan,
        _ retry: Retry
    ) throws {
        let schema = table.schema
        var plan = plan
        plan.textSeed = tree.texts?.memory.seed
        var decoder = try CheckedDecoder(plan)
        var batch = RecordBatch(fieldCount: plan.fields.count)
        let isFirst = known.duplicates == nil
        var premature: (any Error)?
        // Where the store knows texts, no more than the key is read of a record at first.
        let mayGlance = isFirst && tree.texts?.isKnown == true && plan.entriesKey == nil
        let fingerprintReader = mayGlance ? FingerprintReader(plan: plan) : nil
        var fingerprinted: FingerprintBatch?
        // Nobody reads marks beside a sync.
        var marks = TextsInOrder(nil)
        var pace = ChangePace()
        func merge(
            _ tree: inout TreeMerger, _ tracker: KeyTracker, _ merge: (inout TreeMerger) throws -> Void
        ) throws {
            guard premature == nil && (!isFirst || tracker.duplicates.isEmpty) else { return }
            do {
                try merge(&tree)
            } catch  where isFirst && !tracker.isPrompt {
                // A record in whose place another one stands may be in conflict or be inserted twice.
                premature = error
            }
        }
        func flush(_ batch: inout RecordBatch, _ tree: inout TreeMerger, _ tracker: inout KeyTracker) throws {
            if let taken = fingerprinted {
                fingerprinted = nil
                try take(taken, &tree, &tracker)
            }
            if batch.count == 0 { return }
            let (full, parts) = (batch, decoder.takeParts())
            batch = RecordBatch(fieldCount: plan.fields.count)
            pace.endBatch()
            try cancellation.check()
            try tracker.observe(full, schema: schema)
            try merge(&tree, tracker) { tree throws in
                try tree.merge(full, parts: parts, duplicates: known.duplicates ?? DuplicateIndex())
            }
        }
        func refuse(
            _ all: [DecodeFailure], after preceding: Int, _ tree: inout TreeMerger, _ tracker: inout KeyTracker
        ) throws {
            if refusesMismatches, let failure = all.first {
                let kept =
                    feed.preceding == 0
                    ? "Nothing was written." : "The units before were kept: \(feed.preceding) records."
                throw SluiceError(
                    EngineFailure(
                        failure, of: source.description, number: preceding + failure.ordinal + 1, kept: kept),
                    in: [source.description])
            }
            var failures = all
            for (index, failure) in all.enumerated() {
                if let key = failure.key { try tracker.record(key, schema: schema) }
                retry.entries?.stay(failure.ordinal)
                failures[index].entry = retry.entries.flatMap {
                    $0.entries.indices.contains(failure.ordinal) ? $0.entries[failure.ordinal].id : nil
                }
            }
            try tree.main.quarantine(failures)
        }
        /// Decodes and merges those records of a batch whose texts are not as they were, and counts the others.
        func take(_ fingerprinted: FingerprintBatch, _ tree: inout TreeMerger, _ tracker: inout KeyTracker) throws {
            try cancellation.check()
            if fingerprinted.records.count == 0 { return }
            var lookup = TextLookup()
            try table.lookUpTexts(fingerprinted.records, into: &lookup)
            var changed = RecordBatch(fieldCount: plan.fields.count)
            var failures: [DecodeFailure] = []
            for row in lookup.others {
                let failure = fingerprinted.withRecord(row) {
                    decoder.decode($0, page: fingerprinted.page, into: &changed)
                }
                if let failure { failures.append(failure) }
            }
            if let fault = failures.lazy.compactMap(\.syntaxError).first, source.stream.format == .json { throw fault }
            try tracker.observe(fingerprinted.records, others: lookup.others, in: changed, schema: schema)
            try refuse(failures, after: feed.preceding, &tree, &tracker)
            try merge(&tree, tracker) { tree throws in
                try tree.merge(fingerprinted.records, lookup, changed: changed, parts: [])
            }
            pace.record(mostChanged: lookup.others.count * 2 > fingerprinted.records.count)
        }
        var place = RecordDecoder.Page(number: 0, firstOrdinal: 0, textSeed: plan.textSeed)
        try feed.forEach(source.stream) { record, page, first in
            if place.number != page || place.firstOrdinal != first {
                place = RecordDecoder.Page(number: page, firstOrdinal: first, textSeed: plan.textSeed)
            }
            if let fingerprintReader, !pace.isPausing {
                if fingerprinted.map({ $0.page.number != page }) ?? true {
                    try flush(&batch, &tree, &tracker)
                    fingerprinted = FingerprintBatch(fieldCount: plan.fields.count, page: place, number: 0)
                }
                switch fingerprintReader.accept(record, into: &fingerprinted, comparing: &marks) {
                case .taken: return true
                case .full:
                    try flush(&batch, &tree, &tracker)
                    return true
                case .unread: try flush(&batch, &tree, &tracker)
                }
            }
            let marks = retry.entries.map { _ in (count: batch.count, bytes: batch.bytes.count, parts: decoder.marks) }
            if let failure = decoder.decode(record, page: place, into: &batch) {
                if let fault = failure.syntaxError, source.stream.format == .json { throw fault }
                // What came before the failure goes first, so that order stays the source's.
                try flush(&batch, &tree, &tracker)
                try refuse([failure], after: feed.preceding, &tree, &tracker)
            } else if let marks, batch.count > marks.count,
                try retry.entries?.mayTake(
                    first + record.ordinal, batch.key(of: marks.count, schema: schema), schema, table, store) == false
            {
                batch.removeRecords(from: marks.count, byte: marks.bytes)
                decoder.removeParts(since: marks.parts)
            }
            if decoder.isBatchFull { try flush(&batch, &tree, &tracker) }
            return true
        }
        try flush(&batch, &tree, &tracker)
        try refuse(feed.failures, after: 0, &tree, &tracker)
        for key in feed.skippedKeys { try tracker.record(key, schema: schema) }
        tree.main.report.read += feed.skipped
        tree.main.report.filtered += feed.skipped
        _ = try tracker.finish(seeksDuplicates: isFirst)
        if let premature, tracker.duplicates.isEmpty { throw premature }
    }

    /// Says which records stand of those that share a key.
    private func settle(_ index: DuplicateIndex, _ schema: RecordSchema) throws -> DuplicateIndex {
        if source.stream.onDuplicate == .last && !index.hasSuspects { return index }
        var survey = DuplicateSurvey(source.stream.onDuplicate, index: index, schema: schema)
        let plan = try feed.plan(source)
        var decoder = try CheckedDecoder(plan)
        var batch = RecordBatch(fieldCount: plan.fields.count)
        try feed.forEach(source.stream) { record, page, first in
            let place = RecordDecoder.Page(number: page, firstOrdinal: first)
            _ = decoder.decode(record, page: place, into: &batch)
            if batch.count >= 512 {
                survey.observe(batch)
                batch = RecordBatch(fieldCount: plan.fields.count)
            }
            return true
        }
        survey.observe(batch)
        if source.stream.onDuplicate == .fail, let dispute = survey.dispute {
            throw SluiceError(
                EngineFailure((dispute.key, dispute.ordinals), of: source.entity.name), in: [source.description])
        }
        return survey.settled()
    }

    // MARK: What is gone

    private func delete(
        _ tree: inout TreeMerger, _ seen: SeenKeys, _ coverage: Coverage, _ table: any RecordTable, _ liveBefore: Int,
        _ report: inout RunReport
    ) throws {
        let rule = source.stream.deleteMissing
        if rule.mode == .ignore { return }
        if case .partial(let reason) = coverage.proof {
            report.problems.append(
                RunProblem(
                    code: "incomplete_scan", severity: .warning,
                    message: "Nothing of `\(source.stream.name)` counts as gone: \(reason)."))
        }
        guard coverage.provesAbsences else { return }
        let (pipeline, stream) = (source.pipeline.name, source.stream.name)
        let held = try store.state.value(.heldRows, pipeline: pipeline, stream: stream)
        let phase = DeletePhase(
            rule: rule, coverage: coverage, existence: nil, allowed: nil, table: table,
            rows: LiveRows(before: liveBefore, held: held), room: SpillableHashes.Room())
        let result = try phase.perform(&tree.main, seen: seen, cancellation: cancellation)
        report.problems += result.problems
        if let isExcessive = result.isExcessive {
            try store.state.set(
                .heldRows, to: isExcessive ? phase.limit.rows.counted : nil, pipeline: pipeline, stream: stream)
        }
        guard let refusal = result.refusal else { return }
        report.status = .refused
        let refused = RefusedDeletes(count: refusal.deletes, needsFull: false)
        report.refusedDeletes = refused
        tree.main.report.summary.deleteRefused += refusal.deletes
        report.problems.append(
            RunProblem(
                code: "deletes_refused", severity: .error,
                message: "\(refusal.message) \(refused.remedy(stream: stream, all: refused))"))
    }
}

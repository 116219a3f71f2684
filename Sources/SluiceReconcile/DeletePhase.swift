package import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceMerge
package import SluiceModel
package import SluicePipeline
internal import SluicePlans
package import SluiceReport
package import SluiceStore
package import SluiceSystem

/// What becomes of records that a scan did not see and that its coverage says are gone.
///
/// They are looked for twice where it has to be counted first how many rows would be deleted.
package struct DeletePhase {
    /// What makes a record that the scan did not see count as gone.
    package enum Proof {
        /// So many complete scans missed it before.
        case scans(Int)
        /// The source says so; nil as long as it was not asked.
        case answers(ExistenceAnswers?)
    }

    /// How the phase ended.
    package struct Result {
        /// Why deletes were refused, nil where they were not.
        package var refusal: Refusal?
        /// What the source has to be asked for first; nothing was done then.
        package var questions: [MissingRecord] = []
        /// What people should know besides.
        package var problems: [RunProblem] = []
        /// How many rows went, or go, by `--allow-deletes` alone, since the rule permits fewer.
        package var allowed = 0
        /// Whether more is missing than may go in one run; nil where nothing was looked for.
        package var isExcessive: Bool?
    }

    /// Why deletes were refused.
    package struct Refusal {
        /// How many rows would have gone.
        package let deletes: Int
        /// The first of their keys.
        package let keys: [RecordKey]
        /// The reason, without what would permit them: that depends on the other streams of the run.
        package let message: String

        /// Makes a value of its parts.
        package init(deletes: Int, keys: [RecordKey], message: String) {
            self.deletes = deletes
            self.keys = keys
            self.message = message
        }
    }

    /// What is known of one record.
    enum Standing: Equatable {
        case gone
        /// It is gone once so many further scans did not see it.
        case suspected(scansLeft: Int)
        /// The source still has it, or did not say; it stays.
        case kept(ExistenceAnswers.Answer)
    }

    package let limit: DeleteLimit
    package let mode: DeleteRule.Mode
    package let proof: Proof
    /// What the scan proves.
    package let coverage: Coverage
    private let table: any RecordTable
    private let canonical: CanonicalRecord
    private let room: SpillableHashes.Room

    /// - Parameters:
    ///   - rule: The stream's rule.
    ///   - coverage: What the scan proves.
    ///   - existence: What the source said of single records; nil as long as it was not asked.
    ///   - allowed: What is left of `--allow-deletes`, which stands over the rule's limits.
    ///   - table: The stream's table.
    ///   - rows: The live base rows.
    ///   - room: What the hashes of keys may take.
    package init(
        rule: DeleteRule, coverage: Coverage, existence: ExistenceAnswers?, allowed: Int?, table: any RecordTable,
        rows: LiveRows, room: SpillableHashes.Room
    ) {
        var rule = rule
        // Where only changes were asked for, few records are no sign of a broken source.
        if coverage.isFiltered { rule.minimumRecords = 0 }
        self.coverage = coverage
        limit = DeleteLimit(rule: rule, allowed: allowed, stream: table.schema.stream, rows: rows)
        mode = rule.mode
        proof =
            switch rule.confirmation {
            case .scans(let count): .scans(count)
            case .request: .answers(existence)
            case nil: .scans(coverage.isCounted ? 1 : 0)
            }
        self.table = table
        canonical = CanonicalRecord(schema: table.schema)
        self.room = room
    }

    /// Finds what is gone and, where the limits permit, deletes or reports it.
    ///
    /// - Parameters:
    ///   - merger: The stream's merge, which counts and tells.
    ///   - seen: The keys that the scan read.
    ///   - cancellation: Checked now and then.
    /// - Returns: How it ended.
    /// - Throws: What the store throws, and ``SyncError`` where a policy is to fail.
    package func perform(
        _ merger: inout StreamMerger, seen: SeenKeys, cancellation: Cancellation
    ) throws -> Result {
        try merger.endRevived(seen: seen) { coverage.covers($0, $1, canonical) }
        try merger.endSilent(seen: seen) { coverage.covers($0, $1, canonical) }
        let missing = limit.rows.before - merger.liveMet
        if mode == .ignore || mode == .report { try forgetStatements(&merger, seen: seen, cancellation: cancellation) }
        // Where every live record was met there is nothing to look for.
        if mode == .ignore { return Result() }
        if missing == 0 { return Result(isExcessive: false) }
        let unseen = try unseen(seen, cancellation)
        if case .answers(nil) = proof { return try questions(unseen, merger) }
        let read = merger.readBefore + merger.report.read
        var isExcessive = mode == .report ? nil : false
        var allowed = 0
        // No more can go than was not met, so mostly nothing has to be counted.
        if mode != .report, missing < 0 || limit.isExceeded(by: missing, read: read) {
            let count = try count(unseen, merger) { standing($0) }
            if let refusal = refusal(count, merger) { return Result(refusal: refusal, isExcessive: true) }
            if limit.isExceeded(by: count.all, read: read) { allowed = count.all }
            // What further scans have to confirm is judged then as it would be now.
            isExcessive = limit.isExceeded(by: count.suspected, read: read)
        }
        // Elsewhere too few records are refused above.
        let isBelieved = mode != .report || read >= limit.rule.minimumRecords || limit.allowed != nil
        var looked = 0
        try forEach(unseen, &merger) { merger, records in
            var gone: [GoneRecord] = []
            var suspected: [(record: GoneRecord, scansLeft: Int)] = []
            for record in records where isExpected(record) {
                switch standing(record) {
                case .gone where mode == .report: merger.list(record)
                case .gone: gone.append(record)
                case .suspected where !isBelieved: merger.report.disbelieved += 1
                case .suspected(let scansLeft): suspected.append((record, scansLeft))
                case .kept(let answer): merger.keep(record, answer)
                }
            }
            try merger.suspect(suspected)
            try merger.apply(gone, known: .absence)
            looked += records.count
            merger.report(
                RunProgress(
                    stage: .deleting, stream: table.schema.stream, records: looked, total: max(missing, looked)))
        }
        return Result(
            problems: problems(merger.report),
            allowed: allowed, isExcessive: isExcessive)
    }

    /// Looks once more at what the same scan did not see, where it waits for a decision, another source spoke of it since,
    /// another one had it in quarantine before or its table did not let it go.
    ///
    /// - Parameters:
    ///   - merger: The stream's merge, which counts and tells.
    ///   - seen: The keys that the scan read.
    ///   - suspected: The hashes of the keys of those that wait for a further scan: this is the same one.
    ///   - cancellation: Checked now and then.
    /// - Throws: What the store throws, and ``SyncError`` where a policy is to fail.
    package func repeated(
        _ merger: inout StreamMerger, seen: SeenKeys, suspected: HashSet64, cancellation: Cancellation
    ) throws {
        let deletes = mode == .hard || mode == .soft
        let unseen = try unseen(seen, cancellation)
        try forEach(unseen, &merger) { merger, records in
            let news = records.filter { record in
                guard let base = record.base, isExpected(record), !suspected.contains(KeyHash.hash(record.key)) else {
                    return false
                }
                if !base.state.isLive { return true }
                let mayGo = base.isOpen || merger.wasHeld(record.key) || merger.wasRefused(record.key)
                return deletes && mayGo && standing(record) == .gone
            }
            try merger.apply(news, known: .absence)
        }
    }

    /// The keys that the scan did not see.
    private func unseen(_ seen: SeenKeys, _ cancellation: Cancellation) throws -> UnseenKeys {
        try UnseenKeys(seen: seen, table: table, room: room, before: limit.rows.keys, cancellation: cancellation)
    }

    /// Decides about what was not seen, and does something with it; where deleting a row may change others, one record
    /// at a time.
    private func forEach(
        _ unseen: UnseenKeys, _ merger: inout StreamMerger,
        _ body: (inout StreamMerger, [GoneRecord]) throws -> Void
    ) throws {
        try unseen.forEachBatch { keys in
            try merger.applyAll(keys) { merger, keys in try body(&merger, merger.goneRecords(keys)) }
        }
    }

    /// What a source no longer states is deleted it may state anew, and what it no longer lists since another one stated
    /// that it may list again, whatever becomes of other records that it does not list.
    private func forgetStatements(
        _ merger: inout StreamMerger, seen: SeenKeys, cancellation: Cancellation
    ) throws {
        if try table.count(of: .overruled) + table.count(of: .statedTombstone) == 0 { return }
        let unseen = try unseen(seen, cancellation)
        try forEach(unseen, &merger) { merger, records in
            let stated = records.filter { $0.base.map { !$0.state.isLive } ?? false && isExpected($0) }
            try merger.apply(stated, known: .absence)
        }
    }

    /// Whether the scan would have seen a record that is still there. A deletion that was stated and waits for a decision is
    /// not taken back by silence.
    private func isExpected(_ record: GoneRecord) -> Bool {
        if let base = record.base, base.isOpen, base.state == .statedTombstone, record.local != nil { return false }
        return coverage.covers(record.key, record.base, canonical, local: record.local)
    }

    private func standing(_ record: GoneRecord) -> Standing {
        switch proof {
        case .scans(let needed):
            let left = needed - (record.base?.missedScans ?? 0)
            return left <= 0 ? .gone : .suspected(scansLeft: left)
        case .answers(let existence):
            let answer = existence?.answer(record.key) ?? .unknown
            return answer == .gone ? .gone : .kept(answer)
        }
    }

    /// What the source has to be asked for. The limits hold before that: thousands of records that are missing at once
    /// are rather a broken list.
    private func questions(_ unseen: UnseenKeys, _ merger: StreamMerger) throws -> Result {
        let count = try count(unseen, merger) { _ in .gone }
        if let refusal = refusal(count, merger) { return Result(refusal: refusal, isExcessive: true) }
        var result = Result()
        try unseen.forEachBatch { keys in
            for record in try merger.goneRecords(keys) where record.matters && isExpected(record) {
                result.questions.append(MissingRecord(key: record.key, values: lastSaid(of: record, merger)))
            }
        }
        return result
    }

    /// What the source said last of a record, one value per field, nil where that is not known: of one in quarantine only
    /// its key is.
    private func lastSaid(of record: GoneRecord, _ merger: StreamMerger) -> [FieldValue?] {
        let schema = merger.schema
        if merger.isQuarantined(record.key) { return [] }
        var values = merger.planner.lastSaid(of: record)
        for entry in record.facts.conflicts {
            guard let field = schema.fields.firstIndex(where: { $0.name == entry.field }), let remote = entry.remote,
                let value = StoredJSON().value(remote, type: schema.fields[field].type)
            else { continue }
            values[field] = value
        }
        return values
    }

    /// What would become of the records that the scan did not see.
    private struct Count {
        /// How many rows would go, and the first of the records that count.
        var deletes = 0
        var first: [RecordKey] = []
        /// How many of them pass to another source, and to which.
        var passed = 0
        var holders: Set<Int> = []
        /// Of how many it would be forgotten that people deleted them.
        var forgotten = 0
        /// About how many people would be asked, where that counts.
        var asked = 0
        /// How many are gone once further scans confirm it, and the first of them.
        var suspected = 0
        var firstSuspected: [RecordKey] = []
        /// How many further scans the first of them need.
        var scansLeft = 0

        /// All that counts.
        var all: Int { deletes + forgotten + asked }
    }

    private func count(
        _ unseen: UnseenKeys, _ merger: StreamMerger, as standing: (GoneRecord) -> Standing
    ) throws -> Count {
        var count = Count()
        // What is asked of people takes nothing away, so that only too few records are too few to ask.
        let asks = merger.readBefore + merger.report.read < limit.rule.minimumRecords
        try unseen.forEachBatch { keys in
            for record in try merger.goneRecords(keys)
            where record.change != .none && (asks || record.change != .isAsked) && isExpected(record)
                && merger.elsewhere.stated[merger.schema.source]?.contains(record.key) != true
            {
                switch standing(record) {
                case .gone: break
                case .suspected(let scansLeft):
                    count.suspected += 1
                    count.scansLeft = max(count.scansLeft, scansLeft)
                    if count.firstSuspected.count < RunProblem.listedKeys { count.firstSuspected.append(record.key) }
                    continue
                case .kept: continue
                }
                switch record.change {
                case .goes: count.deletes += 1
                case .isForgotten: count.forgotten += 1
                case .isAsked: count.asked += 1
                case .none: break
                }
                if record.passesOn {
                    count.passed += 1
                    count.holders.formUnion(merger.context.otherSources.others.holders(of: record.facts.others))
                }
                if count.first.count < RunProblem.listedKeys { count.first.append(record.key) }
            }
        }
        return count
    }

    private func refusal(_ count: Count, _ merger: StreamMerger) -> Refusal? {
        let read = merger.readBefore + merger.report.read
        if read < limit.rule.minimumRecords, count.suspected > 0 {
            let all = count.all + count.suspected
            guard let message = limit.refusal(of: all, confirmedIn: count.scansLeft, read: read) else { return nil }
            return Refusal(
                deletes: all, keys: Array((count.first + count.firstSuspected).prefix(RunProblem.listedKeys)),
                message: message)
        }
        guard var message = limit.refusal(of: count.all, ofThem: count.deletes, read: read) else { return nil }
        if count.passed > 0 {
            let names = merger.context.otherSources.names(of: count.holders)
            message += " \(Self.sentence(count.passed, of: count.all, to: names))"
        }
        if count.forgotten > 0 {
            let subject = Self.subject(count.forgotten, of: count.all)
            message += " \(subject) people deleted here, which would be forgotten."
        }
        return Refusal(deletes: count.all, keys: count.first, message: message)
    }

    /// What would become of records that other sources still have.
    private static func sentence(_ passed: Int, of all: Int, to names: String) -> String {
        return "\(subject(passed, of: all)) would pass to another source of the table\(names) and take its values."
    }

    private static func subject(_ count: Int, of all: Int) -> String {
        count == all ? Plural.word(all, "The record", "All of them") : "\(count) of them"
    }
}

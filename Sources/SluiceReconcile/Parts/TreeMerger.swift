package import SluiceDecode
package import SluiceModel
internal import SluicePlans
package import SluiceReport
internal import SluiceStore

/// Merges the records of a stream together with the records that stand within them.
///
/// Embedded objects go first, then the stream's records, then their children, each through a merge of its own that
/// knows nothing of the others.
package struct TreeMerger {
    /// The records whose deletion another source stated before, where that waits for a decision.
    private var waiting: Set<RecordKey> = []
    /// The stream's own records.
    package var main: StreamMerger
    package let tree: NestedTree?
    /// One merge for each part.
    package var parts: [StreamMerger]
    /// The hashes of the keys of embedded objects that were merged, by part: what was said of one first stands.
    package var met: [RecentHashSet]
    /// The settled objects of each part, once they were asked for.
    var settledByPart: [RecentHashSet?]
    /// The records of the present batch that are in lists that were changed on both sides, by part.
    var contestedRecords: [Set<RecordKey>]
    /// Those of them that are in lists which give way to another source's, and what stands within these, by part.
    var yieldingRecords: [Set<RecordKey>]
    /// The open conflicts over lists that are one value, by part.
    var undecided: [UndecidedLists]
    /// Children whose records wait for unique values, by part.
    private var delayed: [NestedBatch]
    /// The keys of these children, by part: what belongs to them waits as well.
    private var delayedKeys: [Set<RecordKey>]
    /// Children of the present batch whose records have no row.
    var orphans: [Orphans] = []
    /// How the stream's records are known by their texts; nil where that says nothing.
    package var texts: KnownTexts?
    /// The lists within the records that say that there is more of them.
    package var cutLists: [CutList] = []
    /// What became of the latest batch, as far as that matters to its texts.
    package var settling = TextSettling()

    /// - Parameters:
    ///   - context: What the merge of the stream is given.
    ///   - plan: How its records are read, and what stands within them.
    ///   - contexts: What the merge of each part is given.
    ///   - report: The counts so far.
    /// - Throws: `StoreError`.
    package init(
        _ context: StreamMerger.Context, plan: DecodePlan, parts contexts: [StreamMerger.Context], report: StreamReport
    ) throws {
        let tree = plan.parts
        self.tree = tree
        func merger(
            _ context: StreamMerger.Context, _ plan: DecodePlan?, _ report: StreamReport
        ) throws -> StreamMerger {
            var context = context
            if let plan { context.meaning = plan.meaning(of:field:) }
            return try StreamMerger(context, report: report)
        }
        parts = try contexts.enumerated().map { part, context in
            try merger(
                context, tree?.parts[part].plan,
                StreamReport(stream: report.stream, entity: context.table.schema.entity))
        }
        main = try merger(context, plan, report)
        met = contexts.map { _ in RecentHashSet() }
        settledByPart = contexts.map { _ in nil }
        contestedRecords = contexts.map { _ in [] }
        yieldingRecords = contestedRecords
        for part in contexts.indices where tree?.parts[part].isOrdered == true { parts[part].planner.mergesList = true }
        undecided = try contexts.indices.map { part in
            tree?.parts[part].isOrdered == true
                ? try UndecidedLists(contexts[part].table.schema, in: context.store) : UndecidedLists()
        }
        delayed = tree?.parts.map { NestedBatch(fieldCount: $0.plan.fields.count) } ?? []
        delayedKeys = contexts.map { _ in [] }
        for part in parts.indices where tree?.parts[part].isChild == true {
            parts[part].newsWithin = try NewsWithin(of: parts[part].canonical, in: context.store.conflicts)
        }
        if tree?.parts.contains(where: \.isChild) == true {
            waiting = try context.otherSources.waitingStatements(run: context.run)
        }
        if !parts.isEmpty { main.keepsHeldBack = true }
        for owner in tree?.parts.compactMap(\.owner) ?? [] { parts[owner].keepsHeldBack = true }
    }

    /// Merges a batch and what stands within its records.
    ///
    /// - Parameters:
    ///   - batch: The records.
    ///   - found: What stands within them.
    ///   - duplicates: The keys that come more than once.
    ///   - known: For each part the rows of embedded objects of which something was said before; nil to look for them.
    /// - Throws: What the store throws, and ``SyncError`` where a policy is to fail.
    package mutating func merge(
        _ batch: borrowing RecordBatch, parts found: [NestedBatch], duplicates: DuplicateIndex, known: [Set<Int>]? = nil
    ) throws {
        settling.begin()
        for part in found.indices where !isChild(part) {
            try mergeEmbedded(found[part].records, part, known: known?[part])
        }
        try main.merge(batch, duplicates: duplicates)
        try deleteBelow(nil)
        for part in found.indices where isChild(part) { try mergeChildren(found[part], part) }
        forgetBack()
        if !orphans.isEmpty {
            try settleOrphans(found, of: batch)
            for part in found.indices where isChild(part) { try bringBack(found[part], part) }
            forgetBack()
        }
        try takeEndedNews(besides: found)
        if texts != nil { try settleTexts(of: batch) }
    }

    /// Settles what had to wait.
    package mutating func finish() throws {
        for part in parts.indices where !isChild(part) { try parts[part].finish() }
        try main.finish()
        try deleteBelow(nil)
        let late = delayed
        // A part stands behind the one that its records belong to, which has no more to wait for by then.
        for part in parts.indices where isChild(part) {
            let children = delayed[part]
            delayed[part] = NestedBatch(fieldCount: children.records.fieldCount)
            delayedKeys[part] = []
            try mergeChildren(children, part)
            if main.isAgain { try dropLists(of: parts[part].context.otherSources.takePostponed(), in: part) }
            try parts[part].finish()
            try deleteBelow(part)
        }
        // What is listed of a record that could not be written comes again; what waited does not.
        orphans.removeAll { $0.scope.ordinal != StreamMerger.unread }
        if orphans.isEmpty { return forgetBack() }
        try settleOrphans(late, of: RecordBatch(fieldCount: main.schema.fields.count))
        for part in late.indices where isChild(part) { try bringBack(late[part], part) }
        forgetBack()
        try finish()
    }

    /// Ends the open conflicts that people settled in the table, once all else is written.
    ///
    /// - Parameter isRead: Whether a record of the stream was read.
    /// - Throws: `StoreError`.
    package mutating func endMetConflicts(except isRead: (RecordKey) throws -> Bool) throws {
        let isMet = try main.endMetConflicts(except: isRead)
        let areMet = try parts.indices.map { try parts[$0].endMetConflicts() }
        let areListsMet = try delayMetLists()
        if isMet || areListsMet || areMet.contains(true) {
            try takeEndedNews(besides: [])
            try finish()
        }
    }

    /// What the records are that those of a part belong to.
    func schema(above part: Int) -> RecordSchema {
        tree?.parts[part].owner.map { parts[$0].schema } ?? main.schema
    }

    /// The table of the records that those of a part belong to.
    func table(above part: Int) -> any RecordTable {
        tree?.parts[part].owner.map { parts[$0].context.table } ?? main.context.table
    }

    /// What a source lists of records, by those which they belong to.
    func listings(
        in children: NestedBatch, _ part: Int, of isMeant: (RecordKey) -> Bool = { _ in true }
    ) -> [RecordKey: StreamMerger.Listing] {
        var lists: [RecordKey: StreamMerger.Listing] = [:]
        for scope in children.scopes where isMeant(scope.owner) {
            lists[scope.owner, default: .init()].keys.formUnion(keys(of: scope, children.records, part))
            if scope.reading != .partial { lists[scope.owner]?.isWhole = true }
        }
        return lists
    }

    /// Has children merged at the end.
    mutating func delayChildren(_ scope: NestedBatch.Scope, of batch: borrowing RecordBatch, _ part: Int) {
        delayed[part].append(scope, of: batch)
        delayedKeys[part].formUnion(keys(of: scope, batch, part))
    }

    /// Keeps what of the parts could not be taken, and lets go what could.
    ///
    /// - Parameters:
    ///   - coverage: What the scan proves of what is within the records; nil for nothing.
    ///   - texts: Gives the records at some positions as they were read.
    /// - Throws: `StoreError`.
    package mutating func closeParts(_ coverage: Coverage?, texts: (Set<Int>) throws -> [Int: RecordText]) throws {
        for part in parts.indices {
            let refusals = parts[part].refusals
            if !refusals.isEmpty { try parts[part].keepRefusals(try texts(Set(refusals.flatMap(\.ordinals)))) }
            // Nothing says that all embedded objects were met, but what was met was taken.
            try parts[part].closeQuarantine(isComplete: coverage?.showsAll ?? false) { keys in
                guard let coverage, isChild(part), isBelow(part, nil) else { return keys.map { _ in false } }
                return try main.areCovered(keys.map { $0.beginning(main.schema) }, by: coverage)
            }
        }
    }

    /// The records are merged once more in the same run, so that most of them were counted already.
    ///
    /// - Parameter told: The quarantine entries that were told.
    package mutating func mergesAgain(told: Set<Int64>) {
        (main.isAgain, main.toldInQuarantine) = (true, told)
        for part in parts.indices { (parts[part].isAgain, parts[part].toldInQuarantine) = (true, told) }
    }

    /// How many records of each part count only now that they are merged once more.
    package var metLate: [Int] { parts.map(\.metLate) }

    /// The entries of the records and of what stands within them that the scan met and that could not be taken.
    package var keysSeenInQuarantine: Set<Int64> {
        parts.reduce(main.keysSeenInQuarantine) { $0.union($1.keysSeenInQuarantine) }
    }

    /// What became of the records of the page, and of those within them by part.
    package var outcomes: [[UInt64: RecordOutcome]] { [main.outcomes] + parts.map(\.outcomes) }

    /// What is said of records within others that people deleted and that are gone from their source as well.
    package var forgottenWithin: [RunProblem] { parts.compactMap { $0.forgottenDeletions.problem($0.schema) } }

    /// How many records and lists are left as they are for a saved plan.
    package var heldBack: Int { parts.reduce(main.report.summary.stale) { $0 + $1.report.summary.stale } }

    /// What became of the records of each part.
    package var partReports: [StreamReport.Part] {
        parts.map {
            var part = StreamReport.Part(
                entity: $0.schema.entity, summary: $0.report.summary, newConflicts: $0.report.newConflicts)
            part.conflictRows = $0.report.conflictRows
            part.rewritten = $0.report.rewritten
            part.newlyQuarantined = $0.report.newlyQuarantined
            return part
        }
    }

    /// Marks of unique values that a further attempt must let wait.
    package var contested: Set<UInt64> { parts.reduce(into: main.contested) { $0.formUnion($1.contested) } }

    package func isChild(_ part: Int) -> Bool { tree?.parts[part].isChild ?? false }

    private mutating func mergeEmbedded(_ batch: RecordBatch, _ part: Int, known: Set<Int>?) throws {
        if batch.count == 0 { return }
        let known = known ?? Set(batch.keyHashes.indices.filter { !met[part].insert(batch.keyHashes[$0]) })
        try parts[part].lookUp(batch)
        try parts[part].mergeFound(batch, leavingOut: known)
        if texts != nil { try recordSettled(batch, part, leavingOut: known) }
    }

    // MARK: Children

    private mutating func mergeChildren(_ children: NestedBatch, _ part: Int) throws {
        contestedRecords[part].removeAll(keepingCapacity: true)
        yieldingRecords[part].removeAll(keepingCapacity: true)
        try bringBack(children, part)
        if children.scopes.isEmpty { return }
        if !main.repeatedOrdinals.isEmpty {
            for scope in children.scopes where main.repeatedOrdinals.contains(scope.ordinal) {
                for row in scope.rows { parts[part].repeatedWithin.insert(children.records.keyHashes[row]) }
            }
        }
        try parts[part].lookUp(children.records)
        try recordYielding(children, part)
        var left: Set<Int> = []
        var taken: [NestedBatch.Scope] = []
        for (scope, standing) in zip(children.scopes, try standings(of: children.scopes, part)) {
            switch standing {
            case .there: taken.append(scope)
            case .waiting:
                delayChildren(scope, of: children.records, part)
                left.formUnion(scope.rows)
            case .notThere: left.formUnion(scope.rows)
            case .withoutRow:
                left.formUnion(scope.rows)
                for row in scope.rows { parts[part].context.written?.pass(children.records.keyHashes[row]) }
                if tree?.parts[part].outlivesOwner == false { orphans.append(Orphans(part: part, scope: scope)) }
            }
        }
        let isOrdered = tree?.parts[part].isOrdered == true
        var facts = isOrdered ? try parts[part].listFacts(taken, of: children.records) : []
        if isOrdered {
            let orphans = try leaveOrphans(taken, live: facts.map(\.live), of: children.records, part)
            left.formUnion(orphans.flatMap { Array(taken[$0].rows) })
            for index in orphans.reversed() {
                taken.remove(at: index)
                facts.remove(at: index)
            }
        }
        if texts != nil { settling.recordLeft(children.scopes, taken: taken) }
        let held = isOrdered ? try lists(taken, facts, of: children.records, part).compactMap { $0 } : []
        let apart = Set(held.flatMap { Array($0.scope.rows) })
        // A list that was changed here as well asks for itself, or along with its record.
        if !waiting.isEmpty {
            let heldOwners = Set(held.filter { !$0.isYielded }.map(\.scope.owner))
            try answerStatements(taken.filter { !heldOwners.contains($0.owner) }, of: children.records, part)
        }
        try parts[part].mergeFound(children.records, leavingOut: left.union(apart))
        if isOrdered && !parts[part].context.otherSources.isEmpty {
            let heldOwners = Set(held.map(\.scope.owner))
            let news = taken.filter { scope in
                !heldOwners.contains(scope.owner)
                    && scope.rows.contains { parts[part].lookup.findings[$0] != .unchanged }
            }
            try replaceListsBehind(news, of: children.records, part)
            let asked = held.filter(\.isNewQuestion).map(\.scope.owner)
            try parts[part].context.otherSources.askListsBehind(under: news.map(\.owner) + asked)
        }
        if texts != nil { try recordSettled(children.records, part, leavingOut: left) }
        settling.unsettled.formUnion(held.map(\.scope.ordinal))
        if !held.isEmpty { try mergeHeld(held, of: children.records, part) }
        let heldOwners = Set(held.map(\.scope.owner))
        let whole = taken.indices.filter { taken[$0].reading != .partial && !heldOwners.contains(taken[$0].owner) }
        var scopes = whole.map { taken[$0] }
        if scopes.isEmpty { return try deleteBelow(part) }
        var live =
            isOrdered
            ? whole.map { facts[$0].live } : try parts[part].context.table.liveKeys(under: scopes.map(\.owner))
        if !isOrdered {
            for index in try leaveOrphans(scopes, live: live, of: children.records, part).reversed() {
                scopes.remove(at: index)
                live.remove(at: index)
            }
        }
        try deleteMissing(from: scopes, live: live, of: children.records, part)
    }

    /// Remembers what the source says within elements of lists that give way, as of these: it is nothing new once it counts.
    private mutating func recordYielding(_ children: NestedBatch, _ part: Int) throws {
        guard let tree, !tree.parts[part].outlivesOwner, let owner = tree.parts[part].owner, isChild(owner),
            !yieldingRecords[owner].isEmpty
        else { return }
        let within = children.scopes.filter { yieldingRecords[owner].contains($0.owner) }
        for scope in within { yieldingRecords[part].formUnion(keys(of: scope, children.records, part)) }
        contestedRecords[part].formUnion(yieldingRecords[part])
        try parts[part].recordGivingWay(within, of: children.records, within: true)
    }

    /// Leaves lists of records without a row that lack something: nobody looked at the records, since all that the lists have is as it
    /// was.
    ///
    /// - Parameters:
    ///   - scopes: The lists.
    ///   - live: What the source had in each.
    ///   - batch: What they have.
    ///   - part: Their part.
    /// - Returns: The positions of those that are left, in their order.
    /// - Throws: `StoreError`.
    private mutating func leaveOrphans(
        _ scopes: [NestedBatch.Scope], live: [[RecordKey]], of batch: borrowing RecordBatch, _ part: Int
    ) throws -> [Int] {
        if tree?.parts[part].outlivesOwner == true { return [] }
        var lacking: [Int] = []
        for (index, scope) in scopes.enumerated()
        where scope.reading != .partial && live[index].count > scope.rows.count {
            // Whoever was looked at is there.
            if scope.rows.allSatisfy({ parts[part].lookup.findings[$0] == .unchanged }) { lacking.append(index) }
        }
        if lacking.isEmpty { return [] }
        let rows = try table(above: part).localRows(lacking.map { scopes[$0].owner })
        let left = zip(lacking, rows).filter { $1 == nil }.map(\.0)
        for index in left { orphans.append(Orphans(part: part, scope: scopes[index])) }
        return left
    }

    /// Ends what other sources stated of the deletion of records within which the source says something new, where that waits for a
    /// decision.
    private mutating func answerStatements(
        _ taken: [NestedBatch.Scope], of records: RecordBatch, _ part: Int
    ) throws {
        var answered: Set<RecordKey> = []
        for scope in taken {
            let key = scope.owner.beginning(main.schema)
            guard waiting.contains(key), !answered.contains(key) else { continue }
            let isList = tree?.parts[part].isOrdered == true
            if try parts[part].isAnyNews(scope.rows, of: records, isList: isList) { answered.insert(key) }
        }
        if answered.isEmpty { return }
        try main.answerStatements(of: answered.sorted())
        waiting.subtract(answered)
    }

    /// Has the children of records whose rows are made anew come back with them.
    private mutating func bringBack(_ children: NestedBatch, _ part: Int) throws {
        guard let tree, !tree.parts[part].outlivesOwner else { return }
        let owners = tree.parts[part].owner.map { parts[$0].back } ?? main.back
        if owners.isEmpty { return }
        try parts[part].bringBack(with: owners, listing: listings(in: children, part) { owners.keys.contains($0) })
    }

    /// All that belongs to the records whose rows were made anew was looked at.
    private mutating func forgetBack() {
        main.back.removeAll()
        for part in parts.indices { parts[part].back.removeAll() }
    }

    /// Deletes the children that their records no longer have at the source.
    mutating func deleteMissing(
        from scopes: [NestedBatch.Scope], live: [[RecordKey]], of batch: borrowing RecordBatch, _ part: Int
    ) throws {
        if scopes.isEmpty { return try deleteBelow(part) }
        var (gone, uncertain): ([RecordKey], [RecordKey]) = ([], [])
        for (scope, live) in zip(scopes, live) {
            var present: Set<RecordKey> = []
            for row in scope.rows { present.insert(batch.key(of: row, schema: parts[part].schema)) }
            let missing = live.filter { !present.contains($0) }
            if missing.isEmpty { continue }
            if scope.reading == .counted { uncertain += missing } else { gone += missing }
            // Whether all is settled below what is gone is not looked at.
            settling.unsettled.insert(scope.ordinal)
        }
        if gone.isEmpty && uncertain.isEmpty { return try deleteBelow(part) }
        try deleteChildren(gone, in: part, isCounted: false)
        try deleteChildren(uncertain, in: part, isCounted: true)
        if tree?.parts[part].isOrdered == true { try parts[part].context.otherSources.askAllAgain() }
    }

    /// Whether the record that children belong to is in the store.
    private enum Standing { case there, notThere, withoutRow, waiting }

    private func standings(of scopes: [NestedBatch.Scope], _ part: Int) throws -> [Standing] {
        var standings = scopes.map { standing(of: $0, part) }
        let unknown = standings.indices.filter { standings[$0] == nil }
        if !unknown.isEmpty {
            for (index, row) in zip(unknown, try table(above: part).localRows(unknown.map { scopes[$0].owner })) {
                standings[index] = row == nil ? .withoutRow : .there
            }
        }
        return standings.compactMap { $0 }
    }

    /// Whether the record around others is left as it is, of a part or of the stream itself.
    func isHeldBack(_ key: RecordKey, _ part: Int?) -> Bool {
        if main.context.gate == nil { return false }
        let hash = KeyHash.hash(key)
        return part.map { parts[$0].heldBack.contains(hash) } ?? main.heldBack.contains(hash)
    }

    /// What is known without a look at the store; nil where that is to be asked.
    private func standing(of scope: NestedBatch.Scope, _ part: Int) -> Standing? {
        let owner = tree?.parts[part].owner
        if main.passedOver.contains(scope.ordinal) { return .notThere }
        if isHeldBack(scope.owner, owner) { return .notThere }
        // It is not decided yet whether the record around them is the one that the source speaks of.
        if let owner, contestedRecords[owner].contains(scope.owner) { return .notThere }
        let isWaiting = owner.map {
            parts[$0].writer.waitingKeys.contains(scope.owner) || delayedKeys[$0].contains(scope.owner)
        }
        if isWaiting ?? main.writer.waitingKeys.contains(scope.owner) { return .waiting }
        // Children that are as they were need no look at the record.
        return parts[part].newsWithin.isEmpty
            && scope.rows.allSatisfy { parts[part].lookup.findings[$0] == .unchanged } ? .there : nil
    }

    /// Deletes all children of some records.
    mutating func deleteChildren(of owners: [RecordKey], in part: Int) throws {
        if owners.isEmpty { return }
        let gone = try parts[part].context.table.liveKeys(under: owners).flatMap { $0 }
        try deleteChildren(gone, in: part, isCounted: false)
        if !gone.isEmpty && tree?.parts[part].isOrdered == true { try parts[part].context.otherSources.askAllAgain() }
    }

    /// Deletes children that their source no longer has.
    mutating func deleteChildren(_ gone: [RecordKey], in part: Int, isCounted: Bool) throws {
        try parts[part].applyAll(gone) { merger, keys in
            let records = try merger.goneRecords(keys)
            // A record that went meanwhile may have shifted it past the reader.
            let isSuspect = { (record: GoneRecord) in isCounted && record.base?.missedScans == 0 }
            try merger.suspect(records.filter(isSuspect).map { ($0, 1) })
            try merger.apply(records.filter { !isSuspect($0) }, known: .absence)
        }
        try deleteBelow(part)
    }

    /// Deletes the children of the records of a part, of the stream where nil, whose rows were deleted. Of those that
    /// another source keeps the children are no longer this source's.
    mutating func deleteBelow(_ part: Int?) throws {
        guard let tree else { return }
        var deleted: [RecordKey] = []
        var abandoned: [RecordKey] = []
        var asked: [RecordKey] = []
        if let part {
            swap(&asked, &parts[part].asked)
            swap(&deleted, &parts[part].deleted)
            swap(&abandoned, &parts[part].abandoned)
        } else {
            swap(&asked, &main.asked)
            swap(&deleted, &main.deleted)
            swap(&abandoned, &main.abandoned)
        }
        if !asked.isEmpty { try endLists(of: asked, part) }
        if deleted.isEmpty && abandoned.isEmpty { return }
        for child in tree.children(of: part) where !tree.parts[child].outlivesOwner {
            if !deleted.isEmpty {
                var over: [ConflictChange] = []
                for key in deleted { over += ending(over: key, child, as: .obsolete, since: .ownerDeleted) }
                if tree.parts[child].isOrdered {
                    let context = parts[child].context
                    over += try context.otherSources.withdrawLists(under: deleted, run: context.run).map {
                        .close($0, as: .obsolete, since: .ownerDeleted)
                    }
                }
                try parts[child].apply(over)
                try parts[child].deleteAll(under: deleted)
                try deleteBelow(child)
            }
            if !abandoned.isEmpty { try dropLists(of: abandoned, in: child) }
        }
    }
}

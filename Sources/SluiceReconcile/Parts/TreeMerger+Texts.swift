package import SluiceDecode
package import SluiceModel
internal import SluiceReport
package import SluiceStore

/// The embedded objects that the records of a batch speak of which are known by their texts.
private struct MentionsHere {
    private var keys: [Set<UInt64>]

    /// Takes those of some records.
    ///
    /// - Parameters:
    ///   - partCount: How many parts there are.
    ///   - texts: What stands within the records of the batch.
    ///   - rows: The positions of the records.
    init(_ partCount: Int, _ texts: TextsWithin, of rows: some Sequence<Int>) {
        keys = Array(repeating: [], count: partCount)
        for row in rows { insert(texts, row) }
    }

    /// Takes those of another record.
    mutating func insert(_ texts: TextsWithin, _ row: Int) {
        texts.forEachMention(of: row) { mention in
            if case .embedded(let part, let key, _) = mention, keys.indices.contains(part) { keys[part].insert(key) }
            return true
        }
    }

    /// Whether a record speaks of an object.
    func contains(_ key: UInt64, of part: Int) -> Bool { keys[part].contains(key) }
}

/// The hashes of texts: one is noted where all that its record holds is settled.
extension TreeMerger {
    /// Records which records of a part were not as the base says, and which of these are not settled by now.
    ///
    /// Of embedded objects the base itself tells that, to whoever mentions one.
    mutating func recordSettled(_ batch: borrowing RecordBatch, _ part: Int, leavingOut left: Set<Int>) throws {
        let merger = parts[part]
        let inserted = Set(merger.inserts)
        var doubtful: [(ordinal: Int, key: RecordKey)] = []
        for row in 0..<batch.count where !left.contains(row) && merger.lookup.findings[row] != .unchanged {
            let ordinal = batch.origins[row].ordinal
            settling.touched.insert(ordinal)
            if !isChild(part) || inserted.contains(row) && merger.writer.waitingKeys.isEmpty { continue }
            doubtful.append((ordinal, batch.key(of: row, schema: merger.schema)))
        }
        if doubtful.isEmpty { return }
        for ((ordinal, key), base) in zip(doubtful, try merger.context.table.baseRows(doubtful.map(\.key)))
        where merger.writer.waitingKeys.contains(key) || base?.state != .live || base?.isOpen != false {
            settling.unsettled.insert(ordinal)
        }
    }

    /// Brings the marks of a batch's texts in line with what became of the records.
    ///
    /// A record that was inserted or changed has its mark with its base. What is left are records within which something
    /// changed or is not settled and, where the marks are renewed, all others.
    func settleTexts(of batch: borrowing RecordBatch) throws {
        let renewsAll = texts?.isKnown == false
        if !renewsAll && settling.touched.isEmpty && settling.unsettled.isEmpty { return }
        var marks: [(key: RecordKey, mark: TextFingerprint?)] = []
        for row in 0..<batch.count {
            let ordinal = batch.origins[row].ordinal
            let key = batch.key(of: row, schema: main.schema)
            // Of what the source says is deleted no more is known by its text than that.
            let isUnsettled =
                settling.unsettled.contains(ordinal) || batch.deleted.contains(row) || main.passedOver.contains(ordinal)
                || main.writer.waitingKeys.contains(key)
            if isUnsettled {
                marks.append((key, nil))
            } else if main.lookup.findings[row] != .new, renewsAll || settling.touched.contains(ordinal),
                let mark = batch.textFingerprints[row]
            {
                marks.append((key, mark))
            }
        }
        if !marks.isEmpty { try main.context.table.record(marks) }
    }

    /// Has records that are known by their texts be decoded where they may be the first in this run to speak of an
    /// embedded object, and say something else of it than its base does: another record may have spoken first in the run
    /// that noted the text.
    ///
    /// - Parameters:
    ///   - lookup: Which records of a batch are known; some of them are no longer.
    ///   - count: How many records the batch has.
    /// - Throws: `StoreError`.
    package mutating func doubt(_ lookup: inout TextLookup, of count: Int) throws {
        if lookup.within.isEmpty { return }
        // What most mentions say is settled, so that it makes no difference whether they are the first.
        var here: MentionsHere?
        var doubted: [Int] = []
        for row in 0..<count {
            var hasNews = false
            try lookup.within.forEachMention(of: row) { mention in
                guard case .embedded(let part, let key, let content) = mention else { return true }
                guard parts.indices.contains(part) else {
                    hasNews = true
                    return false
                }
                if try isSettled(KeyHash.combine(key, content), part) || met[part].contains(key) { return true }
                if here == nil {
                    here = MentionsHere(parts.count, lookup.within, of: (0..<row).filter { !doubted.contains($0) })
                }
                hasNews = here?.contains(key, of: part) == false
                return !hasNews
            }
            if hasNews { doubted.append(row) } else { here?.insert(lookup.within, row) }
        }
        for row in doubted { lookup.within.remove(row) }
        if !doubted.isEmpty { lookup.others = (lookup.others + doubted).sorted() }
    }

    /// Whether the base of an object of a part is settled and says the same, by the hash of key and content. What the run writes
    /// makes no difference, since it matters only for objects that were not met before.
    private mutating func isSettled(_ hash: UInt64, _ part: Int) throws -> Bool {
        if settledByPart[part] == nil {
            var found = HashSet64()
            try parts[part].context.table.eachSettled { key, content in
                found.insert(KeyHash.combine(KeyHash.hash(key), content))
            }
            settledByPart[part] = RecentHashSet(found)
        }
        return settledByPart[part]?.contains(hash) == true
    }

    /// Whether records within others wait in quarantine: what stands within those that are known is not tried again.
    package var hasQuarantinedParts: Bool {
        parts.contains { !$0.quarantinedKeys.isEmpty || !$0.quarantinedKeyless.isEmpty }
    }

    /// Merges the records of a batch that are not known by their texts, and counts those that are with what stands within
    /// them.
    ///
    /// - Parameters:
    ///   - fingerprinted: The keys of all records.
    ///   - lookup: Which of them are known.
    ///   - changed: The others, as far as they could be decoded.
    ///   - found: What stands within those.
    /// - Throws: What the store throws, and ``SyncError`` where a policy is to fail.
    package mutating func merge(
        _ fingerprinted: borrowing RecordBatch, _ lookup: TextLookup, changed: borrowing RecordBatch,
        parts found: [NestedBatch]
    ) throws {
        main.pass(fingerprinted, except: lookup.others)
        let known = pass(lookup, of: fingerprinted, parts: found)
        if changed.count > 0 { try merge(changed, parts: found, duplicates: DuplicateIndex(), known: known) }
    }

    /// Counts what stands within records that are known by their texts. What was said of an embedded object first stands,
    /// whether its record was decoded or not.
    ///
    /// - Returns: For each part the rows of embedded objects of which something was said before.
    private mutating func pass(
        _ lookup: TextLookup, of fingerprinted: borrowing RecordBatch, parts found: [NestedBatch]
    ) -> [Set<Int>]? {
        if lookup.within.isEmpty { return nil }
        var known = parts.map { _ in Set<Int>() }
        var next = parts.map { _ in 0 }
        var others = lookup.others[...]
        for row in 0..<fingerprinted.count {
            if row == others.first {
                others.removeFirst()
                for part in found.indices where !isChild(part) {
                    // In place: a copy of the records for each row is most of the work.
                    while next[part] < found[part].records.count,
                        found[part].records.origins[next[part]].ordinal <= fingerprinted.origins[row].ordinal
                    {
                        if !met[part].insert(found[part].records.keyHashes[next[part]]) {
                            known[part].insert(next[part])
                        }
                        next[part] += 1
                    }
                }
                continue
            }
            lookup.within.forEachMention(of: row) { mention in
                switch mention {
                case .embedded(let part, let key, _):
                    if parts.indices.contains(part), met[part].insert(key) { parts[part].report.summary.unchanged += 1 }
                case .children(let part, let count):
                    if parts.indices.contains(part) { parts[part].report.summary.unchanged += count }
                }
                return true
            }
        }
        return known
    }
}

extension StreamMerger {
    /// Counts records whose texts are as they were.
    ///
    /// - Parameters:
    ///   - batch: Records of which only the keys are there.
    ///   - others: The positions of those that are not as they were, from the first to the last.
    package mutating func pass(_ batch: borrowing RecordBatch, except others: [Int]) {
        let count = batch.count - others.count
        hasPassed = hasPassed || count > 0
        report.read += count
        report.summary.unchanged += count
        liveMet += count
        if quarantinedKeys.isEmpty { return }
        var others = others[...]
        for record in 0..<batch.count {
            if record == others.first {
                others.removeFirst()
            } else {
                release(batch.key(of: record, schema: schema))
            }
        }
    }
}

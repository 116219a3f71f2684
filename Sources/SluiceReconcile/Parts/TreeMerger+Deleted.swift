internal import SluiceDecode
internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// Records that are gone together with all that belongs to them, since they were deleted here or another source stated so:
/// what their source changes of that is a change of the record.
extension TreeMerger {
    /// The children of a record without a row.
    struct Orphans {
        let part: Int
        let scope: NestedBatch.Scope
    }

    /// A record without a row whose own record, if it belongs to one, is there.
    private struct Place: Hashable {
        /// Its part; nil for a record of the stream.
        let part: Int?
        let key: RecordKey
        /// The position of the stream's record.
        let ordinal: Int
    }

    /// Decides about records that were deleted here, where the source says something new of what belongs to them.
    ///
    /// - Parameters:
    ///   - found: What stands within the records of a batch.
    ///   - batch: The batch, which is merged.
    /// - Throws: What the store throws, and ``SyncError`` where a policy is to fail.
    mutating func settleOrphans(_ found: [NestedBatch], of batch: borrowing RecordBatch) throws {
        let all = orphans
        orphans.removeAll()
        var places: [Place] = []
        var groups: [Place: [Orphans]] = [:]
        for orphans in all {
            let place = try place(above: orphans)
            if groups[place] == nil { places.append(place) }
            groups[place, default: []].append(orphans)
        }
        var quiet: [Orphans] = []
        // An element of a list that is one value is asked about with its list alone.
        for place in places where place.part.map({ tree?.parts[$0].isOrdered != true }) ?? true {
            let group = groups[place] ?? []
            if try !settle(group, of: place, found, batch) { quiet += group }
        }
        try forgetAbsent(quiet, found)
    }

    /// Decides about one such record.
    ///
    /// - Returns: Whether the source says something new within it, but for what it no longer has.
    private mutating func settle(
        _ group: [Orphans], of place: Place, _ found: [NestedBatch], _ batch: borrowing RecordBatch
    ) throws -> Bool {
        var news: [(part: Int, row: Int)] = []
        let wentAlong = try place.part.map { try parts[$0].isOverruled(place.key) } ?? main.isOverruled(place.key)
        for orphans in group {
            let (part, records) = (orphans.part, found[orphans.part].records)
            for row in orphans.scope.rows
            where try parts[part].isNewsOfOrphan(row, of: records, wentAlong: wentAlong) {
                news.append((part, row))
            }
        }
        guard let first = news.first else { return false }
        let schema = parts[first.part].schema
        let label = schema.label(of: found[first.part].records.key(of: first.row, schema: schema))
        let more = news.count > 1 ? " and \(news.count - 1) more" : ""
        let words = "\(label)\(more) within it \(news.count > 1 ? "were" : "was") changed at the source"
        guard let isBack = try decide(place, words, found, batch) else { return true }
        if isBack {
            delay(place, found)
            return true
        }
        // An element that was edited here stays: a list that is one value has no conflicts over single ones.
        let standing = try news.filter { part, row in
            try tree?.parts[part].isOrdered == true
                ? parts[part].isAsSaid(row, of: found[part].records)
                : parts[part].isStanding(row, of: found[part].records)
        }
        for (part, row) in news where !standing.contains(where: { $0 == (part, row) }) {
            try parts[part].noteSaid(row, of: found[part].records)
        }
        for (part, rows) in Dictionary(grouping: standing, by: \.part).sorted(by: { $0.key < $1.key }) {
            let others = Set(0..<found[part].records.count).subtracting(rows.map(\.row))
            try parts[part].mergeFound(found[part].records, leavingOut: others)
        }
        try forgetAbsent(group, found)
        return true
    }

    /// Forgets what the source no longer has within records without a row.
    private mutating func forgetAbsent(_ all: [Orphans], _ found: [NestedBatch]) throws {
        let whole = Dictionary(grouping: all.filter { $0.scope.reading == .whole }, by: \.part)
        for (part, orphans) in whole.sorted(by: { $0.key < $1.key }) {
            let (schema, records) = (parts[part].schema, found[part].records)
            try parts[part].forgetAbsent(
                orphans.map { orphans in
                    (orphans.scope.owner, Set(orphans.scope.rows.map { records.key(of: $0, schema: schema) }))
                })
            if tree?.parts[part].isOrdered == true { try deleteGoneElements(of: orphans, found) }
        }
    }

    /// Deletes the rows of elements that their lists no longer have: with those that moved up they would be a list that no
    /// side ever had.
    private mutating func deleteGoneElements(of lists: [Orphans], _ found: [NestedBatch]) throws {
        for orphans in lists {
            let present = keys(of: orphans.scope, found[orphans.part].records, orphans.part)
            let table = parts[orphans.part].context.table
            let standing = Set(try table.rowKeys(under: orphans.scope.owner)).subtracting(present)
            let gone = try table.liveKeys(under: orphans.scope.owner).filter(standing.contains)
            if !gone.isEmpty { try deleteChildren(gone, in: orphans.part, isCounted: false) }
        }
    }

    private mutating func decide(
        _ place: Place, _ words: String, _ found: [NestedBatch], _ batch: borrowing RecordBatch
    ) throws -> Bool? {
        guard let part = place.part else {
            for row in 0..<batch.count where batch.origins[row].ordinal == place.ordinal {
                return try main.mergeChangedWithin(row, of: batch, news: words)
            }
            return nil
        }
        let records = found[part].records
        for row in 0..<records.count
        where records.origins[row].ordinal == place.ordinal
            && records.key(of: row, schema: parts[part].schema) == place.key
        {
            return try parts[part].mergeChangedWithin(row, of: records, news: words)
        }
        return nil
    }

    /// Has all that belongs to a record which is back merged once more, since none of it has a row.
    private mutating func delay(_ place: Place, _ found: [NestedBatch]) {
        for part in found.indices where isChild(part) {
            for scope in found[part].scopes
            where scope.ordinal == place.ordinal && scope.owner.values.starts(with: place.key.values)
                && isBelow(part, place.part)
            {
                let isCounted = scope.rows.allSatisfy { parts[part].lookup.findings[$0] == .unchanged }
                if isCounted { parts[part].report.summary.unchanged -= scope.rows.count }
                delayChildren(scope, of: found[part].records, part)
            }
        }
    }

    private func isBelow(_ part: Int, _ top: Int?) -> Bool {
        var owner = tree?.parts[part].owner
        while let next = owner, next != top, isChild(next) { owner = tree?.parts[next].owner }
        return owner == top
    }

    /// The topmost record without a row that children are within.
    private func place(above orphans: Orphans) throws -> Place {
        var part = tree?.parts[orphans.part].owner
        var key = orphans.scope.owner
        while let child = part, isChild(child) {
            let owner = tree?.parts[child].owner
            let table = owner.map { parts[$0].context.table } ?? main.context.table
            // A child's key begins with that of its record.
            let above = RecordKey(Array(key.values.prefix(table.schema.keyFields.count)))
            if try table.localRow(above) != nil { break }
            (part, key) = (owner, above)
        }
        return Place(part: part, key: key, ordinal: orphans.scope.ordinal)
    }
}

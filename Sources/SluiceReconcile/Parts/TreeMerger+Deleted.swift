internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
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

        /// What tells it apart in the batch that it is in; the stream's records have no key.
        struct Name: Hashable {
            let ordinal: Int
            let key: RecordKey?
        }

        var name: Name { Name(ordinal: ordinal, key: part == nil ? nil : key) }
    }

    /// A record without a row, with what the source says of that which belongs to it.
    private struct Question {
        let place: Place
        /// The children of it, and of those within it, that have no row.
        let group: [Orphans]
        /// Those of them of which the source says something new, by part and row.
        var news: [(part: Int, row: Int)]
        /// Those that have a row and a conflict of their own, which shows that already.
        var asked: [(part: Int, row: Int)] = []
        /// Whether another source stated that the record is deleted.
        let wentAlong: Bool
        /// The number of the open conflict over the record.
        var conflict: Int64?
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
        try endLists(of: all)
        let questions = try questions(about: all, found)
        let asked = questions.filter { !$0.news.isEmpty }
        let answers = try decide(asked, found, batch)
        for (question, isBack) in zip(asked, answers) where isBack == true { delay(question.place, found) }
        // What a saved plan leaves as it is the next run decides, with all that is within it.
        var standing = zip(asked, answers).filter { $1 == false && !isHeldBack($0.place.key, $0.place.part) }.map(\.0)
        try nameConflicts(of: &standing)
        let quiet = questions.filter(\.news.isEmpty)
        for wentAlong in [true, false] {
            let some = (standing + quiet).filter { $0.wentAlong == wentAlong }
            let rows = some.flatMap { question in
                (question.news + question.asked).map { ($0.part, $0.row, question.conflict) }
            }
            try keepStanding(rows, found, wentAlong: wentAlong)
        }
        try endWithin(standing + quiet, found)
        let ended = try forgetTakenBack(standing + quiet, found, batch)
        try deleteAbsent(
            (standing + quiet).map { question in
                var question = question
                if let conflict = question.conflict, ended.contains(conflict) { question.conflict = nil }
                return question
            }, found)
    }

    /// Notes which conflicts are open over records, once it is decided what becomes of them.
    private func nameConflicts(of questions: inout [Question]) throws {
        for (part, places) in Dictionary(grouping: questions.indices, by: { questions[$0].place.part }) {
            let merger = part.map { parts[$0] } ?? main
            let absences = try merger.absences(of: places.map { questions[$0].place.key })
            for (place, absence) in zip(places, absences) { questions[place].conflict = absence.conflict }
        }
    }

    /// Closes the conflicts over lists of records without a row: what they ask is asked of the record, if at all.
    private mutating func endLists(of all: [Orphans]) throws {
        for (part, lists) in Dictionary(grouping: all, by: \.part).sorted(by: { $0.key < $1.key }) {
            let over = lists.flatMap { ending(over: $0.scope.owner, part, as: .obsolete, since: .ownerDeleted) }
            try parts[part].apply(over)
        }
    }

    /// Closes what was asked about children without a row, which people had deleted before the records over which a conflict is open now:
    /// that asks about all that is within them.
    private mutating func endWithin(_ questions: [Question], _ found: [NestedBatch]) throws {
        let all = questions.filter { $0.conflict != nil }.flatMap(\.group)
        for (part, all) in Dictionary(grouping: all, by: \.part).sorted(by: { $0.key < $1.key }) {
            try parts[part].endAsked(all.flatMap(\.scope.rows), of: found[part].records)
        }
    }

    /// What children without a row ask about the records that they are within.
    private func questions(about all: [Orphans], _ found: [NestedBatch]) throws -> [Question] {
        var places: [Place] = []
        var groups: [Place: [Orphans]] = [:]
        for (orphans, place) in zip(all, try self.places(above: all)) {
            // An element of a list that is one value is asked about with its list alone.
            if let part = place.part, tree?.parts[part].isOrdered == true { continue }
            if groups[place] == nil { places.append(place) }
            groups[place, default: []].append(orphans)
        }
        var absences: [Place: StreamMerger.Absence] = [:]
        for (part, places) in Dictionary(grouping: places, by: \.part) {
            let merger = part.map { parts[$0] } ?? main
            for (place, absence) in zip(places, try merger.absences(of: places.map(\.key))) {
                absences[place] = absence
            }
        }
        let givingWay = try listsGivingWay(among: all)
        let questions = places.map { place in
            let group = groups[place] ?? []
            let (wentAlong, conflict) = (absences[place]?.isOverruled ?? false, absences[place]?.conflict)
            var news: [(part: Int, row: Int)] = []
            for orphans in group where givingWay[orphans.part]?.contains(orphans.scope.owner) != true {
                let (part, records) = (orphans.part, found[orphans.part].records)
                for row in orphans.scope.rows
                where parts[part].isNewsOfOrphan(row, of: records, wentAlong: wentAlong, conflict: conflict) {
                    news.append((part, row))
                }
            }
            return Question(place: place, group: group, news: news, wentAlong: wentAlong, conflict: conflict)
        }
        return try apart(questions, found)
    }

    /// Sets apart what children with rows ask about themselves already: that is no news of the records that they are within.
    private func apart(_ questions: [Question], _ found: [NestedBatch]) throws -> [Question] {
        let listed = questions.flatMap(\.news).filter { tree?.parts[$0.part].isOrdered != true }
        var asked: [Int: Set<Int>] = [:]
        for (part, some) in Dictionary(grouping: listed, by: \.part) {
            let rows = some.map(\.row)
            asked[part] = Set(zip(rows, try parts[part].areAsked(rows, of: found[part].records)).filter { $1 }.map(\.0))
        }
        return questions.map { question in
            var question = question
            let isAsked = { (news: (part: Int, row: Int)) in asked[news.part]?.contains(news.row) ?? false }
            question.asked = question.news.filter(isAsked)
            question.news.removeAll(where: isAsked)
            return question
        }
    }

    /// The records, by part, whose children are a list that a source gives which goes before, so that nothing of this one's would be
    /// taken.
    private func listsGivingWay(among all: [Orphans]) throws -> [Int: Set<RecordKey>] {
        let lists = Dictionary(grouping: all.filter { tree?.parts[$0.part].isOrdered == true }, by: \.part)
        var found: [Int: Set<RecordKey>] = [:]
        for (part, lists) in lists {
            let owners = lists.map(\.scope.owner)
            let above = try parts[part].context.otherSources.listsAbove(under: owners)
            found[part] = Set(zip(owners, above).filter { $1 != .none }.map(\.0))
        }
        return found
    }

    /// Decides about records of which the source says something new within them.
    ///
    /// - Returns: Whether the row of each is back; nil where nobody deleted it.
    private mutating func decide(
        _ questions: [Question], _ found: [NestedBatch], _ batch: borrowing RecordBatch
    ) throws -> [Bool?] {
        var answers = [Bool?](repeating: nil, count: questions.count)
        let positions = Dictionary(grouping: questions.indices) { questions[$0].place.part }
        for (part, positions) in positions.sorted(by: { ($0.key ?? -1) < ($1.key ?? -1) }) {
            let rows = part.map { self.rows(of: $0, found) } ?? ordinals(of: batch)
            let known = positions.filter { rows[questions[$0].place.name] != nil }
            let asked = known.map {
                (record: rows[questions[$0].place.name] ?? 0, news: words(questions[$0], found))
            }
            let merged =
                if let part {
                    try parts[part].mergeChangedWithin(asked, of: found[part].records)
                } else {
                    try main.mergeChangedWithin(asked, of: batch)
                }
            for (position, answer) in zip(known, merged) { answers[position] = answer }
        }
        return answers
    }

    /// The positions of the records of a part in their batch.
    private func rows(of part: Int, _ found: [NestedBatch]) -> [Place.Name: Int] {
        let records = found[part].records
        var rows: [Place.Name: Int] = [:]
        for row in (0..<records.count).reversed() {
            let key = records.key(of: row, schema: parts[part].schema)
            rows[Place.Name(ordinal: records.origins[row].ordinal, key: key)] = row
        }
        return rows
    }

    /// The positions of the stream's records in their batch: their ordinals tell them apart.
    private func ordinals(of batch: borrowing RecordBatch) -> [Place.Name: Int] {
        var rows: [Place.Name: Int] = [:]
        for row in (0..<batch.count).reversed() {
            rows[Place.Name(ordinal: batch.origins[row].ordinal, key: nil)] = row
        }
        return rows
    }

    /// What the source changed within a record, in words.
    private func words(_ question: Question, _ found: [NestedBatch]) -> String {
        guard let first = question.news.first else { return "" }
        let schema = parts[first.part].schema
        let label = schema.label(of: found[first.part].records.key(of: first.row, schema: schema))
        let count = question.news.count
        let more = count > 1 ? " and \(count - 1) more" : ""
        return "\(label)\(more) within it \(count > 1 ? "were" : "was") changed at the source"
    }

    /// Remembers what the source says of children of records that stay without a row: as their base, or beside it as long as
    /// somebody has to decide about the record. Those that have a row are merged: an element that was edited here stays, since a list
    /// that is one value has no conflicts over single ones.
    private mutating func keepStanding(
        _ news: [(part: Int, row: Int, conflict: Int64?)], _ found: [NestedBatch], wentAlong: Bool
    ) throws {
        for (part, news) in Dictionary(grouping: news, by: \.part).sorted(by: { $0.key < $1.key }) {
            let (rows, records) = (news.map(\.row), found[part].records)
            let isOrdered = tree?.parts[part].isOrdered == true
            let stand =
                try isOrdered
                ? parts[part].areAsSaid(rows, of: records) : parts[part].areStanding(rows, of: records)
            let others = zip(news, stand).filter { !$1 }.map(\.0)
            try parts[part].keepNews(
                others.compactMap { other in other.conflict.map { (other.row, $0) } }, of: records)
            try parts[part].recordSaid(
                others.filter { $0.conflict == nil }.map(\.row), of: records, wentAlong: wentAlong)
            let standing = Set(zip(rows, stand).filter { $1 }.map(\.0))
            if standing.isEmpty { continue }
            try parts[part].mergeFound(records, leavingOut: Set(0..<records.count).subtracting(standing))
        }
    }

    /// Forgets what waits of children of which the source says again what it said before, or that it no longer has. Where nothing
    /// is left to ask of a record, its conflict is over.
    ///
    /// - Returns: The numbers of the conflicts that are over.
    private mutating func forgetTakenBack(
        _ questions: [Question], _ found: [NestedBatch], _ batch: borrowing RecordBatch
    ) throws -> Set<Int64> {
        let (asked, listed) = try listedAgain(questions, found)
        var over: [Question] = []
        for (question, lists) in zip(asked, listed) {
            guard let conflict = question.conflict else { continue }
            var isAny = false
            for (orphans, isKnown) in zip(question.group, lists) where !parts[orphans.part].newsWithin.isEmpty {
                let (part, records) = (orphans.part, found[orphans.part].records)
                var back: [RecordKey] = []
                for row in orphans.scope.rows where parts[part].isAsBefore(row, of: records) {
                    let key = records.key(of: row, schema: parts[part].schema)
                    if parts[part].newsWithin[key, [conflict]] != nil { back.append(key) }
                }
                var gone: [RecordKey] = []
                if orphans.scope.reading == .whole {
                    let listed = keys(of: orphans.scope, records, part)
                    gone = parts[part].newsWithin.keys(with: [conflict]).filter {
                        $0.values.starts(with: orphans.scope.owner.values) && !listed.contains($0)
                            && !isKnown.contains($0)
                    }
                }
                if back.isEmpty && gone.isEmpty { continue }
                isAny = true
                try parts[part].forgetNews(back + gone)
                try forgetNews(below: gone, part, conflict)
            }
            let isAsked = parts.contains { $0.newsWithin.asks(conflict) }
            if isAny && !isAsked { over.append(question) }
        }
        var ended: Set<Int64> = []
        for question in over {
            let part = question.place.part
            let rows = part.map { self.rows(of: $0, found) } ?? ordinals(of: batch)
            guard let row = rows[question.place.name], let conflict = question.conflict else { continue }
            let hasEnded =
                if let part {
                    try parts[part].endChangedWithin(row, of: found[part].records)
                } else {
                    try main.endChangedWithin(row, of: batch)
                }
            if !hasEnded { continue }
            ended.insert(conflict)
            for child in parts.indices where isChild(child) { try parts[child].forgetGone(with: conflict) }
        }
        return ended
    }

    /// The questions of which something waits, and what the source was known to have of each of their lists.
    private func listedAgain(
        _ questions: [Question], _ found: [NestedBatch]
    ) throws -> (asked: [Question], live: [[Set<RecordKey>]]) {
        let asked = questions.filter { question in
            question.conflict.map { conflict in
                question.group.contains { !parts[$0.part].newsWithin.keys(with: [conflict]).isEmpty }
            } ?? false
        }
        var live: [Int: ArraySlice<[RecordKey]>] = [:]
        for (part, lists) in Dictionary(grouping: asked.flatMap(\.group), by: \.part) {
            live[part] = try parts[part].context.table.liveKeys(under: lists.map(\.scope.owner))[...]
        }
        return (asked, asked.map { $0.group.map { Set(live[$0.part]?.popFirst() ?? []) } })
    }

    /// Forgets what waits of that which is within children that the source has no longer.
    private mutating func forgetNews(below gone: [RecordKey], _ part: Int, _ conflict: Int64) throws {
        if gone.isEmpty { return }
        for child in parts.indices where isChild(child) && tree?.parts[child].owner == part {
            let keys = parts[child].newsWithin.keys(with: [conflict]).filter { key in
                gone.contains { key.values.starts(with: $0.values) }
            }
            try parts[child].forgetNews(keys)
            try forgetNews(below: gone, child, conflict)
        }
    }

    /// Forgets what the source no longer has within records without a row, or keeps that beside its base as long as somebody has
    /// to decide about the record; and deletes what of it has a row: that is not about the records, and goes as if they were there.
    private mutating func deleteAbsent(_ questions: [Question], _ found: [NestedBatch]) throws {
        let all = questions.flatMap { question in question.group.map { (orphans: $0, conflict: question.conflict) } }
        for (part, all) in Dictionary(grouping: all, by: \.orphans.part).sorted(by: { $0.key < $1.key }) {
            let (schema, records) = (parts[part].schema, found[part].records)
            let isOrdered = tree?.parts[part].isOrdered == true
            try keepGone(
                all.compactMap { one in
                    one.orphans.scope.reading == .whole ? one.conflict.map { (one.orphans.scope, $0) } : nil
                }, of: records, part)
            if !isOrdered {
                let listed = all.filter { $0.orphans.scope.reading != .partial }
                try deleteMissing(
                    from: listed.map(\.orphans.scope), live: try missable(listed, part), of: records, part)
                continue
            }
            let whole = all.filter { $0.orphans.scope.reading == .whole && $0.conflict == nil }.map(\.orphans)
            try parts[part].forgetAbsent(
                whole.map { orphans in
                    (orphans.scope.owner, Set(orphans.scope.rows.map { records.key(of: $0, schema: schema) }))
                })
            try deleteGoneElements(of: whole, in: part, found)
        }
    }

    /// Keeps, beside the base, that the source has children of a record no longer over which a conflict is open. An element with a row
    /// goes where its list is as the source said; of a list in which one was edited here none does, since that would be a list that no side
    /// ever had.
    private mutating func keepGone(
        _ lists: [(scope: NestedBatch.Scope, conflict: Int64)], of records: RecordBatch, _ part: Int
    ) throws {
        if lists.isEmpty { return }
        let live = try parts[part].context.table.liveKeys(under: lists.map(\.scope.owner))
        let gone = zip(lists, live).map { list, live in
            let listed = keys(of: list.scope, records, part)
            return live.filter { !listed.contains($0) }
        }
        let lacking = lists.indices.filter { !gone[$0].isEmpty }
        if lacking.isEmpty { return }
        let all = lacking.flatMap { gone[$0] }
        let standing = Set(zip(all, try parts[part].context.table.localRows(all)).filter { $1 != nil }.map(\.0))
        let isOrdered = tree?.parts[part].isOrdered == true
        let facts = isOrdered ? try parts[part].listFacts(lacking.map { lists[$0].scope }, of: records) : []
        var free: [RecordKey] = []
        var kept: [(key: RecordKey, conflict: Int64)] = []
        for (place, index) in lacking.enumerated() {
            let isEdited = isOrdered ? try parts[part].isListEdited(facts[place]) : false
            if isOrdered && !isEdited { free += gone[index].filter(standing.contains) }
            kept += gone[index].filter { isEdited || !standing.contains($0) }.map { ($0, lists[index].conflict) }
        }
        if !free.isEmpty { try deleteChildren(free, in: part, isCounted: false) }
        try parts[part].keepGone(kept)
        for (conflict, kept) in Dictionary(grouping: kept, by: \.conflict) {
            try forgetNews(below: kept.map(\.key), part, conflict)
        }
    }

    /// The children of records that go if the source has them no longer: where somebody has to decide about a record, those with a
    /// row.
    private func missable(
        _ all: [(orphans: Orphans, conflict: Int64?)], _ part: Int
    ) throws -> [[RecordKey]] {
        let table = parts[part].context.table
        let owners = all.map(\.orphans.scope.owner)
        let (live, rows) = try (table.liveKeys(under: owners), table.rowKeys(under: owners))
        return all.indices.map { index in
            all[index].conflict == nil ? live[index] : live[index].filter(Set(rows[index]).contains)
        }
    }

    /// Deletes the rows of elements that their lists no longer have: with those that moved up they would be a list that no
    /// side ever had. A list that has no longer what was edited here is asked about as a whole.
    private mutating func deleteGoneElements(of lists: [Orphans], in part: Int, _ found: [NestedBatch]) throws {
        let (table, records) = (parts[part].context.table, found[part].records)
        let owners = lists.map(\.scope.owner)
        let (rows, live) = try (table.rowKeys(under: owners), table.liveKeys(under: owners))
        var gone: [[RecordKey]] = []
        for (index, orphans) in lists.enumerated() {
            let standing = Set(rows[index]).subtracting(keys(of: orphans.scope, records, part))
            gone.append(live[index].filter(standing.contains))
        }
        let held = try parts[part].goneRecords(gone.flatMap { $0 }).filter { $0.decision.action == .conflict }
        let edited = Set(held.map(\.key))
        let asked = lists.indices.filter { index in gone[index].contains(where: edited.contains) }
        if !asked.isEmpty {
            let scopes = asked.map { lists[$0].scope }
            try parts[part].lookUp(records)
            let decided = try self.lists(scopes, parts[part].listFacts(scopes, of: records), of: records, part)
            for (index, list) in zip(asked, decided) where list != nil { gone[index] = [] }
            try mergeHeld(decided.compactMap { $0 }, of: records, part)
        }
        let free = gone.flatMap { $0 }
        if !free.isEmpty { try deleteChildren(free, in: part, isCounted: false) }
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

    /// Whether what is in a part belongs to the records of another one, of the stream where nil.
    func isBelow(_ part: Int, _ top: Int?) -> Bool {
        var owner = tree?.parts[part].owner
        while let next = owner, next != top, isChild(next) { owner = tree?.parts[next].owner }
        return owner == top
    }

    /// The topmost record without a row that each of some children are within.
    private func places(above all: [Orphans]) throws -> [Place] {
        var places = all.map { orphans in
            Place(part: tree?.parts[orphans.part].owner, key: orphans.scope.owner, ordinal: orphans.scope.ordinal)
        }
        var rest = Array(places.indices)
        while !rest.isEmpty {
            let inner = rest.filter { places[$0].part.map(isChild) ?? false }
            rest.removeAll()
            for (part, inner) in Dictionary(grouping: inner, by: { places[$0].part }) {
                let owner = part.flatMap { tree?.parts[$0].owner }
                let table = owner.map { parts[$0].context.table } ?? main.context.table
                let above = inner.map { places[$0].key.beginning(table.schema) }
                for ((index, key), row) in zip(zip(inner, above), try table.localRows(above)) where row == nil {
                    places[index] = Place(part: owner, key: key, ordinal: places[index].ordinal)
                    rest.append(index)
                }
            }
        }
        return places
    }
}

extension RecordKey {
    /// The key of the record of a table to which the record with this key belongs: a child's key begins with that.
    func beginning(_ schema: RecordSchema) -> RecordKey { RecordKey(Array(values.prefix(schema.keyFields.count))) }
}

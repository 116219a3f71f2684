package import SluiceModel
package import SluiceStore

/// The conflicts of a store on SQL.
package final class SQLConflictLedger: ConflictLedger {
    private static let identity = ["id", "pipeline", "stream", "entity", "key", "field"]
    private let database: any SQLDatabase
    private let recorder: any ChangeNoting
    /// Whether the store is known to have a column for the other source; one that is only looked at may be older.
    private var hasOtherSource = false
    private var table: String { database.ledger("conflicts") }

    /// Makes a ledger.
    package init(_ database: any SQLDatabase, recorder: any ChangeNoting) {
        (self.database, self.recorder) = (database, recorder)
    }

    private func names(_ mapping: RecordMapping) -> [FieldValue] {
        [FieldValue(mapping.pipeline), FieldValue(mapping.stream), FieldValue(mapping.entity)]
    }

    // MARK: Reading

    package func open(of mapping: RecordMapping) throws -> [ConflictEntry] {
        try entries(
            "WHERE status = 'open' AND pipeline = ?1 AND stream = ?2 AND entity = ?3 ORDER BY id", names(mapping))
    }

    package func openRecords(of entities: Set<String>, streams: Set<String>, pipeline: String) throws -> Int {
        let (isStream, streams) = database.isAny("stream", of: streams, from: 2)
        let (isEntity, entities) = database.isAny("entity", of: entities, from: 2 + streams.count)
        return Int(
            clamping: try database.integer(
                """
                SELECT count(DISTINCT key) FROM \(table)
                WHERE status = 'open' AND pipeline = ?1 AND \(isStream) AND \(isEntity)
                """, [FieldValue(pipeline)] + streams + entities) ?? 0)
    }

    package func open(of mapping: RecordMapping, keys: [String]) throws -> [ExactText: [ConflictEntry]] {
        let some = Set(keys.map { ExactText($0) }).sorted().map { FieldValue($0.text) }
        let entries = try rows(
            ofAny: some, after: names(mapping),
            "WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND status = 'open' AND key"
        ).map(Self.entry)
        return Dictionary(grouping: entries) { ExactText($0.key) }
    }

    package func entries(of mapping: RecordMapping, key: String) throws -> [ConflictEntry] {
        try entries(
            "WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND key = ?4 AND id > 0 ORDER BY id",
            names(mapping) + [FieldValue(key)])
    }

    package func list(includingClosed: Bool) throws -> [ConflictEntry] {
        try entries(includingClosed ? "WHERE id > 0 ORDER BY id" : "WHERE status = 'open' ORDER BY id", [])
    }

    package func within(_ mapping: RecordMapping) throws -> [ConflictEntry] {
        try entries(
            "WHERE id < 0 AND pipeline = ?1 AND stream = ?2 AND entity = ?3 ORDER BY id DESC", names(mapping)
        )
    }

    package func entries(ids: [Int64]) throws -> [ConflictEntry?] {
        let known = try stored(ids)
        return ids.map { known[$0].map(Self.entry) }
    }

    private func entries(_ condition: String, _ values: [FieldValue]) throws -> [ConflictEntry] {
        try database.rows(query(condition), values).map(Self.entry)
    }

    private static func entry(_ row: [FieldValue]) -> ConflictEntry {
        let image = image(row)
        var entry = ConflictEntry(
            id: row[0].number, pipeline: row[1].string ?? "", stream: row[2].string ?? "",
            entity: row[3].string ?? "", key: row[4].string ?? "", field: row[5].string,
            kind: image["kind"].string ?? "", base: image["base"].string, local: image["local"].string,
            remote: image["remote"].string, policy: image["policy"].string ?? "",
            status: ConflictStatus(rawValue: image["status"].string ?? "") ?? .open,
            firstRun: image["first_run"].number, lastRun: image["last_run"].number,
            seen: Int(clamping: image["seen"].number ?? 0))
        entry.who = image["who"].string
        if entry.status.hasEnd {
            entry.end = image["resolution"].string.flatMap { ConflictEnd(rawValue: $0) }
        } else {
            entry.resolution = image["resolution"].string
        }
        (entry.note, entry.otherSource) = (image["note"].string, image["other_source"].string)
        return entry
    }

    private static func image(_ row: [FieldValue]) -> ConflictImage { ConflictImage(Array(row.dropFirst(6))) }

    /// The rows of conflicts, of identity and image, by their ids.
    private func stored(_ ids: [Int64]) throws -> [Int64: [FieldValue]] {
        if ids.isEmpty { return [:] }
        let rows = try rows(ofAny: Set(ids).sorted().map { .integer($0) }, after: [], "WHERE id")
        return Dictionary(rows.map { ($0[0].number ?? 0, $0) }) { first, _ in first }
    }

    /// Rows of identity and image in the order of their ids, of which a condition is about one of several values.
    private func rows(
        ofAny values: [FieldValue], after first: [FieldValue], _ condition: String
    ) throws -> [[FieldValue]] {
        try database.rows(ofAny: values, after: first) { try query("\(condition) IN (\($0)) ORDER BY id") }
    }

    /// Asks for rows of identity and image.
    private func query(_ condition: String) throws -> String {
        if !hasOtherSource {
            hasOtherSource = try database.columnNames(of: "_sluice_conflicts").contains("other_source")
        }
        var columns = ConflictImage.columns
        if !hasOtherSource { columns = columns.map { $0 == "other_source" ? "NULL" : $0 } }
        return "SELECT \((Self.identity + columns).joined(separator: ", ")) FROM \(table) \(condition)"
    }

    // MARK: Writing

    package func write(_ entries: [ConflictEntry]) throws -> [Int64] {
        var ids: [Int64] = []
        var rest = entries[...]
        while !rest.isEmpty {
            // What is written of one conflict twice is written one after the other.
            var met: Set<Int64> = []
            let some = rest.prefix { entry in entry.id.map { met.insert($0).inserted } ?? true }
            ids += try writeTogether(some)
            rest = rest.dropFirst(some.count)
        }
        return ids
    }

    private func writeTogether(_ entries: ArraySlice<ConflictEntry>) throws -> [Int64] {
        let known = try stored(entries.compactMap(\.id))
        let isAnyNew = entries.contains { $0.id == nil }
        var next = isAnyNew ? try nextID() : 0
        var nextWithin = isAnyNew && entries.contains { $0.status == .within } ? try nextWithinID() : 0
        var ids: [Int64] = []
        var (new, changed): ([[FieldValue]], [[FieldValue]]) = ([], [])
        var notes: [RecordedEntry] = []
        for entry in entries {
            var image = ConflictImage(entry)
            guard let id = entry.id else {
                let isWithin = entry.status == .within
                let id = isWithin ? nextWithin : next
                if isWithin { nextWithin -= 1 } else { next += 1 }
                let identity =
                    [.integer(id)] + names(entry.mapping) + [FieldValue(entry.key), FieldValue(entry.field)]
                new.append(identity + image.values)
                notes += note(identity, before: nil, after: image)
                ids.append(id)
                continue
            }
            ids.append(id)
            guard let row = known[id] else { continue }
            let before = Self.image(row)
            // Who opened it stays.
            image["first_run"] = before["first_run"]
            changed.append([.integer(id)] + image.values)
            notes += note(row, before: before, after: image)
        }
        try overwrite(changed)
        try insert(new)
        try recorder.record(notes)
        return ids
    }

    /// The number of the next conflict: above those that are there and those that were withdrawn, which people may have
    /// written down.
    private func nextID() throws -> Int64 {
        max(try database.integer("SELECT max(id) FROM \(table)") ?? 0, try highestWithdrawn()) + 1
    }

    private func highestWithdrawn() throws -> Int64 {
        try registry.entry("withdrawn", "conflict").flatMap { Int64($0) } ?? 0
    }

    /// The number of the next one that waits with a conflict: below zero, those that are there and those that are no more.
    private func nextWithinID() throws -> Int64 {
        min(try database.integer("SELECT min(id) FROM \(table)") ?? 0, try lowestWithdrawn(), 0) - 1
    }

    private func lowestWithdrawn() throws -> Int64 {
        try registry.entry("withdrawn", "within").flatMap { Int64($0) } ?? 0
    }

    /// Notes numbers that no conflict gets any more.
    private func withdraw(_ ids: [Int64]) throws {
        if let highest = ids.max(), highest > 0, try highest > highestWithdrawn() {
            try registry.put("withdrawn", "conflict", String(highest))
        }
        if let lowest = ids.min(), lowest < 0, try lowest < lowestWithdrawn() {
            try registry.put("withdrawn", "within", String(lowest))
        }
    }

    private var registry: EntityRegistry { EntityRegistry(database: database) }

    /// Inserts rows of identity and image.
    private func insert(_ rows: [[FieldValue]]) throws {
        try database.insertRows(rows, Self.identity + ConflictImage.columns, into: "conflicts")
    }

    /// Overwrites images, each behind the number of its conflict.
    private func overwrite(_ rows: [[FieldValue]]) throws {
        try database.overwriteRows(rows, ["id"] + ConflictImage.columns, of: "conflicts")
    }

    package func forgetWithin(_ ids: [Int64]) throws {
        let known = try stored(ids).filter { Self.image($0.value).isWithin }
        if known.isEmpty { return }
        try database.deleteRows(known.keys.sorted(), of: "conflicts")
        try withdraw(Array(known.keys))
        try recorder.record(
            known.sorted { $0.key > $1.key }.flatMap { note($0.value, before: Self.image($0.value), after: nil) })
    }

    package func forgetEndedWithin(pipeline: String) throws {
        let kept = try entries("WHERE id < 0 AND pipeline = ?1 ORDER BY id", [FieldValue(pipeline)])
        if kept.isEmpty { return }
        let numbers = kept.compactMap(\.endingWith)
        let open = Set(try entries(ids: numbers).compactMap { $0 }.filter { $0.status == .open }.compactMap(\.id))
        try forgetWithin(kept.filter { !($0.endingWith.map(open.contains) ?? false) }.compactMap(\.id))
    }

    // MARK: History

    /// What the history keeps of a conflict that changed.
    ///
    /// - Parameters:
    ///   - identity: Its number, mapping, key and field, as its row begins.
    ///   - before: What it said; nil where it was not there.
    ///   - after: What it says; nil where it is no longer there.
    /// - Returns: One entry; none where nothing changed, or nothing is recorded.
    private func note(
        _ identity: [FieldValue], before: ConflictImage?, after: ConflictImage?
    ) -> [RecordedEntry] {
        guard recorder.isRecording, before != after, let said = after ?? before else { return [] }
        let action =
            switch (before?.isOpen, after?.isOpen) {
            case (nil, _): "opened"
            case (_, nil): "withdrawn"
            case (true?, false?): "closed"
            case (false?, true?): "reopened"
            case (true?, true?), (false?, false?): "changed"
            }
        return [
            RecordedEntry(
                subject: .conflict, entry: identity[0].number ?? 0,
                mapping: RecordMapping(
                    pipeline: identity[1].string ?? "", stream: identity[2].string ?? "",
                    entity: identity[3].string ?? ""),
                key: identity[4].string, field: identity[5].string, kind: said["kind"].string ?? "", action: action,
                old: before?.json, new: after?.json)
        ]
    }

    package func revert(_ changes: [RecordedEntry]) throws -> [Bool] {
        let rows = try stored(changes.map(\.entry))
        var reversal = ConflictReversal(rows.mapValues(Self.image), open: try openPlaces(of: changes))
        var notes: [RecordedEntry] = []
        var identities = rows
        let outcomes = changes.map { change in
            let before = reversal.images[change.entry]
            guard reversal.revert(change) else { return false }
            let identity =
                identities[change.entry]
                ?? [.integer(change.entry)] + names(change.mapping) + [
                    FieldValue(change.key), FieldValue(change.field),
                ]
            identities[change.entry] = identity
            notes += note(identity, before: before, after: reversal.images[change.entry])
            return true
        }
        let (gone, changed, back) = reversal.differences(from: rows.mapValues(Self.image))
        try database.deleteRows(gone, of: "conflicts")
        try withdraw(gone)
        for some in changed where !some.isEmpty { try overwrite(some.map { [.integer($0.id)] + $0.image.values }) }
        try insert(back.map { Array((identities[$0.id] ?? []).prefix(6)) + $0.image.values })
        try recorder.record(notes)
        return outcomes
    }

    /// The open conflicts over what some changes would open again.
    private func openPlaces(of changes: [RecordedEntry]) throws -> [ConflictReversal.Place: Set<Int64>] {
        var places: [ConflictReversal.Place: Set<Int64>] = [:]
        for (mapping, changes) in Dictionary(grouping: changes, by: \.mapping) {
            for entry in try open(of: mapping, keys: changes.compactMap(\.key)).values.joined() {
                guard let id = entry.id else { continue }
                places[ConflictReversal.Place(mapping, entry.key, entry.field), default: []].insert(id)
            }
        }
        return places
    }
}

extension ConflictStatus {
    /// Whether `resolution` says what ended it, or with what it waits.
    fileprivate var hasEnd: Bool { self == .obsolete || self == .within }
}

extension ConflictImage {
    /// What a conflict says, as it is kept.
    fileprivate init(_ entry: ConflictEntry) {
        self.init(Array(repeating: .null, count: Self.columns.count))
        self["kind"] = FieldValue(entry.kind)
        (self["base"], self["local"], self["remote"]) = (
            FieldValue(entry.base), FieldValue(entry.local), FieldValue(entry.remote)
        )
        (self["policy"], self["status"]) = (FieldValue(entry.policy), FieldValue(entry.status.rawValue))
        // What ended it: a decision, or else what became of its sides.
        self["resolution"] = FieldValue(entry.status.hasEnd ? entry.end?.rawValue : entry.resolution)
        self["who"] = FieldValue(entry.who)
        (self["note"], self["other_source"]) = (FieldValue(entry.note), FieldValue(entry.otherSource))
        (self["first_run"], self["last_run"]) = (FieldValue(entry.firstRun), FieldValue(entry.lastRun))
        self["seen"] = FieldValue(entry.seen)
    }
}

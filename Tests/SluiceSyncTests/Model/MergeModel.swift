/// What a store should hold after each run, worked out record by record with dictionaries and the truth tables.
///
/// It shares no code with the engine, and no idea of speed.
struct MergeModel {
    typealias Values = [String: Said]

    /// A record as a source sends it.
    struct Record: Equatable {
        var id: Int
        /// What it says of each field; absent keys are missing here.
        var values: Values
        /// Whether it says that it is deleted.
        var isDeleted = false
    }

    enum State: String { case live, remoteTombstone, localTombstone }

    struct Base: Equatable {
        var state: State
        var values: Values
        /// Whether its record is looked at once more although it says nothing new.
        var isVoid = false
        /// Whether the source never had it before, although somebody deleted its row here.
        var isNew = false
    }

    struct Conflict: Equatable {
        var kind: String
        var local: Values?
        var remote: Values?
    }

    struct Rules: Sendable {
        var policies: [String: FieldTable.Policy] = [:]
        var fallback = FieldTable.Policy.manual
        var owners: [String: String] = [:]
        var deletes = "ignore"
        var onDuplicate = "last"
        /// Whether records may say that they are deleted.
        var hasFlags = false
        /// The streams that fill the table, the first of which goes before the others.
        var sources = ["items"]
        var fields = ["a", "b"]

        func policy(_ kind: String) -> FieldTable.Policy { policies[kind] ?? fallback }
        func owner(_ field: String) -> String { owners[field] ?? "shared" }
        /// The field that says which of two records is newer.
        static let time = "t"
    }

    /// What a run counts, over all sources.
    struct Counts: Equatable {
        var insert = 0
        var update = 0
        var delete = 0
        var unchanged = 0
        var keptLocal = 0
        var conflict = 0
        var quarantined = 0
        var duplicates = 0
    }

    /// What became of the records of one source.
    struct Outcomes {
        /// What was done with a record that was read; the more matters where it was merged more than once.
        enum Deed: Int { case none, keptLocal, update, insert, delete }

        var deeds: [Int: Deed] = [:]
        /// The records that were read and are in conflict.
        var inConflict: Set<Int> = []
        /// Those that are gone.
        var goneInConflict: Set<Int> = []
        var deleted = 0
        var quarantined = 0
        var duplicates = 0

        mutating func note(_ deed: Deed, of id: Int) {
            if deed.rawValue >= deeds[id, default: .none].rawValue { deeds[id] = deed }
        }

        /// Takes up the outcomes of the same records, which were merged once more: what was done with them adds up, and in
        /// conflict is what is so in the end.
        mutating func follow(_ again: Outcomes) {
            for (id, deed) in again.deeds { note(deed, of: id) }
            (inConflict, goneInConflict) = (again.inConflict, again.goneInConflict)
            deleted += again.deleted
        }
    }

    let rules: Rules
    /// The rows of the table that are not marked as deleted.
    var rows: [Int: Values] = [:]
    /// The rows that are marked as deleted, which count as absent.
    var marked: [Int: Values] = [:]
    /// By source, then by record.
    var bases: [String: [Int: Base]] = [:]
    /// By source, by record, then by field; `*` is the record as a whole.
    var open: [String: [Int: [String: Conflict]]] = [:]
    /// The records of each source that it lists no longer and one behind it lists now.
    var moved: [String: Set<Int>] = [:]
    /// Set by a rule that fails the run.
    var hasFailed = false

    init(rules: Rules) { self.rules = rules }

    /// Runs the sources that send something, as often as that changes anything. A row over which several sources are in
    /// conflict counts once.
    mutating func run(_ sent: [String: [Record]]) -> Counts {
        let before = self
        var outcomes = pass(sent)
        for _ in 0..<4 where sent.count > 1 && !hasFailed {
            let last = all
            let again = pass(sent)
            for source in rules.sources { outcomes[source]?.follow(again[source] ?? Outcomes()) }
            if all == last { break }
        }
        if hasFailed {
            self = before
            hasFailed = true
        }
        var counts = Counts()
        for outcomes in outcomes.values {
            for (id, deed) in outcomes.deeds where !outcomes.inConflict.contains(id) {
                switch deed {
                case .none: counts.unchanged += 1
                case .keptLocal: counts.keptLocal += 1
                case .update: counts.update += 1
                case .insert: counts.insert += 1
                // Deletes are counted by their rows.
                case .delete: break
                }
            }
            counts.delete += outcomes.deleted
            counts.quarantined += outcomes.quarantined
            counts.duplicates += outcomes.duplicates
        }
        let contested = outcomes.values.map { $0.inConflict.union($0.goneInConflict) }
        counts.conflict = contested.reduce(Set()) { $0.union($1) }.count
        return counts
    }

    /// Reads what the sources send: records they do not send are gone where the scan counts.
    private mutating func pass(_ sent: [String: [Record]]) -> [String: Outcomes] {
        var all: [String: Outcomes] = [:]
        var settled: [String: (standing: [Record], disputed: [Int])] = [:]
        for (source, records) in sent {
            var counts = Outcomes()
            settled[source] = settle(records, &counts)
            all[source] = counts
        }
        findMoves(settled)
        for source in rules.sources {
            guard let (standing, disputed) = settled[source] else { continue }
            var counts = all[source] ?? Outcomes()
            defer { all[source] = counts }
            for record in standing.sorted(by: { $0.id < $1.id }) {
                if record.isDeleted {
                    flagged(record.id, at: source, &counts)
                } else {
                    read(record, from: source, &counts)
                }
            }
            if rules.deletes == "ignore" || rules.deletes == "report" { continue }
            let seen = Set(standing.map(\.id)).union(disputed)
            for (id, base) in bases[source] ?? [:] where !seen.contains(id) && base.state != .remoteTombstone {
                if gone(id, from: source, &counts) == .asked { counts.goneInConflict.insert(id) }
            }
        }
        return all
    }

    /// Finds what a source does not list any more and one behind it comes to list: it did not go, it moved.
    private mutating func findMoves(_ settled: [String: (standing: [Record], disputed: [Int])]) {
        moved = [:]
        if rules.deletes == "ignore" || rules.deletes == "report" { return }
        func has(_ id: Int, _ source: String) -> Bool {
            bases[source]?[id].map { $0.state != .remoteTombstone } ?? false
        }
        for (place, source) in rules.sources.enumerated() {
            guard let (standing, disputed) = settled[source] else { continue }
            let seen = Set(standing.map(\.id)).union(disputed)
            for next in rules.sources[(place + 1)...] {
                let listed = settled[next]?.standing.filter { !$0.isDeleted && !has($0.id, next) }.map(\.id) ?? []
                moved[source, default: []].formUnion(listed.filter { !seen.contains($0) && has($0, source) })
            }
        }
    }

    /// Which record of each key stands, and the keys of which none does.
    private mutating func settle(_ records: [Record], _ counts: inout Outcomes) -> (standing: [Record], disputed: [Int])
    {
        var standing: [Record] = []
        var disputed: [Int] = []
        for (id, group) in Dictionary(grouping: records, by: \.id) {
            counts.duplicates += group.count - 1
            let differ = group.contains { $0 != group[0] && !($0.isDeleted && group[0].isDeleted) }
            switch rules.onDuplicate {
            case "first": standing += group.prefix(1)
            case "newest": standing += [newest(group)]
            case "fail" where differ: hasFailed = true
            case "quarantine" where differ:
                disputed.append(id)
                counts.quarantined += 1
            default: standing += group.suffix(1)
            }
        }
        return (standing, disputed)
    }

    /// The record with the latest time; one without a time is older than all, and of equals the later one is newer.
    private func newest(_ group: [Record]) -> Record {
        func time(_ record: Record) -> String {
            if case .text(let text)? = record.values[Rules.time] { text } else { "" }
        }
        return group.dropFirst().reduce(group[0]) { time($1) >= time($0) ? $1 : $0 }
    }
}

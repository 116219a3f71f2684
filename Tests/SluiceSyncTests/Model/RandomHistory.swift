import SluicePipeline
import TestSupport

/// A random history of one store: what its sources say, and what people do between the runs.
struct RandomHistory {
    /// What may happen in it.
    enum Extent {
        /// One source without flags, rows that are deleted or stay, and of two records with one key the last counts.
        case plain
        case all
    }

    var random: SeededGenerator
    let rules: MergeModel.Rules
    let extent: Extent
    /// What each source said last.
    private var said: [String: [Int: MergeModel.Record]] = [:]
    var people: ClosedRange<Int> { 1...(rules.sources.count == 1 ? 32 : 20) }
    /// One of them too long to be kept in the base as it is.
    private static let texts = ["x", "y", "z", "it's \"quoted\"", "a text that is longer than what a base row keeps"]
    private static let times = ["2024-01-01", "2024-01-02", "2024-02-01"]

    init(seed: UInt64, extent: Extent = .all) {
        var random = SeededGenerator(seed: seed)
        var rules = MergeModel.Rules()
        let policies: [FieldTable.Policy] = [.manual, .manual, .remoteWins, .localWins]
        rules.fallback = random.pick(policies)
        for kind in ["edit_edit", "clear_edit", "edit_clear", "add_add", "edit_delete", "delete_edit"]
        where random.chance(40) {
            rules.policies[kind] = random.pick(policies)
        }
        if random.chance(5) { rules.policies[random.pick(["edit_edit", "edit_delete"])] = .fail }
        if extent == .all && random.chance(45) {
            rules.sources = random.pick([["crm", "billing"], ["billing", "crm"]])
        } else {
            for field in rules.fields { rules.owners[field] = random.pick(["shared", "shared", "remote", "local"]) }
        }
        rules.deletes = random.pick(["ignore", "report", "hard", "hard"])
        if extent == .all {
            if random.chance(40) { rules.deletes = "soft" }
            // What a source states of a deletion holds for all, see `StatedDeletionTests`.
            rules.hasFlags = random.chance(40) && rules.sources.count == 1
            rules.onDuplicate = random.pick(["last", "first", "newest", "newest", "quarantine", "quarantine", "fail"])
            if rules.onDuplicate == "newest" { rules.fields.append(MergeModel.Rules.time) }
        }
        self.random = random
        self.rules = rules
        self.extent = extent
    }

    // MARK: Sources

    /// What the sources that are read next send, as most of what they said before, and some keys more than once.
    mutating func send() -> [String: [MergeModel.Record]] {
        var sources = rules.sources
        if sources.count > 1 && random.chance(40) { sources = [random.pick(sources)] }
        return Dictionary(uniqueKeysWithValues: sources.map { ($0, records(of: $0)) })
    }

    private mutating func records(of source: String) -> [MergeModel.Record] {
        var said = said[source] ?? [:]
        for id in people {
            if random.chance(15) { said[id] = nil }
            if said[id] == nil ? random.chance(30) : random.chance(35) { said[id] = record(id) }
        }
        self.said[source] = said
        var sent = said.values.sorted { $0.id < $1.id }
        // A rule that fails the run for it should not do so each time.
        if random.chance(rules.onDuplicate == "fail" ? 15 : 60) {
            for twin in sent where random.chance(8) {
                for _ in 0..<Int.random(in: 1...2, using: &random) {
                    sent.append(random.chance(40) ? twin : record(twin.id))
                }
            }
        }
        sent.shuffle(using: &random)
        return sent
    }

    private mutating func record(_ id: Int) -> MergeModel.Record {
        MergeModel.Record(id: id, values: values(absent: 15), isDeleted: rules.hasFlags && random.chance(12))
    }

    /// The files in which records are sent: two pages of each source.
    mutating func files(_ sent: [String: [MergeModel.Record]]) -> [(name: String, text: String)] {
        var files: [(String, String)] = []
        for source in rules.sources {
            guard let all = sent[source]?.map(json) else { continue }
            let first = random.chance(50) ? all.count : Int.random(in: 0...all.count, using: &random)
            for (index, page) in [all[..<first], all[first...]].enumerated() {
                files.append(("\(source)-\(index).json", "[" + page.joined(separator: ",\n") + "]"))
            }
        }
        return files
    }

    private func json(_ record: MergeModel.Record) -> String {
        let members = rules.fields.compactMap { field -> String? in
            switch record.values[field] ?? .nothing {
            case .nothing: nil
            case .null: "\"\(field)\": null"
            case .text(let text): "\"\(field)\": " + Tree.quoted(text)
            }
        }
        return "{"
            + (["\"id\": \(record.id)"] + members + (record.isDeleted ? ["\"gone\": true"] : []))
            .joined(separator: ", ") + "}"
    }

    // MARK: Values

    mutating func values(absent percent: Int) -> MergeModel.Values {
        Dictionary(uniqueKeysWithValues: rules.fields.map { ($0, said(field: $0, absent: percent)) })
    }

    mutating func said(field: String, absent percent: Int) -> Said {
        if random.chance(percent) { return .nothing }
        if random.chance(15) { return .null }
        return .text(random.pick(field == MergeModel.Rules.time ? Self.times : Self.texts))
    }
}

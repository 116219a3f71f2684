import SluiceMerge
import SluicePipeline
import SluiceSync

/// A random history of one store: what the source says, and what people do between the runs.
struct RandomHistory {
    private(set) var random: SeededGenerator
    let rules: MergeModel.Rules
    private static let people = 40
    /// One of them too long to be kept in the base as it is.
    private static let texts = ["x", "y", "z", "it's \"quoted\"", "a text that is longer than what a base row keeps"]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        var rules = MergeModel.Rules()
        let policies: [FieldTable.Policy] = [.manual, .manual, .remoteWins, .localWins]
        rules.fallback = random.pick(policies)
        for kind in ["edit_edit", "clear_edit", "edit_clear", "add_add", "edit_delete", "delete_edit"]
        where random.chance(40) {
            rules.policies[kind] = random.pick(policies)
        }
        if random.chance(5) { rules.policies[random.pick(["edit_edit", "edit_delete"])] = .fail }
        for field in MergeModel.fields { rules.owners[field] = random.pick(["shared", "shared", "remote", "local"]) }
        rules.deletes = random.pick(["ignore", "report", "hard", "hard"])
        self.rules = rules
    }

    /// What the source says next, as most of what it said before.
    mutating func remote(after last: [Int: MergeModel.Values]) -> [Int: MergeModel.Values] {
        var remote = last
        for id in 1...Self.people {
            if random.chance(15) { remote[id] = nil }
            if remote[id] == nil ? random.chance(30) : random.chance(35) { remote[id] = values(absent: 15) }
        }
        return remote
    }

    /// What people do: the statements, done to the model as well.
    mutating func edit(_ model: inout MergeModel) -> String {
        var statements: [String] = []
        for id in 1...Self.people where random.chance(30) {
            if model.rows[id] == nil {
                guard random.chance(50) else { continue }
                let row = values(absent: 0)
                model.rows[id] = row
                statements.append("INSERT INTO items (id, a, b) VALUES (\(id), \(sql(row["a"])), \(sql(row["b"])))")
            } else if random.chance(25) {
                model.rows[id] = nil
                statements.append("DELETE FROM items WHERE id = \(id)")
            } else {
                let field = random.pick(MergeModel.fields)
                let said = said(absent: 0)
                model.rows[id]?[field] = said
                statements.append("UPDATE items SET \(field) = \(sql(said)) WHERE id = \(id)")
            }
        }
        return statements.joined(separator: ";\n")
    }

    /// The records as pages in any order, a few of them twice: of two records with one key the later one counts.
    mutating func pages(_ remote: [Int: MergeModel.Values]) -> (pages: [String], duplicates: Int) {
        var records = remote.map { (id: $0.key, text: Self.json($0.key, $0.value)) }.sorted { $0.id < $1.id }
        records.shuffle(using: &random)
        var doubled: [String] = []
        if random.chance(40) {
            for (id, text) in records where random.chance(5) {
                doubled.append(random.chance(50) ? text : Self.json(id, values(absent: 15)))
            }
        }
        let all = doubled + records.map(\.text)
        let first = random.chance(50) ? all.count : Int.random(in: 0...all.count, using: &random)
        let halves = [Array(all[..<first]), Array(all[first...])]
        return (halves.map { "[" + $0.joined(separator: ",\n") + "]" }, doubled.count)
    }

    private mutating func values(absent percent: Int) -> MergeModel.Values {
        Dictionary(uniqueKeysWithValues: MergeModel.fields.map { ($0, said(absent: percent)) })
    }

    private mutating func said(absent percent: Int) -> Said {
        if random.chance(percent) { return .nothing }
        return random.chance(15) ? .null : .text(random.pick(Self.texts))
    }

    private func sql(_ said: Said?) -> String {
        guard case .text(let text)? = said else { return "NULL" }
        return "'" + text.replacing("'", with: "''") + "'"
    }

    private static func json(_ id: Int, _ values: MergeModel.Values) -> String {
        let members = MergeModel.fields.compactMap { field -> String? in
            switch values[field] ?? .nothing {
            case .nothing: nil
            case .null: "\"\(field)\": null"
            case .text(let text): "\"\(field)\": " + Tree.quoted(text)
            }
        }
        return "{" + (["\"id\": \(id)"] + members).joined(separator: ", ") + "}"
    }
}

extension MergeModel {
    /// The table as ``Workshop/items`` shows it.
    var items: [String] {
        rows.sorted { $0.key < $1.key }.map { id, row in
            (["\(id)"] + Self.fields.map { Self.sql(row[$0]) }).joined(separator: "|")
        }
    }

    /// The base as ``Workshop/bases`` shows it.
    var baseTexts: [String] {
        bases.sorted { $0.key < $1.key }.map { id, base in
            let state = base.state.rawValue + (open[id]?.isEmpty == false ? " open" : "")
            let fields = Self.fields.map { field in
                switch base.values[field] ?? .nothing {
                case .nothing: "\(field)=∅"
                case .null: "\(field)=null"
                case .text(let text) where text.utf8.count > 24: "\(field)=#"
                case .text(let text): "\(field)='\(text)'"
                }
            }
            return (["\(id)", state] + fields).joined(separator: " ")
        }
    }

    /// The open conflicts: key, field, kind, local and remote.
    var conflictTexts: [String] {
        open.flatMap { id, conflicts in
            conflicts.map { field, conflict in
                "{\"id\":\(id)} \(field) \(conflict.kind) "
                    + "\(Self.json(conflict.local, field, id)) \(Self.json(conflict.remote, field, id))"
            }
        }.sorted()
    }

    private static func sql(_ said: Said?) -> String {
        if case .text(let text)? = said { "'\(text)'" } else { "NULL" }
    }

    private static func json(_ values: Values?, _ field: String, _ id: Int) -> String {
        guard let values else { return "-" }
        func text(_ said: Said) -> String { if case .text(let text) = said { Tree.quoted(text) } else { "null" } }
        if field != "*" { return text(values[field] ?? .null) }
        let members = fields.filter { values[$0] != nil }.map { "\"\($0)\":\(text(values[$0] ?? .null))" }
        return "{" + (["\"id\":\(id)"] + members).joined(separator: ",") + "}"
    }
}

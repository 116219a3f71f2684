/// What a store should hold after each run, worked out record by record with dictionaries and the truth tables.
///
/// It shares no code with the engine, and no idea of speed.
struct MergeModel {
    typealias Values = [String: Said]

    enum State: String { case live, remoteTombstone, localTombstone }

    struct Base: Equatable {
        var state: State
        var values: Values
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

        func policy(_ kind: String) -> FieldTable.Policy { policies[kind] ?? fallback }
        func owner(_ field: String) -> String { owners[field] ?? "shared" }
    }

    struct Counts: Equatable {
        var insert = 0
        var update = 0
        var delete = 0
        var unchanged = 0
        var keptLocal = 0
        var conflict = 0
    }

    static let fields = ["a", "b"]
    let rules: Rules
    /// The rows of the table.
    var rows: [Int: Values] = [:]
    var bases: [Int: Base] = [:]
    /// By record, then by field; `*` is the record as a whole.
    var open: [Int: [String: Conflict]] = [:]
    /// Set by a policy that fails the run.
    var hasFailed = false

    init(rules: Rules) { self.rules = rules }

    /// Runs: the source says these records; what it does not say is gone where the scan counts.
    mutating func run(_ remote: [Int: Values]) -> Counts {
        let before = self
        var counts = Counts()
        for (id, values) in remote.sorted(by: { $0.key < $1.key }) { read(id, values, &counts) }
        if rules.deletes != "ignore" {
            for id in bases.keys.sorted() where remote[id] == nil && bases[id]?.state != .remoteTombstone {
                gone(id, &counts)
            }
        }
        if hasFailed {
            self = before
            hasFailed = true
        }
        return counts
    }

    // MARK: A record that was read

    private mutating func read(_ id: Int, _ remote: Values, _ counts: inout Counts) {
        let base = bases[id]
        guard let local = rows[id] else { return readWithoutRow(id, remote, base, &counts) }
        open[id]?["*"] = nil
        var result = local
        var newBase = base?.values ?? [:]
        var keptLocal = false
        for field in Self.fields {
            let outcome = merge(
                field, base: base?.values[field] ?? .nothing, local: local[field] ?? .null,
                remote: remote[field] ?? .nothing)
            result[field] = outcome.result
            newBase[field] = outcome.base
            keptLocal = keptLocal || outcome.keptLocal
            if outcome.fails { hasFailed = true }
            if outcome.isOpen, let kind = outcome.divergence {
                open[id, default: [:]][field] = Conflict(
                    kind: kind, local: [field: local[field] ?? .null], remote: [field: remote[field] ?? .nothing])
            } else if remote[field] ?? .nothing != .nothing || local[field] ?? .null == newBase[field] {
                // An absent key leaves open what is open, unless the edit was taken back.
                open[id]?[field] = nil
            }
        }
        bases[id] = Base(state: .live, values: newBase)
        rows[id] = result
        if open[id]?.isEmpty == false {
            counts.conflict += 1
        } else if result != local {
            counts.update += 1
        } else if keptLocal {
            counts.keptLocal += 1
        } else {
            counts.unchanged += 1
        }
    }

    private func merge(_ field: String, base: Said, local: Said, remote: Said) -> FieldOutcome {
        switch rules.owner(field) {
        case "remote" where remote != .nothing: return FieldOutcome(result: remote, base: remote)
        case "remote": return FieldOutcome(result: local, base: base)
        case "local" where remote != .nothing:
            return FieldOutcome(result: local, base: remote, keptLocal: local != remote && remote != base)
        case "local": return FieldOutcome(result: local, base: base)
        default:
            guard
                let outcome = FieldTable.look(base: base, local: local, remote: remote, policy: { rules.policy($0) })
            else { return FieldOutcome(result: .nothing, base: .nothing) }
            return outcome
        }
    }

    private mutating func readWithoutRow(_ id: Int, _ remote: Values, _ base: Base?, _ counts: inout Counts) {
        guard let base, base.state != .remoteTombstone else {
            insert(id, remote)
            counts.insert += 1
            return
        }
        let isChanged = Self.fields.contains { field in
            let said = remote[field] ?? .nothing
            return said != .nothing && said != base.values[field] ?? .nothing
        }
        guard isChanged else {
            open[id] = nil
            counts.unchanged += 1
            return
        }
        switch rules.policy("delete_edit") {
        case .manual:
            open[id] = ["*": Conflict(kind: "delete_edit", local: nil, remote: remote.filter { $0.value != .nothing })]
            counts.conflict += 1
        case .remoteWins:
            insert(id, remote)
            counts.insert += 1
        case .localWins:
            var values = base.values
            for (field, said) in remote where said != .nothing { values[field] = said }
            bases[id] = Base(state: .localTombstone, values: values)
            open[id] = nil
            counts.keptLocal += 1
        case .fail: hasFailed = true
        }
    }

    private mutating func insert(_ id: Int, _ remote: Values) {
        var row: Values = [:]
        for field in Self.fields {
            let said = remote[field] ?? .nothing
            row[field] = said == .nothing ? .null : said
        }
        rows[id] = row
        bases[id] = Base(state: .live, values: remote)
        open[id] = nil
    }

    // MARK: A record that is gone

    private mutating func gone(_ id: Int, _ counts: inout Counts) {
        guard let base = bases[id] else { return }
        guard let local = rows[id] else {
            // Report writes nothing.
            if rules.deletes == "report" { return }
            bases[id]?.state = .remoteTombstone
            open[id] = nil
            return
        }
        let isEdited = Self.fields.contains { field in
            let known = base.values[field] ?? .nothing
            return rules.owner(field) != "remote" && local[field] ?? .null != (known == .nothing ? .null : known)
        }
        if rules.deletes == "report" { return }
        guard isEdited else { return delete(id, &counts) }
        switch rules.policy("edit_delete") {
        case .manual:
            open[id] = ["*": Conflict(kind: "edit_delete", local: local, remote: nil)]
            counts.conflict += 1
        case .remoteWins: delete(id, &counts)
        case .localWins:
            bases[id]?.state = .remoteTombstone
            open[id] = nil
        case .fail: hasFailed = true
        }
    }

    private mutating func delete(_ id: Int, _ counts: inout Counts) {
        rows[id] = nil
        bases[id]?.state = .remoteTombstone
        open[id] = nil
        counts.delete += 1
    }
}

/// A record that was read.
extension MergeModel {
    mutating func read(_ record: Record, from source: String, _ counts: inout Outcomes) {
        let id = record.id
        let base = bases[source]?[id]
        if isAsBefore(record, at: source) {
            counts.note(.none, of: id)
            return
        }
        guard let local = rows[id] else { return readWithoutRow(record, from: source, &counts) }
        var conflicts = open[source]?[id] ?? [:]
        conflicts["*"] = nil
        var result = local
        var newBase: Values = [:]
        var keptLocal = false
        // A row that has nothing but its key is still to be filled where the source never said more.
        let isBare =
            rules.fields.allSatisfy { local[$0] ?? .null == .null }
            && (base == nil
                || base?.state == .remoteTombstone && !isGiven(id, besides: source)
                    && rules.fields.allSatisfy { base?.values[$0] ?? .nothing == .nothing })
        for field in rules.fields {
            let (said, held) = (record.values[field] ?? .nothing, local[field] ?? .null)
            let before = isBare ? .nothing : base?.values[field] ?? .nothing
            let owner = isBare && rules.owner(field) == "local" ? "shared" : rules.owner(field)
            let outcome = merge(
                field, of: id, at: source, base: before, local: held, remote: said, owner: owner)
            result[field] = outcome.result
            newBase[field] = outcome.base
            keptLocal = keptLocal || outcome.keptLocal
            if outcome.fails { hasFailed = true }
            if outcome.isOpen, let kind = outcome.divergence {
                conflicts[field] = Conflict(kind: kind, local: [field: held], remote: [field: said])
            } else if said != .nothing || held == outcome.base {
                // An absent key leaves open what is open, unless the edit was taken back.
                conflicts[field] = nil
            }
        }
        bases[source, default: [:]][id] = Base(state: .live, values: newBase)
        rows[id] = result
        useUp(id, from: local, to: result, by: source)
        open[source, default: [:]][id] = conflicts
        if !conflicts.isEmpty { counts.inConflict.insert(id) }
        counts.note(result != local ? .update : keptLocal && conflicts.isEmpty ? .keptLocal : .none, of: id)
    }

    /// Whether another source that has a record gave a value of it, so that a row without any was emptied.
    private func isGiven(_ id: Int, besides source: String) -> Bool {
        rules.sources.contains { other in
            guard other != source, let base = bases[other]?[id], base.state != .remoteTombstone else { return false }
            return rules.fields.contains { ![.nothing, .null].contains(base.values[$0] ?? .nothing) }
        }
    }

    /// Whether a record is not looked at: it says what it said before, and nothing is open.
    private func isAsBefore(_ record: Record, at source: String) -> Bool {
        guard let base = bases[source]?[record.id], base.state == .live, !base.isVoid else { return false }
        if open[source]?[record.id]?.isEmpty == false || rules.owners.values.contains("remote") { return false }
        return rules.fields.allSatisfy { record.values[$0] ?? .nothing == base.values[$0] ?? .nothing }
    }

    // MARK: One field

    private func merge(
        _ field: String, of id: Int, at source: String, base: Said, local: Said, remote: Said, owner: String
    ) -> FieldOutcome {
        switch owner {
        case "remote" where remote != .nothing: return FieldOutcome(result: remote, base: remote)
        case "remote": return FieldOutcome(result: local, base: base)
        case "local" where remote != .nothing:
            return FieldOutcome(result: local, base: remote, keptLocal: local != remote && remote != base)
        case "local": return FieldOutcome(result: local, base: base)
        default: break
        }
        let isAsked = remote != .nothing && local != remote
        let others =
            isAsked ? mergeWithOthers(field, of: id, at: source, base: base, local: local, remote: remote) : nil
        let outcome =
            others ?? FieldTable.look(base: base, local: local, remote: remote, policy: { rules.policy($0) })
            ?? FieldOutcome(result: .nothing, base: .nothing)
        // Not even a policy lets in what the first source gainsays.
        if outcome.divergence != nil, outcome.result == remote, isGainsaid(remote, field, of: id, at: source) {
            return FieldOutcome(result: local, base: remote, keptLocal: true)
        }
        return outcome
    }

    private func isGainsaid(_ remote: Said, _ field: String, of id: Int, at source: String) -> Bool {
        guard let first = rules.sources.first, first != source, let theirs = bases[first]?[id],
            theirs.state != .remoteTombstone, let said = theirs.values[field], said != .nothing
        else { return false }
        return said != remote
    }

    /// What becomes of a field that another source gave as well; nil where the table says it.
    ///
    /// A value that the other one gave is no edit: it stands while that one has the record and goes first, and gives way
    /// to this source's otherwise. But where the source that goes first has the record and gave the field, null or a value, the row had that:
    /// the other one's value is an edit then. A value that this source gave is its own to change. What neither gave is an
    /// edit, and a person's null is one too.
    private func mergeWithOthers(
        _ field: String, of id: Int, at source: String, base: Said, local: Said, remote: Said
    ) -> FieldOutcome? {
        guard let other = rules.sources.first(where: { $0 != source }), let theirs = bases[other]?[id],
            let said = theirs.values[field], said != .nothing
        else { return nil }
        let isFirst = source == rules.sources[0]
        if isFirst, local == said, base != .nothing, bases[source]?[id]?.state != .remoteTombstone { return nil }
        if !isFirst, local == base, base != .nothing, said != local, theirs.state != .remoteTombstone {
            return FieldOutcome(result: local, base: remote, keptLocal: remote != base)
        }
        if local == said {
            if other == rules.sources[0] && theirs.state != .remoteTombstone {
                return FieldOutcome(result: local, base: remote, keptLocal: remote != base)
            }
            return local == base ? nil : FieldOutcome(result: remote, base: remote)
        }
        // What the other one said before is nothing new: what stands beside it is an edit of that.
        if base == .nothing, said == remote, remote != .null, theirs.state != .remoteTombstone {
            return FieldOutcome(result: local, base: remote)
        }
        guard base == .nothing, local == .null else { return nil }
        return FieldTable.settle("add_add", base: base, local: local, remote: remote, policy: rules.policy("add_add"))
    }

    // MARK: No row

    private mutating func readWithoutRow(_ record: Record, from source: String, _ counts: inout Outcomes) {
        let id = record.id
        var known = bases[source]?[id]
        if known == nil || known?.state == .remoteTombstone {
            guard isHeld(id, besides: source) || moved.contains(where: { $0.value.contains(id) }) else {
                insert(record, from: source)
                counts.note(.insert, of: id)
                return
            }
            // Another source has it, so somebody deleted its row, and this source says all of it for the first time.
            known = Base(state: .live, values: [:], isNew: true)
        }
        guard let known else { return }
        let says = rules.fields.contains { field in
            let said = record.values[field] ?? .nothing
            return said != .nothing && said != known.values[field] ?? .nothing
        }
        guard says || known.isNew else {
            open[source]?[id] = nil
            counts.note(.none, of: id)
            return
        }
        // What the source leaves out it said before, as far as its base keeps that.
        var record = record
        for field in rules.fields where record.values[field] ?? .nothing == .nothing {
            let said = known.values[field] ?? .nothing
            record.values[field] = Self.isKept(said) ? said : .nothing
        }
        switch rules.policy("delete_edit") {
        case .manual:
            bases[source, default: [:]][id] = known
            open[source, default: [:]][id] = [
                "*": Conflict(kind: "delete_edit", local: nil, remote: record.values.filter { $0.value != .nothing })
            ]
            counts.note(.none, of: id)
            counts.inConflict.insert(id)
        case .remoteWins:
            insert(record, from: source)
            counts.note(.insert, of: id)
        case .localWins:
            var values = known.values
            for (field, said) in record.values where said != .nothing { values[field] = said }
            bases[source, default: [:]][id] = Base(state: .localTombstone, values: values)
            open[source]?[id] = nil
            counts.note(.keptLocal, of: id)
        case .fail: hasFailed = true
        }
    }

    /// Makes a row of what one source says; others are taken to have said of it what it holds, and nothing else.
    private mutating func insert(_ record: Record, from source: String) {
        var row: Values = [:]
        for field in rules.fields {
            let said = record.values[field] ?? .nothing
            row[field] = said == .nothing ? .null : said
        }
        rows[record.id] = row
        marked[record.id] = nil
        bases[source, default: [:]][record.id] = Base(state: .live, values: record.values)
        open[source]?[record.id] = nil
        for other in rules.sources where other != source {
            guard var theirs = bases[other]?[record.id] else { continue }
            for field in rules.fields where theirs.values[field] != row[field] {
                if theirs.values[field] ?? .nothing != .nothing { theirs.isVoid = true }
                theirs.values[field] = .nothing
            }
            bases[other]?[record.id] = theirs
        }
    }
}

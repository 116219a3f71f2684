/// A record that its source no longer has.
extension MergeModel {
    /// A record that was read and says that it is deleted counts by what becomes of its row.
    mutating func flagged(_ id: Int, at source: String, _ counts: inout Outcomes) {
        let deleted = counts.deleted
        switch gone(id, from: source, &counts) {
        case .asked:
            counts.note(.none, of: id)
            counts.inConflict.insert(id)
        case .kept: counts.note(.keptLocal, of: id)
        case .done: counts.note(counts.deleted > deleted ? .delete : .none, of: id)
        }
    }

    enum End { case done, kept, asked }

    mutating func gone(_ id: Int, from source: String, _ counts: inout Outcomes) -> End {
        guard let base = bases[source]?[id], base.state != .remoteTombstone else { return .done }
        if isHeld(id, besides: source) || moved[source]?.contains(id) == true {
            leave(id, to: source)
            return .done
        }
        guard let local = rows[id] else {
            bury(id, at: source)
            return .done
        }
        let isEdited = rules.fields.contains { field in
            if rules.owner(field) == "remote" { return false }
            let held = local[field] ?? .null
            let given = claims(on: field, of: id, beside: source)
            // What any source gave is no edit.
            return given.isEmpty ? held != .null : !given.contains(held)
        }
        if isEdited {
            switch rules.policy("edit_delete") {
            case .remoteWins: break
            case .manual:
                inherit(id, at: source)
                open[source, default: [:]][id] = ["*": Conflict(kind: "edit_delete", local: local, remote: nil)]
                return .asked
            case .localWins:
                bury(id, at: source)
                return .kept
            case .fail:
                hasFailed = true
                return .done
            }
        }
        rows[id] = nil
        if rules.deletes == "soft" { marked[id] = local }
        bury(id, at: source)
        counts.deleted += 1
        return .done
    }

    /// What a source gave that goes first and lost the record as well stands in place of what this one never had in the row.
    private mutating func inherit(_ id: Int, at source: String) {
        let first = rules.sources[0]
        guard first != source, let gone = bases[first]?[id], gone.state == .remoteTombstone else { return }
        for field in rules.fields where gone.values[field] ?? .nothing != .nothing {
            let said = bases[source]?[id]?.values[field] ?? .nothing
            if said != .nothing { bases[source]?[id]?.values[field] = gone.values[field] }
        }
    }

    private mutating func bury(_ id: Int, at source: String) {
        bases[source]?[id]?.state = .remoteTombstone
        open[source]?[id] = nil
    }

    // MARK: Other sources

    /// Whether another source has a record.
    func isHeld(_ id: Int, besides source: String) -> Bool {
        rules.sources.contains { other in
            guard other != source, let base = bases[other]?[id] else { return false }
            return base.state != .remoteTombstone
        }
    }

    /// What may be in the row since a source gave it: where the one that goes first gave the field, nothing of another one.
    private func claims(on field: String, of id: Int, beside source: String) -> [Said] {
        let own = bases[source]?[id]
        let gave = own?.values[field] ?? .nothing
        if source == rules.sources[0], own?.state != .remoteTombstone, gave != .nothing { return [gave] }
        return rules.sources.compactMap { bases[$0]?[id]?.values[field] }.filter { $0 != .nothing }
    }

    /// A record that another source still has goes from one: where that one's values stand, the other's next record is
    /// looked at for what it says instead. Where the one that goes first gave the field and somebody preferred the other's, that
    /// is an edit until the other says it once more.
    private mutating func leave(_ id: Int, to source: String) {
        let values = bases[source]?[id]?.values ?? [:]
        bury(id, at: source)
        guard let local = rows[id] else { return }
        for other in rules.sources where other != source {
            for field in rules.fields where values[field] == local[field] {
                let said = bases[other]?[id]?.values[field] ?? .nothing
                if said != .nothing && said != local[field] { bases[other]?[id]?.isVoid = true }
            }
            for field in rules.fields where source == rules.sources[0] && values[field] != local[field] {
                let (said, stood) = (bases[other]?[id]?.values[field] ?? .nothing, values[field] ?? .nothing)
                guard stood != .nothing, said != .nothing else { continue }
                if said == local[field] ?? .null { bases[other]?[id]?.values[field] = stood }
                bases[other]?[id]?.isVoid = true
            }
        }
        // What the one that goes first leaves the other takes up once it is read.
        if moved[source]?.contains(id) == true || source == rules.sources[0] { return }
        // What is not in the row any more tells nothing beside what others give.
        for field in rules.fields where values[field] != local[field] {
            let isGiven = rules.sources.contains { other in
                guard other != source, let base = bases[other]?[id], base.state != .remoteTombstone else {
                    return false
                }
                return base.values[field] ?? .nothing != .nothing
            }
            if isGiven { bases[source]?[id]?.values[field] = .nothing }
        }
    }

    /// Fields of a row hold other values now, or are another source's: what a source gave of them that has the record no longer is
    /// used up.
    mutating func useUp(_ id: Int, from local: Values, to result: Values, by source: String) {
        for other in rules.sources where other != source && bases[other]?[id]?.state == .remoteTombstone {
            let said = bases[source]?[id]?.values ?? [:]
            for field in rules.fields where result[field] != local[field] || said[field] ?? .nothing != .nothing {
                if bases[other]?[id]?.values[field] != result[field] { bases[other]?[id]?.values[field] = .nothing }
            }
        }
    }
}

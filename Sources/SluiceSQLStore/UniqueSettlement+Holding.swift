internal import SluiceModel
internal import SluiceStore

/// What becomes of records that do not get their values.
extension UniqueSettlement {
    /// Lets a record keep what it has in some groups, and those that wanted just that likewise.
    mutating func hold(
        _ first: Int, _ groups: [Int], _ reduce: (RecordWrite, [Int]) throws -> RecordWrite?
    ) throws {
        if takers.isEmpty { findTakers() }
        // Where it fails without those fields as well, it cannot be written at all.
        if heldFields(candidates[first], groups).isSubset(of: candidates[first].held) { return drop(first, groups) }
        var waiting = [(first, groups)]
        while let (index, groups) = waiting.popLast() {
            let fields = heldFields(candidates[index], groups)
            if candidates[index].isDropped || fields.isSubset(of: candidates[index].held) { continue }
            candidates[index].held.formUnion(fields)
            if !mustBeThere(fields, candidates[index]),
                let reduced = try reduce(candidates[index].original, candidates[index].held.sorted())
            {
                candidates[index].write = reduced
            } else {
                drop(index, groups)
            }
            waiting += takersOfWhatStays(index)
        }
    }

    /// Whether a new row cannot be without some fields.
    private func mustBeThere(_ fields: Set<Int>, _ candidate: Candidate) -> Bool {
        candidate.before == nil && !constraints.requiredFields.isDisjoint(with: fields)
    }

    /// Those that want the values that a record keeps, with the group of the values.
    private func takersOfWhatStays(_ index: Int) -> [(Int, [Int])] {
        let candidate = candidates[index]
        guard let before = candidate.before else { return [] }
        return constraints.groups.indices.flatMap { group -> [(Int, [Int])] in
            let isKept = candidate.isDropped || !candidate.held.isDisjoint(with: constraints.groups[group])
            guard isKept, let values = constraints.values(before, group: group) else { return [] }
            return (takers[Value(group: group, values: values)] ?? []).filter { $0 != index }.map { ($0, [group]) }
        }
    }

    private mutating func drop(_ index: Int, _ groups: [Int]) {
        candidates[index].isDropped = true
        candidates[index].held.formUnion(groups.flatMap { constraints.groups[$0] })
    }

    private mutating func findTakers() {
        for (index, candidate) in candidates.enumerated() {
            for group in constraints.groups.indices {
                guard let values = constraints.values(candidate.wanted, group: group),
                    candidate.before.map({ constraints.values($0, group: group) != values }) ?? true
                else { continue }
                takers[Value(group: group, values: values), default: []].append(index)
            }
        }
    }

    /// The fields that a record leaves as they are where it does not get the values of some groups: what it would
    /// write of these groups, and of all that have a field in common with them.
    private func heldFields(_ candidate: Candidate, _ groups: [Int]) -> Set<Int> {
        // A new row may be without a value; one that is there gives up what it has for none.
        let isNew = candidate.before == nil
        var written = Set(
            candidate.original.writtenFields(table.schema).filter { !isNew || !$0.value.isNull }.map(\.field))
        written.formIntersection(constraints.uniqueFields)
        var held = written.intersection(groups.flatMap { constraints.groups[$0] })
        var isGrowing = true
        while isGrowing {
            let count = held.count
            for group in constraints.groups where !held.isDisjoint(with: group) {
                held.formUnion(written.intersection(group))
            }
            isGrowing = held.count > count
        }
        return held
    }

    func describe(_ candidate: Candidate) throws -> [UniqueCollision.HeldField] {
        var holders: [Int: RecordKey] = [:]
        for group in constraints.groups.indices where !candidate.held.isDisjoint(with: constraints.groups[group]) {
            guard let holder = try table.holder(of: group, candidate.wanted), holder != candidate.original.key else {
                continue
            }
            for field in constraints.groups[group] where holders[field] == nil { holders[field] = holder }
        }
        let other = holders.min { $0.key < $1.key }?.value
        return candidate.held.sorted().map { UniqueCollision.HeldField(field: $0, holder: holders[$0] ?? other) }
    }
}

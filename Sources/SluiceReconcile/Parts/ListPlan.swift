internal import SluiceDecode
internal import SluiceModel
internal import SluiceReport

/// What is to be done about lists whose elements are not merged one by one, as their standings say. It reads and writes
/// nothing.
struct ListPlan {
    /// A list that both sides changed.
    typealias Disputed = (list: OrderedList, conflict: ListConflict)

    /// What their elements count as; a list that both sides changed counts once, as a whole.
    private(set) var summary = RunSummary()
    /// The lists of which nothing is merged, nor of what belongs to their elements.
    private(set) var left: [NestedBatch.Scope] = []
    /// The lists of which nothing is taken although their elements were seen.
    private(set) var seen: [NestedBatch.Scope] = []
    /// The lists that are not taken since a source that goes before gives them.
    private(set) var yielding: [NestedBatch.Scope] = []
    /// The elements that go, since a source that goes before gives their lists.
    private(set) var yielded: [RecordKey] = []
    /// The elements that another source has from now on, by that source.
    private(set) var passed: [StreamName: [RecordKey]] = [:]
    /// The elements of which another scan has to show that they are gone.
    private(set) var unconfirmed: [RecordKey] = []
    /// The lists that somebody decides about.
    private(set) var contested: [Disputed] = []
    /// The lists that stay as they are here.
    private(set) var kept: [Disputed] = []
    /// The lists that are taken as the source has them.
    private(set) var taken: [Disputed] = []

    /// Takes a list that is left as it is for a saved plan.
    mutating func skip(_ list: OrderedList) { left.append(list.scope) }

    /// Takes a list by its standing.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - isCounted: Whether an earlier page had it as well, so that it is counted.
    mutating func add(_ list: OrderedList, isCounted: Bool) {
        if !isCounted { count(list) }
        switch list.standing {
        case .yielded:
            yielding.append(list.scope)
            yielded += list.facts.live
        case .waiting: yielding.append(list.scope)
        case .passed(let heir): passed[heir, default: []] += list.facts.live
        case .unconfirmed(let missing):
            seen.append(list.scope)
            unconfirmed += missing
        case .postponed: break
        case .contested(let conflict):
            seen.append(list.scope)
            contested.append((list, conflict))
        case .taken(let conflict): taken.append((list, conflict))
        case .kept(let conflict): kept.append((list, conflict))
        }
        if list.isHeld { left.append(list.scope) }
    }

    private mutating func count(_ list: OrderedList) {
        switch list.standing {
        case .yielded, .waiting, .passed, .unconfirmed: summary.unchanged += list.scope.rows.count
        // It counts as what it most likely will be.
        case .contested, .postponed: summary.conflict += 1
        case .kept: summary.keptLocal += 1
        case .taken: break
        }
    }
}

internal import SluiceMerge
internal import SluiceStore

/// Records of which other sources of the table speak as well.
extension StreamMerger {
    /// Whether another source still has a record. Where it had it once, what it said of an earlier row is noted for
    /// when the record is inserted.
    mutating func isHeldElsewhere(_ key: RecordKey) throws -> Bool {
        let others = try context.siblings.records(key)
        if others.contains(where: \.isLive) { return true }
        if !others.isEmpty { renewed[key] = others }
        return false
    }

    /// The base of a record of which its source said nothing yet.
    func unknownBase(_ state: BaseState) -> BaseRow {
        BaseRow(
            rowHash: 0, entries: Array(repeating: .none, count: schema.fields.count), state: state, isOpen: false,
            firstRun: nil, lastRun: nil)
    }
}

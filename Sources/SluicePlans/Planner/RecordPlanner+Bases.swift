package import SluiceMerge
package import SluiceModel
package import SluiceStore

/// Bases as plans write them.
extension RecordPlanner {
    /// The base of a record of which its source said nothing yet.
    ///
    /// - Parameters:
    ///   - state: Its state.
    ///   - known: A base of whose record that is said; what is open of it stays so.
    /// - Returns: The base.
    package func unknownBase(_ state: BaseState, like known: BaseRow? = nil) -> BaseRow {
        BaseRow(
            rowHash: 0, entries: Array(repeating: .none, count: schema.fields.count), state: state,
            isOpen: known?.isOpen ?? false, firstRun: known?.firstRun, lastRun: nil)
    }

    /// Writes a base, with or without its row, as this run changes it.
    package func baseWrite(
        _ key: RecordKey, _ base: BaseRow, row: RecordWrite.Row = .none, keepsHash: Bool = false, kind: RowKind? = nil
    ) -> RecordWrite {
        var base = base
        if !keepsHash { base.rowHash = canonical.rowHash(of: base.entries) }
        base.firstRun = base.firstRun ?? run
        base.lastRun = run
        var write = RecordWrite(key: key, row: row, base: base)
        write.kind = kind
        return write
    }

    /// Forgets the scans that missed a record which was seen now, although nothing of it is taken; nil where none did.
    package func seen(_ facts: RecordFacts) -> RecordWrite? {
        guard var base = facts.base, base.missedScans > 0 else { return nil }
        base.missedScans = 0
        return absence(facts.key, base, .unchanged)
    }

    /// Writes how many scans missed a record. The run that changed its base last stays: the source said nothing new.
    package func absence(_ key: RecordKey, _ base: BaseRow, _ kind: RowKind) -> RecordWrite {
        var write = RecordWrite(key: key, row: .none, base: base)
        write.kind = kind
        return write
    }
}

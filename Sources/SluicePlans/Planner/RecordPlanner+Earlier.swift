internal import SluiceMerge
package import SluiceModel
package import SluiceStore

extension RecordPlanner {
    /// What a source said of a record before, to be compared with what it says now: what it said before a field had its type as
    /// it meant that.
    package func sides(saidBefore base: BaseRow) -> [FieldSide] {
        canonical.sides(of: base.entries, beside: nil, saying: [], meaning).base
    }
}

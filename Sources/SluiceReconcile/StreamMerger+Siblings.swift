package import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// Records of which other sources of the table speak as well.
extension StreamMerger {
    /// Takes a record away from other sources, since more than its absence from one of them says that it is gone.
    package mutating func withdraw(_ key: RecordKey, _ others: [SiblingSources.Record], as state: BaseState) throws {
        for entry in try context.siblings.withdraw(key, others, as: state, run: context.run) {
            try close(entry, as: .obsolete)
        }
    }
}

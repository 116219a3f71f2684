internal import SluiceModel
package import SluiceStore

/// A value that the source gave while a conflict was open.
package struct SaidValue: Sendable, Equatable {
    /// The value as JSON; nil where the source no longer had the record.
    package let value: String?
    /// The run that read it; nil where that is no longer kept.
    package let run: Int64?
    /// When that run was started, RFC 3339 in UTC; nil where that is not known.
    package let at: String?

    /// Makes a value of its parts.
    package init(value: String?, run: Int64?, at: String?) { (self.value, self.run, self.at) = (value, run, at) }

    /// What the source said one after the other while a conflict was open, as far as the history is kept.
    ///
    /// - Parameters:
    ///   - entry: The conflict.
    ///   - store: Its store, open.
    /// - Returns: The values, the oldest first; none where it said one alone.
    /// - Throws: `StoreError`.
    package static func all(of entry: ConflictEntry, in store: any RecordStore) throws -> [SaidValue] {
        guard entry.seen > 1, let first = entry.firstRun else { return [] }
        let changes = try store.said(of: entry.mapping, key: entry.key, since: first).filter { $0.entry == entry.id }
        var values: [SaidValue] = []
        for change in changes where change.action == "opened" || change.remotes != nil {
            // What older runs did is forgotten first.
            if values.isEmpty, let before = change.remotes?.before {
                values.append(SaidValue(value: before, run: nil, at: nil))
            }
            values.append(
                SaidValue(
                    value: change.remote, run: change.run, at: try store.runs.entry(id: change.run)?.startedAt))
        }
        return values.count > 1 ? values : []
    }
}

extension RecordStore {
    /// What runs that read a source did to the conflicts of one record, the oldest change first. In an undo no source says anything.
    ///
    /// - Parameters:
    ///   - mapping: What fills the record's table.
    ///   - key: Its key as a JSON object.
    ///   - run: The first run to look at.
    /// - Returns: The changes.
    /// - Throws: `StoreError`.
    func said(of mapping: RecordMapping, key: String, since run: Int64) throws -> [RecordedEntry] {
        try changes.conflicts(mapping, key: key, since: run).filter { try runs.entry(id: $0.run)?.undoes == nil }
    }
}

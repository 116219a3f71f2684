internal import SluiceModel

/// What changes of a table that cannot change in place: its key, columns that go, and what it refers to.
package struct TableRevision {
    /// The columns of the new primary key; nil where it stays.
    package var key: [String]?
    /// Columns that go.
    package var dropped: Set<String> = []
    /// Columns that get other names, by their old ones.
    package var renamed: [String: String] = [:]
    /// The columns of foreign keys that go, as they are called before.
    package var released: [[String]] = []
    /// Foreign keys that come, as definitions of constraints.
    package var foreignKeys: [String] = []
    /// Columns that stand where others stood, all as they are called before.
    package var places: [(old: [String], new: [String])] = []
    /// Columns that are no longer the key and stay unique by an index of a name: other tables refer to them.
    package var unique: [(name: String, columns: [String])] = []
    /// The names of such indexes of before whose columns are the key again.
    package var obsolete: [String] = []

    /// Makes a revision that changes nothing.
    package init() {}

    /// Whether the table has a column of a name afterwards, which may be another one.
    package func has(_ column: String) -> Bool {
        name(of: column) != nil || renamed.values.contains { ColumnName.areSame($0, column) }
    }

    /// Whether a foreign key on some columns goes.
    package func releases(_ columns: [String]) -> Bool {
        let folded = Set(columns.map { $0.lowercased() })
        return columns.contains { name(of: $0) == nil }
            || released.contains { Set($0.map { $0.lowercased() }) == folded }
    }

    /// Some columns in the order in which they stand afterwards, where the database lets them stand in any.
    ///
    /// - Parameter columns: The columns that stay, as they are called before, in their order; those that go may be
    ///   among them, so that their places are known.
    /// - Returns: The same columns.
    package func ordered(_ columns: [String]) -> [String] {
        func place(of column: String) -> Int? { columns.firstIndex { ColumnName.areSame($0, column) } }
        let keyed = columns.enumerated().map { index, column -> (column: String, place: Int, rank: Int) in
            for group in places {
                guard let rank = group.new.firstIndex(where: { ColumnName.areSame($0, column) }),
                    let first = group.old.compactMap(place).min()
                else { continue }
                return (column, first, rank + 1)
            }
            return (column, index, 0)
        }
        return keyed.sorted { ($0.place, $0.rank) < ($1.place, $1.rank) }.map(\.column)
    }

    /// The name of a column afterwards; nil where it goes.
    package func name(of column: String) -> String? {
        if dropped.contains(where: { ColumnName.areSame($0, column) }) { return nil }
        return renamed.first { ColumnName.areSame($0.key, column) }?.value ?? column
    }
}

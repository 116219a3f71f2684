internal import SluiceModel
internal import SluiceStore

/// Which foreign keys of tables a `ref` can stand for.
struct TableLinks {
    /// What becomes of the foreign key that a column holds.
    enum Link {
        /// A `ref` to the row that a column of another table identifies.
        case reference(AdoptableTable, AdoptableTable.Column)
        /// A field like others, with the reason.
        case plain(String)
    }

    private let tables: [AdoptableTable]
    /// The names, in lower case, of tables to which another foreign key leads.
    private let targets: Set<String>

    init(_ tables: [AdoptableTable]) {
        self.tables = tables
        targets = Set(tables.flatMap(\.foreignKeys).map { $0.target.lowercased() })
    }

    /// What becomes of the foreign key of a column; nil where it has none.
    func link(of column: AdoptableTable.Column, in table: AdoptableTable) -> Link? {
        let keys = table.foreignKeys.filter { key in
            key.columns.contains { ColumnName.areSame($0, column.name) }
        }
        guard let key = keys.first(where: { $0.columns.count == 1 }) ?? keys.first else { return nil }
        let columns = key.targetColumns.isEmpty ? "" : " (\(key.targetColumns.joined(separator: ", ")))"
        let place = "refers to \(key.target)\(columns)"
        if key.columns.count > 1 {
            return .plain("refers with other columns to \(key.target)\(columns); a `ref` has one column here")
        }
        guard let target = self.table(key.target) else {
            return .plain("\(place); name that table too for a `ref`")
        }
        switch identified(by: key, in: target) {
        case nil: return .plain("\(place), which does not identify the records there")
        case let found? where found.type != column.type:
            return .plain("\(place), whose key \(found.name) is of the type \(found.type.rawValue)")
        case let found? where !found.keepsSentForm || !column.keepsSentForm:
            return .plain("\(place), which is stored in another form than a source sends")
        case let found?:
            if let reason = reasonAgainst(column, in: table) { return .plain("\(place), \(reason)") }
            return .reference(target, found)
        }
    }

    /// The tables that the references of a table lead to.
    func targets(of table: AdoptableTable) -> [AdoptableTable] {
        table.columns.compactMap { column in
            if case .reference(let target, _)? = link(of: column, in: table) { target } else { nil }
        }
    }

    private func table(_ name: String) -> AdoptableTable? { tables.first { ColumnName.areSame($0.name, name) } }

    /// The column that a foreign key of one column leads to, if it alone identifies the target's records.
    private func identified(by key: AdoptableTable.ForeignKey, in target: AdoptableTable) -> AdoptableTable.Column? {
        guard let own = target.keys.first, own.columns.count == 1 else { return nil }
        let isMeant =
            key.targetColumns.isEmpty ? own.isPrimary : ColumnName.areSame(key.targetColumns[0], own.columns[0])
        return isMeant ? target.column(own.columns[0]) : nil
    }

    /// Why a table can have no reference in a column, although its target could have one.
    private func reasonAgainst(_ column: AdoptableTable.Column, in table: AdoptableTable) -> String? {
        let key = table.keys.first?.columns ?? []
        if key.contains(column.name), targets.contains(table.name.lowercased()) {
            return "and identifies records that others refer to"
        }
        let isSent = key.allSatisfy { table.column($0)?.keepsSentForm ?? false }
        return isSent ? nil : "and the key of this table is stored in another form than a source sends"
    }
}

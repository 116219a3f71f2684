internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceStore

/// The tables of a store, for people.
struct SchemaText {
    let style: TextStyle

    func text(_ tables: [StoredTable]) -> String { tables.map(text).joined(separator: "\n") }

    private func text(_ table: StoredTable) -> String {
        let name = style.paint(ShortText.of(table.name), .strong)
        let headline = "\(name)  \(style.paint("(\(Self.facts(table)))", .faint))\n"
        if table.columns.isEmpty { return headline + "    The table is not there.\n" }
        let groups = table.unique.map { "    unique: \(Self.list($0))\n" }
        return headline + columns(table) + groups.joined() + table.references.map { line($0, of: table) }.joined()
    }

    // MARK: The headline

    private static func facts(_ table: StoredTable) -> String {
        switch table.role {
        case .target: "nothing fills it; other tables refer to it"
        case .links: "link table of \(linkFields(table)), for \(givers(table))"
        case .records:
            givers(table) + (table.sources.contains(where: \.deletesSoftly) ? "; deleted rows are marked" : "")
        }
    }

    /// The fields whose values a table of links has.
    private static func linkFields(_ table: StoredTable) -> String {
        let names = table.columns.compactMap { column in
            if case .link(let name) = column.origin { name } else { nil }
        }
        return list(Set(names).sorted())
    }

    /// What fills a table, entity by entity.
    private static func givers(_ table: StoredTable) -> String {
        let mappings = table.sources.map(\.mapping)
        return Dictionary(grouping: mappings) { ExactText($0.entity) }.values
            .map { group in (entity: group[0].entity, paths: group.map(\.path)) }
            .sorted { ExactText($0.entity) < ExactText($1.entity) }
            .map { "\(ShortText.of($0.entity)) from \(list($0.paths))" }
            .joined(separator: "; ")
    }

    private static func list(_ names: [String]) -> String {
        names.map { ShortText.of($0) }.joined(separator: ", ")
    }

    // MARK: Columns

    private func columns(_ table: StoredTable) -> String {
        let words = ColumnWords(table: table)
        let isSingleKey = table.columns.filter { $0.keyPosition != nil }.count == 1
        let rows = table.columns.map { column in
            [
                ShortText.of(column.name), ShortText.of(column.type), Self.demand(column, isSingleKey: isSingleKey),
                ShortText.of(words.of(column), width: 2 * ShortText.width),
            ]
        }
        let widths = (0..<3).map { part in rows.map { TextWidth.of($0[part]) }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { ShortText.padded($0, to: $1) }.filter { !$0.isEmpty }
            return "    \((cells + [style.paint(row[3], .faint)]).joined(separator: "  "))\n"
        }.joined()
    }

    /// What a column demands of its values.
    private static func demand(_ column: StoredTable.Column, isSingleKey: Bool) -> String {
        if let position = column.keyPosition { return isSingleKey ? "key" : "key \(position)" }
        return column.isRequired ? "not null" : ""
    }

    // MARK: References

    private func line(_ reference: StoredTable.Reference, of table: StoredTable) -> String {
        let start = reference.columns.isEmpty ? [reference.name ?? ""] : reference.columns
        let columns = reference.targetColumns.isEmpty ? "" : " (\(Self.list(reference.targetColumns)))"
        let through = reference.link.map { " through \(ShortText.of($0))" } ?? ""
        let keys = Set(table.columns.filter { $0.keyPosition != nil }.map(\.name))
        let isPair = reference.link != nil || reference.columns.contains(where: keys.contains)
        let facts = style.paint("  \(Self.rule(reference, isPair: isPair))", .faint)
        return "    \(Self.list(start)) → \(ShortText.of(reference.target))\(columns)\(through)\(facts)\n"
    }

    /// What becomes of a reference without its record.
    ///
    /// - Parameters:
    ///   - reference: The reference.
    ///   - isPair: Whether it is a row of its own, which is there or not: its column is never null.
    /// - Returns: Some words.
    private static func rule(_ reference: StoredTable.Reference, isPair: Bool) -> String {
        switch reference.rule {
        case .defer where isPair: "a pair once its record is there (`on_dangling: defer`)"
        case .setNull where isPair: "no pair where the record is not there"
        case nil: "a foreign key of your own"
        case .owner: "belongs to it"
        case .defer: "null until its record is there (`on_dangling: defer`)"
        case .setNull: "null where the record is not there"
        case .stub: "a row with the key alone stands for a record that is not there"
        case .fail: "a run fails where the record is not there"
        }
    }
}

internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceSwiftModels

/// The tables of Swift models, for people.
struct ModelSchemaText {
    let style: TextStyle

    func text(_ tables: [ModelTable]) -> String { tables.map(text).joined(separator: "\n") }

    private func text(_ table: ModelTable) -> String {
        let name = style.paint(ShortText.of(table.name), .strong)
        let entity = table.entity == table.type ? "" : ", entity \(ShortText.of(table.entity))"
        let place = "\(PrintableText.escape(table.file)):\(table.line)"
        let headline = "\(name)  \(style.paint("(\(ShortText.of(table.type)) in \(place)\(entity))", .faint))\n"
        let groups = table.unique.map { group in
            "    unique: \(group.map { ShortText.of($0) }.joined(separator: ", "))\n"
        }
        return headline + columns(table) + groups.joined() + table.references.map(line).joined()
    }

    private func columns(_ table: ModelTable) -> String {
        let isSingleKey = table.columns.count { $0.keyPosition != nil } == 1
        let rows = table.columns.map { column in
            [
                ShortText.of(column.name), column.type?.rawValue ?? "own", demand(column, isSingleKey: isSingleKey),
                "\(ShortText.of(column.property)): \(ShortText.of(column.swiftType))",
            ]
        }
        let widths = (0..<3).map { part in rows.map { TextWidth.of($0[part]) }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { ShortText.padded($0, to: $1) }.filter { !$0.isEmpty }
            return "    \((cells + [style.paint(row[3], .faint)]).joined(separator: "  "))\n"
        }.joined()
    }

    private func demand(_ column: ModelTable.Column, isSingleKey: Bool) -> String {
        if let position = column.keyPosition { return isSingleKey ? "key" : "key \(position)" }
        return column.isRequired ? "not null" : ""
    }

    private func line(_ reference: ModelTable.Reference) -> String {
        let target = reference.targetColumn.map { " (\(ShortText.of($0)))" } ?? ""
        let through = reference.via.map { " through \(ShortText.of($0))" } ?? ""
        let inverse = reference.inverse.map { "inverse \(ShortText.of($0))" } ?? "no inverse"
        let facts = style.paint("  \(reference.deleteRule), \(inverse)", .faint)
        return
            "    \(ShortText.of(reference.column ?? reference.name)) → \(ShortText.of(reference.target))\(target)\(through)\(facts)\n"
    }
}

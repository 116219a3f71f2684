internal import SluiceDiagnostics
internal import SluiceDiscovery
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline

/// What an import found in its source, for people.
struct ImportText {
    let inspection: ImportInspection
    /// How one page leads to the next; nil where there is one page.
    let pagination: ProbeFinding?

    init(_ inspection: ImportInspection, pagination: ProbeFinding? = nil) {
        (self.inspection, self.pagination) = (inspection, pagination)
    }

    /// The place of the records, the fields as a table, and the key.
    func text(key: ImportKey?, style: TextStyle) -> String {
        let place = inspection.place
        var text = style.paint("Records: \(ShortText.of(place.text, width: 120))", .strong) + "  \(place.reason)\n"
        if let entries = place.entries { text += "  the members' names become `\(entries)`\n" }
        if !place.others.isEmpty {
            let shown = place.others.prefix(5).map { ShortText.of($0) }.joined(separator: ", ")
            let more = place.others.count > 5 ? " and \(place.others.count - 5) more" : ""
            text += style.paint("  objects are at \(shown)\(more) too: see `--records`", .faint) + "\n"
        }
        if let advice = place.advice { text += style.paint("  \(advice)", .faint) + "\n" }
        if let pagination {
            // Where a way is followed, the import goes it to its end.
            let evidence = pagination.evidence.filter { $0 != PaginatorSearch.leadsOn }
            let reasons = ShortText.of(evidence.joined(separator: "; "), width: 300)
            let way = ShortText.of(pagination.text, width: 120)
            let isFollowed = pagination.certainty == .certain
            text += style.paint("Pages: \(isFollowed ? way : "one is read")", .strong) + "  "
            if isFollowed {
                text += "\(reasons)\n"
            } else if pagination.text == PaginatorSearch.notFound {
                text += "how one page leads to the next was not found: \(reasons)\n"
            } else {
                text += "\(way) is \(pagination.certainty.rawValue): \(reasons)\n"
            }
        }
        if let key { text += style.paint("Key: \(key.fields.joined(separator: ", "))", .strong) + "  \(key.reason)\n" }
        let records = CountText.of(inspection.records, "record")
        text +=
            inspection.isPartial
            ? "Fields, from the first \(records); keys that only later records have are left out:\n"
            : "Fields, from \(records):\n"
        text += table(style)
        if key == nil { text += suggestions }
        return text
    }

    private var suggestions: String {
        let names = inspection.fields.map(\.name)
        var suggestions = inspection.keyCandidates.suggestions.map { ($0.fields.joined(separator: ","), $0.reason) }
        if !names.isEmpty, !names.contains(ImportKey.content), !names.contains(EntityDefinition.contentKeyName) {
            suggestions.append((ImportKey.content, "a hash of all values; a changed record is then a new one"))
        }
        if suggestions.isEmpty { return "" }
        let options = suggestions.map { "--key " + $0.0 }
        let width = options.map { TextWidth.of($0) }.max() ?? 0
        let lines = zip(options, suggestions).map { "  \(ShortText.padded($0, to: width))  \($1.1)\n" }
        return "Possible keys:\n" + lines.joined()
    }

    /// The fields as a table.
    func table(_ style: TextStyle) -> String {
        var rows = [["field", "from", "type", "null", "absent", "example"]]
        rows += inspection.fields.map { field in
            [
                ShortText.of(field.name, width: 40), ShortText.of(field.path.text, width: 40), field.type.rawValue,
                CountText.grouped(field.empty - field.absent), CountText.grouped(field.absent),
                field.example.map { ShortText.of($0, width: 40) } ?? "",
            ]
        }
        let widths = rows[0].indices.map { column in rows.map { TextWidth.of($0[column]) }.max() ?? 0 }
        let lines = rows.enumerated().map { index, row in
            let cells = row.enumerated().map { column, cell in
                let blank = String(repeating: " ", count: widths[column] - TextWidth.of(cell))
                return (3...4).contains(column) ? blank + cell : column == 5 ? cell : cell + blank
            }
            let line = "  " + cells.joined(separator: "  ")
            return index == 0 ? style.paint(line, .faint) : line
        }
        return lines.joined(separator: "\n") + "\n" + absences + nested
    }

    /// What a pipeline makes of lists of objects; empty where there are none.
    private var nested: String {
        let advice = inspection.fields.compactMap(\.nested).map(\.advice)
        let more =
            advice.count > 3
            ? "\(CountText.of(advice.count - 3, "more field holds", "more fields hold")) lists of objects.\n" : ""
        return advice.prefix(3).map { ShortText.of($0, width: 400) + "\n" }.joined() + more
    }

    /// What an absent key may mean; empty where none is.
    private var absences: String {
        let names = inspection.fields.map(\.name).filter { inspection.absences[$0] != nil }
        if names.isEmpty { return "" }
        let listed = names.prefix(5).map { "`\($0)`" }.joined(separator: ", ")
        let more = names.count > 5 ? " and \(names.count - 5) more" : ""
        let are = CountText.word(names.count, "is", "are")
        let they = CountText.word(names.count, "its key goes", "their keys go")
        return
            "\(listed)\(more) \(are) absent in some records and null in none. An absent key says nothing, so what is stored stays when \(they); where the source leaves out what is empty, a pipeline says `on_missing: set_null`.\n"
    }
}

internal import SluiceModel

/// The reference of the pipeline file, made from the specification that the checker uses.
package enum PipelineReference {
    /// All keys, section by section, as Markdown ended by a line break.
    package static func markdown() -> String { markdown(of: .current) }

    /// The reference of another specification than the current one.
    package static func markdown(of specification: SpecificationCatalog) -> String {
        var text = """
            # The pipeline file

            All keys, section by section. Keys in **bold** are required. Texts may contain `${var:name}`,
            `${env:NAME}`, `${env:NAME:-default}` and `${file:PATH}`. Values from the environment and from files are
            secret; keys that reports print do not take them. Anchors, aliases and merge keys (`<<`) of YAML work
            everywhere.

            """
        for (title, entries) in groups(of: specification) { text += section(title, entries) }
        text += "\n## An included file\n\nA file that `include` names. It holds "
        text += specification.includedFile.keys.map { "`\($0.name)`" }.joined(separator: " and ")
        text += ", as in the pipeline file, and nothing else.\n"
        text +=
            "\n## The type of a field\n\nA value is converted only without loss; otherwise it is a mismatch (see `on_type_mismatch`). "
        text += "In these examples, quotes mean a text in the source.\n\n"
        for profile in TypeProfile.all { text += profile.markdown }
        return text + directives
    }

    /// What the patterns of `format` are made of.
    private static var directives: String {
        let rows = TimeDirective.all.map { "| `%\($0.letter)` | \($0.meaning) | `\($0.example)` |\n" }
        return """

            ## The patterns of `format`

            Each directive reads a part of a date or time; all else in a pattern stands for itself, and the value must end where the
            pattern does. `%b %d, %Y %I:%M %p` reads `Nov 1, 2026 08:15 AM`. Of a number a pattern reads the digits: `%Y%m%d` takes
            20261101. A pattern needs a year, month and day, and of a time its offset or the field's `timezone`. The examples are of
            2026-11-01T20:05:09.25Z.

            | directive | reads | example |
            |---|---|---|
            \(rows.joined())
            """
    }

    /// The sections by title with the places where each may stand, in the order of the file.
    private static func groups(
        of specification: SpecificationCatalog
    ) -> [(String, [SpecificationCatalog.Entry])] {
        var groups: [(title: String, entries: [SpecificationCatalog.Entry])] = []
        for entry in specification.sections {
            if let index = groups.firstIndex(where: { $0.title == entry.section.title }) {
                groups[index].entries.append(entry)
            } else {
                groups.append((entry.section.title, [entry]))
            }
        }
        return groups
    }

    private static func section(_ title: String, _ entries: [SpecificationCatalog.Entry]) -> String {
        guard let section = entries.first?.section else { return "" }
        var text = "\n## \(heading(title))\n"
        let places = entries.map(\.path).filter { !$0.isEmpty }.map { "`\($0)`" }
        if let documentation = section.documentation { text += "\n\(documentation)\n" }
        if !places.isEmpty { text += "\nUsed at \(places.joined(separator: " and ")).\n" }
        text += "\n| key | type | default | meaning | example |\n|---|---|---|---|---|\n"
        for key in section.keys {
            let name = key.isRequired ? "**`\(key.name)`**" : "`\(key.name)`"
            let cells = [
                name, cell(type(of: key.value)), key.defaultText.map { defaultCell($0, key) } ?? "",
                cell(key.documentation), code(key.example),
            ]
            text += "| " + cells.joined(separator: " | ") + " |\n"
        }
        return text
    }

    private static func heading(_ title: String) -> String { title.prefix(1).uppercased() + title.dropFirst() }

    private static func defaultCell(_ text: String, _ key: KeySpec) -> String {
        key.defaultValue == nil ? cell(text) : code(text)
    }

    private static func type(of spec: ValueSpec) -> String {
        switch spec {
        case .list(let element, _): "list, each element: \(type(of: element))"
        case .mapping(_, let values, _): "names, each with \(type(of: values))"
        case .section(let section): "mapping, see \(section.title)"
        case .variants(let variants): "mapping, see \(variants.title) of each type"
        case .anyOf(let forms): forms.map { type(of: $0) }.joined(separator: "; or ")
        default: spec.expectation
        }
    }

    /// Text within a table: a bar would end the cell.
    private static func cell(_ text: String) -> String { text.split(separator: "|").joined(separator: "\\|") }

    /// Code within a table; one that holds a backquote is put between two.
    private static func code(_ text: String) -> String {
        let fence = text.contains("`") ? "``" : "`"
        return fence + cell(text) + fence
    }
}

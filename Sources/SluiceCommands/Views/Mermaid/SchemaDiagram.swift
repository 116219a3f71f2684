internal import SluiceStore

/// The tables of a store as a Mermaid diagram. See: mermaid.js.org/syntax/entityRelationshipDiagram.html
///
///     erDiagram
///         "books" {
///             INTEGER id PK "field id, int"
///         }
///         "authors" |o--o{ "books" : "author"
enum SchemaDiagram {
    static func text(_ tables: [StoredTable]) -> String {
        let relations = tables.flatMap { table in table.references.compactMap { relation($0, of: table) } }
        return "erDiagram\n" + tables.map(entity).joined() + relations.joined()
    }

    private static func entity(_ table: StoredTable) -> String {
        let name = MermaidText.quoted(table.name)
        if table.columns.isEmpty { return "    \(name)\n" }
        let words = ColumnWords(table: table)
        let lines = table.columns.map { column in
            let comment = ([MermaidText.isWord(column.name) ? nil : column.name, words.of(column)] as [String?])
                .compactMap { $0 }.joined(separator: ": ")
            let parts = [
                MermaidText.word(column.type.isEmpty ? "any" : column.type), MermaidText.word(column.name),
                keys(column, of: table), MermaidText.quoted(comment),
            ]
            return "        \(parts.filter { !$0.isEmpty }.joined(separator: " "))\n"
        }
        return "    \(name) {\n\(lines.joined())    }\n"
    }

    private static func keys(_ column: StoredTable.Column, of table: StoredTable) -> String {
        let isReference = table.references.contains { includes($0.columns, column.name) }
        let isUnique = table.unique.contains { $0.count == 1 && includes($0, column.name) }
        return [column.keyPosition == nil ? nil : "PK", isReference ? "FK" : nil, isUnique ? "UK" : nil]
            .compactMap { $0 }.joined(separator: ", ")
    }

    /// A line between two tables; none where a table of links has its own two lines.
    private static func relation(_ reference: StoredTable.Reference, of table: StoredTable) -> String? {
        if reference.link != nil { return nil }
        let columns = table.columns.filter { includes(reference.columns, $0.name) }
        let isAlwaysThere = !columns.isEmpty && columns.allSatisfy { $0.isRequired || $0.keyPosition != nil }
        let key = table.columns.filter { $0.keyPosition != nil }.map(\.name)
        let isAlone = ([key] + table.unique).contains { group in
            !group.isEmpty && group.allSatisfy { includes(reference.columns, $0) }
        }
        let label = MermaidText.quoted(reference.name ?? reference.columns.joined(separator: ", "))
        let line = "\(isAlwaysThere ? "||" : "|o")--\(isAlone ? "o|" : "o{")"
        return "    \(MermaidText.quoted(reference.target)) \(line) \(MermaidText.quoted(table.name)) : \(label)\n"
    }

    /// Whether a list has a column; the database takes upper and lower case for the same.
    private static func includes(_ names: [String], _ name: String) -> Bool {
        let folded = name.lowercased()
        return names.contains { $0.lowercased() == folded }
    }
}

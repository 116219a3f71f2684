internal import SluiceDiagnostics
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline
internal import SluiceStore

/// The entities of tables, and what is to be said of them.
struct TableEntities {
    /// The tables, each behind those that it refers to, else as they were named.
    let inOrder: [AdoptableTable]
    private let links: TableLinks
    /// The names of the entities, by those of the tables.
    private let names: [String: String]

    init(_ tables: [AdoptableTable]) {
        links = TableLinks(tables)
        inOrder = Self.ordered(tables, links)
        var names: [String: String] = [:]
        var taken: Set<String> = []
        for table in tables {
            let wanted = ImportPipeline.entityName(table.name)
            var (name, number) = (wanted, 1)
            while !taken.insert(name).inserted {
                number += 1
                name = "\(wanted)\(number)"
            }
            names[table.name] = name
        }
        self.names = names
    }

    private static func ordered(_ tables: [AdoptableTable], _ links: TableLinks) -> [AdoptableTable] {
        var found: [AdoptableTable] = []
        var seen: Set<String> = []
        func visit(_ table: AdoptableTable) {
            guard seen.insert(table.name).inserted else { return }
            for target in links.targets(of: table) { visit(target) }
            found.append(table)
        }
        for table in tables { visit(table) }
        return found
    }

    /// The name of a table's entity.
    func name(of table: AdoptableTable) -> String { names[table.name] ?? ImportPipeline.entityName(table.name) }

    /// The entity of a table.
    func entity(of table: AdoptableTable) -> EntityDefinition {
        var references: [ReferenceDefinition] = []
        let key = table.keys.first?.columns ?? []
        let fields = table.columns.map { column in
            let isKey = key.contains(column.name)
            var field = FieldDefinition(
                name: column.name, column: column.name, origin: .path(Self.path(column)), type: column.type,
                isRequired: isKey || column.isNotNull)
            if case .reference(let target, let targetColumn)? = links.link(of: column, in: table) {
                references.append(reference(column, to: target, targetColumn, isKey: isKey))
            } else if !isKey && column.isNotNull {
                field.defaultJSON = TableDefault.json(of: column)
            }
            return field
        }
        var entity = EntityDefinition(
            name: name(of: table), table: table.name, primaryKey: key, unique: table.unique, fields: fields)
        entity.references = references
        return entity
    }

    private func reference(
        _ column: AdoptableTable.Column, to target: AdoptableTable, _ targetColumn: AdoptableTable.Column, isKey: Bool
    ) -> ReferenceDefinition {
        var reference = ReferenceDefinition(
            name: column.name, path: Self.path(column), target: name(of: target), count: .one, fields: [column.name])
        reference.targetTable = target.name
        reference.targetKey = [
            FieldDefinition(
                name: targetColumn.name, column: targetColumn.name, origin: .path(Self.path(targetColumn)),
                type: targetColumn.type)
        ]
        // Where null is not allowed, nothing can be put off.
        if isKey || column.isNotNull { reference.onDangling = .fail }
        return reference
    }

    private static func path(_ column: AdoptableTable.Column) -> JSONPath {
        JSONPath(steps: [.name(column.name)], text: column.name)
    }

    // MARK: What is to be said

    /// What is to be said of a table.
    func notes(of table: AdoptableTable) -> [String] {
        var notes: [String] = []
        if let key = table.keys.first, !key.isPrimary {
            notes.append(
                "The table has no primary key that can identify records; the key is a unique index."
                    + (key.takesNull ? " Rows with null there are left alone." : ""))
        }
        let others = table.keys.dropFirst().map { key in
            "[\(key.columns.map { PrintableText.escape($0) }.joined(separator: ", "))]"
        }
        if !others.isEmpty { notes.append("What could identify records instead: \(others.joined(separator: ", ")).") }
        for column in table.otherColumns {
            notes.append("No field: `\(PrintableText.escape(column.name))` \(PrintableText.escape(column.reason)).")
        }
        return notes
    }

    /// What is to be said of a column; nil for nothing.
    func note(of column: AdoptableTable.Column, in table: AdoptableTable) -> String? {
        var notes: [String] = []
        if case .plain(let reason)? = links.link(of: column, in: table) { notes.append(reason) }
        let isKey = table.keys.first?.columns.contains(column.name) ?? false
        if !isKey, column.isNotNull, let sql = column.defaultSQL, TableDefault.json(of: column) == nil {
            notes.append("DEFAULT \(sql) of the table counts only without this line")
        }
        return notes.isEmpty ? nil : PrintableText.escape(notes.joined(separator: "; "))
    }
}

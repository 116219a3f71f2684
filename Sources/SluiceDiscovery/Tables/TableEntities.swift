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
    /// What a store knows of tables that pipelines fill, by their names.
    private let filled: [String: FilledTable]

    /// Makes the entities of tables.
    ///
    /// - Parameters:
    ///   - tables: The tables.
    ///   - filled: What a store knows of some of them, by their names.
    init(_ tables: [AdoptableTable], knowing filled: [String: FilledTable] = [:]) {
        links = TableLinks(tables)
        inOrder = Self.ordered(tables, links)
        self.filled = filled.filter { name, known in tables.first { $0.name == name }.map(known.names) ?? false }
        var names: [String: String] = [:]
        var taken: Set<String> = []
        for table in tables {
            let wanted = self.filled[table.name]?.schema?.entity ?? ImportPipeline.entityName(table.name)
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

    /// The name of the field of a column. A reference that cannot be one here is called as its column is.
    func fieldName(of column: AdoptableTable.Column, in table: AdoptableTable) -> String {
        guard let known = filled[table.name], let field = known.field(of: column) else { return column.name }
        if known.reference(in: column) == nil { return field.name }
        if case .reference? = links.link(of: column, in: table) { return field.name }
        return column.name
    }

    /// The entity of a table.
    func entity(of table: AdoptableTable) -> EntityDefinition {
        var references: [ReferenceDefinition] = []
        let key = table.keys.first?.columns ?? []
        var fields = table.columns.map { column in
            let isKey = key.contains(column.name)
            let name = fieldName(of: column, in: table)
            var field = FieldDefinition(
                name: name, column: column.name, origin: .path(JSONPath(names: [name])),
                type: type(of: column, in: table),
                isRequired: isKey || column.isNotNull)
            if case .reference(let target, let targetColumn)? = links.link(of: column, in: table) {
                // Of a reference the key of the source is seldom called as the field is.
                field.origin = .path(Self.path(column))
                references.append(reference(column, of: table, to: target, targetColumn, isKey: isKey))
            } else if !isKey && column.isNotNull {
                field.defaultJSON = TableDefault.json(of: column)
            }
            return field
        }
        for link in linkReferences(of: table) {
            fields.append(FieldDefinition(name: link.name, column: link.name, origin: .path(link.path), type: .json))
            references.append(link)
        }
        var entity = EntityDefinition(
            name: name(of: table), table: table.name, primaryKey: fieldNames(of: key, in: table),
            unique: table.unique.map { fieldNames(of: $0, in: table) }, fields: fields)
        entity.references = references
        return entity
    }

    private func fieldNames(of columns: [String], in table: AdoptableTable) -> [String] {
        columns.map { name in table.column(name).map { fieldName(of: $0, in: table) } ?? name }
    }

    /// The type that the store keeps the values of a column by. What may be in it where only some values may, the table does not
    /// tell.
    private func type(of column: AdoptableTable.Column, in table: AdoptableTable) -> FieldType {
        guard let field = filled[table.name]?.field(of: column), field.type != .enumeration, field.redaction == nil
        else { return column.type }
        return field.type
    }

    private func reference(
        _ column: AdoptableTable.Column, of table: AdoptableTable, to target: AdoptableTable,
        _ targetColumn: AdoptableTable.Column, isKey: Bool
    ) -> ReferenceDefinition {
        let name = fieldName(of: column, in: table)
        var reference = ReferenceDefinition(
            name: name, path: Self.path(column), target: self.name(of: target), count: .one, fields: [name])
        reference.targetTable = target.name
        reference.targetKey = [keyField(targetColumn, of: target)]
        if let known = filled[table.name]?.reference(in: column) {
            reference.onDangling = ReferenceDefinition.DanglingRule(rawValue: known.onDangling.rawValue) ?? .defer
        }
        // Where null is not allowed, nothing can be put off.
        if isKey || column.isNotNull { reference.onDangling = .fail }
        return reference
    }

    private func keyField(_ column: AdoptableTable.Column, of table: AdoptableTable) -> FieldDefinition {
        FieldDefinition(
            name: fieldName(of: column, in: table), column: column.name, origin: .path(Self.path(column)),
            type: type(of: column, in: table))
    }

    /// The references of a table that lead to several records of a table that is named too, as the store knows them.
    private func linkReferences(of table: AdoptableTable) -> [ReferenceDefinition] {
        filled[table.name]?.links.compactMap { reference, link in
            guard let target = inOrder.first(where: { ColumnName.areSame($0.name, reference.target) }) else {
                return nil
            }
            var definition = ReferenceDefinition(
                name: reference.name, path: JSONPath(names: [reference.name], then: [.wildcard]),
                target: name(of: target), count: .many, fields: [reference.name])
            definition.targetTable = target.name
            definition.targetKey = reference.targetColumns.compactMap(target.column).map { keyField($0, of: target) }
            definition.link = LinkDefinition(
                table: link.table, ownerColumns: link.ownerColumns, targetColumns: link.targetColumns)
            definition.onDangling =
                ReferenceDefinition.DanglingRule(rawValue: reference.onDangling.rawValue) ?? .defer
            return definition
        } ?? []
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
        for (reference, link) in filled[table.name]?.links ?? [] {
            if inOrder.contains(where: { ColumnName.areSame($0.name, reference.target) }) { continue }
            notes.append(
                "The table `\(PrintableText.escape(link.table))` links it to `\(PrintableText.escape(reference.target))`; name that table too for a `refs`."
            )
        }
        for column in table.otherColumns {
            notes.append("No field: `\(PrintableText.escape(column.name))` \(PrintableText.escape(column.reason)).")
        }
        return notes
    }

    /// What is to be said of a column; nil for nothing.
    func note(of column: AdoptableTable.Column, in table: AdoptableTable) -> String? {
        var notes = [filled[table.name]?.note(of: column)].compactMap(\.self)
        if case .plain(let reason)? = links.link(of: column, in: table) { notes.append(reason) }
        if let redaction = filled[table.name]?.field(of: column)?.redaction {
            notes.append("kept with `redact: \(redaction.rawValue)`, which this field does not have")
        }
        let isKey = table.keys.first?.columns.contains(column.name) ?? false
        if !isKey, column.isNotNull, let sql = column.defaultSQL, TableDefault.json(of: column) == nil {
            notes.append("DEFAULT \(sql) of the table counts only without this line")
        }
        return notes.isEmpty ? nil : PrintableText.escape(notes.joined(separator: "; "))
    }
}

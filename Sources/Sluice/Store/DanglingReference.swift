internal import SluiceSQLite

/// Says for which record a transaction cannot be committed, as it leads to one that is not there.
struct DanglingReference {
    private let connection: Connection
    private let schema: Schema
    /// The keys of the records that the transaction deleted, by their tables in lower case.
    private let deleted: [String: Set<[BoxedValue]>]

    init(_ connection: Connection, _ schema: Schema, deleted: [String: Set<[BoxedValue]>]) {
        (self.connection, self.schema, self.deleted) = (connection, schema, deleted)
    }

    /// The first reference of a model that is the reason.
    ///
    /// - Parameter row: A row that leads nowhere; nil where the first one of all tables is to be found.
    /// - Returns: Nil where it is no reference of a model.
    /// - Throws: `SQLiteError`.
    func error(of row: (table: String, key: [BoxedValue])?) throws -> SluiceError? {
        for model in schema.models {
            let description = model.modelDescription
            if let row, row.table.lowercased() != description.table.lowercased() { continue }
            for field in description.fields {
                guard let target = field.reference?.target?.modelDescription else { continue }
                if let error = try error(description, field, target, row?.key) { return error }
            }
        }
        return try linkError(in: row?.table)
    }

    /// The first link of a record that leads to none.
    private func linkError(in table: String?) throws -> SluiceError? {
        for model in schema.models {
            let owner = model.modelDescription
            for (index, relationship) in owner.relationships.enumerated() {
                guard let target = relationship.target?.modelDescription,
                    case .table(let pairs, let owners, let targets, _)? = try? LinkDescription(owner, index, target),
                    table == nil || table?.lowercased() == pairs.lowercased()
                else { continue }
                let isMeant = zip(target.keyColumns, targets).map { key, column in
                    "t.\(SQLIdentifier.quoted(key)) = p.\(SQLIdentifier.quoted(column))"
                }
                let statement = try connection.prepare(
                    """
                    SELECT \(SQLIdentifier.list(owners + targets)) FROM \(SQLIdentifier.quoted(pairs)) AS p WHERE NOT EXISTS
                    (SELECT 1 FROM \(SQLIdentifier.quoted(target.table)) AS t WHERE \(isMeant.joined(separator: " AND "))) LIMIT 1
                    """)
                guard try statement.step() else { continue }
                func text(_ places: Range<Int>) -> String {
                    places.map { StoredColumn(statement: statement, index: $0).value.text }.joined(separator: ", ")
                }
                let (name, missing) = (text(0..<owners.count), text(owners.count..<owners.count + targets.count))
                return SluiceError(
                    .dangling,
                    "\(owner.entity) \(name), property `\(relationship.property)` leads to \(target.entity) \(missing), which is not there. Save that record in the same transaction, or take it out of the property.",
                    entity: owner.entity, identifier: name, field: relationship.property)
            }
        }
        return nil
    }

    private func error(
        _ description: ModelDescription, _ field: ModelDescription.Field, _ target: ModelDescription,
        _ key: [BoxedValue]?
    ) throws -> SluiceError? {
        guard let targetKey = target.keyColumns.first else { return nil }
        let column = SQLIdentifier.quoted(field.column)
        let isRow = key.map { _ in description.keyColumns.map { " AND o.\(SQLIdentifier.quoted($0)) = ?" }.joined() }
        let statement = try connection.prepare(
            """
            SELECT \(SQLIdentifier.list(description.keyColumns + [field.column])) FROM \(SQLIdentifier.quoted(description.table)) AS o
            WHERE o.\(column) IS NOT NULL AND NOT EXISTS
            (SELECT 1 FROM \(SQLIdentifier.quoted(target.table)) AS t WHERE t.\(SQLIdentifier.quoted(targetKey)) = o.\(column))\(isRow ?? "")
            ORDER BY 1 LIMIT 1
            """)
        for (place, value) in (key ?? []).enumerated() { statement.bind(value, at: place + 1) }
        guard try statement.step() else { return nil }
        let values = (0...description.keyColumns.count).map { StoredColumn(statement: statement, index: $0).value }
        let owner = values.dropLast().map(\.text).joined(separator: ", ")
        let missing = values.last ?? .null
        let message =
            deleted[target.table.lowercased()]?.contains([missing]) == true
            ? deletion(
                of: "\(target.entity) \(missing.text)", "\(description.entity) \(owner)", description, field, target)
            : "\(description.entity) \(owner), property `\(field.property)` leads to \(target.entity) \(missing.text), which is not there. Save that record in the same transaction, or let the property lead elsewhere."
        return SluiceError(
            .dangling, message, entity: description.entity, identifier: owner, field: field.property)
    }

    /// What is said where the transaction deleted the record that a reference leads to.
    private func deletion(
        of missing: String, _ owner: String, _ description: ModelDescription, _ field: ModelDescription.Field,
        _ target: ModelDescription
    ) -> String {
        let elsewhere =
            field.isOptional ? "let the property be nil or lead elsewhere" : "let the property lead elsewhere"
        let rule =
            field.reference?.inverse == nil && field.reference?.isByValue == false
            ? " Where both sides name each other by `inverse:`, the delete rule of \(target.entity) says it for all of them."
            : ""
        return
            "\(missing) is not deleted: \(owner) leads to it by `\(field.property)`. Delete that record as well, or \(elsewhere), in the same transaction.\(rule)"
    }
}

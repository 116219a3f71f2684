internal import SluiceSQLite

/// Says for which record a transaction cannot be committed, as it leads to one that is not there.
struct DanglingReference {
    /// A row that leads nowhere.
    typealias Row = (table: String, columns: [String], key: [BoxedValue])

    private let connection: Connection
    private let schema: Schema
    /// The keys of the records that the transaction deleted, by their tables in lower case.
    private let deleted: [String: Set<[BoxedValue]>]

    init(_ connection: Connection, _ schema: Schema, deleted: [String: Set<[BoxedValue]>]) {
        (self.connection, self.schema, self.deleted) = (connection, schema, deleted)
    }

    /// The first reference of a model that is the reason.
    ///
    /// - Parameter row: A row that leads nowhere; nil where one is to be found: rather one that leads to what the transaction deleted
    ///   than one that may have led nowhere before.
    /// - Returns: Nil where it is no reference of a model.
    /// - Throws: `SQLiteError`.
    func error(of row: Row?) throws -> SluiceError? {
        if row == nil, !deleted.isEmpty, let error = try error(of: nil, isOfDeletion: true) { return error }
        return try error(of: row, isOfDeletion: false)
    }

    private func error(of row: Row?, isOfDeletion: Bool) throws -> SluiceError? {
        for model in schema.models {
            let description = model.modelDescription
            if let row, row.table.lowercased() != description.table.lowercased() { continue }
            for field in description.fields {
                guard let target = field.reference?.target?.modelDescription else { continue }
                if let error = try error(description, field, target, row?.key, isOfDeletion) { return error }
            }
        }
        return try linkError(of: row, isOfDeletion)
    }

    /// The first row of a statement that leads to none.
    ///
    /// - Parameters:
    ///   - statement: The statement, whose last columns are the key that a row leads to.
    ///   - key: How many these are.
    ///   - target: The model that it leads to.
    ///   - isOfDeletion: Whether the transaction is to have deleted what it leads to.
    /// - Returns: The columns of the row; nil where there is none.
    /// - Throws: `SQLiteError`.
    private func first(
        of statement: Statement, leadingBy key: Int, to target: ModelDescription, _ isOfDeletion: Bool
    ) throws -> [BoxedValue]? {
        defer { statement.reset() }
        while try statement.step() {
            let values = (0..<statement.columnCount).map { StoredColumn(statement: statement, index: $0).value }
            if !isOfDeletion || isDeleted(Array(values.suffix(key)), target) { return values }
        }
        return nil
    }

    private func isDeleted(_ key: [BoxedValue], _ model: ModelDescription) -> Bool {
        deleted[model.table.lowercased()]?.contains(key) == true
    }

    /// The first link of a record that leads to none.
    private func linkError(of row: Row?, _ isOfDeletion: Bool) throws -> SluiceError? {
        let isRow = row.map { $0.columns.map { " AND p.\(SQLIdentifier.quoted($0)) = ?" }.joined() }
        for model in schema.models {
            let owner = model.modelDescription
            for (index, relationship) in owner.relationships.enumerated() {
                guard let target = relationship.target?.modelDescription,
                    case .table(let pairs, let owners, let targets, _)? = try? LinkDescription(owner, index, target),
                    row == nil || row?.table.lowercased() == pairs.lowercased()
                else { continue }
                let isMeant = zip(target.keyColumns, targets).map { key, column in
                    "t.\(SQLIdentifier.quoted(key)) = p.\(SQLIdentifier.quoted(column))"
                }
                let statement = try connection.prepare(
                    """
                    SELECT \(SQLIdentifier.list(owners + targets)) FROM \(SQLIdentifier.quoted(pairs)) AS p WHERE NOT EXISTS
                    (SELECT 1 FROM \(SQLIdentifier.quoted(target.table)) AS t WHERE \(isMeant.joined(separator: " AND ")))\(isRow ?? "")
                    """)
                for (place, value) in (row?.key ?? []).enumerated() { statement.bind(value, at: place + 1) }
                guard let values = try first(of: statement, leadingBy: targets.count, to: target, isOfDeletion)
                else { continue }
                let (name, missing) = (Self.text(values.prefix(owners.count)), Self.text(values.suffix(targets.count)))
                return SluiceError(
                    .dangling,
                    "\(owner.entity) \(name), property `\(relationship.property)` leads to \(target.entity) \(missing), which is not there. Save that record in the same transaction, or take it out of the property.",
                    entity: owner.entity, identifier: name, field: relationship.property)
            }
        }
        return nil
    }

    private static func text(_ key: some Sequence<BoxedValue>) -> String {
        key.map(\.text).joined(separator: ", ")
    }

    private func error(
        _ description: ModelDescription, _ field: ModelDescription.Field, _ target: ModelDescription,
        _ key: [BoxedValue]?, _ isOfDeletion: Bool
    ) throws -> SluiceError? {
        guard let targetKey = target.keyColumns.first else { return nil }
        let column = SQLIdentifier.quoted(field.column)
        let isRow = key.map { _ in description.keyColumns.map { " AND o.\(SQLIdentifier.quoted($0)) = ?" }.joined() }
        let statement = try connection.prepare(
            """
            SELECT \(SQLIdentifier.list(description.keyColumns + [field.column])) FROM \(SQLIdentifier.quoted(description.table)) AS o
            WHERE o.\(column) IS NOT NULL AND NOT EXISTS
            (SELECT 1 FROM \(SQLIdentifier.quoted(target.table)) AS t WHERE t.\(SQLIdentifier.quoted(targetKey)) = o.\(column))\(isRow ?? "")
            ORDER BY 1
            """)
        for (place, value) in (key ?? []).enumerated() { statement.bind(value, at: place + 1) }
        guard let values = try first(of: statement, leadingBy: 1, to: target, isOfDeletion) else { return nil }
        let owner = Self.text(values.dropLast())
        let missing = values.last ?? .null
        let message =
            isDeleted([missing], target)
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

internal import SluiceModel
package import SluiceStore

/// The references that must not be empty, since models of programs need what they lead to.
package struct RequiredReferences {
    private let database: any SQLDatabase

    /// Looks into a database.
    package init(_ database: any SQLDatabase) { self.database = database }

    /// Those whose records are not there.
    ///
    /// - Parameters:
    ///   - hasWritten: Whether the transaction has written anything.
    ///   - mayBeBroken: Whether rows may refer to others that are not there although the database counts none.
    /// - Returns: Each of them, in the order of tables, fields and keys.
    /// - Throws: What the database throws.
    package func unmet(hasWritten: Bool, mayBeBroken: Bool = false) throws -> [UnmetReference] {
        let isOpen = try mayBeBroken || database.brokenAtEnd() != nil
        if !isOpen && !hasWritten { return [] }
        var found: [UnmetReference] = []
        for reference in try EntityRegistry(database: database).references() where reference.isRequired {
            if try !isOpen && reference.isEnforced(by: database) { continue }
            found += try unmet(reference)
        }
        return found
    }

    private func unmet(_ reference: EntityRegistry.Reference) throws -> [UnmetReference] {
        let source = Dangling(reference, database)
        return try unmet(
            reference,
            database.rows(
                """
                SELECT \((source.ownerValues + source.targetValues).joined(separator: ", ")) FROM \(source.rows)
                ORDER BY \(source.ownerKey)
                """
            ).map { (row: $0, refusal: nil) })
    }

    /// References of rows.
    ///
    /// - Parameters:
    ///   - reference: Which reference of them.
    ///   - rows: The values of the owners' keys, and behind them those of their targets', each with the reason why the
    ///     database does not let it be empty.
    /// - Returns: One for each.
    /// - Throws: What the database throws.
    func unmet(
        _ reference: EntityRegistry.Reference, _ rows: [(row: [FieldValue], refusal: String?)]
    ) throws -> [UnmetReference] {
        let owner = try forms(reference.table, reference.keyColumns)
        let target = try forms(
            reference.link?.table ?? reference.table, reference.link?.targetColumns ?? reference.columns)
        return rows.map { row, refusal in
            UnmetReference(
                name: reference.name, table: reference.table, owner: key(Array(row.prefix(owner.count)), owner),
                target: reference.target, targetKey: key(Array(row.dropFirst(owner.count)), target), refusal: refusal)
        }
    }

    /// The forms in which the columns of a table hold their values.
    func forms(_ table: String, _ columns: [String]) throws -> [(any StoredForm)?] {
        let forms = try database.forms(of: table)
        return columns.map { forms[$0.lowercased()] }
    }

    func key(_ values: [FieldValue], _ forms: [(any StoredForm)?]) -> RecordKey {
        RecordKey(zip(values, forms).map { value, form in form?.canonical(value) ?? value })
    }
}

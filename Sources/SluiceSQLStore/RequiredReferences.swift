internal import SluiceModel
package import SluiceStore

/// The references that must not be empty, since models of programs need what they lead to.
package struct RequiredReferences {
    private let database: any SQLDatabase

    /// Looks into a database.
    package init(_ database: any SQLDatabase) { self.database = database }

    /// Those whose records are not there.
    ///
    /// - Parameter hasWritten: Whether the transaction has written anything.
    /// - Returns: Each of them, in the order of tables, fields and keys.
    /// - Throws: What the database throws.
    package func unmet(hasWritten: Bool) throws -> [UnmetReference] {
        let mayBeBroken = try database.mayHaveBrokenForeignKeys()
        if !mayBeBroken && !hasWritten { return [] }
        var found: [UnmetReference] = []
        for reference in try EntityRegistry(database: database).references() where reference.isRequired {
            if try !mayBeBroken && reference.isEnforced(by: database) { continue }
            found += try unmet(reference)
        }
        return found
    }

    private func unmet(_ reference: EntityRegistry.Reference) throws -> [UnmetReference] {
        let source = Dangling(reference, database)
        let owner = try forms(reference.table, reference.keyColumns)
        let target = try forms(reference.table, reference.columns)
        return try database.rows(
            """
            SELECT \((source.ownerValues + source.targetValues).joined(separator: ", ")) FROM \(source.rows)
            ORDER BY \(source.ownerKey)
            """
        ).map { row in
            let count = owner.count
            return UnmetReference(
                name: reference.name, table: reference.table, owner: key(Array(row.prefix(count)), owner),
                target: reference.target, targetKey: key(Array(row.dropFirst(count)), target))
        }
    }

    /// The forms in which the columns of a table hold their values.
    private func forms(_ table: String, _ columns: [String]) throws -> [(any StoredForm)?] {
        let forms = try database.forms(of: table)
        return columns.map { forms[$0.lowercased()] }
    }

    private func key(_ values: [FieldValue], _ forms: [(any StoredForm)?]) -> RecordKey {
        RecordKey(zip(values, forms).map { value, form in form?.canonical(value) ?? value })
    }
}

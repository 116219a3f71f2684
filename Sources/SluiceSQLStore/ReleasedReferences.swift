package import SluiceModel
package import SluiceStore

/// References of which a foreign key of the database itself would let go in silence, by `ON DELETE CASCADE` for pairs and for columns
/// that may be null, whose rows would go along, and by `ON DELETE SET NULL` for columns: they are taken away before their records go, as those are that dangle. So they count as
/// what they led to, the history has them, and an undo brings them back.
package struct ReleasedReferences {
    private static let chunk = 100
    private let database: any SQLDatabase
    private let recorder: any ChangeNoting
    private let keyColumns: [String]
    private let references: [EntityRegistry.Reference]

    /// Finds the references that lead to a table in this way.
    ///
    /// - Parameters:
    ///   - schema: The table whose rows go.
    ///   - database: Where it is.
    ///   - recorder: Writes down what changes.
    /// - Throws: What the database throws.
    package init(to schema: RecordSchema, database: any SQLDatabase, recorder: any ChangeNoting) throws {
        (self.database, self.recorder) = (database, recorder)
        keyColumns = schema.keyFields.map { schema.fields[$0].column }
        let keys = try database.referrers(to: schema.table).filter {
            !["NO ACTION", "RESTRICT"].contains($0.key.onDelete)
        }
        if keys.isEmpty {
            references = []
            return
        }
        references = try EntityRegistry(database: database).references().filter { reference in
            guard ColumnName.areSame(reference.target, schema.table) else { return false }
            return try keys.contains { try reference.isLetGo(by: $0.key, of: $0.table, in: database) }
        }
    }

    /// Whether there may be any.
    package var mayBe: Bool { !references.isEmpty }

    /// Takes those away that lead to rows which are about to go.
    ///
    /// - Parameter keys: The rows' keys, as the table has them.
    /// - Returns: What became of the references.
    /// - Throws: What the database throws, also where a table does not let go of them, and ``SQLRefusal``.
    package func release(_ keys: [RecordKey]) throws -> ReferenceOutcome {
        var outcome = ReferenceOutcome()
        for reference in references {
            let held = HeldReferences(
                database: database, recorder: recorder, rule: reference.rule == .setNull ? .setNull : .defer)
            for start in stride(from: 0, to: keys.count, by: Self.chunk) {
                let source = Dangling(
                    reference, database, to: leaving(keys[start..<min(start + Self.chunk, keys.count)]))
                let rows = try held.remember(source, where: "")
                if rows.all.count == 0 { continue }
                try held.remove(rows.all.count, of: source, where: "")
                held.report(rows, of: reference, in: &outcome)
            }
        }
        return outcome
    }

    private func leaving(_ keys: ArraySlice<RecordKey>) -> Dangling.Leaving {
        let count = keyColumns.count
        let conditions = keys.indices.map { index in
            let first = (index - keys.startIndex) * count + 1
            return keyColumns.enumerated().map { "t.\(SQLText.quoted($1)) = ?\(first + $0)" }
                .joined(separator: " AND ")
        }
        return Dangling.Leaving(
            condition: "(" + conditions.joined(separator: " OR ") + ")", values: keys.flatMap(\.values))
    }
}

extension EntityRegistry.Reference {
    /// Whether a foreign key lets go of it where its record goes.
    fileprivate func isLetGo(by key: SQLForeignKey, of name: String, in database: any SQLDatabase) throws -> Bool {
        func isSame(_ columns: [String]) -> Bool {
            Set(columns.map { $0.lowercased() }) == Set(key.columns.map { $0.lowercased() })
        }
        if let link {
            return ColumnName.areSame(link.table, name) && isSame(link.targetColumns) && key.onDelete == "CASCADE"
        }
        guard ColumnName.areSame(table, name), isSame(columns), !isInKey else { return false }
        if key.onDelete != "CASCADE" { return true }
        return try database.columns(of: table).allSatisfy { column in
            !column.isNotNull || !columns.contains { ColumnName.areSame($0, column.name) }
        }
    }
}

package import SluiceModel
package import SluiceStore

/// References of which a foreign key of the database itself would let go in silence, by `ON DELETE CASCADE` or `ON DELETE SET NULL`.
///
/// Those that may be null, and pairs, are taken away before their records go, as those are that dangle. So they count as what they
/// led to, the history has them, and an undo brings them back. The others hold their records, as they do where the foreign key
/// says nothing of the kind: a cascade would take rows along that their source lists, with what people wrote into them.
package struct ReleasedReferences {
    private static let chunk = 100
    private let database: any SQLDatabase
    private let recorder: any ChangeNoting
    private let keyColumns: [String]
    /// Those that are taken away.
    private let references: [EntityRegistry.Reference]
    /// Those that hold their records.
    private let holding: [EntityRegistry.Reference]
    private let table: String

    /// Finds the references that lead to a table in this way.
    ///
    /// - Parameters:
    ///   - schema: The table whose rows go.
    ///   - database: Where it is.
    ///   - recorder: Writes down what changes.
    /// - Throws: What the database throws.
    package init(to schema: RecordSchema, database: any SQLDatabase, recorder: any ChangeNoting) throws {
        (self.database, self.recorder, table) = (database, recorder, schema.table)
        keyColumns = schema.keyFields.map { schema.fields[$0].column }
        let letGo = try Self.references(to: schema.table, database) { !$0.refuses }
        let mayBeNull = try letGo.filter { try $0.mayBeNull(in: database) }
        (references, holding) = (mayBeNull, letGo.filter { !mayBeNull.contains($0) })
    }

    /// Whether there may be any.
    package var mayBe: Bool { !references.isEmpty || !holding.isEmpty }

    /// The references to a table that some of its foreign keys stand for.
    private static func references(
        to table: String, _ database: any SQLDatabase, where isMeant: (SQLForeignKey) -> Bool
    ) throws -> [EntityRegistry.Reference] {
        let keys = try database.referrers(to: table).filter { isMeant($0.key) }
        if keys.isEmpty { return [] }
        return try EntityRegistry(database: database).references().filter { reference in
            ColumnName.areSame(reference.target, table)
                && keys.contains { reference.isHeld(by: $0.key, of: $0.table) }
        }
    }

    /// Takes those away that lead to rows which are about to go.
    ///
    /// - Parameter keys: The rows' keys, as the table has them.
    /// - Returns: What became of the references.
    /// - Throws: What the database throws, also where a table does not let go of them, and ``SQLRefusal``.
    package func release(_ keys: [RecordKey]) throws -> ReferenceOutcome {
        for reference in holding { try requireNone(of: reference, to: keys) }
        return try take(references, leadingTo: keys)
    }

    /// Takes those away, as far as they may be null, for which foreign keys that are checked at once do not let rows go.
    ///
    /// - Parameter keys: The rows' keys, as the table has them.
    /// - Returns: What became of the references.
    /// - Throws: What the database throws, also where a table does not let go of them, and ``SQLRefusal``.
    package func releaseRefusing(_ keys: [RecordKey]) throws -> ReferenceOutcome {
        let refusing = try Self.references(to: table, database) { $0.refuses }
        return try take(refusing.filter { try $0.mayBeNull(in: database) }, leadingTo: keys)
    }

    private func take(
        _ references: [EntityRegistry.Reference], leadingTo keys: [RecordKey]
    ) throws -> ReferenceOutcome {
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

    /// Refuses to let records go to which rows refer that would go along, or lose what they may not lose.
    private func requireNone(of reference: EntityRegistry.Reference, to keys: [RecordKey]) throws {
        for start in stride(from: 0, to: keys.count, by: Self.chunk) {
            let source = Dangling(reference, database, to: leaving(keys[start..<min(start + Self.chunk, keys.count)]))
            guard try database.hasRow("SELECT 1 FROM \(source.rows) LIMIT 1", source.values) else { continue }
            throw SQLRefusal(
                TableRefusal(
                    rule:
                        "rows of `\(reference.table)` refer to it by `\(reference.name)`, and would go along or lose it",
                    isOfTrigger: false,
                    remedy:
                        "It goes once they no longer refer to it. For `on_dangling`, make the foreign key `DEFERRABLE INITIALLY DEFERRED` without `ON DELETE`.",
                    dependsOnOthers: true))
        }
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
    /// Whether a foreign key stands for it, and decides about it where its record goes.
    fileprivate func isHeld(by key: SQLForeignKey, of name: String) -> Bool {
        func isSame(_ columns: [String]) -> Bool {
            Set(columns.map { $0.lowercased() }) == Set(key.columns.map { $0.lowercased() })
        }
        if let link {
            return ColumnName.areSame(link.table, name) && isSame(link.targetColumns)
                && (key.onDelete == "CASCADE" || key.refuses)
        }
        return ColumnName.areSame(table, name) && isSame(columns) && !isInKey
    }

    /// Whether nothing may be in its place while its record is not there, by its rule and by its columns.
    fileprivate func mayBeNull(in database: any SQLDatabase) throws -> Bool {
        if link != nil { return true }
        guard rule == .defer || rule == .setNull else { return false }
        return try database.columns(of: table).allSatisfy { column in
            !column.isNotNull || !columns.contains { ColumnName.areSame($0, column.name) }
        }
    }
}

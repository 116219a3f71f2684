internal import SluiceModel
package import SluiceStore

/// Settles at the end of a transaction what refers to rows that are not there, and links what waited for rows that came.
package struct ReferenceSettlement {
    let database: any SQLDatabase
    let recorder: any ChangeNoting
    private let pending: PendingReferences
    /// Whether the transaction has written anything, so that tables without foreign keys are to be looked at too.
    private let hasWritten: Bool
    /// Whether rows may be gone that the database did not watch over, so that all references are to be looked at.
    private let mayBeBroken: Bool
    package internal(set) var outcome = ReferenceOutcome()

    /// Prepares the settlement of a transaction.
    ///
    /// - Parameters:
    ///   - database: The store's database.
    ///   - recorder: Writes down what is changed.
    ///   - pending: The references that wait.
    ///   - hasWritten: Whether the transaction has written anything.
    ///   - mayBeBroken: Whether rows may be gone that the database did not watch over.
    package init(
        database: any SQLDatabase, recorder: any ChangeNoting, pending: PendingReferences, hasWritten: Bool,
        mayBeBroken: Bool = false
    ) {
        self.database = database
        self.recorder = recorder
        self.pending = pending
        self.hasWritten = hasWritten
        self.mayBeBroken = mayBeBroken
    }

    /// Does it.
    package mutating func perform() throws {
        try settle()
        // What was taken back in this transaction is linked once another one finds its record there.
        try pending.release()
    }

    private mutating func settle() throws {
        let waits = try !pending.isEmpty()
        let isOpen = try database.mayHaveBrokenForeignKeys()
        if !waits && !isOpen && !hasWritten && !mayBeBroken { return }
        let references = try EntityRegistry(database: database).references()
        if references.isEmpty { return }
        if waits {
            for reference in references {
                try forgetReplaced(reference)
                try link(reference)
            }
        }
        var rest = references
        if try !database.mayHaveBrokenForeignKeys() {
            rest = try references.filter { reference in
                // What belongs to rows that were gone before was not left alone by this transaction.
                if mayBeBroken && reference.rule != .owner { return true }
                return try hasWritten && !isEnforced(reference)
            }
        }
        // A stub is there for all that refers to it, whatever their rules are.
        try settleStubs(rest.filter { $0.rule == .stub })
        for reference in rest where reference.rule != .stub { try settle(reference) }
        if !outcome.stubs.isEmpty, try !pending.isEmpty() { for reference in references { try link(reference) } }
        if outcome != ReferenceOutcome() { pending.forget() }
    }

    /// Makes stubs until none is missing. One may refer to others itself, so there are at most as many rounds as references.
    private mutating func settleStubs(_ references: [EntityRegistry.Reference]) throws {
        for _ in references {
            let before = outcome.stubs
            for reference in references { try settle(reference) }
            if outcome.stubs == before { return }
        }
    }

    // MARK: What waits

    /// Forgets what waited in rows that hold a value by now: a field of a record waits for one value, and what people set
    /// takes the place of what waited.
    private func forgetReplaced(_ reference: EntityRegistry.Reference) throws {
        // Each element of a list waits by itself.
        if reference.link != nil { return }
        let same = try reference.keyColumns.enumerated().map { index, column in
            "o.\(SQLText.quoted(column)) = \(try database.element("p.key", index, for: column, of: reference.table))"
        }
        let isSet = reference.columns.map { "o.\(SQLText.quoted($0)) IS NOT NULL" }
        let replaced = """
            SELECT p.key, p.target_key FROM \(database.ledger("pending")) AS p WHERE \(isOf(reference)) AND EXISTS (
            SELECT 1 FROM \(database.table(reference.table)) AS o WHERE \((same + isSet).joined(separator: " AND ")))
            """
        guard try database.hasRow("SELECT 1 FROM (\(replaced)) AS replaced LIMIT 1") else { return }
        try database.execute(
            """
            DELETE FROM \(database.ledger("pending")) WHERE "table" = \(SQLText.literal(reference.table))
            AND field = \(SQLText.literal(reference.name)) AND (key, target_key) IN (\(replaced))
            """)
        pending.forget()
    }

    // MARK: Linking

    /// Links what waited for rows that are there now.
    private mutating func link(_ reference: EntityRegistry.Reference) throws {
        let table = database.ledger("pending")
        let mayBeLinked = "p.rule IN ('defer', \(SQLText.literal(PendingReferences.returning)))"
        let isThere = try """
        \(isOf(reference)) AND \(mayBeLinked)
        AND EXISTS (SELECT 1 FROM \(database.table(reference.target)) AS t WHERE \(isTarget(reference)))
        """
        let arrived = "SELECT p.key, p.target_key FROM \(table) AS p WHERE \(isThere)"
        guard try database.hasRow("SELECT 1 FROM (\(arrived)) AS arrived LIMIT 1") else { return }
        let owner = database.table(reference.table)
        let ownerKey = try reference.keyColumns.enumerated().map { index, column in
            try database.element("p.key", index, for: column, of: reference.table)
        }
        let isOwner = zip(reference.keyColumns, ownerKey).map { "o.\(SQLText.quoted($0)) = \($1)" }
            .joined(separator: " AND ")
        /// The first rows that are linked, by what they fulfil.
        func linked(_ rows: String) throws -> [String] {
            try database.rows(
                """
                SELECT \(ownerKey.joined(separator: ", ")) FROM (\(arrived)) AS p WHERE \(rows)
                ORDER BY p.key LIMIT \(ReferenceOutcome.Rows.listed)
                """
            ).map { reference.ownerName($0) }
        }
        let targetTable = reference.link?.table ?? reference.table
        let target = try (reference.link?.targetColumns ?? reference.columns).enumerated().map { index, column in
            try database.element("p.target_key", index, for: column, of: targetTable)
        }
        let isMissing: String
        let statement: String
        if let link = reference.link {
            let values =
                try link.ownerColumns.enumerated().map { index, column in
                    try database.element("p.key", index, for: column, of: link.table)
                } + target
            let columns = link.ownerColumns + link.targetColumns
            let same = zip(columns, values).map { "l.\(SQLText.quoted($0)) = \($1)" }.joined(separator: " AND ")
            isMissing = """
                EXISTS (SELECT 1 FROM \(owner) AS o WHERE \(isOwner))
                AND NOT EXISTS (SELECT 1 FROM \(database.table(link.table)) AS l WHERE \(same))
                """
            statement = """
                INSERT INTO \(database.table(link.table)) (\(SQLText.list(columns)))
                SELECT \(values.joined(separator: ", ")) FROM (\(arrived)) AS p WHERE \(isMissing)
                """
        } else {
            let values = zip(reference.columns, target).map { "\(SQLText.quoted($0)) = \($1)" }
            let isNull = reference.columns.map { "o.\(SQLText.quoted($0)) IS NULL" }.joined(separator: " AND ")
            isMissing = "EXISTS (SELECT 1 FROM \(owner) AS o WHERE \(isOwner) AND \(isNull))"
            statement = """
                UPDATE \(owner) AS o SET \(values.joined(separator: ", ")) FROM (\(arrived)) AS p
                WHERE \(isOwner) AND \(isNull)
                """
        }
        let keys = try linked(isMissing)
        let pairs = (ownerKey + target).joined(separator: ", ")
        try LinkHistory(database: database, recorder: recorder).note(
            reference,
            linkedBy: "SELECT \(pairs) FROM (\(arrived)) AS p WHERE \(isMissing) ORDER BY p.key, p.target_key")
        let count = try database.run(statement, [])
        let rows = ReferenceOutcome.Rows(
            count: count, entity: EntityRegistry.mapping(reference.mapping)?.entity, keys: keys)
        outcome.linked[reference.table + "." + reference.name, default: rows.none].add(rows)
        try database.execute(
            """
            DELETE FROM \(table) WHERE ("table", key, field, target_key) IN (
            SELECT p."table", p.key, p.field, p.target_key FROM \(table) AS p WHERE \(isThere))
            """)
        outcome.hasWritten = true
    }

    private func isOf(_ reference: EntityRegistry.Reference) -> String {
        "p.\"table\" = \(SQLText.literal(reference.table)) AND p.field = \(SQLText.literal(reference.name))"
    }

    private func isTarget(_ reference: EntityRegistry.Reference) throws -> String {
        try reference.targetColumns.enumerated().map { index, column in
            "t.\(SQLText.quoted(column)) = \(try database.element("p.target_key", index, for: column, of: reference.target))"
        }.joined(separator: " AND ")
    }

    // MARK: Dangling

    /// Does what the reference's rule says, whether its target never came or went.
    private mutating func settle(_ reference: EntityRegistry.Reference) throws {
        let source = Dangling(reference, database)
        guard try database.hasRow("SELECT 1 FROM \(source.rows) LIMIT 1") else { return }
        // What a program itself writes without a run is refused by the database: nobody lets go of it.
        if reference.isOfModelAlone, !reference.isRequired, !recorder.isRecording { return }
        if reference.isRequired {
            return try refuse(source) { owner, target in
                "`\(reference.name)` of the record \(owner) of `\(reference.table)` refers to \(target) of `\(reference.target)`, which would not be there, and a program's model needs it. Change or delete the record first, or let the model's reference be optional."
            }
        }
        if ![.owner, .fail].contains(reference.rule) { outcome.hasWritten = true }
        switch reference.rule {
        case .defer, .setNull, .stub:
            // What is part of a key is never null.
            let isKey = reference.isInKey
            if !isKey {
                let rule = reference.rule == .setNull ? reference.rule : .defer
                // A row that was deleted by hand does not come back empty.
                let condition =
                    reference.rule == .stub
                    ? try source.wasDeletedByHand(
                        Dangling.Base.all(of: reference.target, key: reference.targetColumns, database)) : ""
                try hold(source, rule, where: condition)
            }
            if isKey || reference.rule == .stub { try makeStubs(source) }
        case .fail:
            try refuse(source) { owner, target in
                "`\(reference.name)` of the record \(owner) of `\(reference.table)` refers to \(target) of `\(reference.target)`, which is not there, and its `on_dangling` is `fail`. Fill `\(reference.target)` first, change or delete the record, or use another `on_dangling`."
            }
        case .owner:
            // What was there without its owner before is none of this run's doing; `store check` tells it.
            let before = try source.without(
                targetsGoneBefore: recorder.run,
                Dangling.Base.all(of: reference.target, key: reference.targetColumns, database))
            try refuse(source, where: before) { owner, target in
                "The record \(owner) of `\(reference.table)` belongs to \(target) of `\(reference.target)`, which would not be there any more. Delete it first, or bring what it belongs to back."
            }
        }
    }

    /// Takes references away and remembers them.
    private mutating func hold(
        _ source: Dangling, _ rule: RecordReference.DanglingRule, where condition: String
    ) throws {
        let reference = source.reference
        let held = HeldReferences(database: database, recorder: recorder, rule: rule)
        let rows = try held.remember(source, where: condition)
        if rows.count == 0 { return }
        if let refusal = try database.attempt({ try held.remove(source, where: condition) }) {
            throw StoreError(
                .rejected,
                "`\(reference.name)` of the table `\(reference.table)` refers to a row of `\(reference.target)` that is not there, and the table does not let go of it: \(refusal.message). Let the column be null, or use `on_dangling: stub` or `fail`."
            )
        }
        held.tell(rows, of: reference, in: &outcome)
        pending.forget()
    }

    /// Ends the run over the first of the rows.
    private func refuse(
        _ source: Dangling, where condition: String = "", _ words: (_ owner: String, _ target: String) -> String
    ) throws {
        let keys = try database.rows(
            "SELECT \(source.ownerKey), \(source.targetKey) FROM \(source.rows)\(condition) LIMIT 1")
        guard let found = keys.first else { return }
        throw StoreError(.rejected, words(Self.text(found[0]), Self.text(found[1])))
    }

    /// A key as people name it: an array's only element, or the array.
    private static func text(_ value: FieldValue) -> String {
        let text = value.string ?? ""
        return "`" + (text.contains(",") ? text : String(text.dropFirst().dropLast())) + "`"
    }

    private func isEnforced(_ reference: EntityRegistry.Reference) throws -> Bool {
        try reference.isEnforced(by: database)
    }
}

extension EntityRegistry.Reference {
    /// Whether the database itself watches over it.
    func isEnforced(by database: any SQLDatabase) throws -> Bool {
        try database.completeForeignKeys(of: link?.table ?? table)
            .lead(link?.targetColumns ?? columns, to: target, targetColumns)
    }
}

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
    /// Whether a program itself wrote, and no run.
    private let isOfProgram: Bool
    /// Is told of each row that loses a reference.
    private let tell: ((LostReference) -> Void)?
    package internal(set) var outcome = ReferenceOutcome()

    /// Prepares the settlement of a transaction.
    ///
    /// - Parameters:
    ///   - database: The store's database.
    ///   - recorder: Writes down what is changed.
    ///   - pending: The references that wait.
    ///   - hasWritten: Whether the transaction has written anything.
    ///   - mayBeBroken: Whether rows may be gone that the database did not watch over.
    ///   - isOfProgram: Whether a program itself wrote, and no run: its references to nothing are refused then, and none of them
    ///     waits.
    ///   - tell: Is told of each row that loses a reference in a column.
    package init(
        database: any SQLDatabase, recorder: any ChangeNoting, pending: PendingReferences, hasWritten: Bool,
        mayBeBroken: Bool = false, isOfProgram: Bool = false, telling tell: ((LostReference) -> Void)? = nil
    ) {
        self.database = database
        self.recorder = recorder
        self.pending = pending
        self.hasWritten = hasWritten
        self.mayBeBroken = mayBeBroken
        self.isOfProgram = isOfProgram
        self.tell = tell
    }

    /// Does it.
    package mutating func perform() throws {
        let isOpen = try database.brokenAtEnd() != nil
        try settle(isOpen)
        // What was taken back in this transaction is linked once another one finds its record there.
        try pending.release()
        if isOpen || !outcome.unmet.isEmpty, let broken = try database.brokenAtEnd() {
            outcome.unmet += try BrokenForeignKeys(database).unmet(besides: outcome.unmet)
            let first = try outcome.unmet.isEmpty ? database.brokenForeignKeys().first : nil
            outcome.broken =
                first.map { "a row of the table `\($0.table)` refers to a row of `\($0.key.target)` that is not there" }
                ?? broken
        }
    }

    private mutating func settle(_ isOpen: Bool) throws {
        let waits = try !pending.isEmpty()
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
        if try database.brokenAtEnd() == nil {
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
            SELECT p.key, p.target_key FROM \(database.ledger("pending")) AS p WHERE \(reference.waits) AND EXISTS (
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

    // MARK: Dangling

    /// Does what the reference's rule says, whether its target never came or went.
    private mutating func settle(_ reference: EntityRegistry.Reference) throws {
        let source = Dangling(reference, database)
        guard try database.hasRow("SELECT 1 FROM \(source.rows) LIMIT 1") else { return }
        // What a program itself writes is refused by the database, whoever fills the table besides: nobody lets go of it.
        if !reference.isRequired {
            if reference.isOfModelAlone, !recorder.isRecording { return }
            if isOfProgram, reference.rule == .defer, try isEnforced(reference) { return }
        }
        if reference.isRequired {
            return try refuse(source) { owner, target in
                "`\(reference.name)` of the record \(owner) of `\(reference.table)` refers to \(target) of `\(reference.target)`, which would not be there, and a program's model needs it. Change or delete the record first, or let the model's reference be optional."
            }
        }
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
            try keep(source, where: before)
        }
    }

    /// Takes references away and remembers them; those stay of which the table does not let go.
    mutating func hold(
        _ source: Dangling, _ rule: RecordReference.DanglingRule, where condition: String
    ) throws {
        let reference = source.reference
        let held = HeldReferences(database: database, recorder: recorder, rule: rule)
        var taken = ReferenceOutcome()
        let refused = try RowHalving(
            database: database, names: source.names, rows: source.rows + condition, values: source.values
        ).perform { stretch in
            let part = source.within(stretch)
            let lost = tell == nil ? [] : try held.lost(part, where: condition)
            let rows = try held.remember(part, where: condition)
            if rows.all.count == 0 { return }
            try held.remove(rows.all.count, of: part, where: condition)
            held.report(rows, of: reference, in: &taken)
            for row in lost { tell?(row) }
        }
        outcome.add(taken)
        if !refused.isEmpty {
            let remedy = try ReferenceRemedy(reference, database)
            try keep(refused.map { ($0.row, remedy.words(ofNull: $0.refusal)) }, of: reference)
        }
        pending.forget()
    }

    /// Leaves records without the one that they belong to, which has to stay then.
    private mutating func keep(_ source: Dangling, where condition: String) throws {
        let reference = source.reference
        let rows = try database.rows(
            "SELECT \(source.names.joined(separator: ", ")) FROM \(source.rows)\(condition) ORDER BY \(source.ownerKey)"
        )
        guard let first = rows.first else { return }
        let tried = RowStretch(names: source.names, first: first, last: first)
        // Only the table itself says why it does not let go of the row.
        let refusal = try database.attempt {
            try database.run("DELETE FROM \(source.table) AS o WHERE TRUE\(tried.condition(from: 1))", tried.values)
            throw SQLRefusal.undone
        }
        let reason = refusal.map { $0.isUndone ? "" : "\($0.reason(reference.table)) " } ?? ""
        let refused =
            "That record belongs to it, and would be without it. \(reason)Delete it first, or bring what it belongs to back."
        try keep(rows.map { ($0, refused) }, of: reference)
        outcome.broken = "a record belongs to one that is not there"
    }

    /// Leaves references as they are that are not taken away although their records are not there.
    mutating func keep(
        _ rows: [(row: [FieldValue], refusal: String?)], of reference: EntityRegistry.Reference
    ) throws {
        if rows.isEmpty { return }
        let known = Set(outcome.unmet)
        outcome.unmet += try RequiredReferences(database).unmet(reference, rows).filter { !known.contains($0) }
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

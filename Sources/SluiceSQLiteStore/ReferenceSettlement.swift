internal import SluiceMerge
internal import SluiceSQLite
internal import SluiceStore

/// Settles at the end of a transaction what refers to rows that are not there, and links what waited for rows that came.
struct ReferenceSettlement {
    let connection: Connection
    let recorder: ChangeRecorder
    let pending: PendingReferences
    let deletions: DeletedTargets
    let path: String
    /// Whether the transaction has written anything, so that tables without foreign keys are to be looked at too.
    let hasWritten: Bool
    private(set) var outcome = ReferenceOutcome()

    init(
        connection: Connection, recorder: ChangeRecorder, pending: PendingReferences, deletions: DeletedTargets,
        path: String, hasWritten: Bool
    ) {
        self.connection = connection
        self.recorder = recorder
        self.pending = pending
        self.deletions = deletions
        self.path = path
        self.hasWritten = hasWritten
    }

    mutating func perform() throws {
        let waits = try !pending.isEmpty()
        let isOpen = connection.hasOpenForeignKeys
        if !waits && !isOpen && !hasWritten { return }
        let references = try EntityRegistry(connection: connection).references()
        if references.isEmpty { return }
        if waits { for reference in references { try link(reference) } }
        var rest = references
        if !connection.hasOpenForeignKeys {
            rest = hasWritten ? try references.filter { try !isEnforced($0) } : []
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

    // MARK: Linking

    /// Links what waited for rows that are there now.
    private mutating func link(_ reference: EntityRegistry.Reference) throws(SQLiteError) {
        let arrived = """
            SELECT p.key, p.target_key FROM _sluice_pending AS p WHERE \(isOf(reference)) AND p.rule = 'defer'
            AND EXISTS (SELECT 1 FROM \(SQLName.quoted(reference.target)) AS t WHERE \(isTarget(reference)))
            """
        guard try connection.integer("SELECT 1 FROM (\(arrived)) LIMIT 1") != nil else { return }
        let owner = SQLName.quoted(reference.table)
        let isOwner = reference.keyColumns.enumerated().map {
            "o.\(SQLName.quoted($1)) = json_extract(p.key, '$[\($0)]')"
        }.joined(separator: " AND ")
        if let link = reference.link {
            let values =
                link.ownerColumns.indices.map { "json_extract(p.key, '$[\($0)]')" }
                + link.targetColumns.indices.map { "json_extract(p.target_key, '$[\($0)]')" }
            let columns = link.ownerColumns + link.targetColumns
            let same = zip(columns, values).map { "l.\(SQLName.quoted($0)) = \($1)" }.joined(separator: " AND ")
            try connection.execute(
                """
                INSERT INTO \(SQLName.quoted(link.table)) (\(SQLName.list(columns)))
                SELECT \(values.joined(separator: ", ")) FROM (\(arrived)) AS p
                WHERE EXISTS (SELECT 1 FROM \(owner) AS o WHERE \(isOwner))
                AND NOT EXISTS (SELECT 1 FROM \(SQLName.quoted(link.table)) AS l WHERE \(same))
                """)
        } else {
            let values = reference.columns.enumerated().map {
                "\(SQLName.quoted($1)) = json_extract(p.target_key, '$[\($0)]')"
            }
            let isNull = reference.columns.map { "o.\(SQLName.quoted($0)) IS NULL" }.joined(separator: " AND ")
            try connection.execute(
                """
                UPDATE \(owner) AS o SET \(values.joined(separator: ", ")) FROM (\(arrived)) AS p
                WHERE \(isOwner) AND \(isNull)
                """)
        }
        outcome.linked[reference.table + "." + reference.name, default: 0] += connection.changes
        try connection.execute(
            """
            DELETE FROM _sluice_pending WHERE ("table", key, field, target_key) IN (
            SELECT p."table", p.key, p.field, p.target_key FROM _sluice_pending AS p
            WHERE \(isOf(reference)) AND p.rule = 'defer'
            AND EXISTS (SELECT 1 FROM \(SQLName.quoted(reference.target)) AS t WHERE \(isTarget(reference))))
            """)
        outcome.hasWritten = true
    }

    private func isOf(_ reference: EntityRegistry.Reference) -> String {
        "p.\"table\" = \(SQLText.literal(reference.table)) AND p.field = \(SQLText.literal(reference.name))"
    }

    private func isTarget(_ reference: EntityRegistry.Reference) -> String {
        reference.targetColumns.enumerated().map {
            "t.\(SQLName.quoted($1)) = json_extract(p.target_key, '$[\($0)]')"
        }.joined(separator: " AND ")
    }

    // MARK: Dangling

    private mutating func settle(_ reference: EntityRegistry.Reference) throws {
        let source = Dangling(reference)
        guard try connection.integer("SELECT 1 FROM \(source.rows) LIMIT 1") != nil else { return }
        outcome.hasWritten = true
        switch reference.rule {
        case .defer: try hold(source, "defer", where: "")
        case .setNull:
            try deletions.make()
            try hold(source, "defer", where: source.wasDeleted())
            try hold(source, "set_null", where: "")
        case .stub:
            try deletions.make()
            // A row that was deleted, by hand or by a run before, does not come back empty.
            try hold(source, "defer", where: source.wasDeleted(knownBy: try bases(of: reference)))
            try makeStubs(source)
        case .fail:
            try deletions.make()
            try hold(source, "defer", where: source.wasDeleted())
            try refuse(source) { owner, target in
                "`\(reference.name)` of the record \(owner) of `\(reference.table)` refers to \(target) of `\(reference.target)`, which is not there, and its `on_dangling` is `fail`. Nothing was written. Fill `\(reference.target)` first, or use another `on_dangling`."
            }
        case .owner:
            try refuse(source) { owner, target in
                "The record \(owner) of `\(reference.table)` belongs to \(target) of `\(reference.target)`, which would not be there any more. Nothing was written. Delete it first, or bring what it belongs to back."
            }
        }
    }

    /// Takes references away and remembers them.
    private mutating func hold(_ source: Dangling, _ rule: String, where condition: String) throws {
        let reference = source.reference
        try connection.execute(
            """
            INSERT OR REPLACE INTO _sluice_pending ("table", key, field, target_key, rule)
            SELECT \(SQLText.literal(reference.table)), \(source.ownerKey), \(SQLText.literal(reference.name)),
            \(source.targetKey), \(SQLText.literal(rule)) FROM \(source.rows)\(condition)
            """)
        let count = connection.changes
        if count == 0 { return }
        let removal = source.removal(condition)
        if let error = try refusal({ () throws(SQLiteError) in try connection.execute(removal) }) {
            throw StoreError(
                .rejected,
                "`\(reference.name)` of the table `\(reference.table)` refers to a row of `\(reference.target)` that is not there, and the table does not let go of it: \(error.message). Let the column be null, or use `on_dangling: stub` or `fail`."
            )
        }
        let name = reference.table + "." + reference.name
        if rule == "defer" {
            outcome.deferred[name, default: 0] += count
        } else {
            outcome.cleared[name, default: 0] += count
        }
        pending.forget()
    }

    /// The base tables of those that fill the target of a reference, with their columns for its key.
    private func bases(of reference: EntityRegistry.Reference) throws(SQLiteError) -> [Dangling.Base] {
        let registry = EntityRegistry(connection: connection)
        var found: [Dangling.Base] = []
        for mapping in try registry.mappings(of: reference.target) {
            guard let table = try registry.tables(of: mapping)?.base else { continue }
            let slots = try registry.slots(of: mapping).filter { $0.keyPosition != nil }
            let columns = reference.targetColumns.compactMap { name in
                slots.first { $0.column.lowercased() == name.lowercased() }.map {
                    TableLayout.baseColumn(for: $0.column)
                }
            }
            if columns.count == slots.count { found.append(Dangling.Base(table: table, columns: columns)) }
        }
        return found
    }

    /// Makes a row for each record that is referred to and not there.
    private mutating func makeStubs(_ source: Dangling) throws {
        let reference = source.reference
        let missing = try connection.rows(
            "SELECT DISTINCT \(source.targetValues.joined(separator: ", ")) FROM \(source.rows)")
        guard !missing.isEmpty else { return }
        let statement = try connection.prepare(
            """
            INSERT OR ABORT INTO \(SQLName.quoted(reference.target)) (\(SQLName.list(reference.targetColumns)))
            VALUES (\((1...reference.targetColumns.count).map { "?\($0)" }.joined(separator: ", ")))
            """)
        let known = try EntityRegistry(connection: connection).sources(of: reference.target).first
        for key in missing {
            if let error = try refusal({ () throws(SQLiteError) in try statement.run(key) }) {
                throw StoreError(
                    .rejected,
                    "The table `\(reference.target)` accepts no row with only its key, which `\(reference.name)` of `\(reference.table)` needs: \(error.message). Give the column a default, allow null in it, or use `on_dangling: defer`."
                )
            }
            try note(RecordKey(key.map { FieldValue($0) }), reference, known)
        }
        outcome.stubs[reference.target, default: 0] += missing.count
    }

    /// The error of a constraint; nil where there is none.
    private func refusal(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) -> SQLiteError? {
        do throws(SQLiteError) {
            try body()
            return nil
        } catch {
            if error.code.primary == .constraint { return error }
            throw error
        }
    }

    /// Writes down that a row was made.
    private func note(
        _ key: RecordKey, _ reference: EntityRegistry.Reference, _ known: RecordMapping?
    ) throws(SQLiteError) {
        guard recorder.isRecording, let known else { return }
        let registry = EntityRegistry(connection: connection)
        let slots = try registry.slots(of: EntityRegistry.name(known)).filter { $0.keyPosition != nil }
            .sorted { ($0.keyPosition ?? 0) < ($1.keyPosition ?? 0) }
        // The key may be in another order in the target's own eyes.
        let values = slots.map { slot in
            reference.targetColumns.firstIndex { $0.lowercased() == slot.column.lowercased() }.map { key.values[$0] }
        }
        guard !slots.isEmpty, !values.contains(nil) else { return }
        let schema = RecordSchema(
            pipeline: known.pipeline, stream: known.stream, entity: known.entity, table: reference.target,
            fields: slots.map(\.schemaField), keyFields: Array(slots.indices))
        let columns = zip(reference.targetColumns, key.values).map { RowImage.Column(name: $0, value: $1) }
        try recorder.note(
            RecordKey(values.compactMap { $0 }), schema, action: .insert, kind: nil, base: (nil, nil),
            row: RowImage(columns), columns: [])
    }

    /// Ends the run over the first of the rows.
    private func refuse(_ source: Dangling, _ words: (_ owner: String, _ target: String) -> String) throws {
        let keys = try connection.rows("SELECT \(source.ownerKey), \(source.targetKey) FROM \(source.rows) LIMIT 1")
        guard let found = keys.first else { return }
        throw StoreError(.rejected, words(Self.text(found[0]), Self.text(found[1])))
    }

    /// A key as people name it: an array's only element, or the array.
    private static func text(_ value: SQLiteValue) -> String {
        guard case .text(let bytes) = value else { return "" }
        let text = String(decoding: bytes, as: UTF8.self)
        return "`" + (text.contains(",") ? text : String(text.dropFirst().dropLast())) + "`"
    }

    /// Whether the database itself watches over a reference.
    private func isEnforced(_ reference: EntityRegistry.Reference) throws(SQLiteError) -> Bool {
        let columns = reference.link?.targetColumns ?? reference.columns
        return try ForeignKeys(of: reference.link?.table ?? reference.table, connection)
            .target(of: columns)?.lowercased() == reference.target.lowercased()
    }
}

internal import SluiceDiagnostics
package import SluiceModel
package import SluiceStore

/// Gives columns the types that their fields have now, with all that they hold; of an `enum` also its values.
///
/// It does so for columns of tables that are as this program makes them, and that one pipeline alone
/// fills. ``KeyChange`` does it for identifiers and what refers to them; what is redacted keeps its type: the next step
/// refuses it, as it does all others.
package struct TypeConversion {
    /// A source of the column: its field, and the slot by which the store knows it.
    struct Source {
        let mapping: RecordMapping
        let base: String
        let slot: EntityRegistry.Slot
        let field: RecordSchema.Field

        /// The values of an `enum` that the field may have no longer.
        var takenAway: Set<[UInt8]> { (slot.allowed ?? []).subtracting(field.allowed) }
        /// Whether the field gets another type, or an `enum` other values.
        var isChange: Bool {
            if slot.type != field.type { return true }
            guard let before = slot.allowed, let now = field.choices else { return false }
            return before != now
        }
    }

    /// A column whose type changes.
    struct Target {
        let table: String
        let column: String
        /// Whether the column can hold values of both types, so that it stays and its values alone change.
        let isInPlace: Bool
        /// All that fill it; their fields have one type.
        var sources: [Source]
        var now: RecordSchema.Field { sources[0].field }
        var before: RecordSchema.Field { sources[0].slot.schemaField }
        /// Whether the type stays, and the values of an `enum` alone change.
        var isOfChoices: Bool { before.type == now.type }
        /// The values that the column may have no longer.
        var takenAway: Set<[UInt8]> { sources[0].takenAway }
        /// What the column is called until it takes the place of the other one.
        var interim: String { "_sluice_\(column)" }
    }

    static let pace = 500
    let database: any SQLDatabase
    let conversion: FieldConversion
    let quarantine: SQLQuarantineLedger
    let recorder: any ChangeNoting
    /// The run that is taken back; nil where types follow a pipeline.
    package var undone: Int64?
    var registry: EntityRegistry { EntityRegistry(database: database) }

    /// Prepares it for a store.
    package init(database: any SQLDatabase, conversion: FieldConversion, recorder: any ChangeNoting) {
        (self.database, self.conversion, self.recorder) = (database, conversion, recorder)
        quarantine = SQLQuarantineLedger(database, recorder: recorder)
    }

    /// Does it for all that a pipeline fills.
    ///
    /// - Parameter schemas: What the pipeline fills.
    /// - Returns: What was done.
    /// - Throws: ``StoreError`` where something would be lost, with the first of these values, and what the database throws.
    package func perform(_ schemas: [RecordSchema]) throws -> [SchemaChange] {
        guard try database.hasHistory() else { return [] }
        if undone == nil { try closeEntriesWithoutRows(of: schemas) }
        let targets = try targets(schemas)
        if undone == nil, conversion.misfits == .refuse, targets.count > 1 { try requirePassage(targets) }
        return try targets.flatMap { target in
            let (changes, statements) = try database.monitor.statements { try follow(target) }
            return statements.divided(among: changes)
        }
    }

    private func follow(_ target: Target) throws -> [SchemaChange] {
        let given = try undone.map { try giveBack(restoredBy: $0, to: target) } ?? 0
        let again = given > 0 ? [change(.quarantineValues, target, target.column, rows: given)] : []
        if target.isOfChoices { return try changeChoices(target) + again }
        // A trigger has no business with what follows, and an index of the old column could not stay.
        let objects = target.isInPlace ? [] : try database.detach(target.column, of: target.table)
        var lost = target.isInPlace ? try target.sources.map { try convertBase($0, of: target) } : []
        let before = try target.sources.map(keptBefore)
        let (rows, kept) = try fill(target)
        if !target.isInPlace {
            lost = try target.sources.map { try convertBase($0, of: target) }
            try replace(target, objects.map(\.statement))
            try database.remember(objects, of: target.table)
        }
        for said in lost { try markSaid(said, of: target, besides: before[0]) }
        let restored = try restoreKept(before, of: target)
        for source in target.sources {
            try convertRecords(source, isNews: rows + restored > 0)
            try record(source)
        }
        // Also where every value is the same in both types: from now on the column takes others.
        return [change(.changeType, target, words(target), rows: rows)] + moved(target, kept, restored: restored)
            + again
    }

    private func change(
        _ kind: SchemaChange.Kind, _ target: Target, _ words: String, rows: Int
    ) -> SchemaChange {
        var change = SchemaChange(table: target.table, kind: kind, sql: words)
        change.rows = rows
        return change
    }

    /// What went to the quarantine and what came back.
    func moved(_ target: Target, _ kept: LostValues, restored: Int) -> [SchemaChange] {
        var changes: [SchemaChange] = []
        if kept.count > 0 {
            changes.append(change(.quarantineValues, target, target.column, rows: kept.count))
            (changes[0].values, changes[0].examples) = (kept.digest, kept.first)
        }
        if restored > 0 { changes.append(change(.restoreValues, target, target.column, rows: restored)) }
        return changes
    }

    /// Writes down what the run did, so that it can be taken back.
    func record(_ source: Source) throws {
        guard recorder.isRecording else { return }
        try recorder.record(
            RecordedEntry(
                subject: .schema, entry: 0, mapping: source.mapping, key: nil, field: source.field.name,
                kind: SchemaChange.Kind.changeType.rawValue, action: "changed", old: StoredType(source.slot).text,
                new: StoredType(source.field).text))
    }

    // MARK: What changes

    /// The columns whose fields have another type.
    ///
    /// - Parameters:
    ///   - schemas: What the pipeline fills.
    ///   - ofKeys: Whether those of identifiers, and of what refers to them, are meant: ``KeyChange`` gives them their types.
    ///     Else they are left out.
    /// - Returns: The columns.
    /// - Throws: What the database throws.
    func targets(_ schemas: [RecordSchema], ofKeys: Bool = false) throws -> [Target] {
        var found: [Target] = []
        for schema in schemas {
            let mapping = EntityRegistry.name(schema.source)
            guard let tables = try registry.tables(of: mapping),
                tables.table.lowercased() == schema.table.lowercased(), try database.isOurs(tables.table)
            else { continue }
            let slots = try registry.slots(of: mapping)
            func source(_ slot: EntityRegistry.Slot, _ field: RecordSchema.Field) -> Source {
                Source(mapping: schema.source, base: tables.base, slot: slot, field: field)
            }
            let isSame = slots.allSatisfy { slot in
                schema.fields.allSatisfy { $0.name != slot.field || !source(slot, $0).isChange }
            }
            if isSame { continue }
            let referring = Set(schema.references.flatMap(\.fields))
            let columns = try database.columns(of: schema.table)
            for index in schema.columnFields
            where (referring.contains(index) || schema.keyFields.contains(index)) == ofKeys {
                let field = schema.fields[index]
                guard let slot = slots.first(where: { $0.field == field.name }), source(slot, field).isChange,
                    ofKeys || slot.keyPosition == nil, slot.redaction == nil, field.redaction == nil,
                    let column = columns.first(where: { $0.name.lowercased() == field.column.lowercased() }),
                    slot.column.lowercased() == field.column.lowercased(), !column.isGenerated,
                    ofKeys || column.keyPosition == 0
                else { continue }
                if let known = found.firstIndex(where: { ($0.table, $0.column) == (schema.table, column.name) }) {
                    found[known].sources.append(source(slot, field))
                } else {
                    // A column that could hold the values too, as a text can, gets the type that it has in a new table.
                    let isInPlace =
                        database.fits(column, field.type, isKey: schema.keyFields.contains(index))
                        && database.columnType(slot.type) == database.columnType(field.type)
                    found.append(
                        Target(
                            table: schema.table, column: column.name, isInPlace: isInPlace,
                            sources: [source(slot, field)]))
                }
            }
        }
        return try found.filter { try isWhole($0, ofKeys: ofKeys) }
    }

    /// Whether all that fill a column want the same type for it, and no foreign key leads from it unless it is a key's.
    private func isWhole(_ target: Target, ofKeys: Bool) throws -> Bool {
        let ours = Set(target.sources.map(\.mapping))
        let types = Set(target.sources.flatMap { [$0.field.type, $0.slot.type] })
        if types.count != (target.isOfChoices ? 1 : 2) || Set(target.sources.map(\.field.type)).count != 1 {
            return false
        }
        if Set(target.sources.map(\.field.allowed)).count != 1 { return false }
        for other in try registry.sources(of: target.table) where !ours.contains(other) {
            let slots = try registry.slots(of: EntityRegistry.name(other))
            if slots.contains(where: { !$0.isRetired && $0.column.lowercased() == target.column.lowercased() }) {
                return false
            }
        }
        return try ofKeys
            || !database.foreignKeys(of: target.table).contains { key in
                key.columns.contains { ColumnName.areSame($0, target.column) }
            }
    }

    // MARK: Rows

    /// Makes the new column beside the old one, and fills it; or changes the values of a column that stays.
    ///
    /// - Returns: How many values passed, of a column that stays those that changed; and what went to the quarantine.
    /// - Throws: `StoreError` where values cannot stay, with the first of them, and what the database throws.
    func fill(_ target: Target) throws -> (rows: Int, kept: LostValues) {
        let (table, new) = (
            database.table(target.table), SQLText.quoted(target.isInPlace ? target.column : target.interim)
        )
        if !target.isInPlace {
            try database.execute("ALTER TABLE \(table) ADD COLUMN \(new) \(database.columnType(target.now.type))")
        }
        let keys = try registry.keySlots(of: EntityRegistry.name(target.sources[0].mapping))
        let update = "UPDATE \(table) SET \(new) = ?1 WHERE \(SQLText.match(keys.map(\.column), from: 2))"
        var lost = LostValues()
        var count = 0
        var changed = 0
        var updates: [[FieldValue]] = []
        func flush() throws {
            try database.run(update, each: updates)
            updates = []
        }
        let paused = try database.pauseTriggers(of: target.table)
        try eachValue(of: target) { found, key in
            count += 1
            if updates.count >= Self.pace { try flush() }
            if let value = passed(found, target) {
                if target.isInPlace && value == found { return }
                changed += 1
                updates.append([value] + key)
            } else {
                let name = RefusedRows.key(keys.map { ($0.field, $0.type) }, key)
                let value = FieldJSON.text(found, type: target.before.type)
                let nearest = nearest(found, target)
                lost.record(value, of: name, nearest: nearest)
                if conversion.misfits == .quarantine {
                    let id = try keep(value, nearest, of: name, target, keys, key)
                    if target.isInPlace { updates.append([.null] + key) }
                    if target.isOfChoices { try markSaid(key, found, of: target, id) }
                }
            }
        }
        try flush()
        try database.resumeTriggers(paused)
        if lost.count > 0 && conversion.misfits == .refuse {
            let entity = target.sources[0].mapping.entity
            throw target.isOfChoices
                ? choiceRefusal(target, lost, entity) : refusal(target, lost, of: count, entity: entity)
        }
        return (target.isInPlace ? changed + lost.count : count, lost)
    }

    /// A value in the new type; nil where something of it would be lost, or the column cannot hold it.
    func passed(_ value: FieldValue, _ target: Target) -> FieldValue? {
        conversion.value(value, target.before, target.now).flatMap { database.holds($0, target.now.type) ? $0 : nil }
    }

    /// Gives each value of a column that is to pass, with the identifier of its row.
    func eachValue(of target: Target, _ body: (_ value: FieldValue, _ key: [FieldValue]) throws -> Void) throws {
        let (table, column) = (database.table(target.table), SQLText.quoted(target.column))
        let keys = try registry.keySlots(of: EntityRegistry.name(target.sources[0].mapping))
        let names = SQLText.list(keys.map(\.column))
        var last: [FieldValue] = []
        let (all, texts) = choice(target, from: 1)
        try database.monitor.begin(
            .rows, of: target.table,
            total: database.integer("SELECT count(*) FROM \(table) WHERE \(all)", texts).map { Int(clamping: $0) })
        while true {
            let after = last.isEmpty ? "" : "(\(names)) > (\(SQLText.parameters(keys.count))) AND "
            let (meant, values) = choice(target, from: last.count + 1)
            let rows = try database.rows(
                "SELECT \(column), \(names) FROM \(table) WHERE \(after)\(meant) ORDER BY \(names) LIMIT \(Self.pace)",
                last + values)
            for found in rows { try body(found[0], Array(found.dropFirst())) }
            try database.monitor.advance(by: rows.count)
            guard let next = rows.last, rows.count == Self.pace else { return }
            last = Array(next.dropFirst())
        }
    }

    // MARK: The quarantine

    /// Keeps a value that cannot pass, with the row that it stood in.
    ///
    /// - Returns: The number of its entry.
    private func keep(
        _ value: String, _ nearest: String?, of name: String, _ target: Target, _ keys: [EntityRegistry.Slot],
        _ key: [FieldValue]
    ) throws -> Int64 {
        let source = target.sources[0]
        let columns = Set(try database.columnNames(of: target.table))
        let slots = try registry.slots(of: EntityRegistry.name(source.mapping)).filter {
            !$0.isRetired && columns.contains($0.column.lowercased())
        }
        let row = try database.rows(
            "SELECT \(SQLText.list(slots.map(\.column))) FROM \(database.table(target.table)) WHERE \(SQLText.match(keys.map(\.column)))",
            key
        ).first
        let members = zip(slots, row ?? []).map { slot, value in
            let shown = slot.redaction?.shown(value, comparison: slot.comparison) ?? value
            return "\(FieldJSON.quoted(slot.field)):\(FieldJSON.text(shown, type: slot.type))"
        }
        let record = Array("{\(members.joined(separator: ","))}".utf8)
        let entry = QuarantineEntry(
            pipeline: source.mapping.pipeline, stream: source.mapping.stream, entity: source.mapping.entity, key: name,
            recordHash: Int64(bitPattern: FieldDigest.text(record)),
            reason: try quarantine.freeReason(ofField: source.field.name, of: source.mapping, key: name),
            pointer: "/\(source.field.name)", value: value,
            message: target.isOfChoices ? choiceMessage(target, value) : message(target, value, nearest),
            record: record, firstRun: recorder.run, lastRun: recorder.run)
        return try quarantine.put(entry)
    }

    private func message(_ target: Target, _ value: String, _ nearest: String?) -> String {
        let (name, type, shown) = (target.now.name, target.now.type.rawValue, LostValues.short(value))
        let reason =
            nearest.map { ". \(shown) would become \($0), and not be the same when the type goes back" }
            ?? ", and \(shown) is no \(type)"
        return
            "`\(name)` is \(type) now\(reason). The column is null, and the value waits here. Write the value that is meant into the table, or put `type: \(target.before.type.rawValue)` back: then the value comes back."
    }

    /// What a value that cannot pass would be in the new type, as JSON; nil where it is none of that type.
    func nearest(_ value: FieldValue, _ target: Target) -> String? {
        conversion.nearest(value, target.before, target.now).map {
            LostValues.short(FieldJSON.text($0, type: target.now.type))
        }
    }

    /// The open entries that earlier changes of a field left. Of a run that is taken back also those that it made and closed
    /// itself, since it wrote something else into the row.
    func keptBefore(_ source: Source) throws -> [Int64] {
        let closed = undone.map { " OR status = 'closed' AND first_run = \($0) AND last_run = \($0)" } ?? ""
        return try kept(source, "(status = 'open'\(closed))")
    }

    /// The entries that changes of a field left, those of which a condition is true.
    func kept(_ source: Source, _ condition: String) throws -> [Int64] {
        let names = [source.mapping.pipeline, source.mapping.stream, source.mapping.entity].map { FieldValue($0) }
        let prefix = QuarantineEntry.typeChange + source.field.name
        return try database.rows(
            """
            SELECT id FROM \(database.ledger("quarantine")) WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3
            AND \(condition) AND (reason = ?4 OR substr(reason, 1, \(prefix.unicodeScalars.count + 1)) = ?5) ORDER BY id
            """, names + [FieldValue(prefix), FieldValue(prefix + ":")]
        ).compactMap { $0[0].number }
    }

    /// The columns of a source's identifier.
    func keyColumns(_ source: Source) throws -> [String] {
        try registry.keySlots(of: EntityRegistry.name(source.mapping)).map(\.column)
    }

    /// The identifier of the record of an entry; nil where it is none of the source by now.
    func key(of entry: QuarantineEntry, _ source: Source) throws -> [FieldValue]? {
        try entry.key.flatMap { try key($0, source.mapping) }
    }

    /// The identifier that an object names; nil where it is none of a source's records by now.
    func key(_ object: String, _ mapping: RecordMapping) throws -> [FieldValue]? {
        let keys = try registry.keySlots(of: EntityRegistry.name(mapping))
        guard let members = ObjectText(object) else { return nil }
        let key = keys.compactMap { slot in
            members.members.first { $0.name == slot.field }.flatMap { conversion.parsed($0.json, slot.type) }
        }
        return key.count == keys.count ? key : nil
    }

    /// Puts values back that earlier changes left in the quarantine, where they are of the type that the field has now,
    /// nobody gave another one, and the table takes them. What the source said itself, and replaced or cleared since, does not
    /// come back: its entry is closed. What the source said last comes back with them.
    ///
    /// - Parameters:
    ///   - entries: Of each source, the entries that keep them.
    ///   - target: The column, as it is now.
    /// - Returns: How many came back.
    /// - Throws: What the database throws.
    func restoreKept(_ entries: [[Int64]], of target: Target) throws -> Int {
        if entries.allSatisfy(\.isEmpty) { return 0 }
        let paused = try database.pauseTriggers(of: target.table)
        let restored = try zip(target.sources, entries).reduce(0) { try $0 + restoreKept($1.1, $1.0, of: target) }
        try database.resumeTriggers(paused)
        return restored
    }

    private func restoreKept(_ ids: [Int64], _ source: Source, of target: Target) throws -> Int {
        var restored = 0
        try database.monitor.begin(.quarantine, of: target.table, total: ids.count)
        let columns = try keyColumns(source)
        let column = SQLText.quoted(target.column)
        // Of several values of one row the last one counts.
        for id in ids.reversed() {
            try database.monitor.advance()
            guard let entry = try quarantine.entry(id: id), let json = entry.value,
                let value = held(json, target.now), !value.isNull, let key = try key(of: entry, source)
            else { continue }
            if try isReplaced(id, json, key, source, target) {
                try quarantine.close([id], run: recorder.run)
                continue
            }
            var count = 0
            let refusal = try database.attempt {
                count = try database.run(
                    "UPDATE \(database.table(target.table)) SET \(column) = ?1 WHERE \(column) IS NULL AND \(SQLText.match(columns, from: 2))",
                    [value] + key)
            }
            guard refusal == nil, count > 0 else { continue }
            try quarantine.close([id], run: recorder.run)
            try restoreBases(value, json, key, source, of: target)
            try registry.remove(Self.keptBase, String(id))
            restored += 1
        }
        return restored
    }

    // MARK: The column

    /// What is done to a column, with the clauses of the statements.
    private func words(_ target: Target) -> String {
        if target.isInPlace {
            return
                "\(SQLText.quoted(target.column)) from \(target.before.type.rawValue) to \(target.now.type.rawValue) (UPDATE)"
        }
        return
            "\(SQLText.quoted(target.column)) from \(database.columnType(target.before.type)) to \(database.columnType(target.now.type)) (ADD COLUMN, UPDATE, DROP COLUMN, RENAME COLUMN)"
    }

    /// Has the new column take the place of the old one, and puts back what was taken away.
    private func replace(_ target: Target, _ objects: [String]) throws {
        let (table, old, new) = (
            database.table(target.table), SQLText.quoted(target.column), SQLText.quoted(target.interim)
        )
        try database.settleReferences()
        try database.monitor.begin(.rebuild, of: target.table)
        let statements = [
            "ALTER TABLE \(table) DROP COLUMN \(old)", "ALTER TABLE \(table) RENAME COLUMN \(new) TO \(old)",
        ]
        for (index, sql) in (statements + objects).enumerated() {
            guard let reason = try database.failure({ try database.execute(sql) }) else { continue }
            let place = index < statements.count ? "" : " in `\(sql)`"
            throw StoreError(
                .mismatch,
                "The type of the column `\(target.column)` of `\(target.table)` cannot change to \(database.columnType(target.now.type)): \(reason)\(place). Put `type` of `\(target.now.name)` back, or remove what stands against it."
            )
        }
    }
}

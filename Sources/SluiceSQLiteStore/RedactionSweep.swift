internal import SluiceModel
internal import SluiceSQLite
internal import SluiceStore

/// Replaces what is stored in clear of fields that are redacted from now on, wherever it is stored.
///
/// What people wrote into a row stays: it is not the source's.
struct RedactionSweep {
    /// A field that is redacted from now on.
    final class Target {
        let slot: EntityRegistry.Slot
        let field: RecordSchema.Field
        let redaction: FieldRedaction
        /// Where clear values were found.
        var counts = RedactedCounts()

        /// Makes a target in which nothing was found yet.
        init(slot: EntityRegistry.Slot, field: RecordSchema.Field, redaction: FieldRedaction) {
            self.slot = slot
            self.field = field
            self.redaction = redaction
        }

        /// What may be kept of a value.
        func stored(_ value: FieldValue) -> FieldValue { redaction.stored(value, comparison: field.comparison) }

        /// A base entry without a clear value; `known` is the value that a digest is known to stand for.
        func veiled(_ entry: BaseEntry, known: FieldValue?) -> BaseEntry {
            guard let value = entry.value ?? known else { return entry }
            let kept = stored(value)
            guard case .text(let text) = kept else { return .null }
            let digest =
                field.comparison == .ignoringCase ? FieldDigest.ignoringCase(text) : FieldDigest.text(text)
            return BaseEntry(value: kept, digest: digest, keeping: field.baseKeeping)
        }
    }

    private static let pace = 500
    let connection: Connection
    private var registry: EntityRegistry { EntityRegistry(connection: connection) }

    /// Whether a value of a column is what a base says.
    typealias Sameness = (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool

    /// Does it for all that a pipeline fills.
    ///
    /// - Parameters:
    ///   - schemas: What the pipeline fills.
    ///   - isSame: Whether a value of a column is what a base says.
    ///   - veil: Makes of a record in quarantine, of an entity and a stream, what may be kept of it.
    /// - Returns: What was done.
    /// - Throws: ``StoreError`` where a key is stored in clear, `SQLiteError`, and what `isSame` throws.
    func perform(
        _ schemas: [RecordSchema], isSame: Sameness,
        veil: (_ record: [UInt8], _ entity: String, _ stream: String) -> QuarantineVeil
    ) throws -> [SchemaChange] {
        guard try StoreFormat.hasHistory(connection) else { return [] }
        var changes: [(change: SchemaChange, target: Target)] = []
        var streams: [RecordMapping: (name: String, targets: [Target])] = [:]
        for schema in schemas {
            let sources = [schema.source] + schema.formerSources
            guard let source = try sources.first(where: { try registry.tables(of: EntityRegistry.name($0)) != nil }),
                let tables = try registry.tables(of: EntityRegistry.name(source))
            else { continue }
            let targets = try targets(of: schema, source)
            if targets.isEmpty { continue }
            // What is replaced is overwritten, not only forgotten.
            try connection.execute("PRAGMA secure_delete = ON")
            try sweep(source, tables, targets, isSame)
            try countAdded(source, tables, targets)
            try sweepConflicts(source, targets)
            try sweepHistory(source, tables.table, targets)
            for target in targets {
                var slot = target.slot
                slot.redaction = target.redaction
                try registry.note(slot, of: EntityRegistry.name(source))
                let change = SchemaChange(
                    table: schema.table, kind: .redactValues,
                    sql: "\(target.slot.column): \(target.redaction.rawValue)")
                changes.append((change, target))
            }
            let stream = RecordMapping(pipeline: source.pipeline, stream: source.stream, entity: "")
            streams[stream, default: (schema.stream, [])].targets += targets
        }
        for (source, stream) in streams {
            let count = try sweepQuarantine(source) { veil($0, $1, stream.name) }
            for target in stream.targets { target.counts.quarantine += count }
        }
        if !changes.isEmpty { try Self.noteUnusedPages(connection) }
        return changes.map { change, target in
            var change = change
            change.redacted = target.counts
            return change
        }
    }

    private func targets(of schema: RecordSchema, _ source: RecordMapping) throws -> [Target] {
        let slots = try registry.slots(of: EntityRegistry.name(source))
        return try schema.fields.compactMap { field in
            guard let redaction = field.redaction,
                let slot = slots.first(where: { $0.field == field.name })
                    ?? FieldSuccession(schema, slots).predecessor(of: field), slot.redaction != redaction
            else { return nil }
            if slot.keyPosition != nil {
                throw StoreError(
                    .mismatch,
                    "The field `\(field.name)` of `\(schema.entity)` is redacted now, and it identifies records: the store keeps it in clear as their key. Leave `redact` out, or begin with a new store."
                )
            }
            return Target(slot: slot, field: field, redaction: redaction)
        }
    }

    // MARK: Rows and their base

    private func sweep(
        _ source: RecordMapping, _ tables: (base: String, table: String), _ targets: [Target], _ isSame: Sameness
    ) throws {
        let keys = try registry.slots(of: EntityRegistry.name(source)).filter { $0.keyPosition != nil }
            .sorted { ($0.keyPosition ?? 0) < ($1.keyPosition ?? 0) }.map(\.column)
        if keys.isEmpty { return }
        let baseKeys = keys.map(TableLayout.baseColumn(for:))
        let columns = try registry.columns(of: tables.table)
        let known = try registry.forms(of: tables.table)
        let forms = keys.map { known[$0.lowercased()] ?? .own }
        let held = targets.filter { columns.contains($0.slot.column.lowercased()) }
        let (base, table) = (SQLName.quoted(tables.base), SQLName.quoted(tables.table))
        let names = baseKeys.map { SQLName.quoted($0) }
        func match(_ names: [String], from first: Int) -> String {
            names.enumerated().map { "\(SQLName.quoted($1)) = ?\($0 + first)" }.joined(separator: " AND ")
        }
        let selectRow =
            held.isEmpty
            ? nil
            : try connection.prepare(
                "SELECT \(SQLName.list(held.map(\.slot.column))) FROM \(table) WHERE \(match(keys, from: 1))")
        let updateBase = try connection.prepare(
            "UPDATE \(base) SET fields = ?1, row_hash = ~row_hash, text_hash = NULL WHERE \(match(baseKeys, from: 2))")
        var last: [SQLiteValue] = []
        while true {
            let parameters = (1...keys.count).map { "?\($0)" }.joined(separator: ", ")
            let after = last.isEmpty ? "" : "WHERE (\(names.joined(separator: ", "))) > (\(parameters)) "
            let rows = try connection.rows(
                "SELECT \(names.joined(separator: ", ")), fields FROM \(base) \(after)ORDER BY \(names.joined(separator: ", ")) LIMIT \(Self.pace)",
                last)
            for row in rows {
                let key = Array(row.prefix(keys.count))
                guard case .blob(let blob) = row[keys.count],
                    var entries = BaseCoding.decode(blob, slotCount: (targets.map(\.slot.number).max() ?? 0) + 1)
                else { continue }
                let before = entries
                let rowKey = zip(key, forms).map { value, form in
                    (form.stored(FieldValue(value)) ?? FieldValue(value)).sqliteValue
                }
                let values = try selectRow.map { try Self.values(of: $0, rowKey) } ?? []
                for target in targets {
                    let number = target.slot.number
                    var clear: FieldValue?
                    if let place = held.firstIndex(where: { $0.slot.number == number }), place < values.count {
                        let value = (known[target.slot.column.lowercased()] ?? .own).canonical(values[place])
                        if try !value.isNull && isSame(value, entries[number], target.slot.schemaField) {
                            clear = value
                            target.counts.rows += 1
                            try update(table, target, target.stored(value), match(keys, from: 2), rowKey)
                        } else if !value.isNull {
                            target.counts.edited += 1
                        }
                    }
                    entries[number] = target.veiled(entries[number], known: clear)
                    if entries[number] != before[number] { target.counts.bases += 1 }
                }
                if entries != before { try updateBase.run([.blob(BaseCoding.encode(entries))] + key) }
            }
            guard let next = rows.last, rows.count == Self.pace else { return }
            last = Array(next.prefix(keys.count))
        }
    }

    /// Counts the rows that people added: what they hold stays as well.
    private func countAdded(
        _ source: RecordMapping, _ tables: (base: String, table: String), _ targets: [Target]
    ) throws {
        // A row of another source was not added by people.
        if try registry.sources(of: tables.table).contains(where: { $0 != source }) { return }
        let forms = try registry.forms(of: tables.table)
        let columns = try registry.columns(of: tables.table)
        let keys = try registry.slots(of: EntityRegistry.name(source)).filter { $0.keyPosition != nil }
        if keys.isEmpty { return }
        let match = keys.map { slot in
            let base = "b." + SQLName.quoted(TableLayout.baseColumn(for: slot.column))
            let form = forms[slot.column.lowercased()] ?? .own
            return "t.\(SQLName.quoted(slot.column)) = \(form.stored(expression: base))"
        }.joined(separator: " AND ")
        for target in targets where columns.contains(target.slot.column.lowercased()) {
            let count = try connection.integer(
                """
                SELECT count(*) FROM \(SQLName.quoted(tables.table)) AS t
                WHERE t.\(SQLName.quoted(target.slot.column)) IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM \(SQLName.quoted(tables.base)) AS b WHERE \(match))
                """)
            target.counts.edited += Int(count ?? 0)
        }
    }

    /// The values of a row; none where there is no such row.
    private static func values(of select: Statement, _ key: [SQLiteValue]) throws(SQLiteError) -> [FieldValue] {
        for (index, value) in key.enumerated() { select.bind(value, at: index + 1) }
        defer { select.reset() }
        guard try select.step() else { return [] }
        return (0..<select.columnCount).map { FieldValue(select.value($0)) }
    }

    /// Writes what may be kept of a value; where the table does not take that, as where it must be unique, nothing.
    private func update(
        _ table: String, _ target: Target, _ value: FieldValue, _ match: String, _ key: [SQLiteValue]
    ) throws {
        let sql = "UPDATE \(table) SET \(SQLName.quoted(target.slot.column)) = ?1 WHERE \(match)"
        do throws(SQLiteError) {
            try connection.run(sql, [value.sqliteValue] + key)
        } catch {
            guard error.code.primary == .constraint else { throw error }
            try connection.run(sql, [.null] + key)
        }
    }

    // MARK: Conflicts

    /// A value as JSON, without what must not be shown.
    private func hidden(_ json: String, _ target: Target) throws -> String {
        guard let row = try connection.rows("SELECT json_type(?1), json_extract(?1, '$')", [SQLiteValue(json)]).first,
            row[0] != SQLiteValue("null")
        else { return json }
        var value = FieldValue(FieldRedaction.hidden)
        if row[0] == SQLiteValue("text") { value = FieldValue(row[1]) }
        value = target.redaction.shown(value, comparison: target.field.comparison)
        let quoted = try connection.rows("SELECT json_quote(?1)", [value.sqliteValue])
        return quoted.first.map { EntityRegistry.text($0[0]) } ?? FieldRedaction.hidden
    }

    /// One side of a conflict: a value, or of a conflict over a record or a list all of its values.
    private func hidden(_ side: SQLiteValue, of field: SQLiteValue, _ targets: [Target]) throws -> SQLiteValue {
        guard case .text(let bytes) = side else { return side }
        var text = String(decoding: bytes, as: UTF8.self)
        if try connection.integer("SELECT json_valid(?1)", [side]) != 1 { return side }
        if field == .null, try connection.integer("SELECT json_type(?1) = 'array'", [side]) == 1 {
            let elements = try connection.rows("SELECT value FROM json_each(?1)", [side]).map {
                EntityRegistry.text(try hidden($0[0], of: field, targets))
            }
            return SQLiteValue("[" + elements.joined(separator: ",") + "]")
        }
        for target in targets {
            if field == SQLiteValue(target.slot.field) { return SQLiteValue(try hidden(text, target)) }
            guard field == .null else { continue }
            let path = SQLiteValue("$.\"\(target.slot.field)\"")
            let member = try connection.rows("SELECT ?1 -> ?2", [SQLiteValue(text), path]).first?.first
            guard case .text(let value)? = member else { continue }
            let kept = try hidden(String(decoding: value, as: UTF8.self), target)
            let changed = try connection.rows(
                "SELECT json_set(?1, ?2, json(?3))", [SQLiteValue(text), path, SQLiteValue(kept)])
            text = changed.first.map { EntityRegistry.text($0[0]) } ?? text
        }
        return SQLiteValue(text)
    }

    /// Hides the values of one target after the other, and counts where there are some.
    private func hide(
        _ values: [SQLiteValue], in targets: [Target], _ place: WritableKeyPath<RedactedCounts, Int>,
        _ hidden: ([SQLiteValue], Target) throws -> [SQLiteValue]
    ) throws -> [SQLiteValue] {
        try targets.reduce(values) { values, target in
            let kept = try hidden(values, target)
            if kept != values { target.counts[keyPath: place] += 1 }
            return kept
        }
    }

    private func sweepConflicts(_ source: RecordMapping, _ targets: [Target]) throws {
        try each("_sluice_conflicts", "field, base, local, remote", source, "1") { id, row in
            let sides = try hide(Array(row.dropFirst()), in: targets, \.conflicts) { sides, target in
                try sides.map { try hidden($0, of: row[0], [target]) }
            }
            if sides.elementsEqual(row.dropFirst()) { return }
            try connection.run(
                "UPDATE _sluice_conflicts SET base = ?2, local = ?3, remote = ?4 WHERE id = ?1", [id] + sides)
        }
    }

    // MARK: History

    private func sweepHistory(_ source: RecordMapping, _ table: String, _ targets: [Target]) throws {
        func write(_ id: SQLiteValue, _ before: [SQLiteValue], _ after: [SQLiteValue]) throws {
            if before == after { return }
            try connection.run("UPDATE _sluice_changes SET old = ?2, new = ?3, row = ?4 WHERE id = ?1", [id] + after)
        }
        try each("_sluice_changes", "field, old, new, row", source, "kind = 'field'") { id, row in
            guard let target = targets.first(where: { row[0] == SQLiteValue($0.slot.field) }) else { return }
            let values = row[1...2].map { target.stored(FieldValue($0)).sqliteValue }
            if !values.elementsEqual(row[1...2]) { target.counts.history += 1 }
            try write(id, Array(row.dropFirst()), values + [row[3]])
        }
        for other in try registry.sources(of: table) {
            try each("_sluice_changes", "field, old, new, row", other, "kind = 'column'") { id, row in
                guard let target = targets.first(where: { row[0] == SQLiteValue($0.slot.column) }) else { return }
                let values = row[1...2].map { target.stored(FieldValue($0)).sqliteValue }
                if !values.elementsEqual(row[1...2]) { target.counts.history += 1 }
                try write(id, Array(row.dropFirst()), values + [row[3]])
            }
        }
        try each("_sluice_changes", "field, old, new, row", source, "kind = 'conflict'") { id, row in
            let sides = try hide(Array(row[1...2]), in: targets, \.history) { images, target in
                try images.map { image -> SQLiteValue in try hidden(conflict: image, of: row[0], target) }
            }
            try write(id, Array(row.dropFirst()), sides + [row[3]])
        }
        try each("_sluice_changes", "old, new, row", source, "kind = 'record'") { id, row in
            try write(id, row, hide(row, in: targets, \.history) { veiled($0, [$1]) })
        }
    }

    /// The row of a conflict as the history keeps it.
    private func hidden(conflict image: SQLiteValue, of field: SQLiteValue, _ target: Target) throws -> SQLiteValue {
        guard case .text = image, try connection.integer("SELECT json_valid(?1)", [image]) == 1 else { return image }
        var image = image
        for side in ["base", "local", "remote"] {
            let path = SQLiteValue("$.\(side)")
            guard let value = try connection.rows("SELECT ?1 ->> ?2", [image, path]).first?.first else { continue }
            let kept = try hidden(value, of: field, [target])
            if kept == value { continue }
            image = try connection.rows("SELECT json_set(?1, ?2, ?3)", [image, path, kept])[0][0]
        }
        return image
    }

    /// The images of a record: base before, what became different of it, and the row.
    private func veiled(_ images: [SQLiteValue], _ targets: [Target]) -> [SQLiteValue] {
        func hide(_ image: BaseImage) -> BaseImage {
            var image = image
            for target in targets where image.slots.indices.contains(target.slot.number) {
                image.slots[target.slot.number] = target.veiled(image.slots[target.slot.number], known: nil)
            }
            return image
        }
        var after = images
        if case .blob(let old) = images[0], let before = BaseImage(encoded: old) {
            let kept = hide(before)
            after[0] = .blob(kept.encoded)
            if case .blob(let new) = images[1], let next = before.applying(new) {
                after[1] = .blob(hide(next).difference(to: kept))
            }
        } else if case .blob(let new) = images[1], let next = BaseImage(encoded: new) {
            after[1] = .blob(hide(next).encoded)
        }
        if case .blob(let bytes) = images[2], var row = RowImage(encoded: bytes) {
            for index in row.columns.indices {
                let name = row.columns[index].name.lowercased()
                guard let target = targets.first(where: { $0.slot.column.lowercased() == name }) else { continue }
                row.columns[index].value = target.stored(row.columns[index].value)
            }
            after[2] = .blob(row.encoded)
        }
        return after
    }

    // MARK: Quarantine

    /// Hides what may hold clear values of records in quarantine.
    ///
    /// - Returns: How many there were.
    private func sweepQuarantine(
        _ source: RecordMapping, _ veil: (_ record: [UInt8], _ entity: String) -> QuarantineVeil
    ) throws -> Int {
        var count = 0
        try each("_sluice_quarantine", "record, entity, value", source, "1") { id, row in
            guard case .blob(let record) = row[0] else { return }
            let kept = veil(record, EntityRegistry.text(row[1]))
            if kept.record != record { count += 1 }
            try connection.run(
                "UPDATE _sluice_quarantine SET record = ?2, value = ?3, message = ?4 WHERE id = ?1",
                [id, .blob(kept.record), row[2] == .null ? .null : SQLiteValue(kept.value), SQLiteValue(kept.message)])
        }
        return count
    }

    /// Goes through the entries of a source, some at a time; without an entity those of its stream.
    private func each(
        _ ledger: String, _ columns: String, _ source: RecordMapping, _ condition: String,
        _ body: (_ id: SQLiteValue, _ row: [SQLiteValue]) throws -> Void
    ) throws {
        var last = SQLiteValue.integer(0)
        while true {
            let rows = try connection.rows(
                """
                SELECT id, \(columns) FROM \(ledger) WHERE pipeline = ?1 AND stream = ?2 AND (?3 = '' OR entity = ?3)
                AND id > ?4 AND \(condition) ORDER BY id LIMIT \(Self.pace)
                """, [SQLiteValue(source.pipeline), SQLiteValue(source.stream), SQLiteValue(source.entity), last])
            for row in rows { try body(row[0], Array(row.dropFirst())) }
            guard let next = rows.last, rows.count == Self.pace else { return }
            last = next[0]
        }
    }

    // MARK: Unused pages

    /// Notes that unused pages of the file may hold what was replaced.
    private static func noteUnusedPages(_ connection: Connection) throws(SQLiteError) {
        try connection.execute(
            "INSERT OR REPLACE INTO _sluice_schema (kind, name, value) VALUES ('redaction', 'unused_pages', 'clear')")
    }

    /// Writes the file anew where its unused pages may hold what was replaced.
    ///
    /// - Parameters:
    ///   - connection: The store.
    ///   - mergeLog: Brings what was written into the file itself.
    /// - Throws: `SQLiteError`, and what `mergeLog` throws: then it is done again the next time.
    static func clearUnusedPages(_ connection: Connection, mergeLog: () throws -> Void) throws {
        guard try StoreFormat.hasTables(connection),
            try connection.integer("SELECT count(*) FROM _sluice_schema WHERE kind = 'redaction'") != 0
        else { return }
        try connection.execute("VACUUM")
        // Until then the pages of before are in the file.
        try mergeLog()
        try connection.execute("DELETE FROM _sluice_schema WHERE kind = 'redaction'")
    }
}

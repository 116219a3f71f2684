internal import SluiceDiagnostics
internal import SluiceJSON
package import SluiceModel
package import SluiceStore

/// Replaces what is stored in clear of fields that are redacted from now on, wherever it is stored.
///
/// What people wrote into a row stays: it is not the source's.
package struct RedactionSweep {
    private typealias Target = RedactionTarget

    private static let pace = 500
    private let database: any SQLDatabase
    private let recorder: any ChangeNoting
    private var registry: EntityRegistry { EntityRegistry(database: database) }

    /// Whether a value of a column is what a base says.
    package typealias Sameness = (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool

    /// Sweeps a store, and writes down what it did where that is wanted.
    package init(database: any SQLDatabase, recorder: any ChangeNoting) {
        (self.database, self.recorder) = (database, recorder)
    }

    /// Does it for all that a pipeline fills.
    ///
    /// - Parameters:
    ///   - schemas: What the pipeline fills.
    ///   - isSame: Whether a value of a column is what a base says.
    ///   - redactor: Makes of a record in quarantine, of an entity and a stream, what may be kept of it.
    /// - Returns: What was done.
    /// - Throws: `StoreError` where a key is stored in clear, what the database throws, and what `isSame` throws.
    package func perform(
        _ schemas: [RecordSchema], isSame: Sameness,
        redactor: (_ record: [UInt8], _ entity: String, _ stream: String) -> RedactedQuarantine
    ) throws -> [SchemaChange] {
        guard try database.hasHistory() else { return [] }
        var changes: [(change: SchemaChange, source: RecordMapping, target: Target)] = []
        var streams: [RecordMapping: (name: String, targets: [Target])] = [:]
        let sweeps = try schemas.compactMap { schema in
            try ([schema.source] + schema.formerSources).compactMap { source in
                try registry.tables(of: EntityRegistry.name(source)).map { (schema, source, $0) }
            }.first
        }
        let redacted = try redactedColumns(of: sweeps.map(\.2.table))
        for (schema, source, tables) in sweeps {
            let targets = try targets(of: schema, source, redacted[tables.table.lowercased()] ?? [])
            if targets.isEmpty { continue }
            try database.prepareToOverwrite(tables.table)
            let (_, statements) = try database.monitor.statements { try sweep(source, tables, targets, isSame) }
            try countAdded(source, tables, targets)
            try sweepConflicts(source, targets)
            try sweepHistory(source, tables.table, targets, isSame)
            for target in targets {
                var slot = target.slot
                slot.redaction = target.redaction
                try registry.record(slot, of: EntityRegistry.name(source))
                var change = SchemaChange(
                    table: schema.table, kind: .redactValues,
                    sql: "\(target.slot.column): \(target.redaction.rawValue)")
                change.statements = statements.map(\.sql).filter {
                    $0.contains("SET \(SQLText.quoted(target.slot.column)) =")
                }
                changes.append((change, schema.source, target))
            }
            let stream = RecordMapping(pipeline: source.pipeline, stream: source.stream, entity: "")
            streams[stream, default: (schema.stream, [])].targets += targets
        }
        for (source, stream) in streams {
            let count = try sweepQuarantine(source) { redactor($0, $1, stream.name) }
            for target in stream.targets { target.counts.quarantine += count }
        }
        if !changes.isEmpty { try database.recordOverwritten() }
        return try changes.map { change, source, target in
            var change = change
            change.redacted = target.counts
            try record(change, source, target)
            return change
        }
    }

    /// Writes down that a field is redacted from now on, which stays where the run is taken back.
    private func record(_ change: SchemaChange, _ source: RecordMapping, _ target: Target) throws {
        guard recorder.isRecording else { return }
        try recorder.record(
            RecordedEntry(
                subject: .schema, entry: 0, mapping: source, key: target.slot.column, field: target.slot.field,
                kind: SchemaChange.Kind.redactValues.rawValue, action: "changed", old: change.table,
                new: "\(target.redaction.rawValue)\t\(target.counts.text)"))
    }

    /// The columns of tables that a source redacted before, in lower case.
    private func redactedColumns(of tables: [String]) throws -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for table in Set(tables) {
            for source in try registry.sources(of: table) {
                let slots = try registry.slots(of: EntityRegistry.name(source)).filter { $0.redaction != nil }
                found[table.lowercased(), default: []].formUnion(slots.map { $0.column.lowercased() })
            }
        }
        return found
    }

    private func targets(
        of schema: RecordSchema, _ source: RecordMapping, _ redacted: Set<String>
    ) throws -> [Target] {
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
            try requireNothingWaits(slot, field, of: schema, source)
            return Target(
                slot: slot, field: field, redaction: redaction,
                wasClear: !redacted.contains(slot.column.lowercased()))
        }
    }

    /// Refuses to redact a field of which values wait in the quarantine since a change of its type: they may be what people wrote, and
    /// would be nowhere else.
    private func requireNothingWaits(
        _ slot: EntityRegistry.Slot, _ field: RecordSchema.Field, of schema: RecordSchema, _ source: RecordMapping
    ) throws {
        let count = try database.integer(
            """
            SELECT count(*) FROM \(database.ledger("quarantine")) WHERE status = 'open' AND pipeline = ?1 AND stream = ?2 AND entity = ?3
            AND (reason = ?4 OR substr(reason, 1, length(?4) + 1) = ?4 || ':')
            """,
            [source.pipeline, source.stream, source.entity, QuarantineEntry.typeChange + slot.field].map {
                FieldValue($0)
            })
        guard let count, count > 0 else { return }
        let (values, them) = (Plural.of(Int(count), "value"), Plural.word(Int(count), "it", "them"))
        throw StoreError(
            .mismatch,
            "The field `\(field.name)` of `\(schema.entity)` is redacted now, and \(values) of it \(Plural.word(Int(count), "waits", "wait")) in the quarantine since a change of its type: redacted, \(Plural.word(Int(count), "it", "they")) could not go back. Leave `redact` out, write what is meant into the table or give \(them) up with `sluice quarantine drop`, and set `redact` then."
        )
    }

    // MARK: Rows and their base

    private func sweep(
        _ source: RecordMapping, _ tables: (base: String, table: String), _ targets: [Target], _ isSame: Sameness
    ) throws {
        let keys = try registry.keySlots(of: EntityRegistry.name(source)).map(\.column)
        if keys.isEmpty { return }
        let baseKeys = keys.map(TableLayout.baseColumn(for:))
        let columns = try database.columnNames(of: tables.table)
        let known = try database.forms(of: tables.table)
        let held = targets.filter { columns.contains($0.slot.column.lowercased()) }
        let (base, table) = (database.table(tables.base), database.table(tables.table))
        let names = SQLText.list(baseKeys)
        let selectRow = "SELECT \(SQLText.list(held.map(\.slot.column))) FROM \(table) WHERE \(SQLText.match(keys))"
        let updateBase =
            "UPDATE \(base) SET fields = ?1, row_hash = \(BaseImage.voidHash), text_hash = NULL WHERE \(SQLText.match(baseKeys, from: 2))"
        var last: [FieldValue] = []
        try database.monitor.begin(.bases, of: tables.table, total: database.count(of: tables.base))
        while true {
            let after = last.isEmpty ? "" : "WHERE (\(names)) > (\(SQLText.parameters(keys.count))) "
            let rows = try database.rows(
                "SELECT \(names), fields FROM \(base) \(after)ORDER BY \(names) LIMIT \(Self.pace)", last)
            for row in rows {
                let key = Array(row.prefix(keys.count))
                guard let blob = row[keys.count].bytes,
                    var entries = BaseCoding.decode(blob, slotCount: (targets.map(\.slot.number).max() ?? 0) + 1)
                else { continue }
                let before = entries
                let rowKey = zip(key, keys).map { known[$1.lowercased()]?.stored($0) ?? $0 }
                let values = held.isEmpty ? [] : try database.rows(selectRow, rowKey).first ?? []
                for target in targets {
                    let number = target.slot.number
                    var clear: FieldValue?
                    if let place = held.firstIndex(where: { $0.slot.number == number }), place < values.count {
                        let value = known[target.slot.column.lowercased()]?.canonical(values[place]) ?? values[place]
                        if try !value.isNull && isSame(value, entries[number], target.slot.schemaField) {
                            clear = value
                            target.counts.rows += 1
                            try update(table, target, target.stored(value), SQLText.match(keys, from: 2), rowKey)
                            // What looks as if it was kept of a value, the run of another pipeline made of it.
                        } else if !value.isNull, target.storedByItsLook(value) != value {
                            target.counts.edited += 1
                        }
                    }
                    if clear == nil, values.isEmpty {
                        clear = try knownOfDeleted(source, key, entries[number], target, isSame)
                    }
                    entries[number] = target.redacted(entries[number], known: clear)
                    if entries[number] != before[number] { target.counts.bases += 1 }
                }
                if entries != before { try database.run(updateBase, [.blob(BaseCoding.encode(entries))] + key) }
            }
            try database.monitor.advance(by: rows.count)
            guard let next = rows.last, rows.count == Self.pace else { return }
            last = Array(next.prefix(keys.count))
        }
    }

    /// The value that a digest stands for in the base of a record without a row: the history may keep its last rows.
    private func knownOfDeleted(
        _ source: RecordMapping, _ key: [FieldValue], _ entry: BaseEntry, _ target: Target, _ isSame: Sameness
    ) throws -> FieldValue? {
        guard case .digest = entry else { return nil }
        let keys = try registry.keySlots(of: EntityRegistry.name(source))
        let names = [
            source.pipeline, source.stream, source.entity, RefusedRows.key(keys.map { ($0.field, $0.type) }, key),
        ]
        let rows = try database.rows(
            """
            SELECT row FROM \(database.ledger("changes")) WHERE kind = 'record' AND pipeline = ?1 AND stream = ?2
            AND entity = ?3 AND key = ?4 AND row IS NOT NULL ORDER BY id DESC
            """, names.map { FieldValue($0) })
        return try rows.lazy.compactMap { $0[0].bytes.flatMap(RowImage.init(encoded:))?[target.slot.column] }
            .first { try isSame($0, entry, target.slot.schemaField) }
    }

    /// Counts the rows that people added: what they hold stays as well.
    private func countAdded(
        _ source: RecordMapping, _ tables: (base: String, table: String), _ targets: [Target]
    ) throws {
        // A row of another source was not added by people.
        if try registry.sources(of: tables.table).contains(where: { $0 != source }) { return }
        let forms = try database.forms(of: tables.table)
        let columns = try database.columnNames(of: tables.table)
        let keys = try registry.keySlots(of: EntityRegistry.name(source))
        if keys.isEmpty { return }
        let match = keys.map { slot in
            let base = "b." + SQLText.quoted(TableLayout.baseColumn(for: slot.column))
            return
                "t.\(SQLText.quoted(slot.column)) = \(forms[slot.column.lowercased()]?.stored(expression: base) ?? base)"
        }.joined(separator: " AND ")
        for target in targets where columns.contains(target.slot.column.lowercased()) {
            let count = try database.integer(
                """
                SELECT count(*) FROM \(database.table(tables.table)) AS t
                WHERE t.\(SQLText.quoted(target.slot.column)) IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM \(database.table(tables.base)) AS b WHERE \(match))
                """)
            target.counts.edited += Int(clamping: count ?? 0)
        }
    }

    /// Writes what may be kept of a value; where the table does not take that, as where it must be unique, nothing.
    private func update(
        _ table: String, _ target: Target, _ value: FieldValue, _ match: String, _ key: [FieldValue]
    ) throws {
        let sql = "UPDATE \(table) SET \(SQLText.quoted(target.slot.column)) = ?1 WHERE \(match)"
        if try database.attempt({ try database.run(sql, [value] + key) }) != nil {
            try database.run(sql, [.null] + key)
        }
    }

    // MARK: Conflicts

    /// A value as JSON, without what must not be shown.
    private func hidden(_ json: JSONValue, _ target: Target) -> String {
        if json.isNull { return "null" }
        let value = json.string.map { FieldValue($0) } ?? FieldValue(FieldRedaction.hidden)
        return FieldJSON.text(target.shown(value), type: .string)
    }

    /// One side of a conflict: a value, or of a conflict over a record or a list all of its values.
    private func hidden(_ side: String, of field: String?, _ target: Target) -> String {
        guard let value = try? JSONDocument(side).root else { return side }
        return hidden(value, of: field, target) ?? side
    }

    private func hidden(_ value: JSONValue, of field: String?, _ target: Target) -> String? {
        if let field { return field == target.slot.field ? hidden(value, target) : nil }
        switch value.kind {
        case .array:
            let elements = value.elements.map { element in
                hidden(element, of: nil, target) ?? String(decoding: element.json, as: UTF8.self)
            }
            return "[" + elements.joined(separator: ",") + "]"
        case .object:
            guard value.member(named: target.slot.field) != nil else { return nil }
            let members = value.members.map { member in
                let isMeant = member.name == target.slot.field
                let text = isMeant ? hidden(member.value, target) : String(decoding: member.value.json, as: UTF8.self)
                return "\(FieldJSON.quoted(member.name)):\(text)"
            }
            return "{" + members.joined(separator: ",") + "}"
        default: return nil
        }
    }

    /// Hides the values of one target after the other, and counts where there are some.
    private func hide<Value: Equatable>(
        _ value: Value, in targets: [Target], _ place: WritableKeyPath<RedactedCounts, Int>,
        _ hidden: (Value, Target) -> Value
    ) -> Value {
        targets.reduce(value) { value, target in
            let kept = hidden(value, target)
            if kept != value { target.counts[keyPath: place] += 1 }
            return kept
        }
    }

    private func sweepConflicts(_ source: RecordMapping, _ targets: [Target]) throws {
        try database.updateEntries(
            of: "conflicts", "field, base, local, remote", setting: ["base", "local", "remote"], source, "1 = 1"
        ) { _, row in
            let before = Array(row.dropFirst())
            let sides = hide(before, in: targets, \.conflicts) { sides, target in
                sides.map { side in side.string.map { FieldValue(hidden($0, of: row[0].string, target)) } ?? side }
            }
            return sides == before ? nil : sides
        }
    }

    // MARK: History

    /// What the history keeps of one change: `old` and `new` as values, and `row`.
    private func sweepHistory(
        _ source: RecordMapping, _ table: String, _ targets: [Target], _ isSame: Sameness
    ) throws {
        func write(_ id: FieldValue, _ before: [FieldValue], _ after: [FieldValue]) throws {
            if before == after { return }
            try database.run(
                "UPDATE \(database.ledger("changes")) SET old = ?2, new = ?3, row = ?4 WHERE id = ?1",
                [id, database.packed(after[0]), database.packed(after[1]), after[2]])
        }
        func eachChange(
            of source: RecordMapping, _ kind: String,
            _ body: (_ id: FieldValue, _ field: String?, _ values: [FieldValue]) throws -> [FieldValue]
        ) throws {
            try database.eachEntry(of: "changes", "field, old, new, row", source, "kind = '\(kind)'") { id, row in
                let values = [database.unpacked(row[1]), database.unpacked(row[2]), row[3]]
                try write(id, values, body(id, row[0].string, values))
            }
        }
        func replaced(
            _ values: [FieldValue], _ target: Target?, _ stored: (Target) -> (FieldValue) -> FieldValue
        ) -> [FieldValue] {
            guard let target else { return values }
            let kept = [stored(target)(values[0]), stored(target)(values[1]), values[2]]
            if kept != values { target.counts.history += 1 }
            return kept
        }
        // What a digest in a base stands for is known as long as the values beside it are clear.
        try eachChange(of: source, "record") { id, _, values in
            let known = try knownValues(beside: id, values, targets, isSame)
            return hide(values, in: targets, \.history) { redacted($0, [$1], known) }
        }
        try eachChange(of: source, "field") { _, field, values in
            replaced(values, targets.first { $0.slot.field == field }, Target.stored)
        }
        for other in try registry.sources(of: table) {
            try eachChange(of: other, "column") { _, column, values in
                // Each source that is redacted comes by here.
                replaced(values, targets.first { $0.slot.column == column }, Target.storedByItsLook)
            }
        }
        try eachChange(of: source, "conflict") { _, field, values in
            hide(values, in: targets, \.history) { images, target in
                [
                    hidden(conflict: images[0], of: field, target), hidden(conflict: images[1], of: field, target),
                    images[2],
                ]
            }
        }
    }

    /// The bases that the history keeps of a change: before it and after it.
    private func bases(_ images: [FieldValue]) -> (before: BaseImage?, after: BaseImage?) {
        let before = images[0].bytes.flatMap(BaseImage.init(encoded:))
        let after = images[1].bytes.flatMap { bytes in
            images[0].isNull ? BaseImage(encoded: bytes) : before?.applying(bytes)
        }
        return (before, after)
    }

    /// The clear values that digests in the bases of a change stand for, by slots: those of its row, and of its fields,
    /// which follow it.
    private func knownValues(
        beside id: FieldValue, _ images: [FieldValue], _ targets: [Target], _ isSame: Sameness
    ) throws -> (before: [Int: FieldValue], after: [Int: FieldValue]) {
        let (before, after) = bases(images)
        func digest(_ image: BaseImage?, _ target: Target) -> BaseEntry? {
            guard case .digest? = image?.entry(target.slot.number) else { return nil }
            return image?.entry(target.slot.number)
        }
        var known: (before: [Int: FieldValue], after: [Int: FieldValue]) = ([:], [:])
        if !targets.contains(where: { digest(before, $0) != nil || digest(after, $0) != nil }) { return known }
        let row = images[2].bytes.flatMap(RowImage.init(encoded:))
        var found = targets.map { target in row?[target.slot.column].map { [$0] } ?? [] }
        try database.each(
            "SELECT kind, field, old, new FROM \(database.ledger("changes")) WHERE id > \(id.number ?? 0) ORDER BY id",
            []
        ) { row in
            guard row[0].string == "field" || row[0].string == "column" else { return false }
            for (index, target) in targets.enumerated()
            where row[0].string == "field" && row[1].string == target.slot.field {
                found[index] += [database.unpacked(row[2]), database.unpacked(row[3])]
            }
            return true
        }
        for (target, values) in zip(targets, found) {
            let (number, field) = (target.slot.number, target.slot.schemaField)
            for value in values where !value.isNull {
                if let entry = digest(before, target), try isSame(value, entry, field) { known.before[number] = value }
                if let entry = digest(after, target), try isSame(value, entry, field) { known.after[number] = value }
            }
        }
        return known
    }

    /// The row of a conflict as the history keeps it.
    private func hidden(conflict image: FieldValue, of field: String?, _ target: Target) -> FieldValue {
        guard let text = image.string, var kept = ConflictImage(text) else { return image }
        let before = kept
        for side in ["base", "local", "remote"] {
            kept[side] = kept[side].string.map { FieldValue(hidden($0, of: field, target)) } ?? kept[side]
        }
        return kept == before ? image : FieldValue(kept.json)
    }

    /// The images of a record: base before, what became different of it, and the row.
    private func redacted(
        _ images: [FieldValue], _ targets: [Target], _ known: (before: [Int: FieldValue], after: [Int: FieldValue])
    ) -> [FieldValue] {
        func hideImage(_ image: BaseImage, _ known: [Int: FieldValue]) -> BaseImage {
            var image = image
            for target in targets where image.slots.indices.contains(target.slot.number) {
                let number = target.slot.number
                image.slots[number] = target.redacted(image.slots[number], known: known[number])
            }
            return image
        }
        var after = images
        let (before, next) = bases(images)
        let kept = before.map { hideImage($0, known.before) }
        if let kept { after[0] = .blob(kept.encoded) }
        if let next {
            let image = hideImage(next, known.after)
            after[1] = .blob(kept.map { $0.difference(to: image) } ?? image.encoded)
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

    /// Hides what may hold clear values of records in quarantine. A record without a key is known by what may be kept of it, as
    /// the run finds it; of two that are alike then, one is closed.
    ///
    /// - Returns: How many there were.
    private func sweepQuarantine(
        _ source: RecordMapping, _ redactor: (_ record: [UInt8], _ entity: String) -> RedactedQuarantine
    ) throws -> Int {
        var count = 0
        let ledger = database.ledger("quarantine")
        try database.eachEntry(of: "quarantine", "record, entity, value, key, record_hash", source, "1 = 1") {
            id, row in
            guard let record = row[0].bytes else { return }
            let kept = redactor(record, row[1].string ?? "")
            if kept.record != record { count += 1 }
            try database.run(
                "UPDATE \(ledger) SET record = ?2, value = ?3, message = ?4 WHERE id = ?1",
                [id, .blob(kept.record), row[2].isNull ? .null : FieldValue(kept.value), FieldValue(kept.message)])
            let hash = FieldValue.integer(Int64(bitPattern: FieldDigest.text(kept.record)))
            if row[3].isNull, row[4] != hash,
                try database.attempt({
                    try database.run("UPDATE \(ledger) SET record_hash = ?2 WHERE id = ?1", [id, hash])
                }) != nil
            {
                try database.run(
                    "UPDATE \(ledger) SET status = ?2 WHERE id = ?1",
                    [id, FieldValue(QuarantineStatus.closed.rawValue)])
            }
            if let number = id.number { try registry.remove(TypeConversion.keptBase, String(number)) }
        }
        return count
    }
}

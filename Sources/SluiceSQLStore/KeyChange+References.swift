internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceStore

/// What refers to records whose identifiers change: columns of other tables, pairs, and what stands within records.
extension KeyChange {
    /// Columns that hold an identifier, before and afterwards.
    struct PassedColumns {
        /// The columns of before, in the order of the old identifier.
        let old: [String]
        /// The columns of now, in the order of the new one.
        let new: [String]
        /// Where the values of each stand until the table is revised.
        let filled: [String]
        /// Whether what they hold follows from what they held before, and not from rows of their target.
        let isConversion: Bool

        /// Some columns with those of now in the place of those of before; nil where they have a part of these alone.
        func passed(_ columns: [String]) -> [String]? {
            func isOld(_ name: String) -> Bool { old.contains { ColumnName.areSame($0, name) } }
            guard let first = columns.firstIndex(where: isOld), columns.count(where: isOld) == old.count else {
                return nil
            }
            let rest = columns[first...].filter { !isOld($0) }
            return columns[..<first] + new + rest
        }

        /// The columns of before that go.
        var dropped: [String] {
            old.filter { name in !filled.contains { ColumnName.areSame($0, name) } }
        }
    }

    /// Has a reference of a source lead to records by their new identifiers.
    mutating func pass(_ reference: RecordReference, of schema: RecordSchema, _ passage: KeyPassage) throws {
        guard let known = try known(reference, of: schema) else { return }
        let (mapping, table) = (EntityRegistry.name(schema.source), known.table)
        try checkWaiting(known, passage)
        if let link = reference.link {
            guard let before = known.link, ColumnName.areSame(before.table, link.table) else { return }
            try passPairs(
                link.table, before.targetColumns, link.targetColumns, passage, owned: reference, schema)
            try passLinkBase(reference.name, mapping, passage)
            return
        }
        let fields = reference.fields.map { schema.fields[$0] }
        let isOwnKey = known.columns.contains { name in known.keyColumns.contains { ColumnName.areSame($0, name) } }
        if isOwnKey, reference.onDangling != .owner, !passage.isConversion {
            throw StoreError(
                .mismatch,
                "`\(reference.name)` of `\(schema.entity)` is a part of its identifier and refers to `\(passage.table)`, whose identifier changes. Give `\(schema.entity)` an identifier without `\(reference.name)` first, or put `primary_key` of `\(passage.table)` back."
            )
        }
        let place = "\(table.lowercased())/\(known.columns.joined(separator: "/").lowercased())"
        let isFirst = passed[place] == nil
        let columns =
            try passed[place] ?? fill(table, known.columns, fields.map(\.column), fields.map(\.type), passage)
        passed[place] = columns
        if isFirst {
            try dropIndexes(of: table, columns)
            referring.append((table, columns.new))
            let definition = SchemaPlanner(database: database, schema: schema).foreignKey(of: reference)
            revise(table) { revision in
                revision.dropped.formUnion(columns.dropped)
                revision.released.append(columns.old)
                revision.places.append((columns.old, columns.filled))
                for (filled, new) in zip(columns.filled, columns.new) where filled != new {
                    revision.renamed[filled] = new
                }
                revision.foreignKeys.append(definition)
            }
            var change = SchemaChange(
                table: table, kind: .changeReference,
                sql: words(columns.old, columns.new, passage)
            )
            change.rows = try database.count(of: table)
            changes.append(change)
        }
        try passValues(fields, columns, schema.source, passage)
    }

    /// What becomes of columns that refer to a table.
    func words(_ old: [String], _ new: [String], _ passage: KeyPassage) -> String {
        guard passage.isConversion else {
            return "\(SQLText.list(old)) to \(SQLText.list(new)), by \(SQLText.quoted(passage.table))"
        }
        let types = zip(new, zip(passage.old, passage.new)).compactMap { column, types -> String? in
            if types.0.type == types.1.type { return nil }
            let (before, now) = (database.columnType(types.0.type), database.columnType(types.1.type))
            return "\(SQLText.quoted(column)) from \(before) to \(now)"
        }
        return "\(types.joined(separator: ", ")), by \(SQLText.quoted(passage.table))"
    }

    /// References that wait for records by an identifier that nobody can say any more.
    private func checkWaiting(_ reference: EntityRegistry.Reference, _ passage: KeyPassage) throws {
        let pending = database.ledger("pending")
        let isMeant = "\"table\" = ?1 AND field = ?2"
        let values = [FieldValue(reference.table), FieldValue(reference.name)]
        try database.run("DELETE FROM \(pending) WHERE \(isMeant) AND rule <> 'defer'", values)
        if passage.isConversion {
            try passWaiting(isMeant, values, passage)
        } else if let refusal = try waitingRefusal(reference) {
            throw refusal
        }
    }

    /// Has references wait for records by their identifiers in the new types. What is none in these waits for nothing that
    /// could come.
    private func passWaiting(_ isMeant: String, _ values: [FieldValue], _ passage: KeyPassage) throws {
        let pending = database.ledger("pending")
        let casts = passage.new.enumerated().map { "CAST(?\($0 + 1) AS \(database.columnType($1.type)))" }
        for row in try database.rows("SELECT DISTINCT target_key FROM \(pending) WHERE \(isMeant)", values) {
            let elements = row[0].string.flatMap(ObjectText.elements) ?? []
            let old = zip(elements, passage.old).compactMap { conversion.parsed($0, $1.type) }
            guard old.count == passage.old.count, let new = try passage.values(of: old),
                let name = try database.rows("SELECT \(database.jsonArray(casts))", new).first?.first
            else { continue }
            try database.run(
                "UPDATE \(pending) SET target_key = ?4 WHERE \(isMeant) AND target_key = ?3", values + [row[0], name])
        }
    }

    // MARK: Columns

    /// Makes columns for the new identifier beside those of the old one, and fills them.
    func fill(
        _ table: String, _ old: [String], _ new: [String], _ types: [FieldType], _ passage: KeyPassage
    ) throws -> PassedColumns {
        let known = try database.columnNames(of: table)
        var filled: [String] = []
        var assigned: [(column: String, from: String)] = []
        for (index, name) in new.enumerated() {
            // A part of the old identifier that is one of the new keeps its column.
            let part = passage.old.firstIndex { ColumnName.areSame($0.column, passage.new[index].column) }
            if let part, ColumnName.areSame(old[part], name) {
                filled.append(old[part])
                continue
            }
            let isOld = old.contains { ColumnName.areSame($0, name) }
            guard isOld || !known.contains(name.lowercased()) else {
                throw StoreError(
                    .mismatch,
                    "The table `\(table)` has a column `\(name)` of its own, which is to refer to `\(passage.table)` by its new identifier. Rename it, or give the reference another `column`."
                )
            }
            let column = isOld ? "_sluice_\(name)" : name
            try database.settleReferences()
            try database.execute(
                "ALTER TABLE \(database.table(table)) ADD COLUMN \(SQLText.quoted(column)) \(database.columnType(types[index]))"
            )
            filled.append(column)
            assigned.append((column, passage.new[index].column))
        }
        let isTarget = zip(passage.old, old).map { slot, column in
            "t.\(SQLText.quoted(slot.column)) = o.\(SQLText.quoted(column))"
        }.joined(separator: " AND ")
        let owner = database.table(table)
        if !assigned.isEmpty {
            let values = assigned.map { column, from in
                "\(SQLText.quoted(column)) = (SELECT t.\(SQLText.quoted(from)) FROM \(database.table(passage.table)) AS t WHERE \(isTarget))"
            }
            // Triggers have no business with what stays the same reference.
            let paused = try database.pauseTriggers(of: table)
            try database.monitor.begin(.rebuild, of: table)
            try database.execute("UPDATE \(owner) AS o SET \(values.joined(separator: ", "))")
            try database.resumeTriggers(paused)
        }
        let isLost = filled.map { "o.\(SQLText.quoted($0)) IS NULL" }.joined(separator: " OR ")
        if let lost = try lost(in: table, old, of: passage.old, where: isLost),
            let refusal = refusal(of: [lost], to: passage.table)
        {
            throw refusal
        }
        return PassedColumns(old: old, new: new, filled: filled, isConversion: passage.isConversion)
    }

    /// Drops the indexes that this program made on columns that go: those of the new columns are made with the table.
    ///
    /// That of a reference is known by what it indexes, since its name may say what table or column were called before.
    mutating func dropIndexes(of table: String, _ columns: PassedColumns) throws {
        let folded = Set(columns.dropped.map { $0.lowercased() })
        let whole = Set(columns.old.map { $0.lowercased() })
        let new = columns.new.map { $0.lowercased() }
        let made = Set(try registry.entries("index", prefix: "\(table)/").map(\.name))
        let isOurs = try database.isOurs(table) || registry.knows(link: table)
        for index in try database.indexes(of: table) where !index.isPrimary {
            let covers = !index.isUnique && index.isWhole && Set(index.columns) == whole
            let isOfReference: Bool
            if folded.isDisjoint(with: index.columns) {
                // Its columns stay, so people may have made one of their own.
                isOfReference = covers && index.columns != new && isNamed(index, table)
                if !isOfReference { continue }
            } else {
                isOfReference =
                    covers && (isOurs || index.name.lowercased().hasSuffix("_" + index.columns.joined(separator: "_")))
            }
            guard isOfReference || made.contains("\(table)/\(index.name)") else { continue }
            try database.execute("DROP INDEX \(database.table(index.name))")
            try registry.remove("index", "\(table)/\(index.name)")
            guard index.isUnique, let now = columns.passed(index.columns) else { continue }
            let names = try database.columns(of: table).map(\.name)
            unique.append(
                (table, now.map { name in names.first { ColumnName.areSame($0, name) } ?? name }, index.isWhole))
        }
    }

    /// Whether an index has the name that this program gives to that of a reference, with a number where the name was taken.
    private func isNamed(_ index: SQLIndex, _ table: String) -> Bool {
        let name = database.derivedName(([table] + index.columns).joined(separator: "_")).lowercased()
        let found = index.name.lowercased()
        return found == name || found.hasPrefix(name + "_") && Int(found.dropFirst(name.count + 1)) != nil
    }

    // MARK: What sources and people said

    /// Has the base of a source, its conflicts and its history say the new identifiers.
    private func passValues(
        _ fields: [RecordSchema.Field], _ columns: PassedColumns, _ source: RecordMapping, _ passage: KeyPassage
    ) throws {
        let mapping = EntityRegistry.name(source)
        let slots = try registry.slots(of: mapping).filter { !$0.isRetired }
        let old = columns.old.compactMap { name in slots.first { ColumnName.areSame($0.column, name) } }
        guard old.count == columns.old.count, let base = try registry.tables(of: mapping)?.base else { return }
        var next = (try registry.slots(of: mapping).map(\.number).max() ?? -1) + 1
        var new: [EntityRegistry.Slot] = []
        for (index, field) in fields.enumerated() {
            // A field that keeps its name keeps its slot.
            var slot = slots.first { $0.field == field.name }
            if slot == nil {
                slot = EntityRegistry.Slot(
                    number: next, field: field.name, column: columns.new[index], type: field.type, keyPosition: nil)
                next += 1
            }
            slot?.column = columns.new[index]
            slot?.type = field.type
            if let slot { new.append(slot) }
        }
        try passConflicts(old, new, source, passage)
        try passLists(old, new, source, passage)
        try passHistory(old, new, columns, source, passage)
        try passEntries(of: base, mapping, old, new, columns, passage)
        for slot in new { try registry.record(slot, of: mapping) }
        // Parts of an identifier are needed until it has changed itself.
        for slot in old where slot.keyPosition == nil && !new.contains(where: { $0.number == slot.number }) {
            try registry.retire(slot, of: mapping)
        }
        try registry.forgetTexts(ofStreamOf: source)
    }

    /// The values of new slots for those of old ones; nil where nobody knows them.
    private func values(_ old: [FieldValue?], _ passage: KeyPassage) throws -> [FieldValue]? {
        let known = old.compactMap { $0 }
        if known.count < old.count { return nil }
        if known.allSatisfy(\.isNull) { return passage.new.map { _ in .null } }
        return try passage.values(of: known)
    }

    private func passEntries(
        of base: String, _ mapping: String, _ old: [EntityRegistry.Slot], _ new: [EntityRegistry.Slot],
        _ columns: PassedColumns, _ passage: KeyPassage
    ) throws {
        try eachBase(base, mapping) { entries, local in
            let said = old.map { entries.indices.contains($0.number) ? entries[$0.number] : BaseEntry.none }
            if said.contains(.none) && said.allSatisfy({ $0 == .none }) { return }
            var values = said.map(\.value)
            if said.contains(where: { if case .digest = $0 { true } else { false } }), let row = try local(columns.old)
            {
                // What was kept as a digest alone is known where the row still has that value.
                for (index, slot) in old.enumerated() where values[index] == nil {
                    if conversion.isSame(row[index], said[index], slot.schemaField) { values[index] = row[index] }
                }
            }
            let found = try self.values(values, passage)
            for slot in old where !new.contains(where: { $0.number == slot.number }) && slot.keyPosition == nil {
                entries[slot.number] = .none
            }
            for (index, slot) in new.enumerated() {
                while entries.count <= slot.number { entries.append(.none) }
                entries[slot.number] = found.map { conversion.entry($0[index], slot.schemaField) } ?? .none
            }
        }
    }

    /// Goes through the rows of a base, some at a time. The body changes the entries; the values of some columns of the
    /// record's row can be asked for.
    func eachBase(
        _ base: String, _ mapping: String,
        _ body: (_ entries: inout [BaseEntry], _ local: ([String]) throws -> [FieldValue]?) throws -> Void
    ) throws {
        let slots = try registry.slots(of: mapping).filter { !$0.isRetired }
        let names = try database.columns(of: base).filter { $0.keyPosition > 0 }
            .sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
        // A base may have its new identifier before the registry knows of it.
        let keys = names.compactMap { name in slots.first { TableLayout.baseColumn(for: $0.column) == name } }
        guard let table = try registry.tables(of: mapping)?.table, keys.count == names.count else { return }
        let list = SQLText.list(names)
        let update =
            "UPDATE \(database.table(base)) SET fields = ?1, row_hash = \(BaseImage.voidHash) WHERE \(SQLText.match(names, from: 2))"
        var last: [FieldValue] = []
        try database.monitor.begin(.bases, of: table, total: database.count(of: base))
        while true {
            let after = last.isEmpty ? "" : "WHERE (\(list)) > (\(SQLText.parameters(names.count))) "
            var updates: [[FieldValue]] = []
            let rows = try database.rows(
                "SELECT \(list), fields FROM \(database.table(base)) \(after)ORDER BY \(list) LIMIT \(Self.pace)", last)
            for row in rows {
                let key = Array(row.prefix(names.count))
                guard let blob = row[names.count].bytes, var entries = BaseCoding.decode(blob, slotCount: 0) else {
                    continue
                }
                let before = entries
                try body(&entries) { columns in
                    try database.rows(
                        "SELECT \(SQLText.list(columns)) FROM \(database.table(table)) WHERE \(SQLText.match(keys.map(\.column)))",
                        key
                    ).first
                }
                if entries != before { updates.append([.blob(BaseCoding.encode(entries))] + key) }
            }
            try database.run(update, each: updates)
            try database.monitor.advance(by: rows.count)
            guard let next = rows.last, rows.count == Self.pace else { return }
            last = Array(next.prefix(names.count))
        }
    }

    /// Has conflicts say the new identifiers, and what the history keeps of them; refuses to go on where nobody knows those
    /// of an open one.
    private func passConflicts(
        _ old: [EntityRegistry.Slot], _ new: [EntityRegistry.Slot], _ source: RecordMapping, _ passage: KeyPassage
    ) throws {
        func passed(_ side: FieldValue, _ field: String?) throws -> FieldValue? {
            guard let json = side.string else { return side }
            if field == nil { return try records(json, old, new, passage).map { FieldValue($0) } }
            guard old.count == 1, new.count == 1, old[0].field == new[0].field,
                let value = conversion.parsed(json, old[0].type), let found = try values([value], passage)
            else { return nil }
            return FieldValue(FieldJSON.text(found[0], type: new[0].type))
        }
        try database.updateEntries(
            of: "conflicts", "field, status, base, local, remote", setting: ["base", "local", "remote"], source, "1 = 1"
        ) { id, row in
            let field = row[0].string
            if let field, !old.contains(where: { $0.field == field }) { return nil }
            let before = Array(row.dropFirst(2))
            let sides = try before.map { try passed($0, field) }
            if row[1].string == ConflictStatus.open.rawValue, sides.contains(nil) {
                throw StoreError(
                    .mismatch,
                    "The conflict \(id.number ?? 0) of `\(source.entity)` is about a record of `\(passage.table)` whose new identifier nobody knows. Decide it first (`sluice conflicts resolve \(id.number ?? 0)`), and change `primary_key` then."
                )
            }
            let after = zip(sides, before).map { $0 ?? $1 }
            return after == before ? nil : after
        }
        try HistoryImages(database).changeConflicts(of: source) { side, field in
            if let field, !old.contains(where: { $0.field == field }) { return side }
            return try passed(side, field) ?? side
        }
    }

    /// Has what is noted of lists that are one value belong to records under their new identifiers: their keys are those of
    /// the records in which they stand, as the identifiers of their elements begin.
    private func passLists(
        _ old: [EntityRegistry.Slot], _ new: [EntityRegistry.Slot], _ source: RecordMapping, _ passage: KeyPassage
    ) throws {
        let keys = try registry.keySlots(of: EntityRegistry.name(source)).filter { !$0.isRetired }
        if keys.count == old.count || old.contains(where: { $0.keyPosition == nil }) { return }
        for ledger in ["conflicts", "changes"] {
            try database.updateEntries(of: ledger, "key", setting: ["key"], source, "key IS NOT NULL") { _, row in
                guard let members = row[0].string.flatMap(ObjectText.init)?.members, members.count == old.count else {
                    return nil
                }
                let values = old.map { slot in
                    members.first { $0.name == slot.field }.flatMap { conversion.parsed($0.json, slot.type) }
                }
                let known = values.compactMap { $0 }
                guard known.count == old.count, let found = try passage.values(of: known) else { return nil }
                let name = RefusedRows.key(new.map { ($0.field, $0.type) }, found)
                return name == row[0].string ? nil : [FieldValue(name)]
            }
        }
    }

    /// A record, or a list of records, as JSON with the new identifiers; nil where nobody knows them.
    private func records(
        _ json: String, _ old: [EntityRegistry.Slot], _ new: [EntityRegistry.Slot], _ passage: KeyPassage
    ) throws -> String? {
        guard let elements = ObjectText.elements(json) else { return try object(json, old, new, passage) }
        let passed = try elements.compactMap { try object($0, old, new, passage) }
        return passed.count == elements.count ? "[\(passed.joined(separator: ","))]" : nil
    }

    /// A record as JSON with the new identifiers; nil where nobody knows them.
    private func object(
        _ json: String, _ old: [EntityRegistry.Slot], _ new: [EntityRegistry.Slot], _ passage: KeyPassage
    ) throws -> String? {
        guard var object = ObjectText(json) else { return json }
        let places = old.map { slot in object.members.firstIndex { $0.name == slot.field } }
        if places.allSatisfy({ $0 == nil }) { return json }
        let before = zip(places, old).map { place, slot in
            place.flatMap { conversion.parsed(object.members[$0].json, slot.type) }
        }
        guard let found = try values(before, passage) else { return nil }
        // They stand where a run writes them: in the place of those of before.
        let names = Set((old + new).map(\.field))
        let first = places.compactMap { $0 }.min() ?? 0
        let place = object.members.prefix(first).count { !names.contains($0.name) }
        object.members.removeAll { names.contains($0.name) }
        let members = zip(new, found).map { slot, value in
            (name: slot.field, json: FieldJSON.text(value, type: slot.type))
        }
        object.members.insert(contentsOf: members, at: place)
        return object.text
    }

    /// Has the history say the new identifiers, where they are known.
    private func passHistory(
        _ old: [EntityRegistry.Slot], _ new: [EntityRegistry.Slot], _ columns: PassedColumns, _ source: RecordMapping,
        _ passage: KeyPassage
    ) throws {
        if old.count == 1, new.count == 1 {
            try database.updateEntries(
                of: "changes", "old, new", setting: ["old", "new", "field"], source,
                "kind = 'field' AND field = \(SQLText.literal(old[0].field))"
            ) { _, row in
                let passed = try row.map { value -> FieldValue in
                    try values([database.unpacked(value)], passage).map { database.packed($0[0]) } ?? value
                }
                return passed == row && old[0].field == new[0].field ? nil : passed + [FieldValue(new[0].field)]
            }
        }
        let images = HistoryImages(database)
        try database.updateEntries(
            of: "changes", "old, new, row", setting: ["old", "new", "row"], source, "kind = 'record'"
        ) { _, row in
            try images.changed(row) { image in
                guard let found = try values(old.map { image.entry($0.number).value }, passage) else { return }
                for (slot, value) in zip(new, found) {
                    while image.slots.count <= slot.number { image.slots.append(.none) }
                    image.slots[slot.number] = conversion.entry(value, slot.schemaField)
                }
            } row: { image in
                guard let found = try values(columns.old.map { image[$0] }, passage) else { return }
                image.columns.removeAll { column in columns.dropped.contains { ColumnName.areSame($0, column.name) } }
                for (name, value) in zip(columns.new, found) where image[name] == nil {
                    image.columns.append(RowImage.Column(name: name, value: value))
                }
            }
        }
    }
}

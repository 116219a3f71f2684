internal import SluiceModel
internal import SluiceStore

/// What is kept of records by their identifiers: bases, and the names by which ledgers call records.
extension KeyChange {
    // MARK: Bases

    /// Makes the base of a source anew by the new identifiers.
    func passBase(_ source: Source, of target: Target, _ passage: inout KeyPassage) throws {
        let slots = try registry.slots(of: source.mapping)
        let old = target.old.map { TableLayout.baseColumn(for: $0.column) }
        let numbers = target.new.map { field in slots.first { $0.field == field.name }?.number }
        var refused = Refused()
        let contested = try contested(source.schema.source)
        let row = target.columns.map { "t.\(SQLText.quoted($0))" }.joined(separator: ", ")
        let query = """
            SELECT \(old.map { "b.\(SQLText.quoted($0))" }.joined(separator: ", ")), b.fields, b.state, \(row)
            FROM \(database.table(source.base)) AS b LEFT JOIN \(database.table(target.table)) AS t
            ON \(try join(target.old, old, target.table))
            """
        var moved: [(key: [FieldValue], new: [FieldValue])] = []
        let interim = try SchemaPlanner(database: database, schema: source.schema).createBaseTable()
        let copy = BaseCopy(database, from: source.base, old, to: interim, target.newColumns)
        let isThere =
            "SELECT 1 FROM \(database.table(target.table)) WHERE \(SQLText.match(target.columns))"
        var taken: Set<RecordKey> = []
        func flush() throws {
            try copy.perform(moved.map { $0.key + $0.new })
            moved = []
        }
        try database.monitor.begin(.bases, of: target.table, total: database.count(of: source.base))
        try database.each(query, []) { found in
            let key = Array(found.prefix(old.count))
            let local = Array(found.dropFirst(old.count + 2))
            let entries = found[old.count].bytes.flatMap { BaseCoding.decode($0, slotCount: slots.count) } ?? []
            let said = numbers.map { number in number.flatMap { entries.indices.contains($0) ? entries[$0] : nil } }
            let state = found[old.count + 1].number.flatMap { BaseState(rawValue: Int($0)) }
            let name = RefusedRows.key(target.old.map { ($0.field, $0.type) }, key)
            if local.contains(.null) {
                let values = try target.isConversion ? passage.values(of: key) ?? [] : said.compactMap { $0?.value }
                if values.count == said.count, !values.contains(.null) {
                    passage.record(values, of: RecordKey(key))
                    // A record that came under another identifier of before takes the place of one that went.
                    if try taken.insert(RecordKey(values)).inserted && !database.hasRow(isThere, values) {
                        moved.append((key, values))
                    }
                } else if state != .remoteTombstone {
                    refused.add("\(name), which was deleted here")
                }
            } else {
                for (index, field) in target.new.enumerated() where target.before[index] == nil {
                    if let conflict = contested[name], let remote = conflict.remote(of: field.name),
                        let value = conversion.parsed(remote, field.type), value != local[index]
                    {
                        refused.add(
                            "\(name), where `\(field.name)` is \(FieldJSON.text(local[index], type: field.type)) and its source says \(remote) (conflict \(conflict.id))"
                        )
                        continue
                    }
                    guard let entry = said[index], entry != .none, !conversion.isSame(local[index], entry, field)
                    else { continue }
                    let before = entry.value.map { FieldJSON.text($0, type: field.type) } ?? "another value"
                    refused.add(
                        "\(name), where `\(field.name)` is \(FieldJSON.text(local[index], type: field.type)) and was \(before) at its source"
                    )
                }
                moved.append((key, local))
            }
            if moved.count >= Self.pace { try flush() }
            try database.monitor.advance()
            return true
        }
        try flush()
        try recordStubs(of: source, target, interim)
        if refused.count > 0 {
            throw refusal(
                target,
                "Of \(refused.count) of its records nobody knows the new identifier for certain: \(RefusedRows.list(refused.first, of: refused.count)). Set these values back, or decide the conflicts for the source"
            )
        }
        try database.execute("DROP TABLE \(database.table(source.base))")
        try registry.record(base: interim, table: target.table, of: source.mapping)
    }

    /// Gives rows that runs made for others that refer to them, and of which no base tells, a base that has the parts of
    /// their key that go: once it is no key, nothing else tells them from what people wrote.
    private func recordStubs(of source: Source, _ target: Target, _ base: String) throws {
        let gone = target.old.filter { slot in !target.newColumns.contains { ColumnName.areSame($0, slot.column) } }
        if target.isConversion || gone.isEmpty { return }
        guard try registry.sources(of: target.table).first == source.schema.source else { return }
        let slots = try registry.slots(of: source.mapping)
        let columns = target.newColumns.map { TableLayout.baseColumn(for: $0) }
        let isKnown = "SELECT 1 FROM \(database.table(base)) WHERE \(SQLText.match(columns))"
        let places = SQLText.parameters(columns.count + 2)
        let insert = """
            INSERT INTO \(database.table(base)) (\(SQLText.list(columns)), fields, state, row_hash, open)
            VALUES (\(places), 0, 0)
            """
        for row in try StubHistory(database: database).rows(of: target.table, bareBesides: target.old.map(\.column)) {
            let values = target.columns.compactMap { row[$0] }
            guard values.count == columns.count, !values.contains(.null), try !database.hasRow(isKnown, values) else {
                continue
            }
            var entries = [BaseEntry](repeating: .none, count: (slots.map(\.number).max() ?? -1) + 1)
            for slot in target.old {
                if let value = row[slot.column] { entries[slot.number] = conversion.entry(value, slot.schemaField) }
            }
            let state = FieldValue.integer(Int64(BaseState.remoteTombstone.rawValue))
            try database.run(insert, values + [.blob(BaseCoding.encode(entries)), state])
        }
    }

    /// What the source says of a record in open conflicts.
    private struct Contested {
        var id: Int64
        var fields: [String: String] = [:]
        var record: ObjectText?

        /// What it says of a field, as JSON; nil where that is not in conflict.
        func remote(of field: String) -> String? {
            fields[field] ?? record?.members.first { $0.name == field }?.json
        }
    }

    /// The open conflicts of a source over records and their fields, by the names of the records.
    private func contested(_ source: RecordMapping) throws -> [String: Contested] {
        var found: [String: Contested] = [:]
        try database.eachEntry(of: "conflicts", "key, field, remote", source, "status = 'open' AND remote IS NOT NULL")
        {
            id, row in
            guard let key = row[0].string, let remote = row[2].string else { return }
            var entry = found[key] ?? Contested(id: id.number ?? 0)
            if let field = row[1].string { entry.fields[field] = remote } else { entry.record = ObjectText(remote) }
            found[key] = entry
        }
        return found
    }

    /// A condition that a row of a table, `t`, has the identifier of a base, `b`.
    private func join(_ keys: [EntityRegistry.Slot], _ columns: [String], _ table: String) throws -> String {
        let forms = try database.forms(of: table)
        return zip(keys, columns).map { key, column in
            let base = "b.\(SQLText.quoted(column))"
            let value = forms[key.column.lowercased()]?.stored(expression: base) ?? base
            return "t.\(SQLText.quoted(key.column)) = \(value)"
        }.joined(separator: " AND ")
    }

    /// What stands against a change, the first of it in words.
    struct Refused {
        private(set) var count = 0
        private(set) var first: [String] = []

        mutating func add(_ words: String) {
            count += 1
            if first.count < 5 { first.append(words) }
        }
    }

    // MARK: Names

    /// Records the new identifiers of records that are gone, by the rows that the history keeps of them: what it keeps of
    /// what belonged or referred to them is called by these.
    func recordGone(_ source: RecordMapping, _ passage: inout KeyPassage) throws {
        var found: [RecordKey: [FieldValue]] = [:]
        try database.eachEntry(of: "changes", "key, row", source, "kind = 'record' AND row IS NOT NULL") {
            [passage] _, row in
            guard let json = row[0].string, let old = passage.oldValues(json, conversion.parsed),
                let image = row[1].bytes.flatMap({ RowImage(encoded: $0) })
            else { return }
            let values = passage.new.map { image[$0.column] ?? .null }
            // The last of several rows is the one that others knew.
            if !values.contains(.null) { found[RecordKey(old)] = values }
        }
        for (key, values) in found { passage.record(values, ofDeleted: key) }
    }

    /// Has conflicts, quarantine and history call the records of a source by their new identifiers.
    func passNames(_ source: RecordMapping, _ passage: KeyPassage) throws {
        for ledger in ["conflicts", "quarantine", "changes"] {
            let image = ledger == "changes" ? ", row" : ", NULL"
            try database.updateEntries(of: ledger, "key\(image)", setting: ["key"], source, "key IS NOT NULL") {
                _, row in
                guard let json = row[0].string, let old = passage.oldValues(json, conversion.parsed) else { return nil }
                let kept = row[1].bytes.flatMap { RowImage(encoded: $0) }.map { image in
                    passage.new.map { image[$0.column] ?? .null }
                }
                guard let new = try passage.values(of: old) ?? kept, !new.contains(.null) else { return nil }
                let name = passage.name(new)
                return name == json ? nil : [FieldValue(name)]
            }
        }
    }

    // MARK: What waits

    /// Has references that wait for records belong to their owners under the new identifiers.
    func passPending(_ target: Target) throws {
        let pending = database.ledger("pending")
        let waiting = try database.rows(
            "SELECT p.key, p.field, p.target_key, p.rule FROM \(pending) AS p WHERE \"table\" = ?1",
            [FieldValue(target.table)])
        if waiting.isEmpty { return }
        let isOwner = try target.old.enumerated().map { index, slot in
            "t.\(SQLText.quoted(slot.column)) = \(try database.element("?1", index, for: slot.column, of: target.table))"
        }.joined(separator: " AND ")
        let new = database.jsonArray(target.columns.map { "t.\(SQLText.quoted($0))" })
        for entry in waiting {
            let key = try database.rows(
                "SELECT \(new) FROM \(database.table(target.table)) AS t WHERE \(isOwner)", [entry[0]]
            ).first?.first
            guard let key, key != entry[0] else { continue }
            try database.run(
                "UPDATE \(pending) SET key = ?5 WHERE \"table\" = ?1 AND key = ?2 AND field = ?3 AND target_key = ?4",
                [FieldValue(target.table), entry[0], entry[1], entry[2], key])
        }
    }
}

/// Copies rows of a base to one by other identifiers. All of them are looked at again.
private struct BaseCopy {
    private let database: any SQLDatabase
    private let sql: String

    init(_ database: any SQLDatabase, from base: String, _ old: [String], to new: String, _ columns: [String]) {
        self.database = database
        let names = SQLText.list(columns.map { TableLayout.baseColumn(for: $0) })
        let rest = "fields, state, open, first_run, last_run"
        sql = """
            INSERT INTO \(database.table(new)) (\(names), row_hash, \(rest))
            SELECT \(SQLText.parameters(columns.count, from: old.count + 1)), \(BaseImage.voidHash), \(rest)
            FROM \(database.table(base)) WHERE \(SQLText.match(old))
            """
    }

    /// Copies rows: of each the old identifier and the new one.
    func perform(_ keys: [[FieldValue]]) throws { try database.run(sql, each: keys) }
}

internal import SluiceJSON
internal import SluiceModel
internal import SluiceStore

/// Writes new names into all that the store keeps under old ones.
package struct NameChange {
    let database: any SQLDatabase

    /// Makes it for a database.
    package init(database: any SQLDatabase) { self.database = database }

    private var registry: EntityRegistry { EntityRegistry(database: database) }

    // MARK: Sources

    /// Has a source go on under another name.
    func rename(_ old: RecordMapping, to new: RecordMapping) throws {
        let (from, to) = (EntityRegistry.name(old), EntityRegistry.name(new))
        for kind in ["mapping", "deletes", EntityRegistry.emptiedKind, "unique"] {
            try registry.rename(kind, from, to: to)
        }
        for kind in EntityRegistry.kindsOfFields {
            for entry in try registry.entries(kind, prefix: from + "/") {
                let rest = String(decoding: entry.name.utf8.dropFirst(from.utf8.count), as: UTF8.self)
                try registry.rename(kind, entry.name, to: to + rest)
            }
        }
        let names = [old.pipeline, old.stream, old.entity, new.pipeline, new.stream, new.entity].map { FieldValue($0) }
        for ledger in ["conflicts", "quarantine", "changes"] {
            try database.run(
                """
                UPDATE \(database.ledger(ledger)) SET pipeline = ?4, stream = ?5, entity = ?6
                WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3
                """, names)
        }
        if old.path != new.path { try renameStream(old, to: new) }
    }

    private func renameStream(_ old: RecordMapping, to new: RecordMapping) throws {
        let names = [old.pipeline, old.stream, new.pipeline, new.stream].map { FieldValue($0) }
        let state = database.ledger("state")
        try database.run(
            "UPDATE \(database.ledger("conflicts")) SET other_source = ?2 WHERE other_source = ?1",
            [FieldValue(old.path), FieldValue(new.path)])
        try database.run(
            """
            DELETE FROM \(state) WHERE pipeline = ?3 AND stream = ?4 AND EXISTS (SELECT 1 FROM \(state) AS o
            WHERE o.pipeline = ?1 AND o.stream = ?2 AND o.part = _sluice_state.part AND o.name = _sluice_state.name)
            """, names)
        try database.run(
            "UPDATE \(state) SET pipeline = ?3, stream = ?4 WHERE pipeline = ?1 AND stream = ?2", names)
        try database.run(
            """
            UPDATE \(database.ledger("changes")) SET pipeline = ?3, stream = ?4
            WHERE kind = 'state' AND pipeline = ?1 AND stream = ?2
            """, names)
        try renameInOrders(old.path, to: new.path)
        if old.stream != new.stream {
            // Files of other pipelines may name it as it was called.
            try database.run(
                """
                INSERT INTO \(state) (pipeline, stream, part, name, value) VALUES (?1, ?2, '', ?3, '1')
                ON CONFLICT (pipeline, stream, part, name) DO NOTHING
                """, [names[2], names[3], FieldValue(StateKind.formerName.rawValue + old.stream)])
        }
        // A scan that was broken off under the old name begins anew.
        for table in ["scans", "scan_pages"] {
            try database.run(
                "DELETE FROM \(database.ledger(table)) WHERE pipeline = ?1 AND stream = ?2", Array(names.prefix(2)))
        }
        if old.pipeline == new.pipeline { return }
        try SharedPartitions(database).remove(of: old.pipeline)
        let pipelines = [names[0], names[2]]
        try database.run("UPDATE \(database.ledger("runs")) SET pipeline = ?2 WHERE pipeline = ?1", pipelines)
        try database.run(
            """
            DELETE FROM \(state) WHERE pipeline = ?2 AND stream = '' AND EXISTS (SELECT 1 FROM \(state) AS o
            WHERE o.pipeline = ?1 AND o.stream = '' AND o.part = _sluice_state.part AND o.name = _sluice_state.name)
            """, pipelines)
        try database.run("UPDATE \(state) SET pipeline = ?2 WHERE pipeline = ?1 AND stream = ''", pipelines)
    }

    /// Has the orders among sources name a source as it is called now.
    private func renameInOrders(_ old: String, to new: String) throws {
        let state = database.ledger("state")
        let rows = try database.rows(
            "SELECT pipeline, stream, value FROM \(state) WHERE part = '' AND name = ?1",
            [FieldValue(StateKind.order.rawValue)])
        for row in rows {
            let lines = (row[2].string ?? "").split(separator: "\n", omittingEmptySubsequences: false)
            // One that gives records only within others stands there with its entity.
            let renamed = lines.map { line in
                line == old ? new : line.hasPrefix(old + "/") ? new + line.dropFirst(old.count) : String(line)
            }.joined(separator: "\n")
            if renamed == row[2].string { continue }
            try database.run(
                "UPDATE \(state) SET value = ?4 WHERE pipeline = ?1 AND stream = ?2 AND part = '' AND name = ?3",
                [row[0], row[1], FieldValue(StateKind.order.rawValue), FieldValue(renamed)])
        }
    }

    // MARK: Fields

    /// Has a field of a source go on under another name.
    func rename(field old: EntityRegistry.Slot, to new: String, of source: RecordMapping, base: String) throws {
        let mapping = EntityRegistry.name(source)
        try free(new, from: old, of: mapping)
        for kind in EntityRegistry.kindsOfFields {
            try registry.rename(kind, "\(mapping)/\(old.field)", to: "\(mapping)/\(new)")
        }
        let values = [source.pipeline, source.stream, source.entity, old.field, new].map { FieldValue($0) }
        let isMeant = "pipeline = ?1 AND stream = ?2 AND entity = ?3"
        try database.run(
            "UPDATE \(database.ledger("conflicts")) SET field = ?5 WHERE \(isMeant) AND field = ?4", values)
        try database.run(
            """
            UPDATE \(database.ledger("changes")) SET field = ?5
            WHERE \(isMeant) AND kind IN ('field', 'conflict') AND field = ?4
            """, values)
        if let table = try registry.tables(of: mapping)?.table {
            let pending = database.ledger("pending")
            try database.run(
                """
                DELETE FROM \(pending) WHERE "table" = ?1 AND field = ?3 AND EXISTS (SELECT 1 FROM \(pending) AS o
                WHERE o."table" = ?1 AND o.field = ?2 AND o.key = _sluice_pending.key
                AND o.target_key = _sluice_pending.target_key)
                """, [FieldValue(table), values[3], values[4]])
            try database.run(
                "UPDATE \(pending) SET field = ?3 WHERE \"table\" = ?1 AND field = ?2",
                [FieldValue(table), values[3], values[4]])
        }
        let kinds = [SchemaChange.Kind.addColumn, .changeType, .renameColumn, .redactValues].map {
            SQLText.literal($0.rawValue)
        }
        .joined(separator: ", ")
        try database.run(
            """
            UPDATE \(database.ledger("changes")) SET field = ?5 WHERE \(isMeant) AND kind = 'schema'
            AND class IN (\(kinds)) AND field = ?4
            """, values)
        try renameKept(old.field, to: new, of: source)
        let names = ObjectNames(old: old.field, new: new)
        try rewrite("conflicts", ["base", "local", "remote"], of: source, where: "field IS NULL", names.renamed)
        try HistoryImages(database).changeConflicts(of: source) { side, field in
            field == nil ? side.string.flatMap(names.renamed).map { FieldValue($0) } ?? side : side
        }
        if old.keyPosition != nil {
            for ledger in ["conflicts", "quarantine", "changes"] {
                try rewrite(ledger, ["key"], of: source, where: "key IS NOT NULL", names.renamed)
            }
        }
        // The hash of a record is made with the names of its fields.
        try database.execute("UPDATE \(database.table(base)) SET row_hash = \(BaseImage.voidHash), text_hash = NULL")
        try renameInSchema(values)
    }

    /// Has a field that had a name before keep its place in the bases, and nothing else: what stands behind it there is told by
    /// its place alone.
    private func free(_ name: String, from field: EntityRegistry.Slot, of mapping: String) throws {
        guard let former = try registry.slots(of: mapping).first(where: { $0.field == name }), former != field else {
            return
        }
        try registry.retire(former, of: mapping)
        for kind in EntityRegistry.kindsOfFields { try registry.remove(kind, "\(mapping)/\(name)") }
    }

    /// What runs did to the type of a field is taken back by the field's name.
    private func renameInSchema(_ values: [FieldValue]) throws {
        try database.run(
            """
            UPDATE \(database.ledger("changes")) SET field = ?5 WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3
            AND kind = 'schema' AND class = \(SQLText.literal(SchemaChange.Kind.changeType.rawValue)) AND field = ?4
            """, values)
    }

    /// Indexes that runs made or dropped, and values that they redacted, know their columns by name.
    private func renameInSchema(_ mapping: String, _ renamed: (String) -> String) throws {
        guard let source = EntityRegistry.mapping(mapping) else { return }
        let kinds: [SchemaChange.Kind] = [.addColumn, .createIndex, .dropIndex, .redactValues]
        try database.eachEntry(
            of: "changes", "key", source,
            "kind = 'schema' AND class IN (\(kinds.map { SQLText.literal($0.rawValue) }.joined(separator: ", "))) AND key IS NOT NULL"
        ) { id, row in
            let columns = (row[0].string ?? "").split(separator: "\n").map { renamed(String($0)) }
            try database.run(
                "UPDATE \(database.ledger("changes")) SET key = ?2 WHERE id = ?1",
                [id, FieldValue(columns.joined(separator: "\n"))])
        }
    }

    /// Values that changes of a type put into the quarantine are known by their field.
    private func renameKept(_ old: String, to new: String, of source: RecordMapping) throws {
        let (from, to) = (QuarantineEntry.typeChange + old, QuarantineEntry.typeChange + new)
        let length = from.unicodeScalars.count
        let values = [source.pipeline, source.stream, source.entity, from, from + ":", to].map { FieldValue($0) }
        for (ledger, column, more) in [
            (
                "quarantine", "reason",
                ", pointer = \(SQLText.literal("/" + new)), message = replace(message, \(SQLText.literal("`\(old)`")), \(SQLText.literal("`\(new)`")))"
            ), ("changes", "class", ""),
        ] {
            let isMeant = ledger == "changes" ? " AND kind = 'quarantine'" : ""
            try database.run(
                """
                UPDATE \(database.ledger(ledger)) SET \(column) = ?6 || substr(\(column), \(length + 1))\(more)
                WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3\(isMeant)
                AND (\(column) = ?4 OR substr(\(column), 1, \(length + 1)) = ?5)
                """, values)
        }
    }

    /// Changes texts of a ledger's entries of a source, some at a time.
    private func rewrite(
        _ ledger: String, _ columns: [String], of source: RecordMapping, where condition: String,
        _ change: (String) -> String?
    ) throws {
        let table = database.ledger(ledger)
        let assignments = columns.enumerated().map { "\($1) = ?\($0 + 2)" }.joined(separator: ", ")
        var last = Int64.min
        while true {
            let rows = try database.rows(
                """
                SELECT id, \(columns.joined(separator: ", ")) FROM \(table) WHERE pipeline = ?1 AND stream = ?2
                AND entity = ?3 AND id > ?4 AND \(condition) ORDER BY id LIMIT 500
                """,
                [
                    FieldValue(source.pipeline), FieldValue(source.stream), FieldValue(source.entity), .integer(last),
                ])
            for row in rows {
                let changed = row.dropFirst().map { value in
                    value.string.flatMap(change).map { FieldValue($0) } ?? value
                }
                if changed == Array(row.dropFirst()) { continue }
                try database.run("UPDATE \(table) SET \(assignments) WHERE id = ?1", [row[0]] + changed)
            }
            guard let next = rows.last?[0].number else { return }
            last = next
        }
    }

    // MARK: Tables and columns

    /// Records that a table was renamed.
    func recordTable(_ old: String, is new: String) throws {
        for mapping in try registry.mappings(of: old) {
            guard let base = try registry.tables(of: mapping)?.base else { continue }
            try registry.record(base: base, table: new, of: mapping)
        }
        try rewriteEdits(of: old) { $0[0] = [new] }
        let prefix = old.lowercased() + "/"
        for entry in try registry.entries("form", prefix: prefix) {
            let rest = String(decoding: entry.name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
            try registry.rename("form", entry.name, to: "\(new.lowercased())/\(rest)")
        }
        for kind in ["index", ReferredIndexes.kind] {
            for entry in try registry.entries(kind, prefix: old + "/") {
                let rest = String(decoding: entry.name.utf8.dropFirst(old.utf8.count), as: UTF8.self)
                try registry.rename(kind, entry.name, to: new + rest)
            }
        }
        try registry.rename("unique", "table/\(old)", to: "table/\(new)")
        try registry.rename("made", old, to: new)
        try StandingStubs(database: database).recordTable(old, is: new)
        let names = [FieldValue(old), FieldValue(new)]
        try database.run("UPDATE \(database.ledger("pending")) SET \"table\" = ?2 WHERE \"table\" = ?1", names)
        // A row that was made for others that refer to it is noted by its table.
        try database.run(
            "UPDATE \(database.ledger("changes")) SET field = ?2 WHERE kind = 'stub' AND field = ?1", names)
        try registry.rewriteReferences { parts in
            if parts[1].first?.lowercased() == old.lowercased() { parts[1] = [new] }
        }
    }

    /// Records that a column of a table was renamed, whoever fills it.
    func recordColumn(_ old: String, of table: String, is new: String) throws {
        let folded = old.lowercased()
        func renamed(_ name: String) -> String { name.lowercased() == folded ? new : name }
        try registry.rename(
            "form", "\(table.lowercased())/\(folded)", to: "\(table.lowercased())/\(new.lowercased())")
        let mappings = try registry.mappings(of: table)
        for name in mappings + ["table/\(table)"] {
            guard let groups = try registry.entry("unique", name) else { continue }
            let now = EntityRegistry.lists(groups).map { $0.map(renamed).joined(separator: "\n") }
            try registry.put("unique", name, now.joined(separator: "\t"))
        }
        for mapping in try rewriteEdits(
            of: table,
            { parts in
                (parts[1], parts[3]) = (parts[1].map(renamed), parts[3].map(renamed))
            })
        {
            try renameInHistory(EntityRegistry.name(mapping), renamed)
        }
        for mapping in mappings {
            for var slot in try registry.slots(of: mapping) where slot.column.lowercased() == folded {
                slot.column = new
                try registry.record(slot, of: mapping)
                guard slot.keyPosition != nil, let base = try registry.tables(of: mapping)?.base else { continue }
                let (from, to) = (TableLayout.baseColumn(for: old), TableLayout.baseColumn(for: new))
                try database.execute(
                    "ALTER TABLE \(database.table(base)) RENAME COLUMN \(SQLText.quoted(from)) TO \(SQLText.quoted(to))"
                )
            }
            try renameInHistory(mapping, renamed)
            try renameInSchema(mapping, renamed)
        }
        try renameStubs(of: table, renamed)
        try StandingStubs(database: database).recordColumn(old, of: table, is: new)
        try registry.rewriteReferences { parts in
            if parts[1].first?.lowercased() == table.lowercased() { parts[2] = parts[2].map(renamed) }
        }
        for mapping in mappings { try registry.rewriteReferences(of: mapping) { $0[3] = $0[3].map(renamed) } }
    }

    /// Has what programs wrote of their own go on under another name of a field.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - column: The field's column, under its name of now.
    ///   - name: The field's name.
    /// - Throws: What the database throws.
    func renameEdits(of table: String, column: String, to name: String) throws {
        var old: String?
        var isKey = false
        let isOther = { (parts: inout [[String]]) in
            guard let place = parts[3].firstIndex(where: { ColumnName.areSame($0, column) }), parts[2][place] != name
            else { return }
            old = parts[2][place]
            isKey = parts[1].contains { ColumnName.areSame($0, column) }
            parts[2][place] = name
        }
        for mapping in try registry.edits(of: table) {
            old = nil
            try rewriteEdits(of: mapping, isOther)
            guard let old else { continue }
            try database.run(
                """
                UPDATE \(database.ledger("changes")) SET field = ?5
                WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND kind = 'field' AND field = ?4
                """, [mapping.pipeline, mapping.stream, mapping.entity, old, name].map { FieldValue($0) })
            if !isKey { continue }
            try rewrite(
                "changes", ["key"], of: mapping, where: "key IS NOT NULL", ObjectNames(old: old, new: name).renamed)
        }
    }

    /// Records that a table of pairs was renamed, or columns of it: for the sources that fill it, and for what programs wrote to it.
    ///
    /// - Parameters:
    ///   - old: The name of the table before.
    ///   - new: Its name of now.
    ///   - columns: The names of the columns of its key, before and now.
    /// - Throws: What the database throws.
    package func recordPairs(_ old: String, is new: String, columns: [(old: String, new: String)]) throws {
        try passReferences(old, new, columns)
        try passEdits(ofPairs: old, on: new, columns: columns)
    }

    /// What sources know of a table of pairs.
    private func passReferences(_ old: String, _ new: String, _ columns: [(old: String, new: String)]) throws {
        try registry.rewriteReferences { parts in
            guard parts[4].first.map({ ColumnName.areSame($0, old) }) ?? false else { return }
            func renamed(_ name: String) -> String { columns.first { ColumnName.areSame($0.old, name) }?.new ?? name }
            (parts[4], parts[5], parts[6]) = ([new], parts[5].map(renamed), parts[6].map(renamed))
        }
    }

    /// Has what programs wrote to a table of pairs, and had kept, go on under the names of now. The sources of other pipelines have to say
    /// it themselves.
    ///
    /// - Parameters:
    ///   - old: The name of the table before.
    ///   - new: Its name of now.
    ///   - columns: The names of the columns of its key, before and now.
    /// - Throws: What the database throws.
    func passEdits(ofPairs old: String, on new: String, columns: [(old: String, new: String)]) throws {
        try rewriteEdits(of: old) { $0[0] = [new] }
        for (from, to) in columns where !ColumnName.areSame(from, to) {
            func renamed(_ name: String) -> String { ColumnName.areSame(name, from) ? to : name }
            for mapping in try rewriteEdits(
                of: new,
                { parts in
                    (parts[1], parts[3]) = (parts[1].map(renamed), parts[3].map(renamed))
                })
            {
                try renameInHistory(EntityRegistry.name(mapping), renamed)
            }
            try renameEdits(of: new, column: to, to: to)
        }
    }

    /// Changes what the store knows of a table to which programs write of their own.
    ///
    /// - Returns: The names under which it is known.
    @discardableResult
    private func rewriteEdits(of table: String, _ change: (inout [[String]]) -> Void) throws -> [RecordMapping] {
        let mappings = try registry.edits(of: table)
        for mapping in mappings { try rewriteEdits(of: mapping, change) }
        return mappings
    }

    private func rewriteEdits(of mapping: RecordMapping, _ change: (inout [[String]]) -> Void) throws {
        let name = EntityRegistry.name(mapping)
        guard let value = try registry.entry(EntityRegistry.editKind, name) else { return }
        var parts = EntityRegistry.lists(value)
        guard parts.count == 5, parts[2].count == parts[3].count else { return }
        change(&parts)
        try registry.put(EntityRegistry.editKind, name, EntityRegistry.value(parts))
    }

    /// Rows that were made for others that refer to them know the columns of their table by name, and those of its key.
    private func renameStubs(of table: String, _ renamed: (String) -> String) throws {
        let changes = database.ledger("changes")
        for found in try database.rows(
            "SELECT id, new, row FROM \(changes) WHERE kind = 'stub' AND field = ?1", [FieldValue(table)])
        {
            guard let bytes = found[2].bytes, var image = RowImage(encoded: bytes) else { continue }
            for index in image.columns.indices { image.columns[index].name = renamed(image.columns[index].name) }
            let key = (database.unpacked(found[1]).string ?? "").split(separator: "\n").map { renamed(String($0)) }
            try database.run(
                "UPDATE \(changes) SET new = ?2, row = ?3 WHERE id = ?1",
                [found[0], database.packed(FieldValue(key.joined(separator: "\n"))), .blob(image.encoded)])
        }
    }

    /// Rows that undo puts back know their columns by name.
    private func renameInHistory(_ mapping: String, _ renamed: (String) -> String) throws {
        guard let source = EntityRegistry.mapping(mapping) else { return }
        let changes = database.ledger("changes")
        var last: Int64 = 0
        while true {
            let found = try database.rows(
                """
                SELECT id, row FROM \(changes)
                WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND kind <> 'stub' AND row IS NOT NULL AND id > ?4
                ORDER BY id LIMIT 500
                """,
                [FieldValue(source.pipeline), FieldValue(source.stream), FieldValue(source.entity), .integer(last)])
            for row in found {
                guard let bytes = row[1].bytes, var image = RowImage(encoded: bytes) else { continue }
                for index in image.columns.indices { image.columns[index].name = renamed(image.columns[index].name) }
                try database.run("UPDATE \(changes) SET row = ?2 WHERE id = ?1", [row[0], .blob(image.encoded)])
            }
            guard let next = found.last?[0].number else { return }
            last = next
        }
    }
}

/// Renames a member of JSON objects, and of objects within an array; all else of a text stays as it is.
private struct ObjectNames {
    let old: String
    let new: String

    /// The text with the new name; nil where nothing of it has the old one.
    func renamed(_ json: String) -> String? {
        guard let root = try? JSONDocument(json).root else { return nil }
        switch root.kind {
        case .object: return renamed(root).map { String(decoding: $0, as: UTF8.self) }
        case .array:
            let elements = root.elements.map { renamed($0) ?? $0.json }
            if elements == root.elements.map(\.json) { return nil }
            return "[" + elements.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",") + "]"
        default: return nil
        }
    }

    private func renamed(_ object: JSONValue) -> [UInt8]? {
        guard object.kind == .object, object.member(named: old) != nil else { return nil }
        let members = object.members.map { member in
            let name = member.name == old ? new : member.name
            return FieldJSON.quoted(name) + ":" + String(decoding: member.value.json, as: UTF8.self)
        }
        return Array(("{" + members.joined(separator: ",") + "}").utf8)
    }
}

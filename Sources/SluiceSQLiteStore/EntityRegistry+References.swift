internal import SluiceModel
internal import SluiceSQLite

/// References, so that what dangles and what waits can be settled without the pipelines' files.
///
///     kind        name                        value
///     reference   shop/books/Book/author      defer ⇥ people ⇥ id ⇥ author_id ⇥ ⇥ ⇥
///     reference   shop/books/Book/labels      stub ⇥ labels ⇥ id ⇥ labels ⇥ book_labels ⇥ book_id ⇥ label_id
///
/// Several columns of one kind have a line feed between them.
extension EntityRegistry {
    /// A reference with the tables that it joins.
    struct Reference: Equatable {
        /// What fills the owner's table.
        var mapping: String
        /// The owner's table.
        var table: String
        /// The columns of the owner's key.
        var keyColumns: [String]
        /// The fields of the owner's key.
        var keyFields: [String]
        var name: String
        var rule: RecordReference.DanglingRule
        var target: String
        var targetColumns: [String]
        /// The columns that hold it; the name of the field where it has a table.
        var columns: [String]
        var link: RecordLink?

        /// Whether it is part of the owner's key, so that it cannot be null.
        var isInKey: Bool {
            let keys = Set(keyColumns.map { $0.lowercased() })
            return link == nil && columns.contains { keys.contains($0.lowercased()) }
        }

        /// What tells two references apart: where their values stand.
        var place: [String] { ([link?.table ?? table] + (link == nil ? columns : [])).map { $0.lowercased() } }
    }

    /// All references of the store, those of one place once, by mapping and name.
    func references() throws(SQLiteError) -> [Reference] {
        var known: Set<[String]> = []
        var found: [Reference] = []
        let rows = try connection.rows("SELECT name, value FROM _sluice_schema WHERE kind = 'reference' ORDER BY name")
        for row in rows {
            guard let reference = try reference(row[0], row[1]) else { continue }
            // The table may be gone, and the reference with it.
            let columns = try columns(of: reference.link?.table ?? reference.table)
            let wanted = reference.link.map { $0.ownerColumns + $0.targetColumns } ?? reference.columns
            guard wanted.allSatisfy({ columns.contains($0.lowercased()) }) else { continue }
            if known.insert(reference.place).inserted { found.append(reference) }
        }
        return found
    }

    /// The mappings of the same stream whose records belong to those of another one.
    func children(of mapping: RecordMapping) throws(SQLiteError) -> [RecordMapping] {
        guard let owner = try tables(of: Self.name(mapping)) else { return [] }
        return try references().filter {
            $0.rule == .owner && $0.target.lowercased() == owner.table.lowercased()
        }.compactMap { Self.mapping($0.mapping) }.filter {
            $0.pipeline == mapping.pipeline && $0.stream == mapping.stream
        }
    }

    /// The references of a mapping, with the positions of their fields in its slots.
    func references(of mapping: String, fields: [RecordSchema.Field]) throws(SQLiteError) -> [RecordReference] {
        let rows = try connection.rows(
            """
            SELECT name, value FROM _sluice_schema
            WHERE kind = 'reference' AND substr(name, 1, length(?1) + 1) = ?1 || '/' ORDER BY name
            """, [SQLiteValue(mapping)])
        var found: [RecordReference] = []
        for row in rows {
            guard let reference = try reference(row[0], row[1]) else { continue }
            let positions = reference.columns.compactMap { name in
                fields.firstIndex { $0.column.lowercased() == name.lowercased() }
            }
            if positions.count != reference.columns.count { continue }
            found.append(
                RecordReference(
                    name: reference.name, fields: positions, target: reference.target,
                    targetColumns: reference.targetColumns, link: reference.link, onDangling: reference.rule))
        }
        return found
    }

    /// The names of the fields of a mapping that have a table of their own.
    func links(of mapping: String) throws(SQLiteError) -> Set<String> {
        let rows = try connection.rows(
            """
            SELECT name, value FROM _sluice_schema
            WHERE kind = 'reference' AND substr(name, 1, length(?1) + 1) = ?1 || '/'
            """, [SQLiteValue(mapping)])
        var names: Set<String> = []
        for row in rows {
            if let reference = try reference(row[0], row[1]), reference.link != nil { names.insert(reference.name) }
        }
        return names
    }

    /// Writes the references of a mapping, where they are not known as they are.
    func note(_ references: [RecordReference], schema: RecordSchema, of mapping: String) throws(SQLiteError) {
        let names = references.map { SQLText.literal("\(mapping)/\($0.name)") }.joined(separator: ", ")
        try connection.run(
            """
            DELETE FROM _sluice_schema WHERE kind = 'reference' AND substr(name, 1, length(?1) + 1) = ?1 || '/'
            AND name NOT IN (\(names))
            """, [SQLiteValue(mapping)])
        for reference in references {
            let columns = reference.fields.map { schema.fields[$0].column }
            let parts = [
                [reference.onDangling.rawValue], [reference.target], reference.targetColumns, columns,
                [reference.link?.table ?? ""], reference.link?.ownerColumns ?? [], reference.link?.targetColumns ?? [],
            ]
            let value = parts.map { $0.joined(separator: "\n") }.joined(separator: "\t")
            try connection.run(
                """
                INSERT INTO _sluice_schema (kind, name, value) VALUES ('reference', ?1, ?2)
                ON CONFLICT (kind, name) DO UPDATE SET value = ?2 WHERE value <> ?2
                """, [SQLiteValue("\(mapping)/\(reference.name)"), SQLiteValue(value)])
        }
    }

    /// The table of links of a field; nil where the store knows none.
    func link(_ field: String, of mapping: String) throws(SQLiteError) -> RecordLink? {
        let rows = try connection.rows(
            "SELECT name, value FROM _sluice_schema WHERE kind = 'reference' AND name = ?1",
            [SQLiteValue("\(mapping)/\(field)")])
        guard let row = rows.first else { return nil }
        return try reference(row[0], row[1])?.link
    }

    /// Changes the words of references, each part of them a list; of all mappings, or of one.
    func rewriteReferences(of mapping: String? = nil, _ change: (inout [[String]]) -> Void) throws(SQLiteError) {
        let rows = try connection.rows("SELECT name, value FROM _sluice_schema WHERE kind = 'reference'")
        for row in rows {
            if let mapping, !Self.text(row[0]).hasPrefix(mapping + "/") { continue }
            var parts = Self.parts(row[1]).map { $0.split(separator: "\n").map(String.init) }
            if parts.count != 7 { continue }
            change(&parts)
            try connection.run(
                "UPDATE _sluice_schema SET value = ?2 WHERE kind = 'reference' AND name = ?1",
                [row[0], SQLiteValue(parts.map { $0.joined(separator: "\n") }.joined(separator: "\t"))])
        }
    }

    /// Whether a table of links belongs to any reference.
    func knows(link table: String) throws(SQLiteError) -> Bool {
        let folded = table.lowercased()
        return try references().contains { $0.link?.table.lowercased() == folded }
    }

    private func reference(_ name: SQLiteValue, _ value: SQLiteValue) throws(SQLiteError) -> Reference? {
        // A mapping has two slashes; the field's name may hold more.
        let path = Self.text(name).split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let parts = Self.parts(value).map { $0.split(separator: "\n").map(String.init) }
        guard path.count == 4, parts.count == 7, let rule = parts[0].first, let target = parts[1].first,
            let rule = RecordReference.DanglingRule(rawValue: rule)
        else { return nil }
        let mapping = path[0..<3].joined(separator: "/")
        guard let tables = try tables(of: mapping) else { return nil }
        let keys = try slots(of: mapping).filter { $0.keyPosition != nil }
            .sorted { ($0.keyPosition ?? 0) < ($1.keyPosition ?? 0) }
        let link = parts[4].first.map { RecordLink(table: $0, ownerColumns: parts[5], targetColumns: parts[6]) }
        return Reference(
            mapping: mapping, table: tables.table, keyColumns: keys.map(\.column), keyFields: keys.map(\.field),
            name: String(path[3]), rule: rule,
            target: target, targetColumns: parts[2], columns: parts[3], link: link)
    }
}

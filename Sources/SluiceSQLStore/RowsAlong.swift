package import SluiceModel
package import SluiceStore

/// Rows of records that foreign keys of the database delete along with rows of a table (`ON DELETE CASCADE`), or of which they make
/// columns null (`SET NULL`).
///
/// A store does it itself before, so that the history has it and an undo takes it back. References that
/// are let go, see ``ReleasedReferences``, lead to nothing by then.
package struct RowsAlong {
    private static let chunk = 100

    /// A table whose rows go along.
    package struct Place {
        /// What fills it, and how.
        package let layouts: [TableLayout]
        fileprivate let key: SQLForeignKey
        /// The columns that become null; none where the rows go.
        package var emptied: [String] { key.onDelete == "CASCADE" ? [] : key.columns }

        /// What becomes of a row.
        ///
        /// - Parameter key: Its key, as bases have it.
        /// - Returns: The write, which leaves the base as it is.
        package func write(_ key: RecordKey) -> RecordWrite {
            let columns = emptied.map { RowImage.Column(name: $0, value: .null) }
            return RecordWrite(key: key, row: columns.isEmpty ? .delete : .set(columns), base: nil)
        }
    }

    private let database: any SQLDatabase
    private let schema: RecordSchema
    private let places: [Place]

    /// Finds the tables whose rows go along with those of a table.
    ///
    /// - Parameters:
    ///   - schema: The table whose rows go.
    ///   - database: Where it is.
    /// - Throws: What the database throws.
    package init(with schema: RecordSchema, database: any SQLDatabase) throws {
        (self.database, self.schema) = (database, schema)
        let keys = try database.referrers(to: schema.table)
            // Of several columns PostgreSQL may leave some as they are: `SET NULL (COLUMN)`.
            .filter { $0.key.onDelete == "CASCADE" || $0.key.onDelete == "SET NULL" && $0.key.columns.count == 1 }
        if keys.isEmpty {
            places = []
            return
        }
        let registry = EntityRegistry(database: database)
        places = try keys.compactMap { table, key in
            let layouts = try registry.sources(of: table).compactMap { try TableLayout.known($0, database) }
            guard !layouts.isEmpty else { return nil }
            let complete = try database.completeForeignKeys(of: table).first {
                $0.columns == key.columns && ColumnName.areSame($0.target, key.target)
            }
            return Place(layouts: layouts, key: complete ?? key)
        }
    }

    /// Whether there may be any.
    package var mayBe: Bool { !places.isEmpty }

    /// The rows that go along with some, by their tables.
    ///
    /// - Parameter keys: The keys of the rows that go, as the table has them.
    /// - Returns: The keys of those that go along, as their tables have them.
    /// - Throws: What the database throws.
    package func rows(with keys: [RecordKey]) throws -> [(place: Place, keys: [RecordKey])] {
        let going = Set(keys)
        return try places.compactMap { place in
            guard let layout = place.layouts.first else { return nil }
            var found: [RecordKey] = []
            for start in stride(from: 0, to: keys.count, by: Self.chunk) {
                let some = keys[start..<min(start + Self.chunk, keys.count)]
                found += try database.rows(query(layout, place.key, some.count), some.flatMap(\.values))
                    .map { RecordKey($0) }
            }
            // What goes anyhow does not go along.
            if ColumnName.areSame(layout.schema.table, schema.table) { found.removeAll(where: going.contains) }
            return found.isEmpty ? nil : (place, found)
        }
    }

    /// The keys of the rows that refer to so many rows.
    private func query(_ layout: TableLayout, _ key: SQLForeignKey, _ count: Int) -> String {
        let own = layout.keyColumns.map { "o.\(SQLText.quoted($0))" }.joined(separator: ", ")
        let columns = schema.keyFields.map { schema.fields[$0].column }
        let going = (0..<count).map { index in
            columns.enumerated().map { "t.\(SQLText.quoted($1)) = ?\(index * columns.count + $0 + 1)" }
                .joined(separator: " AND ")
        }.joined(separator: " OR ")
        let leads = zip(key.columns, key.targetColumns).map { "o.\(SQLText.quoted($0)) = t.\(SQLText.quoted($1))" }
            .joined(separator: " AND ")
        return """
            SELECT DISTINCT \(own) FROM \(database.table(layout.schema.table)) AS o
            JOIN \(database.table(schema.table)) AS t ON \(leads) WHERE \(going) ORDER BY \(own)
            """
    }

    /// The records of some rows by the source that has them: of several, the first one that has a base of it.
    ///
    /// - Parameters:
    ///   - keys: The keys, as bases have them.
    ///   - place: Their table.
    /// - Returns: The records of each source.
    /// - Throws: What the database throws.
    package func records(_ keys: [RecordKey], of place: Place) throws -> [(layout: TableLayout, keys: [RecordKey])] {
        guard let first = place.layouts.first, place.layouts.count > 1 else {
            return place.layouts.map { ($0, keys) }
        }
        var rest = keys
        var records: [(layout: TableLayout, keys: [RecordKey])] = []
        for layout in place.layouts {
            let known = try rest.filter { key in
                try key.values.count == layout.baseKeyColumns.count
                    && database.hasRow(
                        """
                        SELECT 1 FROM \(database.table(layout.baseTable))
                        WHERE \(SQLText.match(layout.baseKeyColumns)) AND state IN (\(Dangling.Base.live))
                        """, key.values)
            }
            rest.removeAll(where: Set(known).contains)
            if !known.isEmpty { records.append((layout, known)) }
        }
        return rest.isEmpty ? records : records + [(first, rest)]
    }
}

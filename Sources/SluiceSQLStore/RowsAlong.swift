package import SluiceModel

/// Rows of records that foreign keys of the database (`ON DELETE CASCADE`) delete along with rows of a table.
///
/// A store deletes them itself before those, so that the history has them whole and an undo brings them back. References that
/// are let go, see ``ReleasedReferences``, lead to nothing by then.
package struct RowsAlong {
    private static let chunk = 100

    /// A table whose rows go along.
    package struct Place {
        /// What fills it, and how.
        package let layouts: [TableLayout]
        fileprivate let key: SQLForeignKey
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
        let keys = try database.referrers(to: schema.table).filter { $0.key.onDelete == "CASCADE" }
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

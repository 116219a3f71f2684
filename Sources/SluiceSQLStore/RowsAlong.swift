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
        /// Where the values stand that become null.
        var standing: EmptiedPlace {
            let isGiven = layouts.contains { layout in
                layout.schema.fields.contains { field in
                    !field.isGivenUp && emptied.contains { ColumnName.areSame($0, field.column) }
                }
            }
            return EmptiedPlace(
                table: layouts.first?.schema.table ?? "", columns: emptied, standing: isGiven ? .given : .beside)
        }

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
    /// The foreign keys of people's own tables that become null.
    private let foreign: [(table: String, key: SQLForeignKey)]

    /// Finds the tables whose rows go along with those of a table.
    ///
    /// - Parameters:
    ///   - schema: The table whose rows go.
    ///   - database: Where it is.
    /// - Throws: What the database throws.
    package init(with schema: RecordSchema, database: any SQLDatabase) throws {
        (self.database, self.schema) = (database, schema)
        let registry = EntityRegistry(database: database)
        var places: [Place] = []
        var foreign: [(table: String, key: SQLForeignKey)] = []
        for (table, key) in try database.referrers(to: schema.table)
        where ["CASCADE", "SET NULL"].contains(key.onDelete) {
            let layouts = try registry.sources(of: table).compactMap { try TableLayout.known($0, database) }
            let complete =
                try database.completeForeignKeys(of: table).first {
                    $0.columns == key.columns && ColumnName.areSame($0.target, key.target)
                } ?? key
            if !layouts.isEmpty {
                // Of several columns PostgreSQL may leave some as they are: `SET NULL (COLUMN)`.
                let isWhole = key.onDelete == "CASCADE" || key.columns.count == 1
                if isWhole { places.append(Place(layouts: layouts, key: complete)) }
            } else if key.onDelete == "SET NULL", try !registry.knows(link: table) {
                foreign.append((table, complete))
            }
        }
        (self.places, self.foreign) = (places, foreign)
    }

    /// Whether there may be any.
    package var mayBe: Bool { !places.isEmpty || !foreign.isEmpty }

    /// How many values of people's own tables become null with some rows.
    ///
    /// - Parameter keys: The keys of the rows that go, as the table has them.
    /// - Returns: The numbers of those that there are.
    /// - Throws: What the database throws.
    package func emptied(with keys: [RecordKey]) throws -> [EmptiedPlace: Int] {
        var found: [EmptiedPlace: Int] = [:]
        for (table, key) in foreign {
            var count: Int64 = 0
            for start in stride(from: 0, to: keys.count, by: Self.chunk) {
                let some = keys[start..<min(start + Self.chunk, keys.count)]
                count +=
                    try database.integer(
                        "SELECT count(*) FROM \(referring(table, key, some.count))", some.flatMap(\.values)) ?? 0
            }
            let place = EmptiedPlace(table: table, columns: key.columns, standing: .foreign)
            if count > 0 { found[place] = Int(clamping: count) }
        }
        return found
    }

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
        return "SELECT DISTINCT \(own) FROM \(referring(layout.schema.table, key, count)) ORDER BY \(own)"
    }

    /// The rows of a table, as `o`, that refer to so many rows.
    private func referring(_ table: String, _ key: SQLForeignKey, _ count: Int) -> String {
        let columns = schema.keyFields.map { schema.fields[$0].column }
        let going = (0..<count).map { index in
            columns.enumerated().map { "t.\(SQLText.quoted($1)) = ?\(index * columns.count + $0 + 1)" }
                .joined(separator: " AND ")
        }.joined(separator: " OR ")
        let leads = zip(key.columns, key.targetColumns).map { "o.\(SQLText.quoted($0)) = t.\(SQLText.quoted($1))" }
            .joined(separator: " AND ")
        return
            "\(database.table(table)) AS o JOIN \(database.table(schema.table)) AS t ON \(leads) WHERE \(going)"
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

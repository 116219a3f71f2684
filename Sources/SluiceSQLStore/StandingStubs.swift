internal import SluiceMerge
internal import SluiceModel
package import SluiceStore

/// The rows that stand for records that others refer to, of which a store knows that runs made them: until somebody fills one, or nothing
/// leads to it any more and it goes.
///
///     kind   name                                        value
///     stub   items ⇥ id ⇥ made_at ⇥ [7]                  ["2026-11-03T10:00:00Z"]
///
/// The name has the table, the columns of its key, those that the table fills itself, each with a line feed between them, and the key;
/// the value what the table put into the latter.
package struct StandingStubs {
    static let kind = "stub"
    private let database: any SQLDatabase
    private var registry: EntityRegistry { EntityRegistry(database: database) }
    private var notes: String { database.ledger("schema") }

    /// Looks into a store.
    package init(database: any SQLDatabase) { self.database = database }

    /// A table with the key by which others lead to its rows.
    fileprivate struct Place {
        let reference: EntityRegistry.Reference
        /// The columns besides the key that the table leaves null.
        let empty: [String]
        /// Those that it fills itself.
        let filled: [String]

        var table: String { reference.target }
        var key: [String] { reference.targetColumns }
        /// What the names of its rows begin with.
        var prefix: String {
            StandingStubs.text([
                [table.lowercased()], key.map { $0.lowercased() }, filled.map { $0.lowercased() }, [""],
            ])
        }
    }

    private static func text(_ parts: [[String]]) -> String {
        parts.map { $0.joined(separator: "\n") }.joined(separator: "\t")
    }

    private func place(of reference: EntityRegistry.Reference) throws -> Place {
        let others = try database.columns(of: reference.target).filter { column in
            !column.isGenerated && !reference.targetColumns.contains { ColumnName.areSame($0, column.name) }
        }
        return Place(
            reference: reference, empty: others.filter { !$0.hasDefault }.map(\.name),
            filled: others.filter(\.hasDefault).map(\.name))
    }

    // MARK: Noting

    /// Notes that rows stand for records.
    ///
    /// - Parameters:
    ///   - keys: Their keys, in the order of the columns to which the reference leads. Those without a row are passed over.
    ///   - reference: What leads to them.
    /// - Throws: What the database throws.
    func note(_ keys: [[FieldValue]], of reference: EntityRegistry.Reference) throws {
        let place = try place(of: reference)
        let name = database.jsonArray(place.key.map { "t.\(SQLText.quoted($0))" })
        var notes: [(name: String, value: String)] = []
        for start in stride(from: 0, to: keys.count, by: StubHistory.pace) {
            let some = keys[start...].prefix(StubHistory.pace)
            let places = some.indices.map { index in
                "(\(SQLText.match(place.key, from: 1 + (index - start) * place.key.count)))"
            }
            let rows = try database.rows(
                """
                SELECT \(name), \(Self.image(place, database)) FROM \(database.table(place.table)) AS t
                WHERE \(places.joined(separator: " OR "))
                """, some.flatMap(\.self))
            notes += rows.compactMap { row in
                row[0].string.flatMap { name in row[1].string.map { (place.prefix + name, $0) } }
            }
        }
        try registry.put(Self.kind, notes)
    }

    /// What a table put into a row `t` itself, as text in one form.
    private static func image(_ place: Place, _ database: any SQLDatabase) -> String {
        database.jsonArray(place.filled.map { "CAST(t.\(SQLText.quoted($0)) AS text)" })
    }

    /// Has the notes of a table go by its new name.
    func recordTable(_ old: String, is new: String) throws {
        let prefix = old.lowercased() + "\t"
        for entry in try registry.entries(Self.kind, prefix: prefix) {
            let rest = String(decoding: entry.name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
            try registry.rename(Self.kind, entry.name, to: "\(new.lowercased())\t\(rest)")
        }
    }

    /// Has the notes of a table go by the new name of a column.
    func recordColumn(_ old: String, of table: String, is new: String) throws {
        for entry in try registry.entries(Self.kind, prefix: table.lowercased() + "\t") {
            var parts = entry.name.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false)
                .map { String($0) }
            guard parts.count == 4 else { continue }
            for index in 1...2 {
                let names = parts[index].split(separator: "\n").map { String($0) }
                parts[index] = names.map { $0 == old.lowercased() ? new.lowercased() : $0 }.joined(separator: "\n")
            }
            try registry.rename(Self.kind, entry.name, to: parts.joined(separator: "\t"))
        }
    }

    // MARK: Removing

    /// A noted row.
    fileprivate struct Row {
        let note: String
        /// What the table put into it itself, as text.
        let made: String
        /// Whether it is as it was made, and no source has the record.
        let stands: Bool
        /// The row as it is; nil where it is gone.
        let image: RowImage?
    }

    /// Deletes the rows to which nothing leads any more and that nobody filled, and forgets those that somebody filled. Where a trigger
    /// may act upon that, they stay: nobody knows what it would do.
    ///
    /// - Parameter recorder: Writes down what is done, so that it can be undone.
    /// - Returns: The rows that are gone, by table.
    /// - Throws: What the database throws.
    package func remove(_ recorder: any ChangeNoting) throws -> [String: ReferenceOutcome.Rows] {
        var removed: [String: ReferenceOutcome.Rows] = [:]
        guard try database.hasRow("SELECT 1 FROM \(notes) WHERE kind = \(SQLText.literal(Self.kind)) LIMIT 1") else {
            return removed
        }
        // People may have dropped what a reference leads to.
        let references = try registry.references().filter { try hasColumns($0.targetColumns, $0.target) }
        var looked: Set<[String]> = []
        let places = try references.filter { reference in
            looked.insert(([reference.target] + reference.targetColumns).map { $0.lowercased() }).inserted
        }.map(place).filter { try !database.hasDeleteTriggers($0.table) }
        // One that goes may have led to another.
        var hasRemoved = true
        while hasRemoved {
            hasRemoved = false
            for place in places where try remove(place, references, recorder, &removed) { hasRemoved = true }
        }
        return removed
    }

    private func hasColumns(_ names: [String], _ table: String) throws -> Bool {
        let columns = try database.columnNames(of: table)
        return names.allSatisfy { columns.contains($0.lowercased()) }
    }

    /// Does so in one table, with as many statements however many rows there are.
    ///
    /// - Returns: Whether rows are gone.
    private func remove(
        _ place: Place, _ references: [EntityRegistry.Reference], _ recorder: any ChangeNoting,
        _ removed: inout [String: ReferenceOutcome.Rows]
    ) throws -> Bool {
        let found = try found(in: place, references)
        if found.isEmpty { return false }
        let idle = found.filter(\.stands)
        let stuck = Set(try delete(idle, of: place))
        let gone = idle.filter { !stuck.contains($0.note) }
        try registry.remove(Self.kind, names: found.map(\.note).filter { !stuck.contains($0) })
        let sources = try registry.sources(of: place.table)
        if recorder.isRecording {
            try recorder.record(stubs: gone.compactMap(\.image), of: place.reference, .delete)
            try recorder.record(
                stubs: found.filter { !$0.stands }.compactMap(\.image), of: place.reference, .update)
            try record(gone.compactMap(\.image), in: place, of: sources, recorder)
        }
        if gone.isEmpty { return false }
        let rows = ReferenceOutcome.Rows(
            gone.map { $0.key(of: place) }, of: place.key, entity: sources.first?.entity ?? place.table)
        removed[place.table, default: rows.none].add(rows)
        return true
    }

    /// Writes down that records are gone, each with its row, under the source under which the history has that it was made.
    private func record(
        _ images: [RowImage], in place: Place, of sources: [RecordMapping], _ recorder: any ChangeNoting
    ) throws {
        let (history, changes) = (StubHistory(database: database), SQLChangeLedger(database))
        var rest = images
        for source in sources {
            let made = Set(try changes.stubs(source).map { ExactText($0.key) })
            var (own, others): ([RowImage], [RowImage]) = ([], [])
            for image in made.isEmpty ? [] : rest {
                let name = try history.name(of: key(of: image, place), in: place.table, source)
                if let name, made.contains(ExactText(name)) { own.append(image) } else { others.append(image) }
            }
            if own.isEmpty { continue }
            try record(own, in: place, of: source, recorder)
            rest = others
        }
        if let source = sources.first { try record(rest, in: place, of: source, recorder) }
    }

    private func key(of image: RowImage, _ place: Place) -> [RowImage.Column] {
        place.key.map { RowImage.Column(name: $0, value: image[$0] ?? .null) }
    }

    private func record(
        _ images: [RowImage], in place: Place, of source: RecordMapping, _ recorder: any ChangeNoting
    ) throws {
        let history = StubHistory(database: database)
        var schema: RecordSchema?
        let notes = try images.compactMap { image -> RecordNote? in
            guard let record = try history.record(key(of: image, place), in: place.table, of: source) else {
                return nil
            }
            schema = record.schema
            return RecordNote(
                key: record.key, action: .delete, kind: RowKind.delete.rawValue, before: nil, after: nil, row: image,
                columns: [])
        }
        if let schema { try recorder.record(notes, schema) }
    }

    /// Deletes rows, as far as they are as they were made still: another session may have filled one since it was looked at, and has
    /// its lock until then.
    ///
    /// - Returns: The notes of those that are there still.
    private func delete(_ rows: [Row], of place: Place) throws -> [String] {
        if rows.isEmpty { return [] }
        let count = place.key.count
        let sql = """
            DELETE FROM \(database.table(place.table)) AS t
            WHERE \(SQLText.match(place.key)) AND \(isBare(place, as: "?\(count + 1)"))
            """
        let values = rows.map { $0.key(of: place) + [FieldValue($0.made)] }
        if try database.attempt({ try database.run(sql, each: values) }) != nil {
            for row in values { _ = try database.attempt { try database.run(sql, row) } }
        }
        let there = try present(values.map { Array($0.dropLast()) }, of: place)
        return rows.filter { there.contains($0.key(of: place)) }.map(\.note)
    }

    /// Which of some rows are there, by their keys.
    private func present(_ keys: [[FieldValue]], of place: Place) throws -> Set<[FieldValue]> {
        var found: Set<[FieldValue]> = []
        for start in stride(from: 0, to: keys.count, by: StubHistory.pace) {
            let some = keys[start...].prefix(StubHistory.pace)
            let places = some.indices.map { "(\(SQLText.match(place.key, from: 1 + ($0 - start) * place.key.count)))" }
            let rows = try database.rows(
                """
                SELECT \(SQLText.list(place.key)) FROM \(database.table(place.table)) WHERE \(places.joined(separator: " OR "))
                """, some.flatMap(\.self))
            found.formUnion(rows)
        }
        return found
    }

    /// The condition under which a row `t` has nothing but its key and what the table put into it, which is a text.
    private func isBare(_ place: Place, as made: String) -> String {
        (place.empty.map { "t.\(SQLText.quoted($0)) IS NULL" } + ["\(Self.image(place, database)) = \(made)"])
            .joined(separator: " AND ")
    }

    /// The noted rows that are no longer as they were made, are gone, or to which nothing leads.
    private func found(in place: Place, _ references: [EntityRegistry.Reference]) throws -> [Row] {
        let isRow = try place.key.enumerated().map { index, column in
            "t.\(SQLText.quoted(column)) = \(try database.element("s.key", index, for: column, of: place.table))"
        }
        let isBare = isBare(place, as: "s.value")
        let isListed = try listings(of: place).map { " AND NOT \($0)" }.joined()
        let isLed = try leads(to: place, references)
        let isIdle = isLed.isEmpty ? "" : " OR NOT (\(isLed.joined(separator: " OR ")))"
        let names = place.key + place.empty + place.filled
        let columns = names.map { "t.\(SQLText.quoted($0))" }
        // A name is read as a key only once it is known to be one.
        let rows = try database.rows(
            """
            WITH s AS MATERIALIZED (
            SELECT name, value, substr(name, length(?2) + 1) AS key FROM \(notes)
            WHERE kind = ?1 AND substr(name, 1, length(?2)) = ?2)
            SELECT s.name, s.value, CASE WHEN \(isBare)\(isListed) THEN 1 ELSE 0 END, \(columns.joined(separator: ", "))
            FROM s LEFT JOIN \(database.table(place.table)) AS t ON \(isRow.joined(separator: " AND "))
            WHERE \(columns[0]) IS NULL OR NOT (\(isBare))\(isIdle) ORDER BY s.name
            """, [FieldValue(Self.kind), FieldValue(place.prefix)])
        return rows.map { row in
            let image = RowImage(zip(names, row.dropFirst(3)).map { RowImage.Column(name: $0, value: $1) })
            let isThere = image.columns.first?.value.isNull == false
            return Row(
                note: row[0].string ?? "", made: row[1].string ?? "", stands: isThere && row[2].number == 1,
                image: isThere ? image : nil)
        }
    }

    /// The conditions under which a source has the record of a row `t`.
    private func listings(of place: Place) throws -> [String] {
        try Dangling.Base.all(of: place.table, key: place.key, database).map { base in
            // The row may have been made by more than identifies it now.
            let same = try zip(base.columns, base.parts).map { column, part in
                try database.isSame(
                    BaseKey(base: base.table, row: "b", column: column), "t.\(SQLText.quoted(place.key[part]))",
                    as: place.key[part], of: place.table)
            }
            return """
                EXISTS (SELECT 1 FROM \(database.table(base.table)) AS b
                WHERE \(same.joined(separator: " AND ")) AND b.state IN (\(Dangling.Base.live)))
                """
        }
    }

    /// The conditions under which something leads to a row `t`: references, and foreign keys of which no pipeline knows.
    private func leads(to place: Place, _ references: [EntityRegistry.Reference]) throws -> [String] {
        func condition(_ table: String, _ columns: [String], _ targets: [String]) -> String {
            let same = zip(columns, targets).map { "o.\(SQLText.quoted($0)) = t.\(SQLText.quoted($1))" }
            return "EXISTS (SELECT 1 FROM \(database.table(table)) AS o WHERE \(same.joined(separator: " AND ")))"
        }
        var conditions: [String] = []
        for reference in references {
            if ColumnName.areSame(reference.target, place.table) {
                conditions.append(
                    condition(
                        reference.link?.table ?? reference.table, reference.link?.targetColumns ?? reference.columns,
                        reference.targetColumns))
            }
            if let link = reference.link, ColumnName.areSame(reference.table, place.table),
                try hasColumns(reference.keyColumns, place.table)
            {
                conditions.append(condition(link.table, link.ownerColumns, reference.keyColumns))
            }
        }
        let primary = try database.columns(of: place.table).filter { $0.keyPosition > 0 }
            .sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
        for (table, key) in try database.referrers(to: place.table) {
            conditions.append(condition(table, key.columns, key.targetColumns.isEmpty ? primary : key.targetColumns))
        }
        var known: Set<String> = []
        return conditions.filter { known.insert($0).inserted }
    }
}

extension StandingStubs.Row {
    /// The values of its key; those of a row that is gone are null.
    fileprivate func key(of place: StandingStubs.Place) -> [FieldValue] { place.key.map { image?[$0] ?? .null } }
}

extension ReferenceOutcome.Rows {
    /// Rows with keys alone.
    ///
    /// - Parameters:
    ///   - keys: The values of their keys.
    ///   - columns: The columns of these.
    ///   - entity: What they are records of.
    init(_ keys: [[FieldValue]], of columns: [String], entity: String?) {
        let names = keys.prefix(Self.listed).map { key in
            let members = zip(columns, key).map { column, value in
                "\(FieldJSON.quoted(column)):\(FieldJSON.text(value, type: .string))"
            }
            return "{" + members.joined(separator: ",") + "}"
        }
        self.init(count: keys.count, entity: entity, keys: names)
    }
}

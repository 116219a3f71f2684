package import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite
internal import SluiceStore

/// Keeps in the history what is written to tables within a transaction, whatever writes it: statements, cascades of foreign keys and
/// triggers alike.
///
/// Temporary triggers note each row as it was before the first change. At the end it is compared with the row that is there, so
/// that the history has one change for each record, and none for a row that is as it was. What goes because an
/// `INSERT OR REPLACE` takes a unique value from it is not seen.
package struct EditRecording {
    /// How many records were inserted, updated and deleted.
    package struct Counts: Sendable, Equatable {
        package var inserted = 0
        package var updated = 0
        package var deleted = 0
        package var isEmpty: Bool { inserted + updated + deleted == 0 }
    }

    private struct Watched {
        let table: SQLiteRecordTable
        /// The columns of the table, in the order in which they are noted.
        let columns: [String]
        /// The temporary table that has the rows of before.
        let notes: String
    }

    private let store: SQLiteRecordStore
    private let run: Int64
    private var watched: [Watched] = []

    /// Begins to note changes.
    ///
    /// - Parameters:
    ///   - tables: The tables. They are there.
    ///   - run: The number of the run that keeps them.
    ///   - store: The store, in whose transaction everything happens.
    /// - Throws: `StoreError`.
    package init(of tables: [RecordSchema], run: Int64, in store: SQLiteRecordStore) throws {
        self.store = store
        self.run = run
        try store.translated {
            for (place, schema) in tables.enumerated() {
                let table = try store.table(EditedTables(database: store.database).layout(of: schema))
                let columns = try table.wholeStatement().columns
                watched.append(Watched(table: table, columns: columns, notes: "_sluice_edited_\(place)"))
            }
            for entry in watched {
                for sql in Self.statements(entry) { try store.connection.execute(sql) }
            }
        }
    }

    /// Writes down what is different now, and notes no more.
    ///
    /// - Parameter naming: Gives a record's key as a JSON object.
    /// - Returns: How many records are different.
    /// - Throws: `StoreError`.
    package func finish(naming: @escaping (RecordKey, RecordSchema) -> String) throws -> Counts {
        var counts = Counts()
        store.startRecording(run: run, naming: naming)
        for entry in watched {
            let before = counts
            try record(entry, &counts)
            if counts != before {
                try store.translated {
                    try EntityRegistry(database: store.database).recordEdits(of: entry.table.schema)
                }
            }
        }
        try store.translated {
            for entry in watched {
                for sql in Self.ends(entry) { try store.connection.execute(sql) }
            }
        }
        return counts
    }

    // MARK: Comparing

    private func record(_ entry: Watched, _ counts: inout Counts) throws {
        let columns = (0..<entry.columns.count).map(Self.column)
        let rows = try store.translated {
            try store.connection.rows(
                "SELECT was_there, \(columns.joined(separator: ", ")) FROM temp.\(entry.notes) ORDER BY rowid")
        }
        let schema = entry.table.schema
        for row in rows {
            let image = entry.table.forms.canonical(
                RowImage(
                    zip(entry.columns, row.dropFirst()).map { RowImage.Column(name: $0, value: FieldValue($1)) }))
            let values = image.values(of: schema)
            let key = RecordKey(schema.keyFields.map { values[$0] })
            let wasThere = FieldValue(row[0]) == .integer(1)
            let now = try entry.table.wholeRows([key])[0]
            guard let note = Self.note(key, before: wasThere ? image : nil, now: now, schema) else { continue }
            switch note.action {
            case .insert: counts.inserted += 1
            case .delete: counts.deleted += 1
            case .update, .base: counts.updated += 1
            }
            try store.translated { try store.recorder.record(note, schema) }
        }
    }

    /// What became of a record; nil where it is as it was.
    private static func note(
        _ key: RecordKey, before: RowImage?, now: RowImage?, _ schema: RecordSchema
    ) -> RecordNote? {
        func note(
            _ action: RecordedChange.Action, _ row: RowImage?, _ columns: [RecordedChange.Column]
        ) -> RecordNote {
            RecordNote(
                key: key, action: action, kind: RecordedChange.editKind, before: nil, after: nil, row: row,
                columns: columns)
        }
        switch (before, now) {
        case (nil, nil): return nil
        case (nil, let now?): return note(.insert, now, [])
        case (let before?, nil): return note(.delete, before, [])
        case (let before?, let now?):
            let changed = before.columns.compactMap { column -> RecordedChange.Column? in
                guard let value = now[column.name], value != column.value else { return nil }
                let field = schema.field(ofColumn: column.name).map { schema.fields[$0].name }
                return RecordedChange.Column(
                    name: field ?? column.name, isField: field != nil, fieldClass: nil, old: column.value, new: value)
            }
            return changed.isEmpty ? nil : note(.update, nil, changed)
        }
    }

    // MARK: Statements

    private static func column(_ place: Int) -> String { "c\(place)" }

    private static func triggers(_ entry: Watched) -> [String] {
        ["delete", "update", "replace", "insert"].map { SQLText.quoted("\(entry.notes)_\($0)") }
    }

    /// What begins to note the changes of a table.
    private static func statements(_ entry: Watched) -> [String] {
        let schema = entry.table.schema
        let notes = SQLText.quoted(entry.notes)
        let table = SQLText.quoted(schema.table)
        let columns = entry.columns.indices.map(column)
        let keys = schema.keyFields.compactMap { field in
            entry.columns.firstIndex { ColumnName.areSame($0, schema.fields[field].column) }
        }
        /// Notes a row where its key is not noted yet.
        func noting(_ row: String, wasThere: Bool) -> String {
            // The values of a new row are those that are there at the end.
            let values = entry.columns.indices.map { place in
                wasThere || keys.contains(place) ? "\(row).\(SQLText.quoted(entry.columns[place]))" : "NULL"
            }
            let isNoted = keys.map { "n.\(column($0)) IS \(row).\(SQLText.quoted(entry.columns[$0]))" }
            return """
                INSERT INTO \(notes) (was_there, \(columns.joined(separator: ", "))) \
                SELECT \(wasThere ? 1 : 0), \(values.joined(separator: ", ")) \
                WHERE NOT EXISTS (SELECT 1 FROM \(notes) AS n WHERE \(isNoted.joined(separator: " AND ")));
                """
        }
        /// Notes the row in whose place another one may come.
        let isReplaced = keys.map {
            "t.\(SQLText.quoted(entry.columns[$0])) = NEW.\(SQLText.quoted(entry.columns[$0]))"
        }
        let isNoted = keys.map { "n.\(column($0)) IS t.\(SQLText.quoted(entry.columns[$0]))" }
        let replaced = """
            INSERT INTO \(notes) (was_there, \(columns.joined(separator: ", "))) \
            SELECT 1, \(entry.columns.map { "t.\(SQLText.quoted($0))" }.joined(separator: ", ")) FROM \(table) AS t \
            WHERE \(isReplaced.joined(separator: " AND ")) \
            AND NOT EXISTS (SELECT 1 FROM \(notes) AS n WHERE \(isNoted.joined(separator: " AND ")));
            """
        let names = triggers(entry)
        let events: [(name: String, event: String, body: String)] = [
            (names[0], "AFTER DELETE", noting("OLD", wasThere: true)),
            (names[1], "AFTER UPDATE", noting("OLD", wasThere: true) + " " + noting("NEW", wasThere: false)),
            (names[2], "BEFORE INSERT", replaced),
            (names[3], "AFTER INSERT", noting("NEW", wasThere: false)),
        ]
        let index =
            "CREATE INDEX temp.\(SQLText.quoted(entry.notes + "_key")) ON \(notes) (\(keys.map(column).joined(separator: ", ")))"
        return ["CREATE TEMP TABLE \(notes) (was_there, \(columns.joined(separator: ", ")))", index]
            + events.map { "CREATE TEMP TRIGGER \($0.name) \($0.event) ON main.\(table) BEGIN \($0.body) END" }
    }

    /// What ends it.
    private static func ends(_ entry: Watched) -> [String] {
        triggers(entry).map { "DROP TRIGGER temp.\($0)" } + ["DROP TABLE temp.\(SQLText.quoted(entry.notes))"]
    }
}

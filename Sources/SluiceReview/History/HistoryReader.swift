internal import SluiceMerge
package import SluiceModel
package import SluiceStore

/// Tells what runs changed, from the store alone.
package final class HistoryReader {
    private static let chunk = 500
    private let store: any RecordStore
    private var tables: [RecordMapping: (any RecordTable)?] = [:]

    /// Makes a reader of a store that is open.
    package init(store: any RecordStore) { self.store = store }

    /// The table of a mapping, opened once.
    package func table(_ mapping: RecordMapping) throws -> (any RecordTable)? {
        if let known = tables[mapping] { return known }
        let table = try store.knownTable(
            pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity)
        tables[mapping] = .some(table)
        return table
    }

    /// Tells what a run did to records: first the inserted ones in the order of their keys, then the others as they came.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - limit: The most changes to tell, nil for all.
    ///   - body: Is given each change.
    /// - Returns: Whether there are more.
    /// - Throws: `StoreError`, and what the body throws.
    package func changes(of run: RunEntry, limit: Int?, _ body: (HistoryChange) throws -> Void) throws -> Bool {
        var rest = limit ?? Int.max
        /// Tells a change, or says that there is no room for it.
        func tell(_ change: HistoryChange) throws -> Bool {
            if rest == 0 { return false }
            rest -= 1
            try body(change)
            return true
        }
        // Most first runs have nothing but inserts, which then need no second look.
        let hasRecords = try !store.changes.records(
            run: run.id, order: .oldestFirst, beyond: nil, limit: 1
        ).isEmpty
        for mapping in try store.mappings(pipeline: run.pipeline, entity: nil) {
            var last: RecordKey?
            while let table = try table(mapping) {
                let keys = try table.keys(firstWrittenBy: run.id, after: last, limit: Self.chunk)
                guard let newest = keys.last else { break }
                last = newest
                for key in keys {
                    let name = FieldJSON.object(key: key, schema: table.schema)
                    if try hasRecords && isToldElsewhere(mapping, name, run.id) { continue }
                    if try !tell(inserted(mapping, table, name, run.id)) { return true }
                }
            }
        }
        var last: Int64?
        while true {
            let records = try store.changes.records(
                run: run.id, order: .oldestFirst, beyond: last, limit: Self.chunk)
            guard let newest = records.last else { return false }
            last = newest.id
            for record in records where try !tell(change(record)) { return true }
        }
    }

    /// Whether the run's changes hold what came before the record's base: then it was no plain insert, or it is kept in full.
    private func isToldElsewhere(_ mapping: RecordMapping, _ key: String, _ run: Int64) throws -> Bool {
        try store.changes.records(mapping, key: key).contains { $0.run == run && $0.baseBefore == nil }
    }

    private func inserted(
        _ mapping: RecordMapping, _ table: any RecordTable, _ key: String, _ run: Int64
    ) -> HistoryChange {
        HistoryChange(
            run: run, mapping: mapping, table: table.schema.table, key: key, action: .insert,
            kind: RowKind.insert.rawValue, fields: [])
    }

    /// Tells what a run did to conflicts and to records in quarantine, as it came.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - limit: The most of them to tell, nil for all.
    ///   - body: Is given each of them.
    /// - Returns: Whether there are more.
    /// - Throws: `StoreError`, and what the body throws.
    package func entries(of run: RunEntry, limit: Int?, _ body: (RecordedEntry) throws -> Void) throws -> Bool {
        var rest = limit ?? Int.max
        var last: Int64?
        while true {
            let entries = try store.changes.entries(
                run: run.id, order: .oldestFirst, beyond: last, limit: Self.chunk)
            guard let newest = entries.last else { return false }
            last = newest.id
            for entry in entries {
                if rest == 0 { return true }
                rest -= 1
                try body(entry)
            }
        }
    }

    /// A change that is kept, with its values as JSON.
    package func change(_ record: RecordedChange) throws -> HistoryChange {
        let schema = try table(record.mapping)?.schema
        func text(_ value: FieldValue, _ field: Int?) -> String {
            guard let schema, let field else { return FieldJSON.text(value, type: .string) }
            return FieldJSON.text(schema.shown(value, field: field), type: schema.fields[field].type)
        }
        var fields = record.columns.map { column in
            let field = column.isField ? schema?.fields.firstIndex { $0.name == column.name } : nil
            return HistoryChange.Field(
                name: column.name, isField: column.isField, fieldClass: column.fieldClass,
                old: record.action == .insert ? nil : text(column.old, field), new: text(column.new, field))
        }
        for column in record.row?.columns ?? [] {
            let field = schema?.fields.firstIndex { $0.column.lowercased() == column.name.lowercased() }
            let value = text(column.value, field)
            let name = field.flatMap { schema?.fields[$0].name }
            fields.append(
                HistoryChange.Field(
                    name: name ?? column.name, isField: field != nil, fieldClass: nil,
                    old: record.action == .delete ? value : nil, new: record.action == .insert ? value : nil))
        }
        return HistoryChange(
            run: record.run, mapping: record.mapping, table: schema?.table, key: record.key, action: record.action,
            kind: record.kind, fields: fields)
    }
}

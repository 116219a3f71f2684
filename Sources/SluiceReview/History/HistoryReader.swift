internal import SluiceDecode
internal import SluiceMerge
package import SluiceModel
internal import SluicePlans
package import SluiceStore

/// Tells what runs changed, from the store alone.
package final class HistoryReader {
    private static let chunk = 500
    private let store: any RecordStore
    private let json = StoredJSON()
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

    /// How tables followed the pipeline in a run.
    ///
    /// - Parameter run: The run.
    /// - Returns: The changes; of what went to the quarantine for it the number of rows.
    /// - Throws: `StoreError`.
    package func tableChanges(of run: RunEntry) throws -> [SchemaChange] {
        var changes = try store.changes.tableChanges(run: run.id).toldOnce
        if changes.isEmpty { return [] }
        var kept: [(table: String, field: String, rows: Int)] = []
        _ = try entries(of: run, limit: nil) { entry in
            guard entry.action == "opened", let field = QuarantineEntry.changedField(of: entry.kind) else { return }
            let table = try table(entry.mapping)?.schema.table ?? entry.mapping.entity
            if let known = kept.firstIndex(where: { $0.table == table && $0.field == field }) {
                kept[known].rows += 1
            } else {
                kept.append((table, field, 1))
            }
        }
        for place in kept {
            var change = SchemaChange(table: place.table, kind: .quarantineValues, sql: place.field)
            change.rows = place.rows
            let type = changes.lastIndex { $0.kind == .changeType && $0.table == place.table }
            changes.insert(change, at: type.map { $0 + 1 } ?? changes.count)
        }
        return changes
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
        return try changes(of: run, after: nil) { change, _ in
            if rest == 0 { return false }
            rest -= 1
            try body(change())
            return true
        }
    }

    /// Tells what a run did to records, from a place in their order on.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - place: The change behind which to go on, nil for the beginning.
    ///   - body: Is given each change, which is read where it is asked for, and its place; false ends it before that change.
    /// - Returns: Whether the body ended it.
    /// - Throws: `StoreError`, and what the body throws.
    package func changes(
        of run: RunEntry, after place: HistoryPlace?, _ body: (() throws -> HistoryChange, HistoryPlace) throws -> Bool
    ) throws -> Bool {
        var last: Int64?
        if case .change(let id)? = place {
            last = id
        } else if try insertedRecords(of: run, after: place, body) {
            return true
        }
        while true {
            let records = try store.changes.records(
                run: run.id, order: .oldestFirst, beyond: last, limit: Self.chunk)
            guard let newest = records.last else { return false }
            last = newest.id
            let again = try writtenBefore(records, run: run.id)
            for record in records {
                let told = try body(
                    {
                        var change = try change(record)
                        change.isAgain = again.contains(record.id)
                        return change
                    }, .change(record.id))
                if !told { return true }
            }
        }
    }

    /// The numbers of those of some changes that wrote a row once more which their run had written, its insert included.
    private func writtenBefore(_ changes: [RecordedChange], run: Int64) throws -> Set<Int64> {
        let writes = changes.filter { ($0.action == .insert || $0.action == .update) && !$0.isOfLinks }
        var found: Set<Int64> = []
        for (mapping, changes) in Dictionary(grouping: writes, by: \.mapping) {
            let keys = Set(changes.map { ExactText($0.key) }).map(\.text)
            let all = try store.changes.writes(run: run, of: mapping, keys: keys)
            let kept = try store.changes.keptInserts(run: run, of: mapping, keys: keys)
            for change in changes {
                let key = ExactText(change.key)
                let before = all[key]?.last { $0.id < change.id }
                let isInserted = change.baseBefore?.firstRun == run && !kept.contains(key)
                if before.map({ $0.action != .delete }) ?? isInserted { found.insert(change.id) }
            }
        }
        return found
    }

    private func insertedRecords(
        of run: RunEntry, after place: HistoryPlace?, _ body: (() throws -> HistoryChange, HistoryPlace) throws -> Bool
    ) throws -> Bool {
        // Most first runs have nothing but inserts, which then need no second look.
        let hasRecords = try !store.changes.records(
            run: run.id, order: .oldestFirst, beyond: nil, limit: 1
        ).isEmpty
        var mappings = try store.mappings(pipeline: run.pipeline, entity: nil)[...]
        var start: String?
        if case .inserted(let mapping, let key)? = place {
            mappings = mappings.drop { $0 != mapping }
            start = key
        }
        for mapping in mappings {
            var last: RecordKey?
            if let key = start, let table = try table(mapping) { last = json.key(key, schema: table.schema) }
            start = nil
            while let table = try table(mapping) {
                let keys = try table.keys(firstWrittenBy: run.id, after: last, limit: Self.chunk)
                guard let newest = keys.last else { break }
                last = newest
                let names = keys.map { FieldJSON.object(key: $0, schema: table.schema) }
                // What came before the base of some, or their insert itself, is kept, and told among the changes.
                let kept = try hasRecords ? store.changes.keptInserts(run: run.id, of: mapping, keys: names) : []
                for name in names where !kept.contains(ExactText(name)) {
                    let told = try body(
                        { inserted(mapping, table, name, run.id) }, .inserted(mapping, key: name))
                    if !told { return true }
                }
            }
        }
        return false
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
        let places = record.columns.map { column in
            column.isField ? schema?.fields.firstIndex { $0.name == column.name } : nil
        }
        // Columns stand in the table in the order in which they came, which a change of type changes.
        let order = places.indices.sorted { (places[$0] ?? Int.max, $0) < (places[$1] ?? Int.max, $1) }
        var fields = order.map { index in
            let (column, field) = (record.columns[index], places[index])
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
            kind: record.kind, fields: fields, page: record.page)
    }
}

internal import SluiceJSON
internal import SluiceModel
internal import SluicePostgres
internal import SluiceSQLStore
internal import SluiceStore

/// The rows of the entity's table.
extension PostgresRecordTable {
    func localRows(_ wanted: [RecordKey]) throws -> [[FieldValue]?] {
        var rows = try storedRows(wanted)
        try fill(&rows, wanted)
        return rows
    }

    /// Puts edits that wait in the quarantine in the place of the nulls of rows.
    func fill(_ rows: inout [[FieldValue]?], _ wanted: [RecordKey]) throws {
        if try held.isEmpty(for: schema) { return }
        for (index, row) in rows.enumerated() {
            guard var row else { continue }
            try held.fill(&row, of: wanted[index], schema)
            rows[index] = row
        }
    }

    /// Rows as the table holds them.
    func storedRows(_ wanted: [RecordKey]) throws -> [[FieldValue]?] {
        if wanted.isEmpty { return [] }
        var rows = [[FieldValue]?](repeating: nil, count: wanted.count)
        for found in try read(wanted, columns.map(\.column)) where found.isThere {
            var row = [FieldValue](repeating: .null, count: schema.fields.count)
            for (column, value) in zip(columns, found.values) { row[column.field] = value }
            rows[found.place] = row
        }
        try complete(&rows, wanted)
        return rows
    }

    /// A row that was found.
    private struct FoundRow {
        /// The place of its key among those that were asked for.
        let place: Int
        /// Whether it counts as there: it is not marked as deleted.
        let isThere: Bool
        let values: ArraySlice<FieldValue>
    }

    /// Reads columns of rows, also of those that are marked as deleted. Within a transaction nobody else changes these rows
    /// from then on until it ends, nor their pairs: they are locked in the order of the key, and read after that.
    ///
    /// A row that others deleted while its lock was waited for is gone, and one that they inserted in its place is none of those
    /// that the statement had seen. So what was not found is asked for once more.
    private func read(
        _ wanted: [RecordKey], _ columns: [PostgresTableColumn], isFirst: Bool = true
    ) throws -> [FoundRow] {
        var found = try readOnce(wanted, columns)
        guard isFirst, database.locksRows, !wasEmpty, found.count < wanted.count else { return found }
        let known = Set(found.map(\.place))
        let missing = wanted.indices.filter { !known.contains($0) }
        found += try readOnce(missing.map { wanted[$0] }, columns).map { row in
            FoundRow(place: missing[row.place], isThere: row.isThere, values: row.values)
        }
        return found
    }

    private func readOnce(_ wanted: [RecordKey], _ columns: [PostgresTableColumn]) throws -> [FoundRow] {
        var parameters = PostgresParameters()
        let list = keys.list(wanted, &parameters)
        let names = columns.map { column in
            let name = "t." + SQLText.quoted(column.column.name)
            let isOwn = !self.columns.contains { $0.column.column.name == column.column.name }
            return isOwn ? column.type.readAsWritten(name) : column.type.read(name)
        }
        let isThere = layout.mark == nil ? "true" : "t.\(DeletionMark.isNotSet)"
        // Who adds a pair refers to the row, and would not wait for a weaker lock.
        let strength = links.isEmpty ? "NO KEY UPDATE" : "UPDATE"
        let lock = database.locksRows ? " ORDER BY \(keys.ownColumns) FOR \(strength) OF t" : ""
        let result = try query(
            """
            SELECT \((["k.n", isThere] + names).joined(separator: ", ")) FROM \(list) JOIN \(table) AS t
            ON \(keys.isOwn())\(lock)
            """, parameters)
        return result.values.compactMap { row in
            guard let place = row[0].number, wanted.indices.contains(Int(place) - 1) else { return nil }
            return FoundRow(
                place: Int(place) - 1, isThere: row[1] == .bool(true),
                values: row.map { FieldValue($0) }.dropFirst(2))
        }
    }

    /// Adds sets and what is waited for to rows, one value for each field.
    func complete(_ rows: inout [[FieldValue]?], _ wanted: [RecordKey]) throws {
        if schema.references.isEmpty { return }
        let places = rows.indices.filter { rows[$0] != nil }
        if places.isEmpty { return }
        let mayWait = try !pending.isEmpty()
        for link in links {
            let sets = try link.sets(places.map { wanted[$0] }, mayWait: mayWait)
            for (place, set) in zip(places, sets) { rows[place]?[link.field] = set }
        }
        if !mayWait { return }
        for (place, waiting) in zip(places, try waiting(places.map { wanted[$0] })) {
            if var row = rows[place] {
                fill(&row, with: waiting)
                rows[place] = row
            }
        }
    }

    func wholeRows(_ wanted: [RecordKey]) throws -> [RowImage?] { try wholeRows(wanted, isFirst: true) }

    /// Rows with all their columns, and with what counts as held by them; see ``storedWholeRows(_:isFirst:)``.
    func wholeRows(_ wanted: [RecordKey], isFirst: Bool) throws -> [RowImage?] {
        try zip(wanted, storedWholeRows(wanted, isFirst: isFirst)).map { key, row in
            guard var row else { return nil }
            try held.fill(&row, of: key, schema)
            return row
        }
    }

    /// Rows with all their columns, as the table holds them.
    ///
    /// - Parameters:
    ///   - wanted: Their keys.
    ///   - isFirst: Whether others may have these rows, which this transaction has not locked yet.
    /// - Returns: One for each key, nil where there is none.
    /// - Throws: ``StoreError``.
    func storedWholeRows(_ wanted: [RecordKey], isFirst: Bool) throws -> [RowImage?] {
        if wanted.isEmpty { return [] }
        var images = [RowImage?](repeating: nil, count: wanted.count)
        for found in try read(wanted, allColumns, isFirst: isFirst) {
            images[found.place] = RowImage(
                zip(allColumns, found.values).map { RowImage.Column(name: $0.column.name, value: $1) })
        }
        if schema.references.isEmpty { return images }
        let places = images.indices.filter { images[$0] != nil }
        if places.isEmpty { return images }
        let keys = places.map { wanted[$0] }
        let mayWait = try !pending.isEmpty()
        for (place, waiting) in zip(places, try mayWait ? waiting(keys) : []) where !waiting.isEmpty {
            guard var image = images[place] else { continue }
            var values = image.values(of: schema)
            fill(&values, with: waiting)
            for field in waiting.keys {
                let name = schema.fields[field].column
                guard let index = image.columns.firstIndex(where: { ColumnName.areSame($0.name, name) }) else {
                    continue
                }
                image.columns[index].value = values[field]
            }
            images[place] = image
        }
        for link in links {
            for (place, set) in zip(places, try link.sets(keys, mayWait: mayWait)) {
                images[place]?.columns.append(RowImage.Column(name: schema.fields[link.field].column, value: set))
            }
        }
        return images
    }

    // MARK: What is waited for

    /// What waits of records: the field that it waits for, and the key of its target.
    private func pendingTargets(
        _ wanted: [RecordKey], where condition: String
    ) throws -> [(place: Int, field: String, target: JSONValue)] {
        try pendingKeys(wanted, where: condition).compactMap { place, field, target in
            (try? JSONDocument(target.string ?? "").root).map { (place, field, $0) }
        }
    }

    /// The references of rows that are null for good: by name, with the keys of what they had led to.
    func emptiedTargets(_ wanted: [RecordKey]) throws -> [[(reference: String, target: FieldValue)]] {
        var found = [[(reference: String, target: FieldValue)]](repeating: [], count: wanted.count)
        for (place, field, target) in try pendingKeys(wanted, where: " AND p.rule IN (\(PendingReferences.emptied))") {
            found[place].append((field, target))
        }
        return found
    }

    func emptiedTargets(_ key: RecordKey) throws -> [String: [RecordKey]] {
        if try schema.references.isEmpty || pending.isEmpty() { return [:] }
        return LinkHistory.targets(try emptiedTargets([key])[0])
    }

    /// What waits, with each key as `_sluice_pending` has it.
    private func pendingKeys(
        _ wanted: [RecordKey], where condition: String
    ) throws -> [(place: Int, field: String, target: FieldValue)] {
        var parameters = PostgresParameters()
        let list = keys.list(wanted, &parameters)
        parameters.append(PostgresValue(schema.table))
        let result = try query(
            """
            SELECT k.n, p.field, p.target_key FROM \(list) JOIN \(database.ledger("pending")) AS p
            ON p."table" = $\(parameters.count) AND p.key = \(keys.pending(database))\(condition)
            ORDER BY k.n, p.target_key
            """, parameters)
        return result.values.compactMap { row in
            guard let place = row[0].number, wanted.indices.contains(Int(place) - 1), let field = row[1].string else {
                return nil
            }
            return (Int(place) - 1, field, FieldValue(row[2]))
        }
    }

    /// The keys that fields of rows wait for, by the position of the field; sets have theirs already.
    private func waiting(_ wanted: [RecordKey]) throws -> [[Int: FieldValue]] {
        var found = [[Int: FieldValue]](repeating: [:], count: wanted.count)
        let references = schema.references.filter { $0.link == nil }
        if references.isEmpty { return found }
        for (place, name, target) in try pendingTargets(wanted, where: "") {
            guard let reference = references.first(where: { $0.name == name }) else { continue }
            for (field, value) in zip(reference.fields, target.elements) {
                found[place][field] = FieldValue(value, type(of: field))
            }
        }
        return found
    }

    private func type(of field: Int) -> PostgresColumnType {
        columns.first { $0.field == field }?.column.type ?? PostgresColumnType("text")
    }

    func waitingTargets(_ wanted: [RecordKey]) throws -> [[String: [RecordKey]]] {
        var found = [[String: [RecordKey]]](repeating: [:], count: wanted.count)
        if try wanted.isEmpty || schema.references.isEmpty || pending.isEmpty() { return found }
        for (place, name, target) in try pendingTargets(wanted, where: " AND p.rule = 'defer'") {
            guard let reference = schema.references.first(where: { $0.name == name }) else { continue }
            let columns = try database.tableColumns(reference.target)
            let types = reference.targetColumns.map { name in
                columns.first { ColumnName.areSame($0.column.name, name) }?.type ?? PostgresColumnType("text")
            }
            found[place][name, default: []].append(RecordKey(zip(target.elements, types).map { FieldValue($0, $1) }))
        }
        return found
    }

    /// Puts what fields wait for in the place of their nulls, where all of a reference is null.
    private func fill(_ row: inout [FieldValue], with waiting: [Int: FieldValue]) {
        if waiting.isEmpty { return }
        for reference in schema.references where reference.fields.allSatisfy({ row[$0].isNull }) {
            for field in reference.fields { if let value = waiting[field] { row[field] = value } }
        }
    }
}

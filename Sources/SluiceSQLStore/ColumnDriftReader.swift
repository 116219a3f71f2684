internal import SluiceModel
package import SluiceStore

/// Compares tables with what pipelines want of them.
package enum TableDrift {
    /// What differs.
    ///
    /// - Parameters:
    ///   - tables: What pipelines want.
    ///   - conversion: How values pass to other types.
    ///   - recorder: What writes down what runs change; nothing is changed.
    ///   - database: The store.
    /// - Returns: The columns that differ, and those with values that are none of their fields' types and cannot become one.
    /// - Throws: What the database throws.
    package static func read(
        _ tables: [WantedTable], by conversion: FieldConversion, _ recorder: any ChangeNoting,
        in database: any SQLDatabase
    ) throws -> (columns: [ColumnDrift], misfits: [StoredMisfit]) {
        let types = TypeConversion(database: database, conversion: conversion, recorder: recorder)
        let foreseen = try types.foreseen(tables.map(\.schema))
        let columns = try ColumnDriftReader(database, foreseen: foreseen).drift(of: tables)
        let reader = StoredMisfitReader(database, foreseen: foreseen)
        return (columns, try tables.flatMap { try reader.misfits(of: $0) })
    }
}

/// Compares the columns of tables with what pipelines want of them.
struct ColumnDriftReader {
    private let database: any SQLDatabase
    /// What the store knows of its tables, by their names in lower case.
    private let known: [String: StoredTable]
    /// What becomes of columns whose fields have another type.
    private let foreseen: [TypeConversion.Foreseen]

    /// Looks into a store.
    init(_ database: any SQLDatabase, foreseen: [TypeConversion.Foreseen]) throws {
        (self.database, self.foreseen) = (database, foreseen)
        let tables = try StoredTableReader(database).tables()
        known = Dictionary(tables.map { ($0.name.lowercased(), $0) }) { first, _ in first }
    }

    /// What differs in the tables, each column once, in the order of the tables.
    func drift(of tables: [WantedTable]) throws -> [ColumnDrift] {
        var names: [String] = []
        for table in tables where !names.contains(table.schema.table.lowercased()) {
            names.append(table.schema.table.lowercased())
        }
        return try names.flatMap { name in
            try driftOfOne(tables.filter { $0.schema.table.lowercased() == name })
        }
    }

    /// What differs in one table, which several streams may fill.
    private func driftOfOne(_ wanted: [WantedTable]) throws -> [ColumnDrift] {
        guard let schema = wanted.first?.schema else { return [] }
        if try database.object(schema.table) == .view { return [ColumnDrift(.view, table: schema.table)] }
        let columns = try database.columns(of: schema.table)
        if columns.isEmpty { return [ColumnDrift(.missingTable, table: schema.table)] }
        var found: [ColumnDrift] = []
        for drift in try wanted.flatMap({ try self.drift(of: $0, columns) }) where !found.contains(drift) {
            found.append(drift)
        }
        let mapped = Set(
            wanted.flatMap(\.schema.fields).map { $0.column.lowercased() }
                + found.compactMap { $0.kind == .rename ? $0.column?.lowercased() : nil })
        let sources = Set(wanted.map(\.schema.source))
        return found
            + columns.filter { !mapped.contains($0.name.lowercased()) }.compactMap { unmapped($0, schema, sources) }
    }

    // MARK: Columns of fields

    private func drift(of wanted: WantedTable, _ columns: [SQLColumn]) throws -> [ColumnDrift] {
        let schema = wanted.schema
        let slots = try EntityRegistry(database: database).slots(of: EntityRegistry.name(schema.source))
        return schema.columnFields.compactMap { index in
            let field = schema.fields[index]
            func drift(_ kind: ColumnDrift.Kind, _ column: SQLColumn?) -> ColumnDrift {
                ColumnDrift(
                    kind, table: schema.table, column: column?.name ?? field.column, declared: column?.declared,
                    field: field.name, type: field.type)
            }
            let found = columns.first { $0.name.lowercased() == field.column.lowercased() }
            guard let found else {
                let slot = FieldSuccession(schema, slots).slot(of: field)
                let former = slot.flatMap { slot in columns.first { ColumnName.areSame($0.name, slot.column) } }
                guard let former, !schema.fields.contains(where: { ColumnName.areSame($0.column, former.name) }) else {
                    return drift(.missing, nil)
                }
                var renamed = drift(.rename, former)
                renamed.becomes = field.column
                return renamed
            }
            let isKey = schema.keyFields.contains(index)
            if found.isGenerated { return drift(.generated, found) }
            if let next = foreseen.first(where: { $0.isColumn(found.name, of: schema.table) }),
                next.becomes != nil || next.changed + next.lost > 0
            {
                var change = drift(.typeChange, found)
                (change.becomes, change.refused) = (next.becomes, next.lost)
                return change
            }
            if !database.fits(found, field.type, isKey: isKey) { return drift(.type, found) }
            let takesNull = !found.isNotNull || isKey || wanted.requiredFields.contains(index)
            return takesNull ? nil : drift(.required, found)
        }
    }

    // MARK: Other columns

    /// What is said of a column that no field of the pipeline fills; nil where something else does that it belongs to.
    private func unmapped(
        _ column: SQLColumn, _ schema: RecordSchema, _ sources: Set<RecordMapping>
    ) -> ColumnDrift? {
        func drift(_ kind: ColumnDrift.Kind, _ field: StoredTable.Field? = nil) -> ColumnDrift {
            ColumnDrift(
                kind, table: schema.table, column: column.name, declared: column.declared, field: field?.name,
                type: field?.type)
        }
        let stored = known[schema.table.lowercased()]?.columns.first {
            $0.name.lowercased() == column.name.lowercased()
        }
        switch stored?.origin ?? .own {
        case .fields(let fields):
            let own = fields.filter { sources.contains($0.mapping) }
            return own.count == fields.count ? drift(.left, own.first) : nil
        case .given(let fields): return drift(.left, fields.first)
        case .link, .mark: return nil
        case .own:
            let refusesRows = column.isRequired && !column.isGenerated && column.keyPosition == 0
            return drift(refusesRows ? .required : .own)
        }
    }
}

/// Looks for stored values that are none of their fields' types, as people and other programs may write them.
struct StoredMisfitReader {
    private let database: any SQLDatabase
    /// What becomes of columns whose fields have another type.
    private let foreseen: [TypeConversion.Foreseen]

    /// Looks into a store.
    init(_ database: any SQLDatabase, foreseen: [TypeConversion.Foreseen]) {
        (self.database, self.foreseen) = (database, foreseen)
    }

    /// The columns of a table with such values.
    func misfits(of wanted: WantedTable) throws -> [StoredMisfit] {
        let schema = wanted.schema
        let columns = Set(try database.columns(of: schema.table).map { $0.name.lowercased() })
        let forms = try database.forms(of: schema.table)
        /// What is true of the values of a field, of which ?`first` is the first one; nil for nothing.
        func rule(_ index: Int, from first: Int) -> (sql: String, values: [FieldValue])? {
            let field = schema.fields[index]
            let name = field.column.lowercased()
            // What stands for a redacted value is text of its own, and other programs have forms of their own.
            guard columns.contains(name), field.redaction == nil, forms[name]?.isOwn ?? true else { return nil }
            if foreseen.contains(where: { $0.isColumn(field.column, of: schema.table) }) { return nil }
            let column = SQLText.quoted(field.column)
            let rule = database.isOfType(column, field.type)
            guard let choices = wanted.choices[index], !choices.isEmpty else { return rule.map { ($0, []) } }
            let (isChoice, values) = database.isAny(column, of: Set(choices), from: first)
            return ([rule, isChoice].compactMap { $0 }.joined(separator: " AND "), values)
        }
        var sums: [String] = []
        var lists: [FieldValue] = []
        let fields = schema.columnFields.filter { index in
            guard let rule = rule(index, from: lists.count + 1) else { return false }
            let column = SQLText.quoted(schema.fields[index].column)
            sums.append("sum(CASE WHEN \(column) IS NOT NULL AND NOT (\(rule.sql)) THEN 1 ELSE 0 END)")
            lists += rule.values
            return true
        }
        // Of a column that gets another type, what cannot pass is what does not fit.
        var found = foreseen.filter { $0.lost > 0 && $0.sources.contains(schema.source) }.map { next in
            StoredMisfit(
                mapping: schema.source, column: next.column, isChoice: false, rows: next.lost, sample: next.sample)
        }
        if fields.isEmpty { return found }
        let table = database.table(schema.table)
        let counts = try database.rows("SELECT \(sums.joined(separator: ", ")) FROM \(table)", lists).first ?? []
        for (index, count) in zip(fields, counts) {
            guard let rows = count.number, rows > 0, let rule = rule(index, from: 1) else { continue }
            let column = SQLText.quoted(schema.fields[index].column)
            let first = try database.rows(
                "SELECT \(column) FROM \(table) WHERE \(column) IS NOT NULL AND NOT (\(rule.sql)) LIMIT 1",
                rule.values)
            let type = schema.fields[index].type
            found.append(
                StoredMisfit(
                    mapping: schema.source, column: schema.fields[index].column,
                    isChoice: type == .enumeration, rows: Int(clamping: rows),
                    sample: first.first?.first.map { FieldJSON.text($0, type: .string) }))
        }
        return found
    }
}

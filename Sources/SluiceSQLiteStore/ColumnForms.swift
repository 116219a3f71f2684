internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite
internal import SluiceStore

/// The forms of an entity's columns.
struct ColumnForms {
    /// For each field the form of its column; empty where all are our own.
    private let forms: [ColumnForm]
    private let schema: RecordSchema

    init(_ forms: [ColumnForm], schema: RecordSchema) {
        self.forms = forms.allSatisfy { $0 == .own } ? [] : forms
        self.schema = schema
    }

    /// The forms that the store knows of a table.
    init(of schema: RecordSchema, _ database: SQLiteDatabase) throws {
        let known = try EntityRegistry(database: database).forms(of: schema.table)
        self.init(schema.fields.map { known[$0.column.lowercased()] ?? .own }, schema: schema)
    }

    /// Whether every column has values as a table of ours has them.
    var areOwn: Bool { forms.isEmpty }

    /// Whether the column of a field does.
    func isOwn(_ field: Int) -> Bool { forms.isEmpty || forms[field] == .own }

    /// The value of a field that something stored means.
    func canonical(_ value: FieldValue, field: Int) -> FieldValue {
        forms.isEmpty ? value : forms[field].canonical(value)
    }

    /// What is stored for a value of a field.
    ///
    /// - Throws: An error as of a constraint where the column cannot hold it.
    func stored(_ value: FieldValue, field: Int) throws(SQLiteError) -> FieldValue {
        if forms.isEmpty { return value }
        if let stored = forms[field].stored(value) { return stored }
        throw TableRefusal.inexact(
            column: schema.fields[field].column, of: schema.table, keeps: forms[field].limit)
    }

    /// The key that a stored one means.
    func canonical(_ key: RecordKey) -> RecordKey {
        if forms.isEmpty { return key }
        return RecordKey(zip(key.values, schema.keyFields).map { canonical($0, field: $1) })
    }

    /// A key, or its first values, as the table has it.
    func stored(_ key: RecordKey) -> RecordKey {
        if forms.isEmpty { return key }
        // A key of a form that could not hold it is refused when the table is prepared.
        return RecordKey(zip(key.values, schema.keyFields).map { forms[$1].stored($0) ?? $0 })
    }

    /// An expression for a value of a field as the table has it.
    func stored(expression: String, field: Int) -> String {
        forms.isEmpty ? expression : forms[field].stored(expression: expression)
    }

    /// A row of all columns with the values that it means.
    func canonical(_ row: RowImage) -> RowImage { forms.isEmpty ? row : mapped(row) { canonical($0, field: $1) } }

    /// Such a row as the table has it.
    func stored(_ row: RowImage) throws(SQLiteError) -> RowImage {
        if forms.isEmpty { return row }
        var row = row
        for (index, column) in row.columns.enumerated() {
            guard let field = schema.field(ofColumn: column.name) else { continue }
            row.columns[index].value = try stored(column.value, field: field)
        }
        return row
    }

    private func mapped(_ row: RowImage, _ change: (FieldValue, Int) -> FieldValue) -> RowImage {
        RowImage(
            row.columns.map { column in
                RowImage.Column(
                    name: column.name,
                    value: schema.field(ofColumn: column.name).map { change(column.value, $0) } ?? column.value)
            })
    }
}

extension EntityRegistry {
    /// The forms of a table's columns, by the column's name in lower case.
    func forms(of table: String) throws -> [String: ColumnForm] {
        let prefix = table.lowercased() + "/"
        var forms: [String: ColumnForm] = [:]
        for entry in try entries("form", prefix: prefix) {
            forms[String(decoding: entry.name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)] =
                ColumnForm(rawValue: entry.value)
        }
        return forms
    }
}

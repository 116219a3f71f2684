internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite

/// The forms of columns that others made: found out once, by what is in the table or by who made it.
struct ColumnFormFinder {
    /// How many rows are looked at.
    private static let sampleSize = 100

    private let database: SQLiteDatabase
    private let table: String
    private var connection: Connection { database.connection }

    init(_ database: SQLiteDatabase, table: String) { (self.database, self.table) = (database, table) }

    /// Finds out, or remembers, the forms of the columns of a table that was there.
    func record(_ schema: RecordSchema, _ columns: [SQLColumn]) throws {
        if columns.contains(where: \.isStrict) { return }
        let registry = EntityRegistry(database: database)
        let known = try registry.forms(of: table)
        for index in schema.columnFields {
            let field = schema.fields[index]
            guard let column = columns.first(where: { $0.name.lowercased() == field.column.lowercased() }),
                known[column.name.lowercased()] == nil, let form = try form(of: column, field.type)
            else { continue }
            try registry.put("form", "\(table.lowercased())/\(column.name.lowercased())", form.rawValue)
        }
    }

    /// The form of a column; nil where the type of its field has but one.
    func form(of column: SQLColumn, _ type: FieldType) throws(SQLiteError) -> ColumnForm? {
        switch type {
        case .decimal, .json: return column.isText ? .own : .number
        case .uuid:
            guard try holdsPlainUUIDs(column) else { return .own }
            return column.affinity == .numeric ? .hexadecimalAmongNumbers : .hexadecimal
        case .datetime: return try timeForm(of: column)
        case .double: return column.affinity == .numeric ? .real : nil
        case .string, .url, .enumeration, .int, .bool, .date, .bytes: return nil
        }
    }

    /// Whether UUIDs have no hyphens in a column: as its first value has it, or as those who made it write them.
    private func holdsPlainUUIDs(_ column: SQLColumn) throws(SQLiteError) -> Bool {
        let texts = try sample(column).compactMap { Self.text($0) }
        if let first = texts.first { return first.count == 32 }
        // `UUIDField` of Django, and `Uuid` of SQLAlchemy.
        if column.type.contains("(32)") { return true }
        // `UUID` of SQLAlchemy; Sequelize and GORM, which declare it as well, keep the hyphens.
        guard column.declared == "UUID" else { return false }
        return try isOfSQLAlchemy()
    }

    /// Whether SQLAlchemy made the table: it writes each column on a line of its own, behind a tab.
    private func isOfSQLAlchemy() throws(SQLiteError) -> Bool {
        try connection.integer(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE AND instr(sql, ?2) > 0",
            [SQLiteValue(table), SQLiteValue("(\n\t")]) != 0
    }

    private func timeForm(of column: SQLColumn) throws(SQLiteError) -> ColumnForm {
        let values = try sample(column)
        let numbers = values.compactMap { if case .integer(let number) = $0 { number } else { nil } }
        // Seconds of this size are those of the year 5138.
        if let number = numbers.map(\.magnitude).max() { return number >= 100_000_000_000 ? .milliseconds : .seconds }
        let texts = values.compactMap { Self.text($0) }
        let spaced = texts.filter { $0.contains(" ") }
        if spaced.contains(where: { !$0.contains(".") }) { return .spaced }
        if spaced.contains(where: { $0.hasSuffix(".000000") }) { return .spacedMicroseconds }
        if spaced.isEmpty && (!texts.isEmpty || column.isText) { return .own }
        return try usualTimeForm(column)
    }

    /// The form that those who made the table use.
    private func usualTimeForm(_ column: SQLColumn) throws(SQLiteError) -> ColumnForm {
        func has(_ name: String) throws(SQLiteError) -> Bool {
            try connection.integer(
                "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1", [SQLiteValue(name)]) != 0
        }
        if try has("_prisma_migrations") { return .milliseconds }
        if try has("django_migrations") { return .spaced }
        // Rails before 6.1 gave times no precision, and wrote all digits all the same.
        if try has("ar_internal_metadata") { return .spacedMicroseconds }
        // Django writes its types in small letters, and Rails gives times their precision.
        return column.declared == "datetime" ? .spaced : .spacedMicroseconds
    }

    /// Values of a column that are not null, from the first rows that have any.
    func sample(_ column: SQLColumn) throws(SQLiteError) -> [SQLiteValue] {
        let name = SQLName.quoted(column.name)
        return try connection.rows(
            "SELECT \(name) FROM \(SQLName.quoted(table)) WHERE \(name) IS NOT NULL LIMIT \(Self.sampleSize)"
        ).map { $0[0] }
    }

    static func text(_ value: SQLiteValue) -> String? {
        if case .text(let bytes) = value { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
}

extension SQLColumn {
    /// Whether it keeps text as it is.
    fileprivate var isText: Bool { affinity == .text || affinity == .none }

    /// What it makes of the values that it is given.
    var affinity: ColumnAffinity { ColumnAffinity(declared, isStrict: isStrict) }

    /// Whether it keeps values of a STRICT table's type as they are. Types that are not said to hold numbers, such as
    /// DECIMAL, are left alone.
    private func fits(_ sqliteType: String) -> Bool {
        let isNumber = ["INT", "BOOL"].contains { type.contains($0) } || type.isEmpty || type == "ANY"
        return affinity.keeps(sqliteType) && (sqliteType != "INTEGER" || isNumber)
            && (sqliteType == "BLOB" ? affinity == .none : !type.contains("BLOB"))
    }

    /// Whether it can hold the values of a type, as a table of ours does or in a form that is known.
    func fits(_ type: FieldType, isKey: Bool) -> Bool {
        if fits(type.sqliteType) { return true }
        let declared = self.type
        func begins(_ words: String...) -> Bool { affinity == .numeric && words.contains { declared.hasPrefix($0) } }
        return switch type {
        case .int: begins("DECIMAL", "NUMERIC")
        case .date: declared == "DATE"
        case .uuid: declared == "UUID"
        // What identifies a record must be found by its text.
        case .decimal, .double: begins("DECIMAL", "NUMERIC") && !isKey
        case .json: begins("JSON") && !isKey
        case .datetime: begins("DATETIME", "TIMESTAMP") && !isKey
        case .string, .url, .enumeration, .bool, .bytes: false
        }
    }
}

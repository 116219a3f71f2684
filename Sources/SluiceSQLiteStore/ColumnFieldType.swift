internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite

/// Which type of a field takes a column over as it is: the first that its declared type means and that adoption accepts.
extension ColumnFormFinder {
    /// The type of a field for a column of a table that was there; nil where adoption accepts none. What identifies
    /// records must have one form for each value.
    func fieldType(of column: SQLColumn, isKey: Bool, holdsJSON: Bool) throws(SQLiteError) -> FieldType? {
        try meanings(of: column, holdsJSON: holdsJSON).first { type in
            column.fits(type, isKey: isKey) && !(isKey && [.json, .double, .bytes].contains(type))
        }
    }

    private func meanings(of column: SQLColumn, holdsJSON: Bool) throws(SQLiteError) -> [FieldType] {
        let declared = column.type
        let words: [(words: [String], type: FieldType)] = [
            (["BOOL"], .bool), (["DATETIME", "TIMESTAMP"], .datetime), (["UUID"], .uuid), (["JSON"], .json),
            (["DECIMAL", "NUMERIC"], .decimal),
        ]
        var types = words.filter { $0.words.contains { declared.hasPrefix($0) } }.map(\.type)
        if declared == "DATE" { types.append(.date) }
        switch column.affinity {
        case .text:
            if holdsJSON { types.append(.json) }
            if try holdsUUIDs(column) { types.append(.uuid) }
            types.append(.string)
        case .integer: types.append(.int)
        case .real: types.append(.double)
        case .numeric: types.append(.int)
        case .none: types += declared.contains("BLOB") ? [.bytes] : try typesOfValues(column)
        }
        return types
    }

    /// Whether a column is one in which Django and SQLAlchemy keep UUIDs: they are the only ones to declare `char(32)`.
    private func holdsUUIDs(_ column: SQLColumn) throws(SQLiteError) -> Bool {
        guard column.type == "CHAR(32)" else { return false }
        return try sample(column).allSatisfy { value in
            guard let text = Self.text(value) else { return false }
            return text.utf8.count == 32 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
        }
    }

    /// What the values of a column without a type are; text where there are none.
    private func typesOfValues(_ column: SQLColumn) throws(SQLiteError) -> [FieldType] {
        let types = try sample(column).map { value -> FieldType in
            switch value {
            case .integer: .int
            case .real: .double
            case .blob: .bytes
            case .text, .null: .string
            }
        }
        guard let first = types.first, types.allSatisfy({ $0 == first }) else { return [.string] }
        return [first, .string]
    }
}

extension SQLColumn {
    /// Whether a table's definition checks that the values of this column are JSON, as Django's does.
    func isCheckedAsJSON(by definition: String) -> Bool {
        let text = definition.lowercased().filter { !$0.isWhitespace }
        let name = name.lowercased().filter { !$0.isWhitespace }
        return [SQLName.quoted(name), name, "`\(name)`", "[\(name)]"].contains { text.contains("json_valid(\($0))") }
    }
}

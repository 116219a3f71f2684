/// What a column makes of the values that it is given. See: sqlite.org/datatype3.html
enum ColumnAffinity {
    case integer, real, text, numeric
    /// Values stay as they are.
    case none

    /// - Parameters:
    ///   - type: The declared type.
    ///   - isStrict: Whether the table is a STRICT one, where `ANY` says that values stay as they are.
    init(_ type: String, isStrict: Bool) {
        let type = type.uppercased()
        func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
        self =
            if isStrict && type == "ANY" {
                .none
            } else if has("INT") {
                .integer
            } else if has("CHAR", "CLOB", "TEXT") {
                .text
            } else if has("BLOB") || type.isEmpty {
                .none
            } else if has("REAL", "FLOA", "DOUB") {
                .real
            } else {
                .numeric
            }
    }

    /// Whether a column with this keeps values of a STRICT table's type as they are.
    func keeps(_ sqliteType: String) -> Bool {
        switch sqliteType {
        case "INTEGER": self != .text && self != .real
        case "REAL": self == .real || self == .none
        case "BLOB": true
        default: self == .text || self == .none
        }
    }
}

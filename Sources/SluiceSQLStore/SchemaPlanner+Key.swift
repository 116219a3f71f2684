/// The key of a table that was there before: its rows must be told apart as their sources tell records apart, byte by
/// byte. Where `A` and `a` are one row and two records, each record would take the other's row for its own.
extension SchemaPlanner {
    /// Why a table's key cannot be the key of an entity's records.
    package func keyProblems(_ table: String, columns: [String], _ existing: [SQLColumn]) throws -> [String] {
        let missing = columns.filter { name in !existing.contains { $0.name.lowercased() == name.lowercased() } }
        if !missing.isEmpty { return missing.map { "the key column `\($0)` is missing" } }
        let loose = try columns.compactMap { try looseness(of: $0, in: table) }
        if !loose.isEmpty { return loose }
        let wanted = Set(columns.map { $0.lowercased() })
        let groups = try database.wholeUniqueIndexes(of: table).filter { Set($0.columns) == wanted }
        if let collation = groups.flatMap(\.looseCollations).first {
            return [Self.problem("the unique index of \(columns.joined(separator: ", "))", collation)]
        }
        // The primary key of a table without an index of its own is its rowid.
        let isKey = Set(existing.filter { $0.keyPosition > 0 }.map { $0.name.lowercased() }) == wanted
        return groups.isEmpty && !isKey
            ? ["no primary key or unique index covers exactly \(columns.joined(separator: ", "))"] : []
    }

    /// Why values of a column of keys are not told apart byte by byte; nil where they are, or where there is no such column.
    func looseness(of column: String, in table: String) throws -> String? {
        try database.looseness(of: column, in: table).map { Self.problem("the key column `\(column)`", $0) }
    }

    private static func problem(_ what: String, _ collation: String) -> String {
        let reason =
            switch collation.uppercased() {
            case "NOCASE": "so that `A` and `a` are one key"
            case "RTRIM": "so that keys which differ in blanks at their end are one key"
            default: "which need not tell every two keys apart"
            }
        return
            "\(what) compares as \(collation), \(reason), and a source's keys are told apart byte by byte; make the table anew without `COLLATE \(collation)` there"
    }
}

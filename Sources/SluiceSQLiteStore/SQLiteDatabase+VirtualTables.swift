internal import SluiceSQLite

/// Virtual tables, such as indexes for full-text search.
extension SQLiteDatabase {
    /// Counts of rows by table without the tables in which virtual tables keep what they hold. A row of a content (FTS) or of rowids
    /// (R*Tree) stands for one of the virtual table. See: sqlite.org/vtab.html#the_xshadowname_method
    ///
    /// - Parameter counts: The counts of all tables.
    /// - Returns: Those of tables and virtual tables.
    /// - Throws: `SQLiteError`.
    func withoutShadowTables(_ counts: [String: Int]) throws -> [String: Int] {
        if counts.isEmpty { return counts }
        let shadows = try connection.rows(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'")
        var counts = counts
        for case .text(let bytes)? in shadows.map(\.first) {
            let name = String(decoding: bytes, as: UTF8.self)
            guard let count = counts.removeValue(forKey: name) else { continue }
            guard let end = ["_content", "_rowid"].first(where: { name.hasSuffix($0) }) else { continue }
            counts[String(name.dropLast(end.count)), default: 0] += count
        }
        return counts
    }
}

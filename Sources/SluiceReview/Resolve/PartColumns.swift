/// The columns of a table that lead to records which are parts of those that have them, as a program's models say it.
package struct PartColumns: Hashable, Sendable {
    private let table: String
    private let columns: Set<String>

    /// Makes columns; no matter how names are spelled.
    ///
    /// - Parameters:
    ///   - table: The table of the owners, or of the pairs of owner and part.
    ///   - columns: The columns of the part's key.
    package init(_ table: String, _ columns: [String]) {
        (self.table, self.columns) = (table.lowercased(), Set(columns.map { $0.lowercased() }))
    }
}

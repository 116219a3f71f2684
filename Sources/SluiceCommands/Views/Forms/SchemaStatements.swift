internal import SluiceStore

/// What a change of a table runs, where its short form does not say it.
enum SchemaStatements {
    /// The most statements that a report shows of one change.
    private static let most = 10

    /// The statements on one line each, as a report shows them.
    ///
    /// - Parameter change: The change.
    /// - Returns: None where the change is said by its statement, and where nobody knows them.
    static func lines(of change: SchemaChange) -> [String] {
        let short = line(change.sql)
        let all = (change.statements ?? []).map(line).filter { $0 != short }
        return Array(all.prefix(most)) + (all.count > most ? ["… and \(CountText.grouped(all.count - most)) more"] : [])
    }

    /// A statement on one line.
    static func line(_ sql: String) -> String { sql.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

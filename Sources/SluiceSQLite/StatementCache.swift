/// What a statement is known by: its text, or the text that it is a part of and the columns that it names.
///
/// A statement of which there are many, as there is an update for each combination of columns, is found by its columns
/// before its text is made.
package struct StatementKey: Hashable, Sendable {
    let text: String
    let columns: [Int]

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - text: The text of the statement, or one that together with the columns says all of it.
    ///   - columns: The columns; empty for the text alone.
    package init(_ text: String, columns: [Int] = []) {
        self.text = text
        self.columns = columns
    }
}

/// The prepared statements of a connection. Each is used by one ``Statement`` at a time and given back afterwards.
struct StatementCache {
    /// How many statements are kept. A run over a dozen tables uses fewer.
    static let capacity = 256

    private var known: [StatementKey: PreparedStatement] = [:]
    private var clock: UInt64 = 0

    /// The number of statements that are kept.
    var count: Int { known.count }

    /// A statement that nobody uses; nil where there is none.
    func take(_ key: StatementKey) -> PreparedStatement? {
        guard let statement = known[key], !statement.isTaken else { return nil }
        statement.isTaken = true
        return statement
    }

    /// Keeps a new statement, which is in use; where the cache is full, in the place of the one that was not used for
    /// longest. It is not kept where another one of the same key is, or all others are in use.
    mutating func add(_ statement: PreparedStatement, as key: StatementKey) {
        if known[key] != nil { return }
        if known.count >= Self.capacity {
            let idle = known.filter { !$0.value.isTaken }
            guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
            known[oldest.key] = nil
        }
        known[key] = statement
    }

    /// Takes a statement back.
    mutating func giveBack(_ statement: PreparedStatement) {
        statement.clear()
        statement.isTaken = false
        clock += 1
        statement.lastUse = clock
    }

    /// Forgets all statements.
    mutating func removeAll() { known.removeAll() }
}

internal import SluiceModel
internal import SluiceSQLite

/// The sets of owners that come in the order of their keys: one pass over a table of links, instead of a look-up for each.
final class LinkCursor {
    /// The field of the sets.
    let field: Int
    private let statement: Statement
    /// The owner of the link that was read last; nil behind the last one.
    private var owner: Int64?

    /// Begins before the first link.
    ///
    /// - Parameters:
    ///   - links: The statements for the table of links, which is in the order of its owners.
    ///   - key: The least owner that is asked for.
    ///   - connection: Where the table is.
    /// - Throws: `SQLiteError`.
    init(_ links: LinkStatements, from key: Int64, _ connection: Connection) throws(SQLiteError) {
        field = links.field
        statement = try connection.prepare(links.sql.inOrder)
        statement.bind(key, at: 1)
        try advance()
    }

    /// Goes to the next link whose owner is an integer.
    private func advance() throws(SQLiteError) {
        repeat {
            owner = nil
            guard try statement.step() else { return }
            owner = statement.heldInteger(0)
        } while owner == nil
    }

    /// The set of an owner.
    ///
    /// - Parameters:
    ///   - key: The owner's key, greater than those that were asked for before.
    ///   - members: Becomes the set, in ascending order.
    /// - Returns: Whether all members are integers; the set is of no use where one is not.
    /// - Throws: `SQLiteError`.
    func read(_ key: Int64, into members: inout [Int64]) throws(SQLiteError) -> Bool {
        members.removeAll(keepingCapacity: true)
        while let last = owner, last < key { try advance() }
        var areIntegers = true
        while owner == key {
            if let member = statement.heldInteger(1) { members.append(member) } else { areIntegers = false }
            try advance()
        }
        return areIntegers
    }
}

internal import SluiceModel

/// The references that wait for their records, `_sluice_pending`: the column is null, and counts as what it waits for.
///
///     table    key     field    target_key   rule
///     issues   [7]     author   [42]         defer       linked when it arrives
///     issues   [7]     labels   [5]          set_null    never linked
///     issues   [8]     author   [42]         held        linked when it arrives, from the next transaction on
///
/// One for a store and all its tables. Within a run nothing is added but at its end.
package final class PendingReferences {
    /// The rule of what waits again since a link was taken back, until the transaction is settled.
    static let withheld = "held"
    /// Whether some may have that rule.
    private(set) var isWithholding = false
    private let database: any SQLDatabase
    private var isKnownToBeEmpty: Bool?

    /// Makes a look at them.
    package init(_ database: any SQLDatabase) { self.database = database }

    /// Whether nothing waits, by one look for each transaction.
    package func isEmpty() throws -> Bool {
        if let isKnownToBeEmpty { return isKnownToBeEmpty }
        let isThere = try database.object("_sluice_pending") != nil
        let isEmpty = try !isThere || !database.hasRow("SELECT 1 FROM \(database.ledger("pending")) LIMIT 1")
        isKnownToBeEmpty = isEmpty
        return isEmpty
    }

    /// Has those that wait again since a link was taken back wait for the next transaction.
    package func withhold() {
        isWithholding = true
        forget()
    }

    /// Has them linked once their records are there, as all others.
    func release() throws {
        if !isWithholding { return }
        isWithholding = false
        if try isEmpty() { return }
        try database.execute(
            """
            UPDATE \(database.ledger("pending")) SET rule = \(SQLText.literal(RecordReference.DanglingRule.defer.rawValue))
            WHERE rule = \(SQLText.literal(Self.withheld))
            """)
    }

    /// Has the table looked at again.
    package func forget() { isKnownToBeEmpty = nil }
}

internal import SluiceModel

/// The references that wait for their records, `_sluice_pending`: the column is null, and counts as what it waits for.
///
///     table    key     field    target_key   rule
///     issues   [7]     author   [42]         defer       linked when it arrives
///     issues   [7]     labels   [5]          set_null    never linked
///     issues   [8]     author   [42]         held        linked when it arrives, from the next transaction on
///     issues   [9]     author   [42]         back        linked if it is there as the transaction ends, else never
///     issues   [9]     team     [3]          anew        settled by the reference's rule of now as the transaction ends
///
/// A field of a `ref` waits for one value at most, and only while its columns are null; each element of `refs` waits by itself.
/// One for a store and all its tables. Within a run nothing is added but at its end.
package final class PendingReferences {
    /// The rule of what waits again since a link was taken back, until the transaction is settled.
    static let withheld = "held"
    /// The rule of what was null for good until a deletion was taken back, until the transaction is settled.
    static let returning = "back"
    /// The rule of what waited until its reference got a rule by which nothing waits, until the transaction is settled.
    static let anew = "anew"
    /// The rules of what is null for good, as a list of SQL.
    package static let emptied = [RecordReference.DanglingRule.setNull.rawValue, returning]
        .map { SQLText.literal($0) }.joined(separator: ", ")
    /// The rules that one may have between transactions.
    static let kept = [RecordReference.DanglingRule.defer, .setNull].map(\.rawValue)
    /// Whether some may have a rule that ends with the transaction.
    private var hasPassingRules = false
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

    /// Notes that some got a rule which ends with the transaction.
    package func expectPassingRules() {
        hasPassingRules = true
        forget()
    }

    /// Gives those with such a rule the one that they have from the next transaction on.
    func release() throws {
        if !hasPassingRules { return }
        hasPassingRules = false
        if try isEmpty() { return }
        let rules: [(String, RecordReference.DanglingRule)] = [
            (Self.withheld, .defer), (Self.returning, .setNull), (Self.anew, .defer),
        ]
        for (passing, lasting) in rules {
            try database.run(
                "UPDATE \(database.ledger("pending")) SET rule = ?2 WHERE rule = ?1",
                [FieldValue(passing), FieldValue(lasting.rawValue)])
        }
    }

    /// Has the table looked at again.
    package func forget() { isKnownToBeEmpty = nil }
}

internal import SluiceSQLite

/// The references that wait for their records, `_sluice_pending`: the column is null, and counts as what it waits for.
///
///     table    key     field    target_key   rule
///     issues   [7]     author   [42]         defer       linked when it arrives
///     issues   [7]     labels   [5]          set_null    never linked
///
/// One for a store and all its tables. Within a run nothing is added but at its end.
final class PendingReferences {
    static let table = """
        CREATE TABLE _sluice_pending ("table" TEXT NOT NULL, key TEXT NOT NULL, field TEXT NOT NULL,
            target_key TEXT NOT NULL, rule TEXT NOT NULL, PRIMARY KEY ("table", key, field, target_key)) STRICT,
            WITHOUT ROWID;
        """

    private let connection: Connection
    private var isKnownToBeEmpty: Bool?

    init(connection: Connection) { self.connection = connection }

    /// Whether nothing waits, by one look for each transaction.
    func isEmpty() throws(SQLiteError) -> Bool {
        if let isKnownToBeEmpty { return isKnownToBeEmpty }
        let isThere = try connection.integer("SELECT 1 FROM sqlite_schema WHERE name = '_sluice_pending'") == 1
        var isEmpty = true
        if isThere { isEmpty = try connection.integer("SELECT 1 FROM _sluice_pending LIMIT 1") == nil }
        isKnownToBeEmpty = isEmpty
        return isEmpty
    }

    /// Has the table looked at again.
    func forget() { isKnownToBeEmpty = nil }
}

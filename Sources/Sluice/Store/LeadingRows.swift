internal import SluiceSQLite
internal import SluiceSQLiteStore
internal import SluiceStore

/// The rows that a transaction wrote while what they lead to was not there.
///
/// SQLite counts such rows in one number, off which it takes what the transaction mends: a row that led nowhere before it. So none at
/// the end says nothing of single rows, and those that were met are looked at once more.
struct LeadingRows {
    private typealias Finder = (statement: Statement, mayMend: Bool)

    private let store: SQLiteRecordStore
    /// What finds such rows of each table by the columns of their keys; nil where it has no foreign key.
    private var finders: [String: [(columns: [String], finder: Finder?)]] = [:]
    /// The tables that have no foreign key, of those in `finders`.
    private var free: Set<String> = []
    private var met: [(table: String, columns: [String], entity: String, key: [BoxedValue])] = []

    init(_ store: SQLiteRecordStore) { self.store = store }

    /// How many were met.
    var count: Int { met.count }

    /// Forgets those that were met after some.
    mutating func forget(from count: Int) { met.removeSubrange(count...) }

    /// Whether the rows of a table are known to have no foreign key.
    func leadsNowhere(_ table: String) -> Bool { free.contains(table) }

    /// Records a row that was just written, where it leads to none.
    ///
    /// - Parameters:
    ///   - table: Its table.
    ///   - columns: The columns of its key.
    ///   - key: Its key.
    ///   - entity: Whose row it is, for people.
    ///   - isNew: Whether it was inserted, which may have mended what led to it.
    /// - Throws: `StoreError` and `SQLiteError`.
    mutating func record(
        _ table: String, _ columns: [String], _ key: [BoxedValue], of entity: String, isNew: Bool
    ) throws {
        let finder: Finder?
        // Both sides of a table of pairs write to it, each with its own key first.
        if let known = finders[table]?.first(where: { $0.columns == columns }) {
            finder = known.finder
        } else {
            finder = try store.leadingToNone(table, by: columns)
            finders[table, default: []].append((columns, finder))
            if finder == nil { free.insert(table) }
        }
        guard let finder, store.connection.hasOpenForeignKeys || isNew && finder.mayMend else { return }
        if try Self.leadsToNone(key, finder.statement) { met.append((table, columns, entity, key)) }
    }

    /// Settles what of these rows leads to none still, and refuses what that leaves.
    ///
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/dangling``, `StoreError` and `SQLiteError`.
    func settle() throws {
        // What SQLite counts it refuses itself.
        guard !store.connection.hasOpenForeignKeys, try first() != nil else { return }
        store.connection.expectOpenForeignKeys()
        try store.settleReferences(telling: nil).requireUnbroken()
        guard let (_, _, entity, key) = try first() else { return }
        let identifier = key.map(\.text).joined(separator: ", ")
        throw SluiceError(
            .dangling, "A record leads to one that is not there (\(entity) \(identifier)).", entity: entity,
            identifier: identifier)
    }

    /// The first row that leads to none.
    func first() throws -> (table: String, columns: [String], entity: String, key: [BoxedValue])? {
        for row in met {
            let known = finders[row.table]?.first { $0.columns == row.columns }
            if let finder = known?.finder, try Self.leadsToNone(row.key, finder.statement) { return row }
        }
        return nil
    }

    private static func leadsToNone(_ key: [BoxedValue], _ statement: Statement) throws(SQLiteError) -> Bool {
        defer { statement.reset() }
        for (place, value) in key.enumerated() { statement.bind(value, at: place + 1) }
        return try statement.step()
    }
}

package import SluiceModel
package import SluiceStore

/// A database that a store can be copied from and to.
package protocol TransferDatabase: SQLDatabase {
    /// How its kind is called: between two of one kind, columns keep the types that they were declared with.
    var kind: String { get }

    // MARK: To copy from

    /// An expression that reads a column, called as statements name it.
    func reading(_ column: SQLColumn, of table: String) throws -> String
    /// The type of a field that can take over a column that no field fills.
    func counterpart(of column: SQLColumn, in table: String) throws -> FieldType
    /// Whether a table gives a row that says nothing the next number in a column.
    func givesNumbers(_ column: SQLColumn, of table: String) throws -> Bool
    /// Whether another database of the kind has the type of a column.
    func isPortable(_ column: SQLColumn) -> Bool
    /// A condition of the rows of `_sluice_state` that are part of runs.
    var stateOfRuns: String { get }
    /// What stands in the database and is no part of some tables, and rules of these that no table is copied with: each as
    /// a noun with its name.
    func others(besides tables: Set<String>) throws -> [String]

    // MARK: To copy to

    /// Opens the transaction in which a store is made and filled.
    ///
    /// - Throws: `StoreError` where there is a store already.
    func beginFilling() throws
    /// Makes durable what was filled.
    func endFilling() throws
    /// Forgets what was filled; does nothing where no transaction is open.
    func giveUpFilling()
    /// What its columns hold, as a sentence.
    var limits: String { get }
    /// The type of a column that gives numbers, of the type that it has without that.
    func numberedType(_ type: String) -> String
    /// Has a column that gives numbers go on after the last of them.
    func continueNumbers(of column: String, in table: String) throws
    /// Adds rows to a table.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - columns: The columns that each row has, in this order.
    ///   - body: Adds the rows; adding gives the position of a value that its column cannot hold, and nil where the row was
    ///     added.
    /// - Throws: `StoreError`, and what the body throws.
    func load(_ table: String, _ columns: [String], _ body: (_ add: ([FieldValue]) throws -> Int?) throws -> Void)
        throws
}

/// A store that can be copied.
package protocol TransferableStore: RecordStore {
    /// What it is copied from and to.
    var transferDatabase: any TransferDatabase { get }
}

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
    /// The last number that such a column gave, 0 for none; nil where it gives numbers again whose rows are gone.
    func lastNumber(of column: String, in table: String) throws -> Int64?
    /// How a column compares and orders texts, where it says that itself.
    func collation(of column: String, in table: String) throws -> SQLCollation?
    /// The CHECK rules of a table.
    func checks(of table: String) throws -> [SQLCheck]
    /// The statement that makes an index, nil where that is not known.
    func indexText(_ name: String) throws -> String?
    /// Whether another database of the kind has the type of a column.
    func isPortable(_ column: SQLColumn) -> Bool
    /// Whether the type of a column takes fewer values than any of a field, as `varchar(40)` does.
    func isBounded(_ column: SQLColumn) -> Bool
    /// Whether the default of a column names nothing that people made beside it.
    func hasPortableDefault(_ column: SQLColumn, of table: String) throws -> Bool
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
    /// The type of a column that gives numbers, of the type that it has without that; nil where it cannot be made. Where it
    /// always gives them, a row cannot say another one.
    func numberedType(_ type: String, isKey: Bool, isAlways: Bool) -> String?
    /// What stands behind the `PRIMARY KEY` of such a column that gives no number again.
    var neverAgain: String { get }
    /// Has a column that gives numbers go on after the last of them, or after a number that was given.
    func continueNumbers(of column: String, in table: String, after last: Int64?) throws
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

/// How a column compares and orders texts.
package struct SQLCollation: Sendable {
    package let name: String
    /// How a definition names it; nil where another database of the kind may not have it.
    package let sql: String?
    /// Whether it compares and orders byte by byte, as every kind of database can.
    package let isByBytes: Bool

    /// Makes a collation.
    package init(name: String, sql: String?, isByBytes: Bool) {
        (self.name, self.sql, self.isByBytes) = (name, sql, isByBytes)
    }
}

/// A store that can be copied.
package protocol TransferableStore: RecordStore {
    /// What it is copied from and to.
    var transferDatabase: any TransferDatabase { get }
}

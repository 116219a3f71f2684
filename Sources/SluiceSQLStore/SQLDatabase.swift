package import SluiceModel
package import SluiceStore

/// A database of SQL that a store keeps its tables in: what all stores on SQL do in one way stands on it. What is done for
/// each record stands in the store of its kind.
///
/// Statements are written once: `?1`, `?2`, … stand for values, names come from ``table(_:)`` and ``ledger(_:)``, and what
/// the kinds of databases say in different words are requirements here.
package protocol SQLDatabase: AnyObject {
    /// How errors call it.
    var place: String { get }

    /// What the registry says, as long as nobody else can change it.
    var registryMemory: RegistryMemory { get }

    /// Where work on whole tables says how far it has come.
    var monitor: WorkMonitor { get }

    // MARK: Statements

    /// The rows of a query.
    func rows(_ sql: String, _ values: [FieldValue]) throws -> [[FieldValue]]
    /// Gives the rows of a query one after the other, until a body says that it has enough.
    func each(_ sql: String, _ values: [FieldValue], _ body: ([FieldValue]) throws -> Bool) throws
    /// Runs one statement that writes.
    ///
    /// - Returns: How many rows it wrote.
    @discardableResult
    func run(_ sql: String, _ values: [FieldValue]) throws -> Int
    /// Runs one statement that writes with one set of values after the other: they are on their way together where that is
    /// faster.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - rows: The values of each time.
    /// - Throws: What the database throws.
    func run(_ sql: String, each rows: [[FieldValue]]) throws
    /// Inserts rows into a table of the store itself, together where each statement takes its time.
    ///
    /// - Parameters:
    ///   - rows: The values of each row.
    ///   - columns: Their columns.
    ///   - ledger: The table, without its `_sluice_`.
    /// - Throws: What the database throws; then the transaction cannot go on where there were several.
    func insertRows(_ rows: [[FieldValue]], _ columns: [String], into ledger: String) throws
    /// Overwrites rows of a table of the store itself, together where each statement takes its time.
    ///
    /// - Parameters:
    ///   - rows: The values of each row; the first is its number, and no number comes twice.
    ///   - columns: Their columns, the first of which is that of the numbers.
    ///   - ledger: The table, without its `_sluice_`.
    /// - Throws: What the database throws; then the transaction cannot go on where there were several.
    func overwriteRows(_ rows: [[FieldValue]], _ columns: [String], of ledger: String) throws
    /// Runs statements without values.
    func execute(_ sql: String) throws
    /// Runs what a rule of a table may refuse; where one does, nothing of it remains.
    ///
    /// - Returns: The refusal; nil where there is none.
    func attempt(_ body: () throws -> Void) throws -> SQLRefusal?
    /// Runs what the database may fail to do.
    ///
    /// - Returns: Its words where it did; nil where all went well.
    func failure(_ body: () throws -> Void) throws -> String?
    /// Looks for what a database cannot find where a value is none of the type that it compares, or a table or column is gone. What else
    /// the database fails of is an error.
    ///
    /// - Returns: Its words where it cannot; nil where all went well.
    func misfit(_ body: () throws -> Void) throws -> String?

    /// Has all that a body reads be of one moment, whoever writes meanwhile.
    func atOneMoment<Result>(_ body: () throws -> Result) throws -> Result

    // MARK: Names

    /// A table, view or index of people as statements name it.
    func table(_ name: String) -> String
    /// The name for an object of its own that is derived of others, as short as the database wants names.
    func derivedName(_ wanted: String) -> String

    /// Whether capital and small letters are the same in names.
    var foldsNames: Bool { get }

    // MARK: What is there

    /// Whether the store has its own tables, as a run makes them.
    func hasTables() throws -> Bool
    /// Whether it has what runs changed: an older store that was only read has not.
    func hasHistory() throws -> Bool
    /// Whether its own tables are of the shape that this program makes: an older store that was only read has another.
    func isCurrent() throws -> Bool
    /// The unique indexes of its own tables besides those of keys: each with the table, without its `_sluice_`, and the
    /// statement that makes it.
    var ownUniqueIndexes: [(ledger: String, sql: String)] { get }
    /// What a name stands for; nil for nothing.
    func object(_ name: String) throws -> SQLObject?
    /// The columns of a table in its order; none where there is no such table.
    func columns(of table: String) throws -> [SQLColumn]
    /// The names of the tables that are none of the store's own.
    func tableNames() throws -> [String]
    /// The foreign keys of a table.
    func foreignKeys(of table: String) throws -> [SQLForeignKey]
    /// The indexes of a table, that of the primary key among them where it has one.
    func indexes(of table: String) throws -> [SQLIndex]
    /// What makes a key column tell values apart in another way than byte by byte; nil where it does not.
    func looseness(of column: String, in table: String) throws -> String?
    /// The text of a view as it was made, nil where there is none.
    func viewText(_ name: String) throws -> String?

    /// What the database itself finds wrong with its structures.
    func integrityFindings() throws -> [StoreFinding]
    /// The foreign keys that rows break, with how many do; none where the database keeps all that it knows.
    func brokenForeignKeys() throws -> [(table: String, key: SQLForeignKey, count: Int)]

    // MARK: Types

    /// The type of a column for the values of a field.
    func columnType(_ type: FieldType) -> String
    /// The type of a base's column for the key, in which values are in the order of their bytes.
    func keyType(_ type: FieldType) -> String
    /// Whether a column can hold the values of a type as a table of ours does, or in a form that is known.
    func fits(_ column: SQLColumn, _ type: FieldType, isKey: Bool) -> Bool
    /// Whether a column of ours can hold a value of a type without loss.
    func holds(_ value: FieldValue, _ type: FieldType) -> Bool
    /// Whether all values of a column are of a type, as a condition; nil where the database sees to it.
    func isOfType(_ column: String, _ type: FieldType) -> String?
    /// How a table that others made keeps the values of its columns, by the column's name in lower case; what it keeps as
    /// a table of ours does need not be there.
    func forms(of table: String) throws -> [String: any StoredForm]
    /// Finds out, or remembers, the forms of the columns of a table that was there.
    func recordForms(of schema: RecordSchema, _ columns: [SQLColumn]) throws
    /// Whether this program may change the definition of a table: on PostgreSQL its owner alone may.
    func mayChange(_ table: String) throws -> Bool
    /// Whether a table is one whose columns may change their type: as this program makes them.
    func isOurs(_ table: String) throws -> Bool
    /// Records that this program made a table.
    func recordMade(_ table: String) throws

    // MARK: Dialect

    /// Begins a statement that inserts one row, and fails where the table refuses it.
    var insert: String { get }
    /// What stands behind the definition of a table.
    var tableSuffix: String { get }
    /// What stands behind the definition of a table whose rows are found by their primary key alone.
    var keyedTableSuffix: String { get }
    /// A foreign key of several columns for a table that is there; nil where none can be added.
    func addedForeignKey(_ table: String, _ definition: String) -> String?
    /// A text that people read, as a ledger can hold it.
    func shown(_ text: String?) -> FieldValue
    /// Whether a foreign key of a new table or column may lead to a table.
    func canRefer(to table: String) throws -> Bool
    /// Keeps a foreign key until the table to which it leads is there, within the transaction.
    func await(_ key: AwaitedForeignKey)
    /// The foreign keys that waited for a table; they wait no longer.
    func takeAwaited(of table: String) -> [AwaitedForeignKey]
    /// A JSON array of expressions as text, in one form for the same values, compared byte by byte.
    func jsonArray(_ expressions: [String]) -> String
    /// The value at a position of such an array, for a column of a table.
    func element(_ array: String, _ index: Int, for column: String, of table: String) throws -> String
    /// Whether a column of a base's key and an expression of a table's column are the same value, whatever their types are.
    /// The index of the base serves it where it can.
    ///
    /// - Parameters:
    ///   - key: The column of the base's key.
    ///   - value: The expression of the value, which has the type of the column.
    ///   - column: The column.
    ///   - table: Its table.
    /// - Returns: The condition.
    /// - Throws: What the database throws.
    func isSame(_ key: BaseKey, _ value: String, as column: String, of table: String) throws -> String
    /// What tells records in quarantine apart: an expression of their rows that is the key, or stands for the hash of a
    /// record without one.
    var quarantined: (column: String, hash: (Int64) -> FieldValue) { get }
    /// What is kept of a value in the history's `old` and `new`, whatever its type.
    func packed(_ value: FieldValue) -> FieldValue
    /// The value of which that is kept.
    func unpacked(_ value: FieldValue) -> FieldValue
    /// The statement that makes the view of a table's conflicts.
    func conflictView(_ name: String, of table: String, _ columns: [ConflictView.Column]) -> String
    /// Makes a view anew, and keeps its text.
    func makeView(_ name: String, _ text: String) throws
    /// Puts another view in the place of one of this program's. Who may read that may read this.
    ///
    /// - Throws: `StoreError` where something of people stands on it, which is named.
    func replaceView(_ name: String, _ text: String) throws
    /// Gives a view another name, with what was granted on it.
    ///
    /// - Returns: False where views keep their names: nothing is done then.
    /// - Throws: What the database throws.
    func renameView(_ name: String, to new: String) throws -> Bool

    // MARK: What is done

    /// Has identifiers, and what refers to them, stand as they are compared, where people wrote them in another spelling.
    ///
    /// - Parameter schema: The records, whose table is there.
    /// - Returns: What was changed; nil where nothing was.
    /// - Throws: What the database throws.
    func spellKeys(of schema: RecordSchema) throws -> SchemaChange?

    /// The set of keys that an owner has in a table of links, those of its members that wait for their records included.
    func linkedSet(_ reference: RecordReference, owner: String, key: RecordKey) throws -> FieldValue
    /// What the database says of a foreign key, or of another rule that is checked as the transaction ends, that does not hold
    /// at this moment; nil where all do.
    func brokenAtEnd() throws -> String?
    /// Whether triggers of a table may act where one of its rows is deleted.
    ///
    /// - Throws: What the database throws.
    func hasDeleteTriggers(_ table: String) throws -> Bool

    /// Has the triggers of a table do nothing.
    ///
    /// - Returns: The statements that have them do again what they did.
    func pauseTriggers(of table: String) throws -> [String]
    /// Drops an index of this program. Foreign keys that rest on it rest on another one of the same columns then.
    ///
    /// - Throws: `StoreError` where there is no other one, with what refers to the columns.
    func dropIndex(_ name: String, of table: String) throws
    /// Has references that are checked at the end checked now: some databases change no table while rows of it wait.
    func settleReferences() throws
    /// Takes away what stands against a change of a column's type.
    ///
    /// - Returns: What puts it back, in an order in which it can be run.
    func detach(_ column: String, of table: String) throws -> [ColumnPart]
    /// Remembers what was put back in its own words, where the database says it in others since: so that it is put back in its own
    /// words again when the column gets its type back.
    ///
    /// - Parameters:
    ///   - parts: What was put back.
    ///   - table: The table.
    /// - Throws: What the database throws.
    func remember(_ parts: [ColumnPart], of table: String) throws
    /// Changes what of tables cannot change in place. Rows, indexes, triggers, views and foreign keys stay.
    ///
    /// - Parameter revisions: The tables with what changes of each.
    /// - Returns: The statements of what people had made and that is not made again, since what it names is gone.
    /// - Throws: `StoreError` where something stands against it.
    func revise(_ revisions: [(table: String, revision: TableRevision)]) throws -> [String]
    /// Makes an index, view or trigger of people again.
    ///
    /// - Parameter object: Its statement.
    /// - Returns: Whether it does what it did; else it is not there, since what it names is gone or something has its name.
    /// - Throws: What the database throws besides.
    func restore(_ object: String) throws -> Bool
    /// The foreign keys that lead to a table, each with the table that it belongs to.
    func referrers(to table: String) throws -> [(table: String, key: SQLForeignKey)]
    /// Has what is replaced in a table from here on overwritten and not only forgotten, and keeps others from writing to it
    /// until the transaction ends.
    func prepareToOverwrite(_ table: String) throws
    /// Records that unused parts of the database may hold what was replaced.
    func recordOverwritten() throws
}

extension SQLDatabase {
    /// Has triggers do again what they did. A row that is written twice in a transaction has its references checked at the
    /// end, and no table changes before that.
    ///
    /// - Parameter paused: What ``pauseTriggers(of:)`` gave.
    /// - Throws: What the database throws.
    package func resumeTriggers(_ paused: [String]) throws {
        try settleReferences()
        for statement in paused { try execute(statement) }
    }

    /// A table of the store itself, such as `runs`.
    package func ledger(_ name: String) -> String { table("_sluice_" + name) }

    /// The rows of a query without values.
    package func rows(_ sql: String) throws -> [[FieldValue]] { try rows(sql, []) }

    /// The first column of a query's first row as an integer; nil where there is no row or it is null.
    package func integer(_ sql: String, _ values: [FieldValue] = []) throws -> Int64? {
        try rows(sql, values).first?.first?.number
    }

    /// How many rows a table has.
    package func count(of table: String) throws -> Int {
        Int(clamping: try integer("SELECT count(*) FROM \(self.table(table))") ?? 0)
    }

    /// Whether a query has any row.
    package func hasRow(_ sql: String, _ values: [FieldValue] = []) throws -> Bool {
        try !rows(sql, values).isEmpty
    }

    /// The columns' names in lower case, but for those that the table computes; none where there is no such table.
    package func columnNames(of table: String) throws -> [String] {
        try columns(of: table).filter { !$0.isGenerated }.map { $0.name.lowercased() }
    }

    /// The columns, in lower case, of each unique index but that of the primary key.
    ///
    /// Of partial indexes there are those that only leave out rows marked as deleted: such a row counts as absent.
    package func uniqueGroups(of table: String) throws -> [[String]] {
        try indexes(of: table).filter { $0.isUnique && !$0.isPrimary && ($0.isWhole || $0.leavesOutMarked) }
            .map(\.columns)
    }

    /// An index of a table by its name; nil where there is none.
    package func index(_ name: String, of table: String) throws -> SQLIndex? {
        try indexes(of: table).first { $0.name == name }
    }

    /// Each unique index over columns that every row is in, that of the primary key among them.
    package func wholeUniqueIndexes(of table: String) throws -> [SQLIndex] {
        try indexes(of: table).filter { $0.isUnique && $0.isWhole }
    }

    /// A condition that a column is one of several texts, with its values; the first of them is ?`first`.
    package func isAny(_ column: String, of texts: Set<String>, from first: Int) -> (sql: String, values: [FieldValue])
    {
        if texts.isEmpty { return ("1 = 0", []) }
        let places = texts.indices.enumerated().map { "?\($0.offset + first)" }
        return ("\(column) IN (\(places.joined(separator: ", ")))", texts.sorted().map { FieldValue($0) })
    }
}

internal import CSluiceSQLite

/// The tables that statements use, by the names that they were made with: also those that views, triggers and foreign keys of
/// the database use along with them. See: sqlite.org/c3ref/set_authorizer.html
package struct TableUse: Sendable, Equatable {
    /// The tables of which they read values, or how many rows there are.
    package var read: Set<String> = []
    /// The tables in which they insert, change or delete rows.
    package var written: Set<String> = []
    /// Whether that is not known, or whether they change what tables there are.
    package var isUnknown = false

    package init() {}

    /// Adds what others use.
    package mutating func formUnion(_ other: TableUse) {
        read.formUnion(other.read)
        written.formUnion(other.written)
        isUnknown = isUnknown || other.isUnknown
    }

    /// Makes it that of a statement that only reads.
    mutating func dropWrites() { (written, isUnknown) = ([], false) }

    /// Adds what a statement does to a table.
    fileprivate mutating func add(_ operation: Int32, _ table: String) {
        if operation == SQLITE_READ {
            read.insert(table)
        } else if table == "sqlite_master" || table == "sqlite_schema" {
            isUnknown = true
        } else {
            written.insert(table)
        }
    }
}

/// Records the tables that statements of a connection use: those of a statement when it is prepared, and with each of its runs
/// that they were used.
final class TableUseRecorder {
    /// What was used since it was taken last.
    var used = TableUse()
    /// Grows each time that it is taken.
    private(set) var round = 0
    /// What the statement uses that is being prepared; nil between statements, where SQLite prepares what it runs at once.
    private var prepared: TableUse?

    /// Takes what was used until now.
    func take() -> TableUse {
        defer { used = TableUse() }
        round += 1
        return used
    }

    /// Finds the tables of a statement.
    ///
    /// - Parameter body: Prepares it.
    /// - Returns: What the body returns, and the tables.
    /// - Throws: What the body throws.
    func preparing<R>(_ body: () throws(SQLiteError) -> R) throws(SQLiteError) -> (made: R, use: TableUse) {
        prepared = TableUse()
        defer { prepared = nil }
        let made = try body()
        return (made, prepared ?? TableUse())
    }

    /// Records what a statement that is being prepared does to a table.
    func record(_ operation: Int32, _ table: String) {
        if prepared != nil { prepared?.add(operation, table) } else { used.add(operation, table) }
    }
}

extension Connection {
    /// Begins to record the tables that statements use.
    package func recordTableUse() {
        if tableUse != nil { return }
        let recorder = TableUseRecorder()
        tableUse = recorder
        // Of what was prepared before nobody knows it.
        forgetStatements()
        authorize(recorder)
    }

    /// The tables that statements used since it was asked for last; nil where that is not recorded.
    package func takeTableUse() -> TableUse? { tableUse?.take() }

    /// Has SQLite ask for every access of a statement that it prepares.
    ///
    /// Triggers that empty a table delete its rows one by one, so that they are counted: SQLite would empty it at once, and tell nobody.
    /// See: sqlite.org/c3ref/set_authorizer.html
    func authorize(_ recorder: TableUseRecorder?) {
        let context = unsafe recorder.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
        _ = unsafe sqlite3_set_authorizer(
            handle,
            { context, operation, table, _, _, trigger in
                switch operation {
                case SQLITE_READ, SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
                    guard let context = unsafe context, let table = unsafe table else { break }
                    unsafe Unmanaged<TableUseRecorder>.fromOpaque(context).takeUnretainedValue()
                        .record(operation, String(cString: table))
                default: break
                }
                return unsafe operation == SQLITE_DELETE && trigger != nil ? SQLITE_IGNORE : SQLITE_OK
            }, context)
    }
}

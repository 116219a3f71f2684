internal import CSluiceSQLite
internal import SluiceDiagnostics
internal import Synchronization

/// A connection to one SQLite database, for one thread at a time.
@safe
package final class Connection {
    /// How a database is opened.
    package enum Mode: Sendable {
        /// Made where it is missing.
        case create
        /// An error where it is missing.
        case existing
        case readOnly
        /// Only read, and taken to be as it is: no log and no lock is looked at, and no file is left beside it.
        case immutable
        /// A database without a name, in memory while it is small, gone with the connection.
        case temporary
    }

    let handle: OpaquePointer
    let lifeline: Lifeline
    private var statements = StatementCache()
    /// Records the tables that statements use, where that is asked for.
    var tableUse: TableUseRecorder?
    /// How many statements were prepared; those that were there from before are not counted.
    package private(set) var preparedCount = 0

    /// Has the library count no memory, which takes a lock for every allocation of every connection.
    ///
    /// It holds for the whole process and does nothing once SQLite is in use: a program calls it as its first step, a
    /// library never.
    package static func countNoMemory() { _ = sluice_sqlite_count_no_memory() }

    /// The version of the library.
    package static var libraryVersion: String { unsafe String(cString: sqlite3_libversion()) }

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: The file; ignored for ``Mode/temporary``.
    ///   - mode: Whether it is made or must be there.
    /// - Throws: ``SQLiteError`` where the file cannot be opened; a file that is no database shows on first use.
    package init(path: String, mode: Mode) throws(SQLiteError) {
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        switch mode {
        case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .existing: flags |= SQLITE_OPEN_READWRITE
        case .readOnly: flags |= SQLITE_OPEN_READONLY
        case .immutable: flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        case .temporary: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(Self.name(path, mode), &opened, flags, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            let message = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            let reason = unsafe opened.flatMap { unsafe Self.systemReason(of: $0, code) }
            _ = unsafe sqlite3_close_v2(opened)
            throw SQLiteError(code: .init(rawValue: code), message: message, systemReason: reason)
        }
        unsafe handle = opened
        lifeline = Lifeline(address: UInt(bitPattern: opened))
        authorize(nil)
    }

    /// What SQLite is asked to open. See: sqlite.org/uri.html
    private static func name(_ path: String, _ mode: Mode) -> String {
        switch mode {
        case .temporary: return ""
        case .immutable:
            let escaped = PercentText.encoded(path.utf8) { $0 > 0x20 && $0 < 0x7F && !"%?#".utf8.contains($0) }
            return "file:" + escaped + "?immutable=1"
        case .create, .existing, .readOnly:
            // SQLite may be built to take `file:…` for a URI, and always takes `:memory:` for no file at all.
            return path.hasPrefix("/") ? path : "./" + path
        }
    }

    deinit {
        lifeline.cut()
        statements.removeAll()
        _ = unsafe sqlite3_close_v2(handle)
    }

    /// A statement of a text, prepared unless it is there from before.
    ///
    /// - Returns: The statement without bindings, for this caller alone until the value is gone.
    /// - Throws: ``SQLiteError`` with the text of the statement.
    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        // A PRAGMA may give its answer when it is prepared. See: sqlite.org/pragma.html
        if sql.utf8.prefix(6).elementsEqual("pragma".utf8, by: { $0 | 0x20 == $1 }) {
            return try Statement(prepared(sql), of: self)
        }
        return try prepare(StatementKey(sql)) { sql }
    }

    /// A statement that is known by something else than its text, prepared unless it is there from before.
    ///
    /// - Parameters:
    ///   - key: What it is known by.
    ///   - sql: Makes its text where that is needed.
    /// - Returns: The statement without bindings, for this caller alone until the value is gone.
    /// - Throws: ``SQLiteError`` with the text of the statement.
    package func prepare(_ key: StatementKey, sql: () -> String) throws(SQLiteError) -> Statement {
        if let known = statements.take(key) { return Statement(known, of: self) }
        let made = try prepared(sql())
        statements.add(made, as: key)
        return Statement(made, of: self)
    }

    private func prepared(_ sql: String) throws(SQLiteError) -> PreparedStatement {
        let make = { () throws(SQLiteError) in
            try unsafe PreparedStatement(connection: self, database: self.handle, sql: sql)
        }
        guard let tableUse else {
            let made = try make()
            preparedCount += 1
            return made
        }
        var (made, use) = try tableUse.preparing(make)
        // A virtual table declares its columns to SQLite as if it made a table.
        if made.isReading { use.dropWrites() }
        made.tableUse = use
        preparedCount += 1
        return made
    }

    /// The number of statements that are kept for the next time.
    package var keptCount: Int { statements.count }

    /// Records the tables of a statement that runs.
    func recordTableUse(of statement: PreparedStatement) {
        guard let tableUse, statement.round != tableUse.round else { return }
        statement.round = tableUse.round
        if let use = statement.tableUse { tableUse.used.formUnion(use) } else { tableUse.used.isUnknown = true }
    }

    /// Prepares all statements anew.
    func forgetStatements() { statements.removeAll() }

    /// Takes back a statement that is no longer used.
    func giveBack(_ statement: PreparedStatement) { statements.giveBack(statement) }

    /// Runs statements without values and ignores their rows.
    ///
    /// - Throws: ``SQLiteError``.
    package func execute(_ sql: String) throws(SQLiteError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        recordForeignKeys()
        if code != SQLITE_OK { throw error(code: code, sql: sql) }
    }

    /// The rows of a query, all of them in memory: for small answers.
    ///
    /// - Throws: ``SQLiteError``.
    package func rows(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> [[SQLiteValue]] {
        let statement = try prepare(sql)
        for (index, value) in values.enumerated() { statement.bind(value, at: index + 1) }
        var rows: [[SQLiteValue]] = []
        while try statement.step() { rows.append((0..<statement.columnCount).map { statement.value($0) }) }
        return rows
    }

    /// The first column of a query's first row as an integer, or nil where there is no row or it is null.
    ///
    /// - Throws: ``SQLiteError``.
    package func integer(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int64? {
        let statement = try prepare(sql)
        for (index, value) in values.enumerated() { statement.bind(value, at: index + 1) }
        return try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
    }

    /// Runs one statement with values.
    ///
    /// - Throws: ``SQLiteError``.
    package func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) {
        try prepare(sql).run(values)
    }

    /// How long a statement waits for another connection's lock before it fails with `busy`.
    package func setBusyTimeout(milliseconds: Int) {
        _ = unsafe sqlite3_busy_timeout(handle, Int32(clamping: milliseconds))
    }

    /// The rowid of the last row that was inserted.
    package var lastInsertedRowID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// The number of rows that the last statement changed.
    package var changes: Int { unsafe Int(sqlite3_changes64(handle)) }

    /// The number of rows that statements of this connection changed in all.
    package var totalChanges: Int { unsafe Int(sqlite3_total_changes64(handle)) }

    /// Whether a row refers to one that is not there, by a foreign key that is checked at the end of the transaction.
    /// See: sqlite.org/c3ref/c_dbstatus_options.html
    package var hasOpenForeignKeys: Bool {
        var (current, highest): (Int32, Int32) = (0, 0)
        _ = unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        return current != 0
    }

    /// Whether that was so behind some statement since ``forgetForeignKeys()``.
    package private(set) var hadOpenForeignKeys = false

    /// Whether rows may refer to others that are not there although SQLite counts none.
    ///
    /// It counts from 0 in each transaction, and a row that was broken before it and goes, or is mended, is taken off the count
    /// of those that came. So none at the end says nothing of single rows. None behind each statement does, but for an insert, which
    /// may break one reference and mend another: see ``expectOpenForeignKeys()``.
    package var mayHideOpenForeignKeys: Bool { hadOpenForeignKeys && !hasOpenForeignKeys }

    /// Notes that a row refers to one that is not there, which the count may not tell.
    package func expectOpenForeignKeys() { hadOpenForeignKeys = true }

    /// Begins to watch for open foreign keys, as a transaction does.
    package func forgetForeignKeys() { hadOpenForeignKeys = false }

    /// Looks for open foreign keys behind a statement.
    func recordForeignKeys() { if !hadOpenForeignKeys { hadOpenForeignKeys = hasOpenForeignKeys } }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// What interrupts this connection's running statement from another thread; it does nothing once the connection is
    /// gone. See: sqlite.org/c3ref/interrupt.html
    package func makeInterrupt() -> @Sendable () -> Void {
        let lifeline = lifeline
        return { lifeline.interrupt() }
    }

    /// What ends this connection's statements from another thread, the one that runs and all that come later; it does nothing once
    /// the connection is gone.
    package func makeStop() -> @Sendable () -> Void {
        let lifeline = lifeline
        return { lifeline.stop() }
    }
}

@available(*, unavailable)
extension Connection: Sendable {}

/// The address of a connection for as long as it is open: sqlite3_interrupt is the one call that another thread may make.
final class Lifeline: Sendable {
    private let address: Mutex<UInt?>
    private let stopped = Atomic(false)
    /// Whether no statement is to run any more.
    var isStopped: Bool { stopped.load(ordering: .relaxed) }

    init(address: UInt) { self.address = Mutex(address) }

    func cut() { address.withLock { $0 = nil } }

    func stop() {
        stopped.store(true, ordering: .relaxed)
        interrupt()
    }

    func interrupt() {
        address.withLock { address in
            if let address { unsafe sqlite3_interrupt(OpaquePointer(bitPattern: address)) }
        }
    }
}

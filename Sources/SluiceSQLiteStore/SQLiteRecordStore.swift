package import SluiceModel
internal import SluiceSQLStore
package import SluiceSQLite
package import SluiceStore

/// A store in one SQLite file.
package final class SQLiteRecordStore: RecordStore {
    /// How a store is opened.
    package enum Mode: Sendable {
        /// Made where it is missing.
        case create
        /// An error where it is missing.
        case existing
        /// As ``existing``, for a plan: even the journal mode stays as it is.
        case planned
        /// For a plan on a store that may only be read: a copy, gone with the store.
        case copied
        /// A database without a name: a plan against a store that does not exist yet.
        case temporary
        /// For commands that only look: nothing of the file is changed, and it must be a store.
        case reading
        /// For commands that settle what runs left open: it must be a store.
        case settling
    }

    /// The path, for messages.
    package let path: String
    package let connection: Connection
    private let busyTimeoutMilliseconds: Int
    /// The bytes of a page of a file that is made: whole tables are read, and many records of one written, with fewer calls
    /// than with the usual 4 KiB. A file that is there keeps its own. See: sqlite.org/pragma.html#pragma_page_size
    private static let newPageSize: Int64 = 8_192
    /// The KiB of pages of a large store that are kept in memory. What is read in order needs few, and what is changed is written to the
    /// log as it is or a little later.
    private static let usualCache = 4_096
    /// The same for a store up to ``mostOfSmallStore`` bytes, whose indexes find room in it: each change of a reference goes to any page
    /// of these.
    private static let cacheOfSmallStores = 8_192
    private static let mostOfSmallStore: Int64 = 256 << 20
    /// The same for a file that is filled: each record that refers to others goes to any page of an index.
    private static let cacheOfImports = 16_384
    /// About how many bytes the write-ahead log has before it goes into the file.
    private static let largestLog: Int64 = 16 << 20
    /// Whether the file is empty: nobody can read it yet, and what is written first goes into it at once, not through a log.
    private var isUnwritten: Bool
    /// What people must decide, and what was decided.
    package let conflicts: any ConflictLedger
    /// The records that could not be taken.
    package let quarantine: any QuarantineLedger
    /// What was run, and how it ended.
    package let runs: any RunLedger
    /// What runs changed.
    package let changes: any ChangeLedger
    /// What proves to sources who is asking.
    package let credentials: any CredentialLedger
    /// How far streams were read.
    package let state: any StateLedger
    /// The scans that were broken off.
    package let scans: any ScanLedger
    /// What became of due times.
    package let schedule: any ScheduleLedger
    /// Whether nothing of the file is changed.
    let isLookedAt: Bool
    let recorder: ChangeRecorder
    let database: SQLiteDatabase
    let pending: PendingReferences
    let held: HeldEdits
    /// What ends statements on request; nil where nothing does.
    var ending: StatementsEnd?
    private let cascaded = CascadedRows()
    /// The number of changes of the connection when the transaction began.
    private(set) var changesBefore = 0
    /// The columns that are the parts of one value each, by their tables in lower case, as a program's models say it.
    package var compositions: [String: [ComposedColumns]] = [:]
    private var (isSettled, mayBeBroken) = (false, false)
    /// Whether a program itself writes, and no run: then no reference waits for a record that is not there.
    package var isWrittenByProgram = false

    /// Has the end of the transaction leave references as they are.
    package func leaveReferences() { isSettled = true }
    /// What is prepared, by the mapping, with the version of the database's schema that it is right for.
    var layouts: [String: (version: Int64?, asked: RecordSchema, run: Int64?, layout: TableLayout)] = [:]

    /// Opens a store, and brings an older format up to date.
    ///
    /// - Parameters:
    ///   - path: The database file.
    ///   - mode: Whether it is made or must be there.
    ///   - busyTimeoutMilliseconds: How long to wait for another program's lock.
    ///   - isSealed: For ``Mode/reading`` and ``Mode/copied``: nobody is writing, so that nothing beside the file is
    ///     looked at or left.
    ///   - isStopped: For ``Mode/copied``: whether to give up.
    /// - Throws: ``StoreError``.
    package init(
        path: String, mode: Mode, busyTimeoutMilliseconds: Int = 5_000, isSealed: Bool = false,
        isStopped: () -> Bool = { false }
    ) throws {
        self.path = path
        isLookedAt = mode == .reading
        self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
        do {
            let connectionMode: Connection.Mode =
                switch mode {
                case .create: .create
                case .reading where isSealed: .immutable
                case .existing, .planned, .reading, .settling: .existing
                case .temporary, .copied: .temporary
                }
            connection = try Connection(path: path, mode: connectionMode)
            connection.setBusyTimeout(milliseconds: busyTimeoutMilliseconds)
            if mode == .copied {
                let original = try Connection(path: path, mode: isSealed ? .immutable : .readOnly)
                original.setBusyTimeout(milliseconds: busyTimeoutMilliseconds)
                try StoreFormat.check(original, path: path)
                try connection.copy(from: original, isStopped: isStopped)
            }
            // First of all: the journal mode is kept in the file.
            try StoreFormat.check(connection, path: path)
            // A negative cache size is in KiB. Sorted rows and the pages that a statement may put back take files: how a
            // transaction keeps these is settled where it begins. See: sqlite.org/pragma.html#pragma_cache_size, #pragma_temp_store
            try connection.execute(
                """
                PRAGMA page_size = \(Self.newPageSize); PRAGMA temp_store = FILE;
                PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL
                """)
            let pageSize = try connection.integer("PRAGMA page_size") ?? Self.newPageSize
            try connection.execute("PRAGMA wal_autocheckpoint = \(Self.largestLog / max(pageSize, 1))")
            let pageCount = try connection.integer("PRAGMA page_count") ?? 0
            isUnwritten = mode == .existing && pageCount == 0
            let isSmall = pageCount <= Self.mostOfSmallStore / max(pageSize, 1)
            let cache = isUnwritten ? Self.cacheOfImports : isSmall ? Self.cacheOfSmallStores : Self.usualCache
            try connection.execute("PRAGMA cache_size = -\(cache)")
            if mode != .reading && mode != .planned && mode != .copied && !isUnwritten {
                try Self.writeAhead(connection)
            }
        } catch let error as SQLiteError { throw StoreError(error, path: path) }
        recorder = ChangeRecorder(connection: connection)
        database = SQLiteDatabase(connection, path: path)
        pending = PendingReferences(database)
        held = HeldEdits(database, recorder: recorder)
        conflicts = SQLConflictLedger(database, recorder: recorder)
        quarantine = SQLQuarantineLedger(database, recorder: recorder, held: held)
        changes = SQLChangeLedger(database)
        runs = SQLiteRunLedger(connection: connection, path: path)
        credentials = SQLiteCredentialLedger(connection: connection, path: path)
        state = SQLStateLedger(database, recorder: recorder)
        scans = SQLiteScanLedger(connection: connection, path: path)
        schedule = SQLiteScheduleLedger(connection: connection, path: path)
        try translated {
            if mode == .reading || mode == .settling { try requireTables() }
        }
    }

    /// Refuses a database that nobody has written to as a store.
    ///
    /// - Throws: `StoreError` with `notAStore`.
    package func requireTables() throws {
        if try translated({ try StoreFormat.hasTables(connection) }) { return }
        throw StoreError(
            .notAStore,
            "The database `\(path)` is no store yet: no run has written to it. Run `sluice run` first, or name another file with `--store`."
        )
    }

    /// Has writes go to a log before the file: readers never wait, and a commit is one sync. See: sqlite.org/wal.html
    private static func writeAhead(_ connection: Connection) throws(SQLiteError) {
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    }

    /// What is wrong with the file and with the foreign keys between its tables.
    ///
    /// - Throws: `StoreError`.
    package func integrityFindings() throws -> [StoreFinding] {
        try translated { try StoreChecker(database).integrityFindings() }
    }

    /// What is wrong with what the store keeps, and what is worth knowing of it, as of one moment.
    ///
    /// - Parameters:
    ///   - told: Is told what is looked at next.
    ///   - more: Finds more at the same moment.
    /// - Returns: All of it, in the order of the checks.
    /// - Throws: `StoreError`.
    package func findings(
        telling told: (String) -> Void, adding more: () throws -> [StoreFinding]
    ) throws -> [StoreFinding] {
        try translated { try StoreChecker(database).findings(telling: told, adding: more) }
    }

    /// Prepares to go through whole tables once while another connection writes: little of them is kept in memory.
    ///
    /// - Returns: Whether neither would wait for the other; they do where the store has no write-ahead log.
    package func prepareToScan() throws -> Bool {
        try translated {
            try connection.execute("PRAGMA cache_size = -2048")
            return try connection.rows("PRAGMA journal_mode") == [[SQLiteValue("wal")]]
        }
    }

    /// Starts a transaction, and brings an older format up to date within it.
    package func begin() throws {
        try translated {
            try connection.execute("BEGIN IMMEDIATE")
            try StoreFormat.migrate(connection)
        }
        pending.forget()
        held.forget()
        database.registryMemory.begin()
        connection.forgetForeignKeys()
        database.unchecked.begin(isFirst: isUnwritten && !isWrittenByProgram)
        cascaded.forget()
        changesBefore = connection.totalChanges
        (isSettled, mayBeBroken) = (false, false)
    }

    /// Settles what refers to rows that are not there, and links what waited for rows that came.
    ///
    /// - Returns: What was done.
    /// - Throws: ``StoreError``, also where a reference's rule is to fail.
    package func settleReferences(telling tell: ((LostReference) -> Void)?) throws -> ReferenceOutcome {
        try translated {
            try database.unchecked.settle()
            var settlement = ReferenceSettlement(
                database: database, recorder: recorder, pending: pending,
                hasWritten: connection.totalChanges != changesBefore,
                mayBeBroken: mayBeBroken || connection.mayHideOpenForeignKeys, isOfProgram: isWrittenByProgram,
                telling: tell)
            try settlement.perform()
            isSettled = true
            var outcome = cascaded.takeReleased()
            outcome.add(settlement.outcome)
            (outcome.cascadedKept, outcome.emptied) = cascaded.takeKept()
            outcome.cascaded = try database.withoutShadowTables(cascaded.take())
            return outcome
        }
    }

    /// Has the transaction's end look at all references, also those that the database watches over.
    package func expectBrokenReferences() { mayBeBroken = true }

    /// The references that wait for a record.
    package func waiting(for key: RecordKey, of schema: RecordSchema) throws -> [AwaitingReference] {
        try translated { try ReferenceWaiters(database).waiting(for: key, of: schema) }
    }

    /// Deletes the rows that a run made for records that are referred to, where nothing refers to them any more.
    package func revertStubs(of run: Int64) throws -> Int {
        try translated { try StubHistory(database: database).revert(run: run) }
    }

    /// Deletes the rows that runs made for records that are referred to, where nothing refers to them any more.
    package func removeStubs() throws -> [String: ReferenceOutcome.Rows] {
        try translated { try StandingStubs(database: database).remove(recorder) }
    }

    /// Has references of a row wait for their records once more, as before a run linked them.
    package func revert(_ link: RecordedChange, of key: RecordKey) throws -> LinkUndoing {
        defer { pending.expectPassingRules() }
        return try translated { try LinkHistory(database: database, recorder: recorder).revert(link, of: key) }
    }

    /// Has references of a row that a run took away lead to their records again.
    package func linkAgain(_ unlink: RecordedChange, of key: RecordKey) throws {
        defer { pending.expectPassingRules() }
        try translated { try LinkHistory(database: database, recorder: recorder).linkAgain(unlink, of: key) }
    }

    /// Has references of a row be null for good once more.
    package func empty(
        _ references: [RecordedChange.Column], of key: RecordKey, _ mapping: RecordMapping
    ) throws -> [RecordedChange.Column] {
        defer { pending.forget() }
        return try translated {
            try LinkHistory(database: database, recorder: recorder).empty(references, of: key, mapping)
        }
    }

    /// Makes the transaction durable.
    package func commit() throws {
        if !isSettled { try settleReferences().requireUnbroken() }
        try translated { try database.unchecked.settle() }
        recorder.stop()
        database.registryMemory.end()
        do throws(SQLiteError) {
            try connection.execute("COMMIT")
            // The next one who opens the store does it where somebody is in the way.
            if isUnwritten, (try? Self.writeAhead(connection)) != nil { isUnwritten = false }
        } catch {
            // A foreign key that is checked at the end: by then the statement that broke it is long past.
            guard error.code == .foreignKeyConstraint,
                let broken = try? connection.rows("PRAGMA foreign_key_check").first,
                let child = broken.first, broken.count > 2
            else { throw StoreError(error, path: path) }
            throw StoreError(
                .rejected,
                "A row of the table `\(Self.text(child))` of the store `\(path)` refers to a row of `\(Self.text(broken[2]))` that is not there. Fill that table first, or take the foreign key off the table."
            )
        }
    }

    private static func text(_ value: SQLiteValue) -> String {
        if case .text(let bytes) = value { return String(decoding: bytes, as: UTF8.self) }
        return ""
    }

    /// Forgets the transaction's writes.
    package func rollback() {
        recorder.stop()
        database.unchecked.end()
        forgetTables()
        database.registryMemory.end()
        if connection.isInTransaction { try? connection.execute("ROLLBACK") }
    }

    /// Has tables and what waits for them looked at anew.
    func forgetTables() {
        layouts = [:]
        database.catalogue.forget()
        held.forget()
    }

    /// Begins a part of the transaction that can be taken back alone.
    package func beginSavepoint() throws {
        try translated {
            try database.unchecked.settle()
            try connection.execute("SAVEPOINT sluice_part")
        }
        cascaded.beginSavepoint()
    }

    /// Ends that part: its writes belong to the transaction.
    package func releaseSavepoint() throws {
        try translated { try connection.execute("RELEASE sluice_part") }
        cascaded.releaseSavepoint()
    }

    /// Takes that part back.
    package func rollBackToSavepoint() throws {
        forgetTables()
        database.registryMemory.forget()
        cascaded.rollBackToSavepoint()
        pending.forget()
        try translated { try connection.execute("ROLLBACK TO sluice_part; RELEASE sluice_part") }
    }

    /// Writes down what is changed in this transaction.
    package func startRecording(run: Int64, naming: @escaping (RecordKey, RecordSchema) -> String) {
        recorder.start(run: run, naming: naming)
    }

    /// What fills tables.
    package func mappings(pipeline: String?, entity: String?) throws -> [RecordMapping] {
        try translated {
            if try !StoreFormat.hasTables(connection) { return [] }
            return try EntityRegistry(database: database).mappings().filter {
                (pipeline == nil || $0.pipeline == pipeline) && (entity == nil || $0.entity == entity)
            }
        }
    }

    /// Who follows work on whole tables.
    package var tableWork: TableWorkObserver? {
        get { database.monitor.observer }
        set { database.monitor.observer = newValue }
    }

    /// Writes the file anew where its unused pages may hold clear values that were replaced; between transactions.
    ///
    /// - Throws: ``StoreError``, also where another program still reads what was there before: the next call tries again.
    package func clearUnusedPages() throws {
        try translated {
            try database.clearUnusedPages {
                if mergeLog(waitingMilliseconds: Self.longestWaitForReaders) { return }
                throw StoreError(
                    .locked,
                    "Another program is reading the store `\(path)`, so the file still holds what was there before. End what that program reads, or close it."
                )
            }
        }
    }

    /// Brings what stands in the write-ahead log into the file; between transactions. The log keeps its length: emptying it looks
    /// to other connections as if something had been committed.
    package func mergeLog() { _ = try? connection.integer("PRAGMA wal_checkpoint(PASSIVE)") }

    /// How long to wait for other programs to end what they read.
    private static let longestWaitForReaders = 1_000

    /// Brings what stands in the write-ahead log into the file; between transactions. Connections that are open and read
    /// nothing do not stand in the way.
    ///
    /// - Parameter milliseconds: How long to wait for those that read.
    /// - Returns: Whether the file holds everything now, and the log nothing.
    @discardableResult
    package func mergeLog(waitingMilliseconds milliseconds: Int) -> Bool {
        connection.setBusyTimeout(milliseconds: milliseconds)
        defer { connection.setBusyTimeout(milliseconds: busyTimeoutMilliseconds) }
        // The first column says whether something stood in the way. See: sqlite.org/pragma.html#pragma_wal_checkpoint
        return (try? connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")) == 0
    }

    /// A table that an earlier run prepared.
    package func knownTable(pipeline: String, stream: String, entity: String) throws -> (any RecordTable)? {
        try translated {
            let mapping = RecordMapping(pipeline: pipeline, stream: stream, entity: entity)
            let layout =
                try TableLayout.known(mapping, database) ?? EditedTables(database: database).layout(of: mapping)
            return try layout.map(table)
        }
    }

    /// Under which names the history keeps what programs wrote of their own.
    package func edits(of table: String?) throws -> [RecordMapping] {
        try translated { try EntityRegistry(database: database).edits(of: table) }
    }

    func table(_ layout: TableLayout) throws -> SQLiteRecordTable {
        let composed = compositions[layout.schema.table.lowercased()].map { layout.composed(of: $0) }
        return try SQLiteRecordTable(
            database, layout: composed ?? layout, recorder: recorder, pending: pending, held: held, cascaded: cascaded)
    }

    /// The mappings whose records belong to those of another one.
    package func children(of mapping: RecordMapping) throws -> [RecordMapping] {
        try translated { try EntityRegistry(database: database).children(of: mapping) }
    }

    /// What tells the store from others.
    package func identity() throws -> String? {
        try translated {
            try StoreFormat.hasTables(connection) ? EntityRegistry(database: database).identity() : nil
        }
    }

    /// The sources that fill or filled a table.
    package func sources(of table: String) throws -> [RecordMapping] {
        try translated { try EntityRegistry(database: database).sources(of: table) }
    }

    /// The tables that streams fill, those of links, and those that they refer to, each group by name.
    ///
    /// - Parameters:
    ///   - pipelines: The pipelines whose tables are meant, nil for all.
    ///   - entity: The entity whose tables are meant, nil for all.
    /// - Returns: The tables, and those that one of them refers to although nothing fills them.
    /// - Throws: `StoreError`.
    package func tables(pipelines: [String]?, entity: String?) throws -> [StoredTable] {
        try translated { try StoredTableReader(database).tables(pipelines: pipelines, entity: entity) }
    }

    /// What differs between tables and what pipelines want of them.
    ///
    /// - Parameters:
    ///   - tables: What they want.
    ///   - conversion: How values pass to another type.
    /// - Returns: The columns that differ, and those with values that are none of their fields' types.
    /// - Throws: `StoreError`.
    package func drift(
        of tables: [WantedTable], by conversion: FieldConversion
    ) throws -> (columns: [ColumnDrift], misfits: [StoredMisfit]) {
        try translated { try TableDrift.read(tables, by: conversion, recorder, in: database) }
    }

    func translated<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }
}

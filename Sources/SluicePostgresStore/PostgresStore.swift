package import SluiceModel
package import SluicePostgres
internal import SluiceSQLStore
package import SluiceSchedule
package import SluiceStore
package import SluiceSystem

/// A store in a schema of a PostgreSQL database.
package final class PostgresStore: RecordStore {
    let session: PostgresStoreSession
    let database: PostgresDatabase
    /// What people must decide, and what was decided.
    package let conflicts: any ConflictLedger
    /// The records that could not be taken.
    package let quarantine: any QuarantineLedger
    /// What was run, and how it ended.
    package var runs: any RunLedger { runLedger }
    /// What runs changed.
    package let changes: any ChangeLedger
    /// How far streams were read.
    package let state: any StateLedger
    /// The scans that were broken off.
    package let scans: any ScanLedger
    /// What proves to sources who is asking.
    package let credentials: any CredentialLedger
    /// What became of due times.
    package let schedule: any ScheduleLedger
    /// The partitions that several workers read for a run.
    package let partitions: (any PartitionLedger)?
    private let runLedger: PostgresRunLedger
    /// The claim by which this store commits; nil where none is needed.
    private let ticket: PoolTicket?
    let recorder: PostgresChangeRecorder
    private let pending: PendingReferences
    private let held: HeldEdits
    private let cascaded = CascadedRows()
    private var activity = PostgresActivity()
    private var isSettled = false

    /// Has the end of the transaction leave references as they are.
    package func leaveReferences() { isSettled = true }
    private var mayBeBroken = false
    /// What is prepared in this transaction, by the mapping.
    private var layouts: [String: (asked: RecordSchema, layout: TableLayout)] = [:]

    /// Opens a store. Nothing is written: its schema and its tables are made by the first transaction.
    ///
    /// - Parameters:
    ///   - address: Where it is.
    ///   - lockTimeoutMilliseconds: How long a statement waits for a lock of somebody else; 0 for as long as it takes.
    ///   - ticket: The claim without which nothing is committed; nil where none is needed.
    ///   - cancellation: Cancels what runs, and ends waits for a server that does not answer to that; nil for none.
    ///   - spare: Where the connection comes from, if one of a store at the same address with the same ticket and cancellation
    ///     waits there, and where it goes in the end; nil for one that is made and ended.
    /// - Throws: ``StoreError``, with the code `newerFormat` where a newer program wrote it.
    package init(
        _ address: PostgresStoreAddress, lockTimeoutMilliseconds: Int = 0, ticket: PoolTicket? = nil,
        cancellation: Cancellation? = nil, spare: SpareConnection? = nil
    ) throws {
        let connect = { () throws -> PostgresStoreSession in
            do throws(PostgresError) {
                return try PostgresStoreSession(
                    address.database, schema: address.schema, ticket: ticket, cancellation: cancellation, spare: spare
                ) { deadline throws(PostgresError) -> PostgresConnection in
                    if let connection = spare?.take(Self.lockTimeout(lockTimeoutMilliseconds)) {
                        connection.deadline = deadline
                        // Somebody may have made the store meanwhile.
                        try PostgresAccess.takeOwnersRole(connection, schema: address.schema)
                        return connection
                    }
                    let connection = try PostgresConnection(
                        address.database, cancellation: cancellation, deadline: deadline)
                    try Self.prepare(
                        connection, for: address, lockTimeoutMilliseconds: lockTimeoutMilliseconds, ticket: ticket)
                    return connection
                }
            } catch {
                throw error.code == .cancelled && cancellation?.isCancelled != true
                    ? StoreError(cutOff: error, place: address.shown)
                    : StoreError(error, place: address.shown)
            }
        }
        self.ticket = ticket
        session = try connect()
        try PostgresStoreFormat.check(session)
        database = PostgresDatabase(session)
        recorder = PostgresChangeRecorder(database)
        pending = PendingReferences(database)
        held = HeldEdits(database, recorder: recorder)
        conflicts = SQLConflictLedger(database, recorder: recorder)
        quarantine = SQLQuarantineLedger(database, recorder: recorder, held: held)
        changes = SQLChangeLedger(database)
        state = SQLStateLedger(database, recorder: recorder)
        runLedger = PostgresRunLedger(session)
        scans = PostgresScanLedger(session)
        schedule = PostgresScheduleLedger(session)
        partitions = PostgresPartitionLedger(session)
        credentials = PostgresCredentialLedger(session, connect: connect)
    }

    /// Has the server speak English, as far as the role may ask for that: its words are a part of ours.
    private static func language(_ connection: PostgresConnection) -> String {
        let role = "pg_catalog.pg_roles AS r WHERE r.rolname OPERATOR(pg_catalog.=) CURRENT_USER"
        let isAllowed =
            connection.serverVersion < 150_000
            ? "r.rolsuper"
            : "pg_catalog.has_parameter_privilege('lc_messages'::pg_catalog.text, 'SET'::pg_catalog.text)"
        return
            "SELECT pg_catalog.set_config('lc_messages'::pg_catalog.text, 'C'::pg_catalog.text, false) FROM \(role) AND \(isAllowed)"
    }

    private static func lockTimeout(_ milliseconds: Int) -> String { "SET lock_timeout = \(max(0, milliseconds))" }

    private static func prepare(
        _ connection: PostgresConnection, for address: PostgresStoreAddress, lockTimeoutMilliseconds: Int,
        ticket: PoolTicket?
    ) throws(PostgresError) {
        // Values and names have one form, whatever is set for the role, and the system's own types, functions and operators go before others
        // of their names; what triggers and defaults of people name is found as before. No statement runs long enough to be compiled first. Rows that
        // a policy hides would count as deleted: what asks for them is refused.
        try connection.execute(
            """
            \(lockTimeout(lockTimeoutMilliseconds)); SET timezone = 'UTC'; SET datestyle = 'ISO, YMD';
            SET bytea_output = 'hex'; SET extra_float_digits = 1; SET standard_conforming_strings = on; SET quote_all_identifiers = off; SET client_min_messages = warning;
            \(language(connection)); SET jit = off; SET row_security = off; SET \(PostgresStoreFormat.sessionMark) = 'kept';
            SELECT pg_catalog.set_config('search_path'::pg_catalog.text, pg_catalog.concat_ws(', '::pg_catalog.text,
                'pg_catalog'::pg_catalog.text, CASE WHEN pg_catalog.length(p.path) OPERATOR(pg_catalog.>) 0 THEN p.path END), false)
            FROM (SELECT pg_catalog.current_setting('search_path'::pg_catalog.text) AS path) AS p
            """)
        try PostgresAccess.takeOwnersRole(connection, schema: address.schema)
        if let ticket {
            // By this name others find the connections of a run that they take over.
            let name = PostgresSchedulePool.connectionName(ticket, schema: address.schema)
            try connection.execute("SET application_name = '\(name)'")
        }
    }

    // MARK: Transactions

    /// Starts a transaction that may write; whoever else writes to the store waits until it ends. What people and other
    /// programs do to tables goes on meanwhile. Where the connection of an earlier transaction was lost, it has a new one.
    ///
    /// - Throws: ``StoreError``.
    package func begin() throws {
        try session.translated {
            if session.connection.transactionState == .lost { try session.reconnect() }
            // Two programs may make the tables at once: who comes second finds them made.
            for attempt in 1... {
                do {
                    try session.connection.begin()
                    try PostgresStoreFormat.prepare(session)
                    try PostgresStoreFormat.lock(session)
                    break
                } catch {
                    rollback()
                    guard let error = error as? PostgresError, PostgresStoreFormat.wasMadeMeanwhile(error), attempt < 3
                    else { throw error }
                }
            }
        }
        pending.forget()
        runLedger.forget()
        cascaded.forget()
        database.forgetCatalog()
        database.registryMemory.begin()
        forgetTables()
        activity = PostgresActivity()
        isSettled = false
        mayBeBroken = false
    }

    /// Makes the tables of the store where they are missing, in a transaction of its own.
    ///
    /// - Throws: ``StoreError``.
    package func prepare() throws {
        if try isUsed() { return }
        try begin()
        try commit()
    }

    /// Makes the transaction's writes durable.
    ///
    /// - Throws: ``StoreError``, with the code `superseded` where the run's claim is another's by now, and `outcomeUnknown`
    ///   where the connection was lost on the way and it cannot be found out whether the server kept it.
    package func commit() throws {
        if !isSettled { try settleReferences().requireUnbroken() }
        if let ticket { try PostgresSchedulePool.confirm(ticket, session) }
        recorder.stop()
        database.registryMemory.end()
        do {
            try PostgresCommit(session: session, runs: runLedger).perform()
        } catch let error as PostgresError {
            guard error.code == .foreignKey else { throw session.failure(error) }
            // A foreign key that is checked at the end: by then the statement that broke it is long past.
            throw StoreError(
                .rejected,
                "A row of the table `\(error.table ?? "")` of the store `\(session.place)` refers to a row that is not there: \(error.message). Fill that table first, or take the foreign key off the table.",
                // Somebody may have deleted that row since it was looked at.
                mayRepeat: true)
        }
    }

    /// Forgets the transaction's writes; does nothing where none is open.
    package func rollback() {
        recorder.stop()
        forgetTables()
        pending.forget()
        database.forgetCatalog()
        database.registryMemory.end()
        database.forgetAwaited()
        switch session.connection.transactionState {
        case .open, .failed: try? session.connection.rollback()
        case .none, .lost: break
        }
    }

    /// Has tables and what waits for them looked at anew.
    private func forgetTables() {
        layouts = [:]
        held.forget()
    }

    /// Begins a part of the transaction that can be taken back alone.
    package func beginSavepoint() throws {
        try session.translated { try session.connection.setSavepoint("sluice_part") }
        cascaded.beginSavepoint()
        runLedger.beginSavepoint()
        database.beginSavepoint()
    }

    /// Ends that part: its writes belong to the transaction.
    package func releaseSavepoint() throws {
        try session.translated { try session.connection.release("sluice_part") }
        cascaded.releaseSavepoint()
        runLedger.releaseSavepoint()
        database.releaseSavepoint()
    }

    /// Takes that part back.
    package func rollBackToSavepoint() throws {
        forgetTables()
        cascaded.rollBackToSavepoint()
        runLedger.rollBackToSavepoint()
        pending.forget()
        database.forgetCatalog()
        database.rollBackToSavepoint()
        try session.translated { try session.connection.rollBack(to: "sluice_part") }
    }

    /// Writes down what is changed in this transaction.
    package func startRecording(run: Int64, naming: @escaping (RecordKey, RecordSchema) -> String) {
        recorder.start(run: run, naming: naming)
    }

    // MARK: References

    /// Settles what refers to rows that are not there, and links what waited for rows that came.
    package func settleReferences(telling tell: ((LostReference) -> Void)?) throws -> ReferenceOutcome {
        var settlement = ReferenceSettlement(
            database: database, recorder: recorder, pending: pending,
            hasWritten: activity.hasWritten, mayBeBroken: mayBeBroken, telling: tell)
        try settlement.perform()
        isSettled = true
        var outcome = cascaded.takeReleased()
        outcome.add(settlement.outcome)
        (outcome.cascadedKept, outcome.emptied) = cascaded.takeKept()
        outcome.cascaded = cascaded.take()
        return outcome
    }

    /// The references that must not be empty and whose records are not there.
    package func unmetReferences() throws -> [UnmetReference] {
        try RequiredReferences(database).unmet(hasWritten: activity.hasWritten)
    }

    /// Has the transaction's end look at all references, also those that the database watches over.
    package func expectBrokenReferences() { mayBeBroken = true }

    /// The references that wait for a record.
    package func waiting(for key: RecordKey, of schema: RecordSchema) throws -> [AwaitingReference] {
        try ReferenceWaiters(database).waiting(for: key, of: schema)
    }

    /// Deletes the rows that a run made for records that are referred to, where nothing refers to them any more.
    package func revertStubs(of run: Int64) throws -> Int { try StubHistory(database: database).revert(run: run) }

    /// Deletes the rows that runs made for records that are referred to, where nothing refers to them any more.
    package func removeStubs() throws -> [String: ReferenceOutcome.Rows] {
        try StandingStubs(database: database).remove(recorder)
    }

    /// Has references of a row wait for their records once more, as before a run linked them.
    package func revert(_ link: RecordedChange, of key: RecordKey) throws -> LinkUndoing {
        defer { pending.expectPassingRules() }
        return try LinkHistory(database: database, recorder: recorder).revert(link, of: key)
    }

    /// Has references of a row that a run took away lead to their records again.
    package func linkAgain(_ unlink: RecordedChange, of key: RecordKey) throws {
        defer { pending.expectPassingRules() }
        try LinkHistory(database: database, recorder: recorder).linkAgain(unlink, of: key)
    }

    /// Has references of a row be null for good once more.
    package func empty(
        _ references: [RecordedChange.Column], of key: RecordKey, _ mapping: RecordMapping
    ) throws -> [RecordedChange.Column] {
        defer { pending.forget() }
        return try LinkHistory(database: database, recorder: recorder).empty(references, of: key, mapping)
    }

    // MARK: Tables

    /// Prepares a table for a stream's records.
    package func openTable(_ schema: RecordSchema) throws -> (table: any RecordTable, changes: [SchemaChange]) {
        let mapping = EntityRegistry.name(schema.source)
        if let known = layouts[mapping], known.asked == schema { return (try table(known.layout), []) }
        var planner = try planner(schema)
        let layout = try planner.prepare()
        if planner.asksAnew { pending.expectPassingRules() }
        try record(planner.changes)
        layouts[mapping] = (schema, layout)
        return (try table(layout), planner.changes)
    }

    private func table(_ layout: TableLayout) throws -> PostgresRecordTable {
        try PostgresRecordTable(
            database, layout: layout, recorder: recorder, pending: pending, held: held, cascaded: cascaded,
            activity: activity)
    }

    /// A planner for names that PostgreSQL keeps as they are.
    private func planner(_ schema: RecordSchema) throws -> SchemaPlanner {
        let names = [schema.table] + schema.fields.map(\.column) + schema.references.compactMap(\.link?.table)
        if let name = names.first(where: { !PostgresName.isKept($0) }) {
            throw StoreError(
                .mismatch,
                "The name `\(name)` has \(name.utf8.count) bytes, and PostgreSQL keeps \(PostgresName.maximumLength) of a name. Give `\(schema.entity)` a shorter `table:` or `column:`."
            )
        }
        return SchemaPlanner(database: database, schema: schema, recorder: recorder)
    }

    /// Records that tables changed: what was prepared for them may no longer fit.
    private func record(_ changes: [SchemaChange]) throws {
        if changes.isEmpty { return }
        activity.hasWritten = true
        database.forgetCatalog()
        try session.translated { try session.connection.forgetStatements() }
    }

    /// Has what the store keeps under earlier names go on under the new ones.
    package func followNames(of schema: RecordSchema) throws -> [SchemaChange] {
        var planner = try planner(schema)
        try planner.followNames()
        try record(planner.changes)
        return planner.changes
    }

    /// Has a table that others refer to and that no source fills go on under its new names.
    package func followNames(
        ofTarget target: RecordSchema, referredToBy referrers: [RecordSchema], apartFrom tables: Set<String>
    ) throws -> [SchemaChange] {
        var planner = try planner(target)
        try planner.followNames(referredToBy: referrers, apartFrom: tables)
        try record(planner.changes)
        return planner.changes
    }

    /// Makes or extends a table and its base.
    package func prepareTable(_ schema: RecordSchema) throws -> [SchemaChange] {
        var planner = try planner(schema)
        _ = try planner.prepare()
        if planner.asksAnew { pending.expectPassingRules() }
        try record(planner.changes)
        return planner.changes
    }

    /// Makes a table that others refer to where it is missing, and checks that it can be referred to.
    package func prepareTarget(_ schema: RecordSchema) throws -> [SchemaChange] {
        var planner = try planner(schema)
        try planner.prepareTarget()
        try record(planner.changes)
        return planner.changes
    }

    /// A table that an earlier run prepared.
    package func knownTable(pipeline: String, stream: String, entity: String) throws -> (any RecordTable)? {
        try TableLayout.known(RecordMapping(pipeline: pipeline, stream: stream, entity: entity), database).map(table)
    }

    /// Programs write to stores on SQLite alone.
    package func edits(of table: String?) throws -> [RecordMapping] { [] }

    /// The mappings whose records belong to those of another one.
    package func children(of mapping: RecordMapping) throws -> [RecordMapping] {
        try EntityRegistry(database: database).children(of: mapping)
    }

    /// What tells the store from others.
    package func identity() throws -> String? { try EntityRegistry(database: database).identity() }

    /// The sources that fill or filled a table.
    package func sources(of table: String) throws -> [RecordMapping] {
        try EntityRegistry(database: database).sources(of: table)
    }

    /// What fills tables.
    package func mappings(pipeline: String?, entity: String?) throws -> [RecordMapping] {
        try EntityRegistry(database: database).mappings().filter {
            (pipeline == nil || $0.pipeline == pipeline) && (entity == nil || $0.entity == entity)
        }
    }

    // MARK: What pipelines no longer say, or say otherwise

    /// Who follows work on whole tables.
    package var tableWork: TableWorkObserver? {
        get { database.monitor.observer }
        set { database.monitor.observer = newValue }
    }

    /// What the store keeps for names that a pipeline no longer has.
    package func orphans(
        of pipeline: String, _ schemas: [RecordSchema],
        isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [Orphan] {
        try OrphanFinder(database: database).orphans(of: pipeline, schemas, isSame: isSame)
    }

    /// Tables and columns that are missing and that no stream fills, since records only refer to them.
    package func missing(
        of targets: [RecordSchema], among schemas: [RecordSchema],
        isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [Orphan] {
        try OrphanFinder(database: database).missing(of: targets, among: schemas, isSame: isSame)
    }

    /// Has other sources go on with the values of a field that its own no longer fills.
    package func passOn(
        _ orphan: Orphan, isBehind: (RecordMapping) -> Bool,
        isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool,
        entry: (FieldValue, RecordSchema.Field) -> BaseEntry
    ) throws {
        try OrphanFinder(database: database).passOn(orphan, isBehind: isBehind, isSame, entry)
    }

    /// Gives up what a pipeline no longer has.
    package func giveUp(_ orphan: Orphan) throws -> [SchemaChange] {
        let changes = try OrphanFinder(database: database, recorder: recorder).giveUp(orphan)
        try record(changes)
        forgetTables()
        return changes
    }

    /// Replaces what is stored in clear of fields that are redacted from now on.
    package func redactStored(
        _ schemas: [RecordSchema], isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool,
        redactor: (_ record: [UInt8], _ entity: String, _ stream: String) -> RedactedQuarantine
    ) throws -> [SchemaChange] {
        try RedactionSweep(database: database, recorder: recorder)
            .perform(schemas, isSame: isSame, redactor: redactor)
    }

    /// Gives columns the types that their fields have now.
    package func convertStored(_ schemas: [RecordSchema], by conversion: FieldConversion) throws -> [SchemaChange] {
        let changes = try TypeConversion(database: database, conversion: conversion, recorder: recorder)
            .perform(schemas)
        try record(changes)
        forgetTables()
        return changes
    }

    /// Gives tables the identifiers that their entities have now.
    package func changeKeys(_ schemas: [RecordSchema], by conversion: FieldConversion) throws -> [SchemaChange] {
        var change = KeyChange(
            database: database, conversion: conversion, schemas: schemas, recorder: recorder)
        let changes = try change.perform()
        try record(changes)
        forgetTables()
        return changes
    }

    /// Takes back how tables followed the pipeline in one run.
    package func revertSchema(of run: Int64, by conversion: FieldConversion) throws -> [SchemaChange] {
        let done = try SchemaUndo(database: database, conversion: conversion, recorder: recorder)
            .perform(run: run, changes.schema(run: run))
        try record(done)
        forgetTables()
        return done
    }
}

@available(*, unavailable)
extension PostgresStore: Sendable {}

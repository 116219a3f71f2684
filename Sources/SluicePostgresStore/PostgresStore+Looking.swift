internal import SluicePostgres
internal import SluiceSQLStore
package import SluiceStore

/// What a store says of itself, of its tables and of what is wrong with them.
extension PostgresStore {
    /// The version of libpq.
    package static var libraryVersion: String { PostgresConnection.libraryVersion }

    /// How often the server was asked and its answer waited for.
    package var roundTrips: Int { session.connection.roundTrips }

    /// How many statements were sent to the server.
    package var sentStatements: Int { session.connection.sentStatements }

    /// What cancels a running statement from another thread.
    package func makeInterrupt() -> @Sendable () -> Void {
        let interrupt = session.interrupt
        return { interrupt() }
    }

    /// Readers and writers never wait for each other.
    package func prepareToScan() throws -> Bool { true }

    /// What is wrong with the database itself and with the foreign keys that it knows.
    ///
    /// - Throws: ``StoreError``.
    package func integrityFindings() throws -> [StoreFinding] {
        try session.translated { try StoreChecker(database).integrityFindings() }
    }

    /// What is wrong with what the store keeps, and what is worth knowing of it, as of one moment.
    ///
    /// - Parameters:
    ///   - told: Is told what is looked at next.
    ///   - more: Finds more at the same moment.
    /// - Returns: All of it, in the order of the checks.
    /// - Throws: ``StoreError``.
    package func findings(
        telling told: (String) -> Void, adding more: () throws -> [StoreFinding]
    ) throws -> [StoreFinding] {
        try session.translated { try StoreChecker(database).findings(telling: told, adding: more) }
    }

    /// Writes the tables anew where rows that were replaced may still stand in them.
    package func clearUnusedPages() throws { try database.clearUnusedPages() }

    /// The server keeps its log by itself.
    package func mergeLog() {}

    /// Whether a run has used the store yet.
    ///
    /// - Throws: ``StoreError``.
    package func isUsed() throws -> Bool { try session.translated { try session.isUsed() } }

    /// How many bytes the tables of the store's schema take.
    ///
    /// - Throws: ``StoreError``.
    package func bytes() throws -> Int {
        let rows = try database.catalogRows(
            """
            SELECT coalesce(sum(pg_catalog.pg_total_relation_size(c.oid)), 0)::bigint FROM pg_catalog.pg_class AS c
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'm')
            """, [PostgresValue(session.schema)])
        return Int(clamping: rows.first?.first?.number ?? 0)
    }

    /// The tables of the schema that pipelines can adopt.
    package func adoptableTables() -> any AdoptableTables { PostgresAdoptableTables(database) }

    /// The tables that streams fill, those of links, and those that they refer to, each group by name.
    package func tables(pipelines: [String]?, entity: String?) throws -> [StoredTable] {
        try StoredTableReader(database).tables(pipelines: pipelines, entity: entity)
    }

    /// What differs between tables and what pipelines want of them.
    package func drift(
        of tables: [WantedTable], by conversion: FieldConversion
    ) throws -> (columns: [ColumnDrift], misfits: [StoredMisfit]) {
        try TableDrift.read(tables, by: conversion, recorder, in: database)
    }
}

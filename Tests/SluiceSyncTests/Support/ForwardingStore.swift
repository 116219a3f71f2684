@testable import SluiceMerge
@testable import SluiceModel
@testable import SluiceStore

/// A store that has another one do all its work, and hands out the tables that a test wants to look at.
final class ForwardingStore: RecordStore {
    private let store: any RecordStore
    private let wrap: (any RecordTable) -> any RecordTable
    /// Hears of each call of the store and of its ledgers.
    private let heard: (String) -> Void

    init(
        _ store: any RecordStore, heard: @escaping (String) -> Void = { _ in },
        wrap: @escaping (any RecordTable) -> any RecordTable
    ) {
        (self.store, self.heard, self.wrap) = (store, heard, wrap)
    }

    private func told(_ name: String = #function) { heard("store." + name) }

    func openTable(_ schema: RecordSchema) throws -> (table: any RecordTable, changes: [SchemaChange]) {
        told()
        let (table, changes) = try store.openTable(schema)
        return (wrap(table), changes)
    }

    func knownTable(pipeline: String, stream: String, entity: String) throws -> (any RecordTable)? {
        told()
        return try store.knownTable(pipeline: pipeline, stream: stream, entity: entity).map(wrap)
    }

    var conflicts: any ConflictLedger { ForwardingConflicts(store.conflicts, heard) }
    var quarantine: any QuarantineLedger { ForwardingQuarantine(store.quarantine, heard) }
    var runs: any RunLedger { store.runs }
    var changes: any ChangeLedger { ForwardingChanges(store.changes, heard) }
    var credentials: any CredentialLedger { store.credentials }
    var state: any StateLedger { ForwardingState(store.state, heard) }
    var scans: any ScanLedger { store.scans }
    var schedule: any ScheduleLedger { store.schedule }

    var tableWork: TableWorkObserver? {
        get { store.tableWork }
        set { store.tableWork = newValue }
    }

    func begin() throws {
        told()
        return try store.begin()
    }
    func commit() throws {
        told()
        return try store.commit()
    }
    func rollback() {
        told()
        return store.rollback()
    }
    func beginSavepoint() throws {
        told()
        return try store.beginSavepoint()
    }
    func releaseSavepoint() throws {
        told()
        return try store.releaseSavepoint()
    }
    func rollBackToSavepoint() throws {
        told()
        return try store.rollBackToSavepoint()
    }
    func children(of mapping: RecordMapping) throws -> [RecordMapping] {
        told()
        return try store.children(of: mapping)
    }
    func identity() throws -> String? {
        told()
        return try store.identity()
    }
    func sources(of table: String) throws -> [RecordMapping] {
        told()
        return try store.sources(of: table)
    }
    func edits(of table: String?) throws -> [RecordMapping] {
        told()
        return try store.edits(of: table)
    }
    func startRecording(run: Int64, naming: @escaping (RecordKey, RecordSchema) -> String) {
        told()
        return store.startRecording(run: run, naming: naming)
    }
    func expectBrokenReferences() { store.expectBrokenReferences() }
    func leaveReferences() { store.leaveReferences() }
    func settleReferences(telling tell: ((LostReference) -> Void)?) throws -> ReferenceOutcome {
        told()
        return try store.settleReferences(telling: tell)
    }
    func unmetReferences() throws -> [UnmetReference] {
        told()
        return try store.unmetReferences()
    }
    func waiting(for key: RecordKey, of schema: RecordSchema) throws -> [AwaitingReference] {
        told()
        return try store.waiting(for: key, of: schema)
    }
    func revertStubs(of run: Int64) throws -> Int {
        told()
        return try store.revertStubs(of: run)
    }
    func removeStubs() throws -> [String: ReferenceOutcome.Rows] {
        told()
        return try store.removeStubs()
    }
    func revert(_ link: RecordedChange, of key: RecordKey) throws -> LinkUndoing {
        told()
        return try store.revert(link, of: key)
    }
    func linkAgain(_ unlink: RecordedChange, of key: RecordKey) throws {
        told()
        return try store.linkAgain(unlink, of: key)
    }
    func empty(
        _ references: [RecordedChange.Column], of key: RecordKey, _ mapping: RecordMapping
    ) throws -> [RecordedChange.Column] {
        told()
        return try store.empty(references, of: key, mapping)
    }
    func followNames(of schema: RecordSchema) throws -> [SchemaChange] {
        told()
        return try store.followNames(of: schema)
    }
    func followNames(
        ofTarget target: RecordSchema, referredToBy referrers: [RecordSchema], apartFrom tables: Set<String>
    ) throws -> [SchemaChange] {
        told()
        return try store.followNames(ofTarget: target, referredToBy: referrers, apartFrom: tables)
    }
    func prepareTable(_ schema: RecordSchema) throws -> [SchemaChange] {
        told()
        return try store.prepareTable(schema)
    }
    func prepareTarget(_ schema: RecordSchema) throws -> [SchemaChange] {
        told()
        return try store.prepareTarget(schema)
    }
    func orphans(
        of pipeline: String, _ schemas: [RecordSchema],
        isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [Orphan] {
        told()
        return try store.orphans(of: pipeline, schemas, isSame: isSame)
    }
    func missing(
        of targets: [RecordSchema], among schemas: [RecordSchema],
        isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [Orphan] {
        told()
        return try store.missing(of: targets, among: schemas, isSame: isSame)
    }
    func passOn(
        _ orphan: Orphan, isBehind: (RecordMapping) -> Bool,
        isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool,
        entry: (FieldValue, RecordSchema.Field) -> BaseEntry
    ) throws {
        told()
        try store.passOn(orphan, isBehind: isBehind, isSame: isSame, entry: entry)
    }
    func giveUp(_ orphan: Orphan) throws -> [SchemaChange] {
        told()
        return try store.giveUp(orphan)
    }
    func redactStored(
        _ schemas: [RecordSchema], isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool,
        redactor: (_ record: [UInt8], _ entity: String, _ stream: String) -> RedactedQuarantine
    ) throws -> [SchemaChange] {
        told()
        return try store.redactStored(schemas, isSame: isSame, redactor: redactor)
    }
    func revertSchema(of run: Int64, by conversion: FieldConversion) throws -> [SchemaChange] {
        told()
        return try store.revertSchema(of: run, by: conversion)
    }
    func changeKeys(_ schemas: [RecordSchema], by conversion: FieldConversion) throws -> [SchemaChange] {
        told()
        return try store.changeKeys(schemas, by: conversion)
    }
    func convertStored(_ schemas: [RecordSchema], by conversion: FieldConversion) throws -> [SchemaChange] {
        told()
        return try store.convertStored(schemas, by: conversion)
    }
    func mappings(pipeline: String?, entity: String?) throws -> [RecordMapping] {
        told()
        return try store.mappings(pipeline: pipeline, entity: entity)
    }
    func tables(pipelines: [String]?, entity: String?) throws -> [StoredTable] {
        told()
        return try store.tables(pipelines: pipelines, entity: entity)
    }
    func drift(
        of tables: [WantedTable], by conversion: FieldConversion
    ) throws -> (columns: [ColumnDrift], misfits: [StoredMisfit]) {
        told()
        return try store.drift(of: tables, by: conversion)
    }
    func findings(
        telling part: (String) -> Void, adding more: () throws -> [StoreFinding]
    ) throws -> [StoreFinding] {
        told()
        return try store.findings(telling: part, adding: more)
    }
    func integrityFindings() throws -> [StoreFinding] {
        told()
        return try store.integrityFindings()
    }
    func makeInterrupt() -> @Sendable () -> Void {
        told()
        return store.makeInterrupt()
    }
    func prepareToScan() throws -> Bool {
        told()
        return try store.prepareToScan()
    }
    func mergeLog() {
        told()
        return store.mergeLog()
    }
    func clearUnusedPages() throws {
        told()
        return try store.clearUnusedPages()
    }
}

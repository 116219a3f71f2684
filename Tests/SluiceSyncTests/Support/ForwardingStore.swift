@testable import SluiceMerge
@testable import SluiceModel
@testable import SluiceStore

/// A store that has another one do all its work, and hands out the tables that a test wants to look at.
final class ForwardingStore: RecordStore {
    private let store: any RecordStore
    private let wrap: (any RecordTable) -> any RecordTable

    init(_ store: any RecordStore, wrap: @escaping (any RecordTable) -> any RecordTable) {
        self.store = store
        self.wrap = wrap
    }

    func openTable(_ schema: RecordSchema) throws -> (table: any RecordTable, changes: [SchemaChange]) {
        let (table, changes) = try store.openTable(schema)
        return (wrap(table), changes)
    }

    func knownTable(pipeline: String, stream: String, entity: String) throws -> (any RecordTable)? {
        try store.knownTable(pipeline: pipeline, stream: stream, entity: entity).map(wrap)
    }

    var conflicts: any ConflictLedger { store.conflicts }
    var quarantine: any QuarantineLedger { store.quarantine }
    var runs: any RunLedger { store.runs }
    var changes: any ChangeLedger { store.changes }
    var credentials: any CredentialLedger { store.credentials }
    var state: any StateLedger { store.state }
    var scans: any ScanLedger { store.scans }
    var schedule: any ScheduleLedger { store.schedule }

    var tableWork: TableWorkObserver? {
        get { store.tableWork }
        set { store.tableWork = newValue }
    }

    func begin() throws { try store.begin() }
    func commit() throws { try store.commit() }
    func rollback() { store.rollback() }
    func beginSavepoint() throws { try store.beginSavepoint() }
    func releaseSavepoint() throws { try store.releaseSavepoint() }
    func rollBackToSavepoint() throws { try store.rollBackToSavepoint() }
    func children(of mapping: RecordMapping) throws -> [RecordMapping] { try store.children(of: mapping) }
    func sources(of table: String) throws -> [RecordMapping] { try store.sources(of: table) }
    func startRecording(run: Int64, naming: @escaping (RecordKey, RecordSchema) -> String) {
        store.startRecording(run: run, naming: naming)
    }
    func expectBrokenReferences() { store.expectBrokenReferences() }
    func settleReferences() throws -> ReferenceOutcome { try store.settleReferences() }
    func unmetReferences() throws -> [UnmetReference] { try store.unmetReferences() }
    func waiting(for key: RecordKey, of schema: RecordSchema) throws -> [AwaitingReference] {
        try store.waiting(for: key, of: schema)
    }
    func takeBackStubs(of run: Int64) throws -> Int { try store.takeBackStubs(of: run) }
    func takeBack(_ link: RecordedChange, of key: RecordKey) throws -> LinkUndoing {
        try store.takeBack(link, of: key)
    }
    func linkAgain(_ unlink: RecordedChange, of key: RecordKey) throws { try store.linkAgain(unlink, of: key) }
    func empty(
        _ references: [RecordedChange.Column], of key: RecordKey, _ mapping: RecordMapping
    ) throws -> [RecordedChange.Column] { try store.empty(references, of: key, mapping) }
    func followNames(of schema: RecordSchema) throws -> [SchemaChange] { try store.followNames(of: schema) }
    func followNames(
        ofTarget target: RecordSchema, referredToBy referrers: [RecordSchema], apartFrom tables: Set<String>
    ) throws -> [SchemaChange] { try store.followNames(ofTarget: target, referredToBy: referrers, apartFrom: tables) }
    func prepareTable(_ schema: RecordSchema) throws -> [SchemaChange] { try store.prepareTable(schema) }
    func prepareTarget(_ schema: RecordSchema) throws -> [SchemaChange] { try store.prepareTarget(schema) }
    func orphans(
        of pipeline: String, _ schemas: [RecordSchema],
        isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [Orphan] { try store.orphans(of: pipeline, schemas, isSame: isSame) }
    func giveUp(_ orphan: Orphan) throws -> [SchemaChange] { try store.giveUp(orphan) }
    func redactStored(
        _ schemas: [RecordSchema], isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool,
        redactor: (_ record: [UInt8], _ entity: String, _ stream: String) -> RedactedQuarantine
    ) throws -> [SchemaChange] { try store.redactStored(schemas, isSame: isSame, redactor: redactor) }
    func takeBackSchema(of run: Int64, by conversion: FieldConversion) throws -> [SchemaChange] {
        try store.takeBackSchema(of: run, by: conversion)
    }
    func changeKeys(_ schemas: [RecordSchema], by conversion: FieldConversion) throws -> [SchemaChange] {
        try store.changeKeys(schemas, by: conversion)
    }
    func convertStored(_ schemas: [RecordSchema], by conversion: FieldConversion) throws -> [SchemaChange] {
        try store.convertStored(schemas, by: conversion)
    }
    func mappings(pipeline: String?, entity: String?) throws -> [RecordMapping] {
        try store.mappings(pipeline: pipeline, entity: entity)
    }
    func tables(pipelines: [String]?, entity: String?) throws -> [StoredTable] {
        try store.tables(pipelines: pipelines, entity: entity)
    }
    func drift(
        of tables: [WantedTable], by conversion: FieldConversion
    ) throws -> (columns: [ColumnDrift], misfits: [StoredMisfit]) {
        try store.drift(of: tables, by: conversion)
    }
    func findings(adding more: () throws -> [StoreFinding]) throws -> [StoreFinding] {
        try store.findings(adding: more)
    }
    func integrityFindings() throws -> [StoreFinding] { try store.integrityFindings() }
    func makeInterrupt() -> @Sendable () -> Void { store.makeInterrupt() }
    func prepareToScan() throws -> Bool { try store.prepareToScan() }
    func mergeLog() { store.mergeLog() }
    func clearUnusedPages() throws { try store.clearUnusedPages() }
}

package import SluiceModel

/// A database that holds mapped records, what their sources said of them, and what was decided.
///
/// Everything between ``begin()`` and ``commit()`` becomes visible at once or not at all. A store belongs to one thread.
/// A statement that the database refuses changes nothing and does not end the transaction.
///
/// `Tests/SluiceStoreTests/Contract` holds each kind of store against what is said here.
package protocol RecordStore: AnyObject {
    /// Starts a transaction that may write; other writers wait or are refused.
    func begin() throws
    /// Makes the transaction's writes durable.
    func commit() throws
    /// Forgets the transaction's writes, and the tables that were opened in it; does nothing where none is open.
    func rollback()

    /// Begins a part of the transaction that can be taken back alone.
    func beginSavepoint() throws
    /// Ends that part: its writes belong to the transaction.
    func releaseSavepoint() throws
    /// Takes that part back. Tables that were opened before are opened again for what follows.
    func rollBackToSavepoint() throws

    /// Prepares a table for a stream's records: makes or extends it and its base.
    ///
    /// Each source of a table has a base of its own.
    ///
    /// - Returns: The table, and what had to be changed for it.
    /// - Throws: ``StoreError``, with ``StoreError/Code/mismatch`` where a table that is there does not fit.
    func openTable(_ schema: RecordSchema) throws -> (table: any RecordTable, changes: [SchemaChange])

    /// A table that an earlier run prepared, as the store itself knows it.
    ///
    /// - Returns: Nil where the store does not know such a mapping.
    func knownTable(pipeline: String, stream: String, entity: String) throws -> (any RecordTable)?

    /// Has the identifiers of all records, and what refers to them, stand as they are compared, where people wrote them in
    /// another spelling: in the tables, or in a store that is only looked at for those who look. ``openTable(_:)`` does it too.
    ///
    /// - Throws: ``StoreError``.
    func spellKeys() throws

    /// The identifiers that kept another spelling when ``openTable(_:)`` was called, each told once.
    ///
    /// - Parameter tables: The tables that are meant.
    /// - Returns: The first of them by table and spelling.
    func takeUnspelledKeys(of tables: [String]) -> [UnspelledKey]

    /// The mappings whose records belong to those of another one, and cannot be without them.
    func children(of mapping: RecordMapping) throws -> [RecordMapping]

    /// What tells the store from all others: a text that it got when it was made, and that its copies keep. Nil where an earlier
    /// version made it and nothing was written since, and where nothing is stored yet.
    ///
    /// - Throws: ``StoreError``.
    func identity() throws -> String?

    /// The sources that fill or filled a table, by name.
    func sources(of table: String) throws -> [RecordMapping]

    /// Under which names the history keeps what programs wrote of their own, see ``RecordedChange/isEdit``. They are no sources:
    /// ``knownTable(pipeline:stream:entity:)`` knows their tables, and nothing has a base.
    ///
    /// - Parameter table: The table that is meant, nil for all.
    /// - Returns: The names.
    /// - Throws: ``StoreError``.
    func edits(of table: String?) throws -> [RecordMapping]

    /// What people must decide, and what was decided.
    var conflicts: any ConflictLedger { get }
    /// The records that could not be taken.
    var quarantine: any QuarantineLedger { get }
    /// What was run, and how it ended.
    var runs: any RunLedger { get }
    /// What runs changed.
    var changes: any ChangeLedger { get }
    /// What proves to sources who is asking.
    var credentials: any CredentialLedger { get }
    /// How far streams were read.
    var state: any StateLedger { get }
    /// The scans that were broken off.
    var scans: any ScanLedger { get }
    /// What became of due times.
    var schedule: any ScheduleLedger { get }
    /// The partitions that several workers read for a run; nil where the store belongs to one worker at a time.
    var partitions: (any PartitionLedger)? { get }

    /// Writes down, from here to the end of the transaction, what is changed.
    ///
    /// - Parameters:
    ///   - run: The number of the run that changes it.
    ///   - naming: Gives a record's key as a JSON object.
    func startRecording(run: Int64, naming: @escaping (RecordKey, RecordSchema) -> String)

    /// Has the end of the transaction leave references as they are: nothing was written to which one could lead.
    func leaveReferences()

    /// Settles what refers to rows that are not there, and links what waited for rows that came. ``commit()`` does it
    /// too. What a table refuses to link, or does not let go of, stays as it is, and is named.
    ///
    /// - Parameter tell: Is told of each row that loses a reference in a column, since its record is not there any more.
    /// - Returns: What was done, see also ``ReferenceOutcome/requireUnbroken()``.
    /// - Throws: ``StoreError``, also where a reference's rule is to fail.
    func settleReferences(telling tell: ((LostReference) -> Void)?) throws -> ReferenceOutcome

    /// The references that must not be empty and whose records are not there as things stand in the transaction. Where
    /// ``settleReferences()`` finds some, it throws.
    ///
    /// - Returns: Each of them, in the order of tables, fields and keys.
    /// - Throws: ``StoreError``.
    func unmetReferences() throws -> [UnmetReference]

    /// Has the transaction's end look at all references, also those that the database watches over: rows may have
    /// been deleted by a program that does not check foreign keys.
    func expectBrokenReferences()

    /// The references that wait for a record.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - schema: The fields of its table.
    /// - Returns: The references, in the order of tables, fields and keys of those that have them.
    /// - Throws: ``StoreError``.
    func waiting(for key: RecordKey, of schema: RecordSchema) throws -> [AwaitingReference]

    /// Deletes the rows that a run made for records that are referred to, as far as they are as it made them, no source has
    /// the record and nothing leads to them any more.
    ///
    /// - Parameter run: The number of the run.
    /// - Returns: How many there were.
    /// - Throws: ``StoreError``.
    func revertStubs(of run: Int64) throws -> Int

    /// Deletes the rows that runs made for records that are referred to, as far as they are as they were made, no source has the record
    /// and nothing leads to them any more.
    ///
    /// - Returns: Which rows went.
    /// - Throws: ``StoreError``.
    func removeStubs() throws -> [String: ReferenceOutcome.Rows]

    /// Has references of a row wait for their records once more, as before a run linked them. In this transaction they are
    /// not linked again.
    ///
    /// - Parameters:
    ///   - link: What the run linked, see ``RecordedChange/isLink``.
    ///   - key: The row's key.
    /// - Returns: What became of it.
    /// - Throws: ``StoreError``.
    func revert(_ link: RecordedChange, of key: RecordKey) throws -> LinkUndoing

    /// Has references of a row that a run took away lead to their records again, those that are null for good among them.
    /// They are linked as references are settled, where their records are there then and the row leads nowhere else.
    ///
    /// - Parameters:
    ///   - unlink: What the run took away, see ``RecordedChange/isUnlink``.
    ///   - key: The row's key.
    /// - Throws: ``StoreError``.
    func linkAgain(_ unlink: RecordedChange, of key: RecordKey) throws

    /// Has references of a row be null for good once more, as before a run overwrote them.
    ///
    /// - Parameters:
    ///   - references: See ``RecordedChange/emptied``. The row leads to what was `old`.
    ///   - key: The row's key.
    ///   - mapping: What fills its table.
    /// - Returns: Those that it no longer leads to, `old` as it was and `new` null.
    /// - Throws: ``StoreError``.
    func empty(
        _ references: [RecordedChange.Column], of key: RecordKey, _ mapping: RecordMapping
    ) throws -> [RecordedChange.Column]

    /// Who follows work on whole tables, such as changes of types and identifiers; nil where nobody does.
    var tableWork: TableWorkObserver? { get set }

    /// Has what the store keeps under earlier names go on under the new ones. Tables that refer to each other can be prepared
    /// once all of them have their names.
    ///
    /// - Parameter schema: What fills a table, with its earlier names.
    /// - Returns: What had to be changed.
    /// - Throws: ``StoreError``.
    func followNames(of schema: RecordSchema) throws -> [SchemaChange]

    /// Has a table that others refer to and that no source fills go on under its new names. The store knows such a table by
    /// what refers to it, so what refers to it has its own new names already.
    ///
    /// - Parameters:
    ///   - target: What would fill it, with its earlier names.
    ///   - referrers: What refers to it.
    ///   - tables: The tables of all entities of the pipeline, in lower case: none of them is another one's earlier table.
    /// - Returns: What had to be changed.
    /// - Throws: ``StoreError``.
    func followNames(
        ofTarget target: RecordSchema, referredToBy referrers: [RecordSchema], apartFrom tables: Set<String>
    ) throws -> [SchemaChange]

    /// Makes or extends a table and its base, as ``openTable(_:)`` does: tables that refer to each other can be opened
    /// once all of them are there.
    ///
    /// - Returns: What had to be changed.
    /// - Throws: ``StoreError``.
    func prepareTable(_ schema: RecordSchema) throws -> [SchemaChange]

    /// Makes a table that others refer to where it is missing, and checks that it can be referred to.
    ///
    /// - Parameter schema: What would fill it.
    /// - Returns: What had to be changed for it.
    /// - Throws: ``StoreError``.
    func prepareTarget(_ schema: RecordSchema) throws -> [SchemaChange]

    /// What the store keeps for names that a pipeline no longer has. A source without a base row is not told.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline's name.
    ///   - schemas: All that the pipeline fills.
    ///   - isSame: Whether a value of a column is what a base says, by the field as the store knows it.
    /// - Returns: What is kept, source by source.
    /// - Throws: ``StoreError``, and what `isSame` throws.
    func orphans(
        of pipeline: String, _ schemas: [RecordSchema],
        isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [Orphan]

    /// Tables and columns that are missing and that no stream fills, since records only refer to them.
    ///
    /// - Parameters:
    ///   - targets: What they are to hold.
    ///   - schemas: All that the pipeline fills.
    ///   - isSame: Whether a value of a column is what a base says, by the field as the store knows it.
    /// - Returns: What is missing, where something else is there that it may be.
    /// - Throws: ``StoreError``, and what `isSame` throws.
    func missing(
        of targets: [RecordSchema], among schemas: [RecordSchema],
        isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [Orphan]

    /// Has other sources go on with the values of a field that its own no longer fills, or its own one with theirs where the field comes
    /// back, where that is what an orphan is.
    ///
    /// - Parameters:
    ///   - orphan: What a pipeline no longer has, or has again.
    ///   - isBehind: Whether another source comes after the one of the orphan.
    ///   - isSame: Whether a value of a column is what a base says, by the field as the store knows it.
    ///   - entry: What a base keeps of a value.
    /// - Throws: ``StoreError``, and what `isSame` throws.
    func passOn(
        _ orphan: Orphan, isBehind: (RecordMapping) -> Bool,
        isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool,
        entry: (FieldValue, RecordSchema.Field) -> BaseEntry
    ) throws

    /// Gives up what a pipeline no longer has. Rows and columns stay as they are. Of a field, open conflicts become
    /// obsolete; of a source also its base, its state and its scans are forgotten, and its quarantine is closed.
    ///
    /// - Returns: What had to be changed.
    /// - Throws: ``StoreError``.
    func giveUp(_ orphan: Orphan) throws -> [SchemaChange]

    /// Replaces what is stored in clear of fields that are redacted from now on: in rows and their base, conflicts, the
    /// history and the quarantine.
    ///
    /// - Parameters:
    ///   - schemas: What a pipeline fills.
    ///   - isSame: Whether a value of a column is what a base says, by the field as the store knows it.
    ///   - redactor: Makes of a record in quarantine, of an entity and a stream, what may be kept of it.
    /// - Returns: What was done.
    /// - Throws: ``StoreError``, and what `isSame` throws.
    func redactStored(
        _ schemas: [RecordSchema], isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool,
        redactor: (_ record: [UInt8], _ entity: String, _ stream: String) -> RedactedQuarantine
    ) throws -> [SchemaChange]

    /// Gives columns the types that their fields have now, with all that is stored of them.
    ///
    /// - Parameters:
    ///   - schemas: What a pipeline fills.
    ///   - conversion: How values pass from one type to another.
    /// - Returns: What was done.
    /// - Throws: ``StoreError``, also where something would be lost.
    func convertStored(_ schemas: [RecordSchema], by conversion: FieldConversion) throws -> [SchemaChange]

    /// Gives tables the identifiers that their entities have now, with all that is kept by them.
    ///
    /// - Parameters:
    ///   - schemas: All that a pipeline fills.
    ///   - conversion: How values pass.
    /// - Returns: What was done.
    /// - Throws: ``StoreError`` where a row has no new identifier, or not one of its own, with the first of these rows.
    func changeKeys(_ schemas: [RecordSchema], by conversion: FieldConversion) throws -> [SchemaChange]

    /// Takes back how tables followed the pipeline in one run: types, identifiers and what is unique.
    ///
    /// - Parameters:
    ///   - run: The number of the run.
    ///   - conversion: How values pass.
    /// - Returns: What was done.
    /// - Throws: ``StoreError`` where something would be lost.
    func revertSchema(of run: Int64, by conversion: FieldConversion) throws -> [SchemaChange]

    /// What fills tables, as earlier runs prepared it: of a pipeline, or with records of an entity, or all of it.
    func mappings(pipeline: String?, entity: String?) throws -> [RecordMapping]

    /// The tables that streams fill, those of links, and those that they refer to, each group by name.
    ///
    /// - Parameters:
    ///   - pipelines: The pipelines whose tables are meant, nil for all.
    ///   - entity: The entity whose tables are meant, nil for all.
    /// - Returns: The tables, and those that one of them refers to although nothing fills them.
    /// - Throws: ``StoreError``.
    func tables(pipelines: [String]?, entity: String?) throws -> [StoredTable]

    /// What differs between tables and what pipelines want of them.
    ///
    /// - Parameters:
    ///   - tables: What they want.
    ///   - conversion: How values pass to another type: one that can is no misfit.
    /// - Returns: The columns that differ, and those with values that are none of their fields' types.
    /// - Throws: ``StoreError``.
    func drift(of tables: [WantedTable], by conversion: FieldConversion) throws -> (
        columns: [ColumnDrift], misfits: [StoredMisfit]
    )

    /// What is wrong with the database itself and with the foreign keys that it knows: the part of all findings that does
    /// not need what the store notes.
    ///
    /// - Throws: ``StoreError``.
    func integrityFindings() throws -> [StoreFinding]

    /// What is wrong with what the store keeps, and what is worth knowing of it, as of one moment.
    ///
    /// - Parameters:
    ///   - told: Is told what is looked at next.
    ///   - more: Finds more at the same moment.
    /// - Returns: All of it, in the order of the checks.
    /// - Throws: ``StoreError``.
    func findings(telling told: (String) -> Void, adding more: () throws -> [StoreFinding]) throws -> [StoreFinding]

    /// What interrupts a running statement from another thread; not to be called once the store is gone.
    func makeInterrupt() -> @Sendable () -> Void

    /// Prepares to go through whole tables once while another connection writes.
    ///
    /// - Returns: Whether neither would wait for the other.
    /// - Throws: ``StoreError``.
    func prepareToScan() throws -> Bool

    /// Brings what stands in a log of the store's own into the place where it stays; between transactions.
    func mergeLog()

    /// Lets no unused part of the database hold clear values that were replaced; between transactions.
    ///
    /// - Throws: ``StoreError``, also where another program still reads what was there before: the next call tries again.
    func clearUnusedPages() throws
}

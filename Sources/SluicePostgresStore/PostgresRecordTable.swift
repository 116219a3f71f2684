internal import SluiceModel
internal import SluicePostgres
internal import SluiceSQLStore
internal import SluiceStore

/// What a transaction of a store has done so far.
final class PostgresActivity {
    /// Whether anything was written.
    var hasWritten = false
}

/// A stream's records in a store on PostgreSQL.
///
/// Whatever is asked for or written of a batch takes a number of round trips that does not depend on how many records it
/// has: keys and values are sent as arrays, new rows by `COPY`.
final class PostgresRecordTable: RecordTable {
    let layout: TableLayout
    let schema: RecordSchema
    let wasEmpty: Bool
    let baseWasEmpty: Bool
    let database: PostgresDatabase
    let recorder: PostgresChangeRecorder
    let pending: PendingReferences
    let held: HeldEdits
    let cascaded: CascadedRows
    let activity: PostgresActivity
    let constraints: TableConstraints
    let comparison: WriteComparison
    let keys: PostgresKeys
    /// The fields that have a column, and these columns.
    let columns: [(field: Int, column: PostgresTableColumn)]
    /// All columns that can be written, a number that is always given included: a row that is put back keeps its own.
    let allColumns: [PostgresTableColumn]
    /// The fields that have a table of their own.
    let links: [PostgresLinks]
    /// Whether a row that is deleted may take others with it.
    let deletesOthers: Bool
    /// Whether foreign keys let go of other rows where a row of the table goes.
    let letsGo: Bool
    /// The references that they would let go of, once a row goes.
    var released: ReleasedReferences?
    /// The rows of records that the database would delete along with rows of the table, once one goes.
    private var along: RowsAlong?
    /// The triggers and unique constraints of people that would wait for the end of the transaction, as a statement names
    /// them; empty for none.
    let deferredRules: String
    /// What waits until the end because the table does not take it yet.
    var parked: [RecordWrite] = []
    /// Marks of values whose takers wait.
    private(set) var contested: Set<UInt64> = []
    var rowsPutRight: Set<RecordKey> = []
    /// Whether an index of the table leads to the row of a key; nil where that was not looked up yet.
    var hasKeyIndex: Bool?

    init(
        _ database: PostgresDatabase, layout: TableLayout, recorder: PostgresChangeRecorder,
        pending: PendingReferences, held: HeldEdits, cascaded: CascadedRows, activity: PostgresActivity
    ) throws {
        self.database = database
        self.layout = layout
        self.recorder = recorder
        self.pending = pending
        self.held = held
        self.cascaded = cascaded
        self.activity = activity
        let schema = layout.schema
        self.schema = schema
        comparison = WriteComparison(layout)
        let found = try database.tableColumns(schema.table)
        allColumns = found.filter { !$0.column.isGenerated || $0.column.hasDefault }
        columns = schema.columnFields.compactMap { field in
            found.first { ColumnName.areSame($0.column.name, schema.fields[field].column) }.map { (field, $0) }
        }
        keys = PostgresKeys(layout, found)
        let owner = schema.table
        links = try schema.references.compactMap { try PostgresLinks($0, owner: owner, database) }
        (constraints, deletesOthers, letsGo) = try Self.constraints(schema, found, database)
        deferredRules = try database.deferredRules(of: schema.table)
        wasEmpty = try !database.hasRow("SELECT 1 FROM \(database.table(schema.table)) LIMIT 1")
        baseWasEmpty = try !database.hasRow("SELECT 1 FROM \(database.table(layout.baseTable)) LIMIT 1")
    }

    private static func constraints(
        _ schema: RecordSchema, _ columns: [PostgresTableColumn], _ database: PostgresDatabase
    ) throws -> (TableConstraints, deletesOthers: Bool, letsGo: Bool) {
        let found =
            try database.catalogRows(
                """
                SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS g
                        WHERE g.tgrelid = c.oid AND NOT g.tgisinternal AND g.tgenabled <> 'D'),
                    EXISTS (SELECT 1 FROM pg_catalog.pg_constraint AS k WHERE k.conrelid = c.oid AND k.contype = 'f'
                        AND (k.confdeltype NOT IN ('a', 'r') OR k.confupdtype NOT IN ('a', 'r'))),
                    EXISTS (SELECT 1 FROM pg_catalog.pg_constraint AS k
                        WHERE k.confrelid = c.oid AND k.contype = 'f' AND k.confdeltype = 'c'),
                    EXISTS (SELECT 1 FROM pg_catalog.pg_constraint AS k
                        WHERE k.confrelid = c.oid AND k.contype = 'f' AND k.confdeltype NOT IN ('a', 'r')),
                    EXISTS (SELECT 1 FROM pg_catalog.pg_constraint AS k
                        WHERE c.oid IN (k.conrelid, k.confrelid) AND k.contype = 'f' AND NOT k.condeferred)
                FROM pg_catalog.pg_class AS c WHERE c.oid = \(PostgresDatabase.relation())
                """, [PostgresValue(database.session.schema), PostgresValue(schema.table)]
            ).first ?? []
        func isTrue(_ index: Int) -> Bool { found.indices.contains(index) && found[index] == .bool(true) }
        let required = columns.filter { $0.column.isNotNull && $0.column.keyPosition == 0 }
            .map { $0.column.name.lowercased() }
        // Any table may refuse a row here: others write to it meanwhile, and no text may hold a NUL.
        let constraints = TableConstraints(
            schema, unique: try database.uniqueGroups(of: schema.table), required: required, mayRefuse: true,
            changesOtherRows: isTrue(0) || isTrue(1), isBound: isTrue(0) || isTrue(4))
        return (constraints, isTrue(0) || isTrue(2), isTrue(3))
    }

    /// Deletes the rows of records that the database would delete along with others, so that the history has them.
    ///
    /// - Parameter writes: What is written; what it deletes counts.
    /// - Throws: What the database throws, and ``Refusal``.
    func deleteAlong(_ writes: [RecordWrite]) throws {
        let deleted = letsGo ? writes.filter { if case .delete = $0.row { true } else { false } }.map(\.key) : []
        if deleted.isEmpty { return }
        let along = try self.along ?? database.untold { try RowsAlong(with: schema, database: database) }
        self.along = along
        if !along.mayBe { return }
        cascaded.record(try database.untold { try along.emptied(with: deleted) })
        for (place, keys) in try database.untold({ try along.rows(with: deleted) }) {
            for (layout, keys) in try database.untold({ try along.records(keys, of: place) }) {
                let table = try PostgresRecordTable(
                    database, layout: layout, recorder: recorder, pending: pending, held: held, cascaded: cascaded,
                    activity: activity)
                if let refusal = try table.tryWriting(keys.map(place.write), since: nil, isNoted: recorder.isRecording)
                {
                    throw refusal
                }
            }
            cascaded.record(keys.count, keptOf: place)
        }
    }

    var mayRefuse: Bool { constraints.mayRefuse }
    var changesOtherRows: Bool { constraints.changesOtherRows }
    var isBound: Bool { constraints.isBound }
    var fieldOfSlot: [Int] { layout.fieldOfSlot }
    func marksDeletion(_ column: String) -> Bool { layout.mark != nil && ColumnName.areSame(column, DeletionMark.time) }
    func expect(contested: Set<UInt64>) { self.contested = contested }

    // MARK: Names

    var session: PostgresStoreSession { database.session }
    var connection: PostgresConnection { database.session.connection }
    var table: String { database.table(schema.table) }
    var base: String { database.table(layout.baseTable) }
    /// What a row that counts as there fulfils besides its key.
    var isThere: String { layout.mark == nil ? "" : " AND t.\(DeletionMark.isNotSet)" }
    /// What a base of a record fulfils that its source spoke of when it was last seen.
    private static let isListed = "b.state <> \(BaseState.remoteTombstone.rawValue)"

    func query(_ sql: String, _ parameters: PostgresParameters) throws -> PostgresResult {
        try session.translated { try connection.run(PostgresStatement(sql, parameters)) }
    }

    // MARK: Looking up

    func lookUp(_ batch: borrowing RecordBatch, into lookup: inout BaseLookup) throws {
        lookup.rows.removeAll(keepingCapacity: true)
        lookup.liveCount = 0
        let count = batch.count
        lookup.findings = Array(repeating: .new, count: count)
        if baseWasEmpty || count == 0 { return }
        var all: [RecordKey] = []
        all.reserveCapacity(count)
        var hashes = PostgresArray(of: .int8)
        for record in 0..<count {
            all.append(batch.key(of: record, schema: schema))
            hashes.append(.integer(Int64(bitPattern: batch.rowHashes[record])))
        }
        var parameters = PostgresParameters()
        let list = keys.list(all, [("h", hashes)], &parameters)
        let isUnchanged = "b.row_hash = k.h AND b.state = 0 AND b.open = 0"
        let result = try query(
            """
            SELECT k.n, b.state, b.row_hash, CASE WHEN \(isUnchanged) THEN NULL ELSE b.fields END, b.open,
                b.first_run, b.last_run
            FROM \(list) JOIN \(base) AS b ON \(keys.isBase())
            """, parameters)
        for row in 0..<result.rowCount {
            guard let place = result.integer(row, 0), let state = result.integer(row, 1), place <= count else {
                continue
            }
            let record = Int(place) - 1
            if BaseState(rawValue: Int(truncatingIfNeeded: state))?.isListed == true { lookup.liveCount += 1 }
            if result.isNull(row, 3) {
                lookup.findings[record] = .unchanged
            } else {
                lookup.findings[record] = .other
                lookup.rows[record] = try baseRow(image(result, row, from: 1))
            }
        }
    }

    func lookUpTexts(_ batch: borrowing RecordBatch, into lookup: inout TextLookup) throws {
        lookup.others.removeAll(keepingCapacity: true)
        lookup.within.removeAll()
        var all: [RecordKey] = []
        var hashes = PostgresArray(of: .int8)
        for record in 0..<batch.count {
            all.append(batch.key(of: record, schema: schema))
            hashes.append(.integer(Int64(bitPattern: batch.textFingerprints.hashes[record])))
        }
        if all.isEmpty { return }
        var parameters = PostgresParameters()
        let list = keys.list(all, [("h", hashes)], &parameters)
        let result = try query(
            """
            SELECT k.n, b.text_within FROM \(list) JOIN \(base) AS b
            ON \(keys.isBase()) AND b.text_hash = k.h AND b.state = 0 AND b.open = 0
            """, parameters)
        var known = [Bool](repeating: false, count: all.count)
        for row in 0..<result.rowCount {
            guard let place = result.integer(row, 0), place <= all.count else { continue }
            known[Int(place) - 1] = true
            if case .bytes(let within) = result.value(row, 1) { lookup.within.add(within, of: Int(place) - 1) }
        }
        lookup.others = known.indices.filter { !known[$0] }
    }

    func record(_ marks: [(key: RecordKey, mark: TextFingerprint?)]) throws {
        if marks.isEmpty { return }
        // Of a record that is named twice the last mark counts.
        var last: [RecordKey: Int] = [:]
        for (index, mark) in marks.enumerated() { last[mark.key] = index }
        let marks = last.values.sorted().map { marks[$0] }
        var parameters = PostgresParameters()
        let list = keys.list(
            marks.map(\.key),
            [
                (
                    "h",
                    PostgresArray(marks.map { PostgresValue($0.mark.map { Int64(bitPattern: $0.hash) }) }, of: .int8)
                ),
                ("w", PostgresArray(marks.map { Self.within($0.mark) }, of: .bytea)),
            ], &parameters)
        _ = try query(
            """
            UPDATE \(base) AS b SET text_hash = k.h, text_within = k.w FROM \(list) WHERE \(keys.isBase())
            AND (b.text_hash IS DISTINCT FROM k.h OR b.text_within IS DISTINCT FROM k.w)
            """, parameters)
        activity.hasWritten = true
    }

    static func within(_ mark: TextFingerprint?) -> PostgresValue {
        guard let mark, !mark.within.isEmpty else { return .null }
        return .bytes(mark.within)
    }

    func eachSettled(_ visit: (RecordKey, UInt64) -> Void) throws {
        try database.each(
            "SELECT \(keys.baseColumns), b.row_hash FROM \(base) AS b WHERE b.state = 0 AND b.open = 0", []
        ) {
            row in
            if let hash = row.last?.number {
                visit(RecordKey(Array(row.dropLast())), UInt64(bitPattern: hash))
            }
            return true
        }
    }

    // MARK: Bases

    func baseRows(_ keys: [RecordKey]) throws -> [BaseRow?] { try baseImages(keys).map { $0.map(baseRow) } }

    func baseImages(_ wanted: [RecordKey]) throws -> [BaseImage?] {
        if wanted.isEmpty { return [] }
        var images = [BaseImage?](repeating: nil, count: wanted.count)
        var parameters = PostgresParameters()
        let list = keys.list(wanted, &parameters)
        let result = try query(
            """
            SELECT k.n, b.state, b.row_hash, b.fields, b.open, b.first_run, b.last_run
            FROM \(list) JOIN \(base) AS b ON \(keys.isBase())
            """, parameters)
        for row in 0..<result.rowCount {
            guard let place = result.integer(row, 0), place <= wanted.count else { continue }
            images[Int(place) - 1] = try image(result, row, from: 1)
        }
        return images
    }

    /// A base in columns of a result: state, hash, entries, flags, first and last run.
    private func image(_ result: PostgresResult, _ row: Int, from first: Int) throws -> BaseImage {
        guard case .bytes(let blob) = result.value(row, first + 2), let slots = BaseCoding.decode(blob, slotCount: 0),
            let state = result.integer(row, first).flatMap({ BaseState(rawValue: Int(truncatingIfNeeded: $0)) }),
            let hash = result.integer(row, first + 1), let open = result.integer(row, first + 3)
        else {
            throw StoreError(
                .damaged,
                "A row of `\(layout.baseTable)` in `\(database.place)` cannot be read: it was damaged or edited. Restore a copy of the store."
            )
        }
        let flags = BaseFlags(open)
        return BaseImage(
            rowHash: UInt64(bitPattern: hash), state: state, isOpen: flags.isOpen,
            firstRun: result.integer(row, first + 4), lastRun: result.integer(row, first + 5), slots: slots,
            missedScans: flags.missedScans)
    }

    /// What a base says of the fields of the schema.
    private func baseRow(_ image: BaseImage) -> BaseRow {
        var entries = [BaseEntry](repeating: .none, count: schema.fields.count)
        var unasked: Set<Int> = []
        for (slot, field) in layout.fieldOfSlot.enumerated() where field >= 0 {
            if image.slots.indices.contains(slot) { entries[field] = image.slots[slot] } else { unasked.insert(field) }
        }
        var row = BaseRow(
            rowHash: image.rowHash, entries: entries, state: image.state, isOpen: image.isOpen,
            firstRun: image.firstRun, lastRun: image.lastRun, missedScans: image.missedScans)
        row.unasked = unasked
        return row
    }

    // MARK: Counting and paging

    func liveCount() throws -> Int { try count(where: Self.isListed) }

    func count(of state: BaseState) throws -> Int { try count(where: "b.state = \(state.rawValue)") }

    private func count(where condition: String) throws -> Int {
        Int(clamping: try database.integer("SELECT count(*) FROM \(base) AS b WHERE \(condition)") ?? 0)
    }

    func liveKeys(
        after last: RecordKey?, limit: Int, unless isLeftOut: (UInt64) -> Bool
    ) throws -> (keys: [RecordKey], last: RecordKey?) {
        let result = try listed(where: Self.isListed, after: last, limit: limit)
        let isInteger = KeyWord.isInteger(schema)
        var others: [RecordKey] = []
        for row in 0..<result.rowCount {
            if isInteger, let key = result.integer(row, 0) {
                // A key of its own is made of none that is left out.
                if !isLeftOut(UInt64(bitPattern: key)) { others.append(RecordKey([.integer(key)])) }
                continue
            }
            let key = keys.key(result, row, from: 0)
            if !isLeftOut(KeyWord.word(key, schema: schema)) { others.append(key) }
        }
        let isLast = result.rowCount < limit || limit == 0
        return (others, isLast ? nil : keys.key(result, limit - 1, from: 0))
    }

    func keys(firstWrittenBy run: Int64, after last: RecordKey?, limit: Int) throws -> [RecordKey] {
        try keys(where: "b.first_run = \(run)", after: last, limit: limit)
    }

    private func keys(where condition: String, after last: RecordKey?, limit: Int) throws -> [RecordKey] {
        try listed(where: condition, after: last, limit: limit).values.map { keys.key($0) }
    }

    /// Keys of the base in their order.
    private func listed(where condition: String, after last: RecordKey?, limit: Int) throws -> PostgresResult {
        var parameters = PostgresParameters()
        let (after, order) = keys.after(last, &parameters)
        return try query(
            "SELECT \(order) FROM \(base) AS b WHERE \(after)\(condition) ORDER BY \(order) LIMIT \(limit)", parameters)
    }

    func liveKeys(under owners: [RecordKey]) throws -> [[RecordKey]] {
        guard let count = owners.first?.values.count else { return [] }
        var parameters = PostgresParameters()
        let list = keys.list(owners, &parameters)
        let result = try query(
            """
            SELECT k.n, \(keys.baseColumns) FROM \(list) JOIN \(base) AS b ON \(keys.isBase(count)) AND \(Self.isListed)
            ORDER BY k.n, \(keys.baseColumns)
            """, parameters)
        return grouped(result, owners.count) { keys.key($0) }
    }

    func rowKeys(under owners: [RecordKey]) throws -> [[RecordKey]] {
        guard let count = owners.first?.values.count else { return [] }
        var parameters = PostgresParameters()
        let list = keys.list(owners, &parameters)
        let result = try query(
            "SELECT k.n, \(keys.ownColumns) FROM \(list) JOIN \(table) AS t ON \(keys.isOwn(count))\(isThere)",
            parameters)
        return grouped(result, owners.count) { keys.ownKey($0) }.map { $0.sorted() }
    }

    func hasRows(under owners: [RecordKey]) throws -> [Bool] {
        guard let count = owners.first?.values.count else { return [] }
        var parameters = PostgresParameters()
        let list = keys.list(owners, &parameters)
        let result = try query(
            "SELECT k.n FROM \(list) WHERE EXISTS (SELECT 1 FROM \(table) AS t WHERE \(keys.isOwn(count)))", parameters)
        return grouped(result, owners.count) { _ in 0 }.map { !$0.isEmpty }
    }

    /// Rows by the place, from 1, that each begins with.
    private func grouped<Value>(
        _ result: PostgresResult, _ count: Int, _ value: (ArraySlice<PostgresValue>) -> Value
    ) -> [[Value]] {
        var groups = [[Value]](repeating: [], count: count)
        for row in result.values {
            guard let place = row[0].number, groups.indices.contains(Int(place) - 1) else { continue }
            groups[Int(place) - 1].append(value(row.dropFirst()))
        }
        return groups
    }
}

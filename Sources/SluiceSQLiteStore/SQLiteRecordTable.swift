internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite
internal import SluiceStore

/// A stream's records in an SQLite store.
///
/// What is done for each record of a batch keeps its statement; all else takes one of the connection's. Values of a
/// batch are bound without being copied.
final class SQLiteRecordTable: RecordTable {
    let schema: RecordSchema
    let wasEmpty: Bool
    let layout: TableLayout
    /// How the table keeps the values of its columns.
    let forms: ColumnForms
    let connection: Connection
    let database: SQLiteDatabase
    let path: String
    /// Says what writes changed.
    let comparison: WriteComparison
    let recorder: ChangeRecorder
    let pending: PendingReferences
    let held: HeldEdits
    let cascaded: CascadedRows
    /// The references that the database would let go of with rows of the table, once one goes.
    var released: ReleasedReferences?
    /// The rows of records that the database would delete along with rows of the table, once one goes.
    var along: RowsAlong?
    /// What finds a row that leads to none where SQLite's count may hide it; nil as long as no row was inserted.
    var hidden: Statement??
    /// The fields that have a column, in the order of the statements.
    let columnFields: [Int]
    /// The fields that have a table of their own.
    let links: [LinkStatements]
    let baseWasEmpty: Bool
    let selectBase: Statement
    private let selectRow: Statement
    private let insertRow: Statement
    let deleteRow: Statement
    /// What a store of an older format that is only read has no columns for.
    var later: LaterStatements
    /// All columns of the table and the statement that reads them, once it was needed.
    var whole: (columns: [String], select: Statement)?
    /// What an update of all columns says, by which the updates of some of them are known.
    private let updateOfAll: String
    let constraints: TableConstraints
    /// Whether a table of pairs may refuse one of a row that the table itself takes.
    let linksMayRefuse: Bool
    /// Whether something binds the rows of a table of pairs to others, so that it may refuse that one goes.
    let linksAreBound: Bool
    /// Whether base and table are kept in the order of one integer key; nil as long as nobody asked.
    var keepsKeyOrder: Bool?
    /// What waits until the end because the table does not take it yet.
    var parked: [RecordWrite] = []
    /// Marks of values whose takers wait, see ``UniqueGroups/mark(_:of:)``.
    private(set) var contested: Set<UInt64> = []
    /// The rows whose unique values were written although their base stayed as it was.
    private(set) var rowsPutRight: Set<RecordKey> = []

    init(
        _ database: SQLiteDatabase, layout: TableLayout, recorder: ChangeRecorder, pending: PendingReferences,
        held: HeldEdits, cascaded: CascadedRows
    ) throws {
        let connection = database.connection
        self.connection = connection
        self.database = database
        path = database.place
        self.recorder = recorder
        self.layout = layout
        forms = try ColumnForms(of: layout.schema, database)
        comparison = WriteComparison(layout)
        self.pending = pending
        self.held = held
        self.cascaded = cascaded
        schema = layout.schema
        columnFields = schema.columnFields
        let table = schema.table
        links = schema.references.compactMap { LinkStatements($0, owner: table, connection: connection) }
        let statements = TableSQL(layout, forms)
        constraints = TableConstraints(try database.catalogue.demands(of: table, connection), schema: schema)
        let pairs = try schema.references.compactMap(\.link).map { link in
            try database.catalogue.demands(of: link.table, connection)
        }
        linksMayRefuse = pairs.contains(where: \.mayRefuse)
        linksAreBound = pairs.contains(where: \.isBound)
        wasEmpty = try connection.integer(statements.anyRow) == nil
        baseWasEmpty = try connection.integer(statements.anyBase) == nil
        selectBase = try connection.prepare(statements.selectBase)
        selectRow = try connection.prepare(statements.selectRow)
        insertRow = try connection.prepare(statements.insertRow)
        deleteRow = try connection.prepare(statements.deleteRow)
        updateOfAll = statements.update(columnFields)
        later = LaterStatements(layout, forms, connection)
    }

    // A column in the form of another program may hold less than the type of its field.
    var mayRefuse: Bool { constraints.mayRefuse || linksMayRefuse || !forms.areOwn }

    var changesOtherRows: Bool { constraints.changesOtherRows }
    var isBound: Bool { constraints.isBound }

    func expect(contested: Set<UInt64>) { self.contested = contested }

    // MARK: Reading

    func lookUp(_ batch: borrowing RecordBatch, into lookup: inout BaseLookup) throws {
        lookup.rows.removeAll(keepingCapacity: true)
        lookup.liveCount = 0
        let count = batch.count
        if baseWasEmpty {
            lookup.findings = Array(repeating: .new, count: count)
            return
        }
        var findings: [BaseLookup.Finding] = []
        findings.reserveCapacity(count)
        let keyCount = schema.keyFields.count
        for record in 0..<count {
            bindKey(of: batch, record: record, to: selectBase)
            let isFound = try translated { () throws(SQLiteError) in try selectBase.step() }
            guard isFound else {
                selectBase.reset()
                findings.append(.new)
                continue
            }
            let hash = UInt64(bitPattern: selectBase.integer(keyCount))
            let state = selectBase.integer(keyCount + 2)
            if BaseState(rawValue: Int(truncatingIfNeeded: state))?.isListed == true { lookup.liveCount += 1 }
            if hash == batch.rowHashes[record] && state == 0 && selectBase.integer(keyCount + 3) == 0 {
                findings.append(.unchanged)
            } else {
                findings.append(.other)
                lookup.rows[record] = try readBase(selectBase)
            }
            selectBase.reset()
        }
        lookup.findings = findings
    }

    func baseRows(_ keys: [RecordKey]) throws -> [BaseRow?] { try keys.map { try baseRow($0) } }

    func baseRow(_ key: RecordKey) throws -> BaseRow? {
        bind(key, to: selectBase, at: 1)
        defer { selectBase.reset() }
        return try translated { () throws(SQLiteError) in try selectBase.step() } ? try readBase(selectBase) : nil
    }

    /// The base in a row of a statement that gives its columns behind those of the key.
    func readBase(_ statement: Statement) throws -> BaseRow {
        let first = schema.keyFields.count
        var blob: [UInt8] = []
        if case .blob(let bytes) = statement.value(first + 1) { blob = bytes }
        guard let slots = BaseCoding.decode(blob, slotCount: 0),
            let state = BaseState(rawValue: Int(truncatingIfNeeded: statement.integer(first + 2)))
        else {
            throw StoreError(
                .damaged,
                "A row of `\(layout.baseTable)` in `\(path)` cannot be read: it was damaged or edited. Restore a copy of the store."
            )
        }
        var entries = [BaseEntry](repeating: .none, count: schema.fields.count)
        var unasked: Set<Int> = []
        for (slot, field) in layout.fieldOfSlot.enumerated() where field >= 0 {
            if slots.indices.contains(slot) { entries[field] = slots[slot] } else { unasked.insert(field) }
        }
        let flags = BaseFlags(statement.integer(first + 3))
        var row = BaseRow(
            rowHash: UInt64(bitPattern: statement.integer(first)), entries: entries, state: state,
            isOpen: flags.isOpen,
            firstRun: statement.isNull(first + 4) ? nil : statement.integer(first + 4),
            lastRun: statement.isNull(first + 5) ? nil : statement.integer(first + 5), missedScans: flags.missedScans)
        row.unasked = unasked
        return row
    }

    func localRows(_ keys: [RecordKey]) throws -> [[FieldValue]?] { try keys.map { try localRow($0) } }

    func localRow(_ key: RecordKey) throws -> [FieldValue]? {
        guard var row = try storedRow(key) else { return nil }
        try held.fill(&row, of: key, schema)
        return row
    }

    func storedRow(_ key: RecordKey) throws -> [FieldValue]? {
        bind(row: key, to: selectRow, at: 1)
        defer { selectRow.reset() }
        guard try translated({ () throws(SQLiteError) in try selectRow.step() }) else { return nil }
        if schema.references.isEmpty {
            return schema.fields.indices.map { forms.canonical(FieldValue(selectRow.value($0)), field: $0) }
        }
        var row = [FieldValue](repeating: .null, count: schema.fields.count)
        for (column, field) in columnFields.enumerated() {
            row[field] = forms.canonical(FieldValue(selectRow.value(column)), field: field)
        }
        try translated { () throws(SQLiteError) in
            for link in links { row[link.field] = try link.read(key, mayWait: try mayWait()) }
            fill(&row, with: try waiting(key))
        }
        return row
    }

    // MARK: Writing

    func insert(_ batch: borrowing RecordBatch, records: [Int], run: Int64?) throws -> Set<Int> {
        var waiting: Set<Int> = []
        var blob: [UInt8] = []
        let holdsEdits = try !held.isEmpty(for: schema)
        database.unchecked.insert(into: schema)
        let insertBase = try translated { () throws(SQLiteError) in try later.insertBase.taken() }
        for record in records {
            if !contested.isEmpty {
                let write = batch.insertion(of: record, schema: schema, run: run)
                if case .insert(let values) = write.row, constraints.isAny(of: contested, in: values) {
                    parked.append(write)
                    waiting.insert(record)
                    continue
                }
            }
            if holdsEdits { try held.close(over: batch.key(of: record, schema: schema), schema) }
            if try meetsMarkedRow(record, of: batch) {
                if try !write([batch.insertion(of: record, schema: schema, run: run)]).isEmpty {
                    waiting.insert(record)
                }
                continue
            }
            do throws(SQLiteError) {
                if linksMayRefuse {
                    // Where a pair is refused, nothing of the record remains.
                    try wholly { () throws(SQLiteError) in try insertWhole(of: batch, record: record) }
                } else {
                    try insertWhole(of: batch, record: record)
                }
            } catch {
                try refusal(error, of: batch.key(of: record, schema: schema))
                parked.append(batch.insertion(of: record, schema: schema, run: run))
                waiting.insert(record)
                continue
            }
            BaseCoding.encode(batch, record: record, fieldOfSlot: layout.fieldOfSlot, schema: schema, into: &blob)
            bindKey(of: batch, record: record, to: insertBase)
            let next = schema.keyFields.count + 1
            insertBase.bind(Int64(bitPattern: batch.rowHashes[record]), at: next)
            bind(number: run, to: insertBase, at: next + 2)
            bind(batch.textFingerprints[record], to: insertBase, at: next + 3)
            try unsafe blob.withUnsafeBytes { bytes in
                unsafe insertBase.bindBorrowed(blob: bytes, at: next + 1)
                defer { insertBase.reset() }
                _ = try translated { () throws(SQLiteError) in try insertBase.step() }
            }
            if recorder.isRecording && schema.auditsInserts {
                try translated { () throws(SQLiteError) in try recordInsert(record, of: batch, run: run) }
            }
        }
        insertRow.clearBindings()
        insertBase.clearBindings()
        return waiting
    }

    /// Whether a record starts anew in a row that is marked as deleted, which undo is to bring back as it was: so it is
    /// written and recorded like one that was there.
    private func meetsMarkedRow(_ record: Int, of batch: borrowing RecordBatch) throws -> Bool {
        if layout.mark == nil || wasEmpty || !recorder.isRecording { return false }
        return try wholeRows([batch.key(of: record, schema: schema)])[0] != nil
    }

    /// Inserts the row of a new record, with its pairs.
    @inline(__always)
    private func insertWhole(of batch: borrowing RecordBatch, record: Int) throws(SQLiteError) {
        try bindValues(of: batch, record: record, to: insertRow)
        defer { insertRow.reset() }
        _ = try insertRow.step()
        if connection.changes == 0 { throw TableRefusal.ignored }
        try recordLeading(batch.key(of: record, schema: schema))
        if !schema.references.isEmpty { try writeReferences(of: batch, record: record) }
    }

    func write(_ writes: [RecordWrite]) throws -> Set<Int> {
        var waiting: Set<Int> = []
        for (index, write) in writes.enumerated() where try !self.write(write) { waiting.insert(index) }
        return waiting
    }

    @discardableResult
    func write(_ write: RecordWrite) throws -> Bool {
        if !contested.isEmpty, let values = try wantedRow(write), constraints.isAny(of: contested, in: values) {
            park(write)
            return false
        }
        do throws(SQLiteError) {
            try perform(write)
        } catch {
            try refusal(error, of: write.key)
            park(write)
            return false
        }
        if case .update(let fields, _) = write.row, write.base == nil,
            !constraints.uniqueFields.isDisjoint(with: fields)
        {
            rowsPutRight.insert(write.key)
        }
        return true
    }

    /// Has a write wait. Who does not get all that it wants is looked at by every run, so its text is not noted.
    private func park(_ write: RecordWrite) {
        var write = write
        write.base?.textFingerprint = nil
        parked.append(write)
    }

    /// Writes row and base, and writes down what that changed; where the row's unique values are taken, nothing.
    func perform(_ write: RecordWrite) throws(SQLiteError) {
        guard recorder.isRecording else { return try apply(write) }
        let before = try snapshot(write)
        try apply(write)
        try record(write, before: before)
    }

    /// Writes row and base; where a table refuses something of it, nothing.
    func apply(_ write: RecordWrite) throws(SQLiteError) {
        if try hasParts(write) {
            try wholly { () throws(SQLiteError) in try applyAlone(write) }
        } else {
            try applyAlone(write)
        }
        try passed { try held.follow(write, layout) }
    }

    private func applyAlone(_ write: RecordWrite) throws(SQLiteError) {
        switch write.row {
        case .none:
            if !write.awaitsNoLonger.isEmpty { try clearPending(write.key, fields: write.awaitsNoLonger) }
        case .insert(let values):
            for (index, field) in columnFields.enumerated() {
                insertRow.bind(try forms.stored(values[field], field: field).sqliteValue, at: index + 1)
            }
            try run(insertRow)
            try recordLeading(write.key)
            try clearPending(write.key)
        case .update(let fields, let values):
            let stored = zip(fields, values).filter { !schema.fields[$0.0].isLink }
            if !stored.isEmpty {
                let statement = try updateStatement(stored.map(\.0))
                for (index, part) in stored.enumerated() {
                    statement.bind(try forms.stored(part.1, field: part.0).sqliteValue, at: index + 1)
                }
                bind(row: write.key, to: statement, at: stored.count + 1)
                try run(statement)
            }
            try clearPending(write.key, fields: fields)
        case .delete:
            // What goes may take others along, or leave them without what they lead to.
            try passed { try database.unchecked.settle() }
            for link in links { try link.clear(write.key) }
            try release(write.key)
            let emptied = try deleteAlong(write.key)
            try removeRow(of: write.key)
            cascaded.record(emptied)
            try clearPending(write.key)
        case .set(let all):
            let columns = try forms.stored(RowImage(all.filter { column in !isLink(column.name) })).columns
            if !columns.isEmpty {
                let statement = try connection.prepare(TableSQL(layout, forms).update(columns.map(\.name)))
                for (index, column) in columns.enumerated() {
                    statement.bind(column.value.sqliteValue, at: index + 1)
                }
                bind(row: write.key, to: statement, at: columns.count + 1)
                try run(statement)
            }
            try clearPending(write.key, fields: write.writtenFields(schema).map(\.field))
        case .markDeleted(let time, let run):
            let statement = try later.markRow.taken()
            bind(row: write.key, to: statement, at: 1)
            statement.bind(time, at: write.key.values.count + 1)
            if layout.mark?.hasRun == true { bind(number: run, to: statement, at: write.key.values.count + 2) }
            try self.run(statement)
        case .restore(let row):
            let known = Set(try wholeStatement().columns.map { $0.lowercased() })
            let columns = try forms.stored(row).columns.filter { known.contains($0.name.lowercased()) }
            try connection.run(
                TableSQL(layout, forms).insertWhole(columns.map(\.name)), columns.map(\.value.sqliteValue))
            if connection.changes == 0 { throw TableRefusal.ignored }
            try recordLeading(write.key)
            try clearPending(write.key)
        }
        if !links.isEmpty { try writeLinks(write.writtenFields(schema), of: write.key) }
        if write.removesBase {
            let statement = try later.deleteBase.taken()
            bind(write.key, to: statement, at: 1)
            try statement.run()
        } else if let base = comparison.newBase(of: write, over: try keptBase(of: write.key)) {
            let upsertBase = try later.upsertBase.taken()
            bind(write.key, to: upsertBase, at: 1)
            let next = write.key.values.count + 1
            upsertBase.bind(Int64(bitPattern: base.rowHash), at: next)
            upsertBase.bind(.blob(BaseCoding.encode(base.slots)), at: next + 1)
            upsertBase.bind(Int64(base.state.rawValue), at: next + 2)
            let flags = BaseFlags(isOpen: base.isOpen, missedScans: base.missedScans)
            upsertBase.bind(flags.number, at: next + 3)
            bind(number: base.firstRun, to: upsertBase, at: next + 4)
            bind(number: base.lastRun, to: upsertBase, at: next + 5)
            bind(write.base?.textFingerprint, to: upsertBase, at: next + 6)
            try upsertBase.run()
        }
    }

    /// Runs the statement of a row, which a trigger may swallow.
    func run(_ statement: Statement) throws(SQLiteError) {
        try statement.run()
        if connection.changes == 0 { throw TableRefusal.ignored }
    }

    private func isLink(_ column: String) -> Bool {
        links.contains { ColumnName.areSame(schema.fields[$0.field].column, column) }
    }

    /// A record may change in any combination of fields.
    private func updateStatement(_ fields: [Int]) throws(SQLiteError) -> Statement {
        try connection.prepare(StatementKey(updateOfAll, columns: fields)) { TableSQL(layout, forms).update(fields) }
    }

    // MARK: Binding

    func bind(_ key: RecordKey, to statement: Statement, at first: Int) {
        for (index, value) in key.values.enumerated() { statement.bind(value.sqliteValue, at: first + index) }
    }

    /// Binds the key of a row of the entity's table, as that has it.
    func bind(row key: RecordKey, to statement: Statement, at first: Int) {
        bind(forms.stored(key), to: statement, at: first)
    }

    func bind(number: Int64?, to statement: Statement, at index: Int) {
        if let number { statement.bind(number, at: index) } else { statement.bindNull(at: index) }
    }

    @inline(__always)
    func bindKey(of batch: borrowing RecordBatch, record: Int, to statement: Statement) {
        let start = record * batch.fieldCount
        var index = 1
        for field in schema.keyFields {
            unsafe bindCell(batch.cells[start + field], batch.bytes, to: statement, at: index)
            index += 1
        }
    }

    @inline(__always)
    private func bindValues(
        of batch: borrowing RecordBatch, record: Int, to statement: Statement
    ) throws(SQLiteError) {
        let start = record * batch.fieldCount
        var index = 1
        for field in columnFields {
            if forms.isOwn(field) {
                unsafe bindCell(batch.cells[start + field], batch.bytes, to: statement, at: index)
            } else {
                let value = batch.value(record: record, field: field) ?? .null
                statement.bind(try forms.stored(value, field: field).sqliteValue, at: index)
            }
            index += 1
        }
    }

    /// Binds a value without copying it: the batch outlives the step that follows.
    @unsafe
    @inline(__always)
    private func bindCell(_ cell: Cell, _ bytes: [UInt8], to statement: Statement, at index: Int) {
        switch cell.kind {
        case .absent, .null: statement.bindNull(at: index)
        case .integer: statement.bind(cell.payload, at: index)
        case .real: statement.bind(Double(bitPattern: UInt64(bitPattern: cell.payload)), at: index)
        case .text, .blob:
            let offset = Int(cell.payload)
            unsafe bytes.withUnsafeBytes { all in
                let slice = unsafe UnsafeRawBufferPointer(rebasing: all[offset..<offset + Int(cell.length)])
                if cell.kind == .text {
                    unsafe statement.bindBorrowed(text: slice, at: index)
                } else {
                    unsafe statement.bindBorrowed(blob: slice, at: index)
                }
            }
        }
    }

    /// Runs what throws errors of the database among others, for a body that throws no others.
    func passed<R>(_ body: () throws -> R) throws(SQLiteError) -> R {
        do { return try database.untold(body) } catch let error as SQLiteError {
            throw error
        } catch let refusal as SQLRefusal {
            throw refusal.isSwallowed
                ? TableRefusal.ignored : TableRefusal.own(refusal.message)
        } catch {
            throw SQLiteError(code: .error, message: "\(error)")
        }
    }

    func translated<R>(_ body: () throws(SQLiteError) -> R) throws -> R {
        do throws(SQLiteError) { return try body() } catch { throw StoreError(error, path: path) }
    }
}

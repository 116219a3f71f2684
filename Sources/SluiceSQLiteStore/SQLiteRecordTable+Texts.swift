internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite
internal import SluiceStore

/// The texts that bases were read from.
extension SQLiteRecordTable {
    func lookUpTexts(_ batch: borrowing RecordBatch, into lookup: inout TextLookup) throws {
        lookup.others.removeAll(keepingCapacity: true)
        lookup.within.removeAll()
        if schema.keyFields.count == 1, schema.fields[schema.keyFields[0]].type == .int {
            try lookUpOrdered(batch, into: &lookup)
        } else {
            try lookUpSingly(batch, into: &lookup)
        }
    }

    /// Whether bases have marks: those of an older format that is only read have none.
    func hasMarks() throws -> Bool {
        try database.columns(of: layout.baseTable).contains { ColumnName.areSame($0.name, "text_hash") }
    }

    private func lookUpSingly(_ batch: borrowing RecordBatch, into lookup: inout TextLookup) throws {
        let select = try translated { () throws(SQLiteError) in try later.selectText.taken() }
        let next = schema.keyFields.count + 1
        for record in 0..<batch.count {
            bindKey(of: batch, record: record, to: select)
            select.bind(Int64(bitPattern: batch.textFingerprints.hashes[record]), at: next)
            let isFound = try translated { () throws(SQLiteError) in try select.step() }
            if !isFound {
                lookup.others.append(record)
            } else if case .blob(let within) = unsafe select.borrowed(0) {
                unsafe lookup.within.add(within, of: record)
            }
            select.reset()
        }
        select.clearBindings()
    }

    /// Reads the bases in the order of the key, and begins anew at a record's key where that lies before the last one or far
    /// behind it. So records in the order of their keys cost one step each, and others a look-up.
    private func lookUpOrdered(_ batch: borrowing RecordBatch, into lookup: inout TextLookup) throws {
        let stepsToNext = 4
        let select = try translated { () throws(SQLiteError) in try later.selectTexts.taken() }
        let field = schema.keyFields[0]
        // The key that was read last, and nil behind the last one.
        var present: Int64?
        var sought: Int64?
        func advance() throws {
            let isFound = try translated { () throws(SQLiteError) in try select.step() }
            present = isFound ? select.integer(0) : nil
        }
        for record in 0..<batch.count {
            let key = batch.cells[record &* batch.fieldCount &+ field].payload
            var isNear = false
            if let last = sought, last <= key {
                for _ in 0..<stepsToNext {
                    guard let read = present, read < key else { break }
                    try advance()
                }
                isNear = present.map { $0 >= key } ?? true
            }
            if !isNear {
                select.reset()
                select.bind(key, at: 1)
                try advance()
            }
            sought = key
            let hash = Int64(bitPattern: batch.textFingerprints.hashes[record])
            guard present == key, select.integer(1) == hash, select.integer(3) == 1, !select.isNull(1) else {
                lookup.others.append(record)
                continue
            }
            if case .blob(let within) = unsafe select.borrowed(2) { unsafe lookup.within.add(within, of: record) }
        }
        select.reset()
        select.clearBindings()
    }

    func record(_ marks: [(key: RecordKey, mark: TextFingerprint?)]) throws {
        try translated { () throws(SQLiteError) in
            let update = try later.updateText.taken()
            for (key, mark) in marks {
                bind(key, to: update, at: 1)
                bind(mark, to: update, at: key.values.count + 1)
                try update.run()
            }
        }
    }

    func eachSettled(_ visit: (RecordKey, UInt64) -> Void) throws {
        try translated { () throws(SQLiteError) in
            let select = try connection.prepare(TableSQL(layout, forms).settled)
            let count = layout.baseKeyColumns.count
            while try select.step() {
                guard case .integer(let hash) = select.value(count) else { continue }
                visit(RecordKey((0..<count).map { FieldValue(select.value($0)) }), UInt64(bitPattern: hash))
            }
        }
    }

    /// Binds a mark to two parameters.
    func bind(_ mark: TextFingerprint?, to statement: Statement, at index: Int) {
        bind(number: mark.map { Int64(bitPattern: $0.hash) }, to: statement, at: index)
        if let mark, !mark.within.isEmpty {
            statement.bind(.blob(mark.within), at: index + 1)
        } else {
            statement.bindNull(at: index + 1)
        }
    }
}

/// Statements that are prepared when they are first needed: a store of an older format can be read without them.
struct LaterStatements {
    /// Inserts a base that is not there yet.
    var insertBase: KeptStatement
    /// Writes a base, whether it is there or not.
    var upsertBase: KeptStatement
    /// Deletes a base.
    var deleteBase: KeptStatement
    /// Finds a base by its key and the hash of its text.
    var selectText: KeptStatement
    /// Reads the hashes of texts from a key on.
    var selectTexts: KeptStatement
    /// Notes the hash of a base's text.
    var updateText: KeptStatement
    /// Marks a row as deleted.
    var markRow: KeptStatement

    init(_ layout: TableLayout, _ forms: ColumnForms, _ connection: Connection) {
        let sql = TableSQL(layout, forms)
        insertBase = KeptStatement(sql.insertBase, connection)
        upsertBase = KeptStatement(sql.upsertBase, connection)
        deleteBase = KeptStatement(sql.deleteBase, connection)
        selectText = KeptStatement(sql.selectText, connection)
        selectTexts = KeptStatement(sql.selectTexts, connection)
        updateText = KeptStatement(sql.updateText, connection)
        markRow = KeptStatement(sql.markRow, connection)
    }
}

extension Statement {
    /// Appends the mark that a row has, where its base is settled and has one: hash, what stands within, and whether it is settled.
    func appendMark(of key: Int64, at column: Int, to marks: inout TextMarks) {
        guard integer(column + 2) == 1, let hash = heldInteger(column) else { return }
        if case .blob(let within) = unsafe borrowed(column + 1) {
            unsafe marks.within.add(within, of: marks.keys.count)
        }
        marks.append(key, hash: UInt64(bitPattern: hash))
    }
}

internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite
internal import SluiceStore

/// The texts that bases were read from.
extension SQLiteRecordTable {
    func lookUpTexts(_ batch: borrowing RecordBatch, into lookup: inout TextLookup) throws {
        lookup.others.removeAll(keepingCapacity: true)
        if !lookup.within.isEmpty { lookup.within.removeAll(keepingCapacity: true) }
        let select = try translated { () throws(SQLiteError) in try later.selectText.taken() }
        let next = schema.keyFields.count + 1
        for record in 0..<batch.count {
            bindKey(of: batch, record: record, to: select)
            select.bind(Int64(bitPattern: batch.textMarks.hashes[record]), at: next)
            let isFound = try translated { () throws(SQLiteError) in try select.step() }
            if !isFound {
                lookup.others.append(record)
            } else if case .blob(let within) = select.value(0) {
                lookup.within[record] = within
            }
            select.reset()
        }
        select.clearBindings()
    }

    func note(_ marks: [(key: RecordKey, mark: TextMark?)]) throws {
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
    func bind(_ mark: TextMark?, to statement: Statement, at index: Int) {
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
        updateText = KeptStatement(sql.updateText, connection)
        markRow = KeptStatement(sql.markRow, connection)
    }
}

internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite
internal import SluiceStore

/// Compares rows with their bases by one pass over each table that they are kept in, all in the order of one integer key:
/// base, row and sets of a record are met together, and nothing is looked up.
struct RowScan {
    private let table: SQLiteRecordTable
    private let bases: Statement
    private let rows: Statement
    private let limit: Int
    private let leftOut: LeftOutRows
    private let withMarks: Bool
    /// For each field the column of ``rows`` that it is in; nil for a set.
    private let columns: [Int?]
    /// For each field what reads its set; nil where it has a column.
    private let sets: [LinkCursor?]
    /// The key of the row that ``rows`` is at; nil behind the last one.
    private var present: Int64?
    /// Computes the hashes of rows; nil where nobody asks for them.
    private var hasher: RowHasher?
    /// The set that was read last.
    private var members: [Int64] = []

    /// Begins behind a key; nil where the tables are not all kept in one order.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - last: The key to go on after, nil for the beginning.
    ///   - limit: How many records to look at.
    ///   - leftOut: The rows of records that the source still has which are left out.
    ///   - withMarks: Whether the marks of texts are told.
    /// - Throws: `SQLiteError`.
    init?(
        _ table: SQLiteRecordTable, after last: RecordKey?, limit: Int, leavingOut leftOut: LeftOutRows, withMarks: Bool
    ) throws(SQLiteError) {
        guard table.forms.areOwn, try table.isInKeyOrder() else { return nil }
        var first = Int64.min
        if let last {
            // Behind the greatest integer there is no other.
            guard case .integer(let key) = last.values[0], key < .max else { return nil }
            first = key + 1
        }
        let cursors = try table.orderedSets(after: last)
        guard cursors.count == table.links.count else { return nil }
        let fields = table.schema.fields.indices
        sets = fields.map { field in cursors.first { $0.field == field } }
        columns = fields.map { field in table.columnFields.firstIndex(of: field).map { $0 + 1 } }
        guard zip(sets, columns).allSatisfy({ ($0 == nil) != ($1 == nil) }) else { return nil }
        self.table = table
        self.limit = limit
        self.leftOut = leftOut
        self.withMarks = withMarks
        if case .same(let hasher) = leftOut { self.hasher = hasher }
        let sql = TableSQL(table.layout, table.forms)
        bases = try table.connection.prepare(sql.basesInOrder(withMarks: withMarks))
        rows = try table.connection.prepare(sql.rowsInOrder)
        bases.bind(first, at: 1)
        bases.bind(Int64(limit), at: 2)
        rows.bind(first, at: 1)
    }

    /// Compares.
    ///
    /// - Returns: The records whose rows are not left out.
    /// - Throws: `StoreError`.
    mutating func perform() throws -> ComparedRows {
        defer {
            bases.reset()
            rows.reset()
        }
        var found = ComparedRows(isExact: true)
        var listed: [Int64] = []
        listed.reserveCapacity(limit)
        var marks = TextMarks()
        var last: Int64?
        var count = 0
        while try table.translated({ () throws(SQLiteError) in try bases.step() }) {
            // All tables are read as of one moment, since the pass over the bases stays open.
            if count == 0 { try advance() }
            count += 1
            let key = bases.integer(0)
            last = key
            let state = bases.integer(2)
            if state != Int64(BaseState.remoteTombstone.rawValue) { listed.append(key) }
            if withMarks { bases.appendMark(of: key, at: 3, to: &marks) }
            while let present, present < key { try advance() }
            let isThere = present == key
            if isThere { found.rowCount? += 1 }
            if isThere, state == Int64(BaseState.live.rawValue),
                try isLeftOut(key, of: UInt64(bitPattern: bases.integer(1)))
            {
                continue
            }
            let record = RecordKey([.integer(key)])
            if let base = try table.baseRow(record) {
                let values = isThere ? try table.localRow(record) : nil
                found.rows.append(ComparedRow(key: record, base: base, values: values))
            }
        }
        found.listed = listed
        if withMarks { found.marks = marks }
        if count == limit { found.last = last.map { RecordKey([.integer($0)]) } }
        return found
    }

    /// Goes to the next row whose key is an integer.
    private mutating func advance() throws {
        repeat {
            present = nil
            guard try table.translated({ () throws(SQLiteError) in try rows.step() }) else { return }
            present = rows.heldInteger(0)
        } while present == nil
    }

    /// Whether the row that the pass is at is left out.
    private mutating func isLeftOut(_ key: Int64, of rowHash: UInt64) throws -> Bool {
        switch leftOut {
        case .none: return false
        case .all: return true
        case .same:
            if let hash = try hash(key) { return hash == rowHash }
            // A set with members that are no integers is read by itself.
            return hasher?.hash(of: try table.localRow(RecordKey([.integer(key)])) ?? []) == rowHash
        }
    }

    /// The hash of the row that the pass is at; nil where a member of a set is no integer.
    private mutating func hash(_ key: Int64) throws -> UInt64? {
        hasher?.begin()
        for field in columns.indices {
            guard let column = columns[field] else {
                guard let set = sets[field] else { continue }
                let isWhole = try table.translated { () throws(SQLiteError) in try set.read(key, into: &members) }
                if !isWhole { return nil }
                hasher?.add(set: members, field: field)
                continue
            }
            switch unsafe rows.borrowed(column) {
            case .null: hasher?.addNull(field: field)
            case .integer(let value): hasher?.add(value, field: field)
            case .real(let value): hasher?.add(value, field: field)
            case .text(let text): unsafe hasher?.add(text: text, field: field)
            case .blob(let blob): unsafe hasher?.add(blob: blob, field: field)
            }
        }
        return hasher?.hash
    }
}

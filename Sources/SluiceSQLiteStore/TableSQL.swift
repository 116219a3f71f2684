internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite

/// The statements for one table and its base: every one that reads or writes records stands here.
struct TableSQL {
    private let layout: TableLayout
    private let forms: ColumnForms
    private let table: String
    private let base: String

    init(_ layout: TableLayout, _ forms: ColumnForms) {
        (self.layout, self.forms) = (layout, forms)
        table = SQLName.quoted(layout.schema.table)
        base = SQLName.quoted(layout.baseTable)
    }

    /// The columns that fields fill, in the order of the fields.
    private var columns: [String] { layout.schema.columnFields.map { layout.schema.fields[$0].column } }

    private func parameters(_ count: Int) -> String { (1...count).map { "?\($0)" }.joined(separator: ", ") }

    private func match(_ names: [String], from first: Int = 1) -> String {
        names.enumerated().map { "\(SQLName.quoted($1)) = ?\($0 + first)" }.joined(separator: " AND ")
    }

    var anyRow: String { "SELECT 1 FROM \(table) LIMIT 1" }
    var anyBase: String { "SELECT 1 FROM \(base) LIMIT 1" }

    /// What a row that counts as there fulfils besides its key.
    private var isThere: String { layout.mark == nil ? "" : " AND \(DeletionMark.isNotSet)" }

    var selectRow: String {
        "SELECT \(SQLName.list(columns)) FROM \(table) WHERE \(match(layout.keyColumns))\(isThere)"
    }

    var selectBase: String {
        """
        SELECT \(SQLName.list(layout.baseKeyColumns)), row_hash, fields, state, open, first_run, last_run \
        FROM \(base) WHERE \(match(layout.baseKeyColumns))
        """
    }

    /// Bases with their rows, in the order of the key: key, hash and state of the base, whether there is a row, whether
    /// something of it waits, and the value of each field.
    ///
    /// - Parameters:
    ///   - isFirst: Whether it begins with the first record.
    ///   - mayWait: Whether anything in the store waits.
    ///   - set: An expression for a field's set, where it has one, of those for the key of its owner.
    /// - Returns: The statement.
    func comparedRows(isFirst: Bool, mayWait: Bool, set: (_ field: Int, _ owner: [String]) -> String?) -> String {
        let count = layout.baseKeyColumns.count
        let keys = layout.baseKeyColumns.map { "b." + SQLName.quoted($0) }
        let own = layout.keyColumns.map { "t." + SQLName.quoted($0) }
        let waits = mayWait ? PendingSQL.waits(keys, of: layout.schema.table) : "0"
        let values = layout.schema.fields.enumerated().map { index, field in
            field.isLink ? set(index, keys) ?? "NULL" : "t." + SQLName.quoted(field.column)
        }
        let isSame = zip(own, storedKeys(keys)).map { "\($0) = \($1)" }.joined(separator: " AND ")
        let after = isFirst ? "" : " WHERE (\(keys.joined(separator: ", "))) > (\(parameters(count)))"
        return """
            SELECT \((keys + ["b.row_hash", "b.state"] + own.prefix(1) + [waits] + values).joined(separator: ", ")) \
            FROM \(base) AS b LEFT JOIN \(table) AS t ON \(isSame)\(isThere)\(after) \
            ORDER BY \(keys.joined(separator: ", ")) LIMIT ?\(count + 1)
            """
    }

    /// The bases from a key on, in the order of the key: key, hash and state.
    ///
    /// - Parameter withMarks: Whether the hash of the text follows, what stands within it, and whether the base is settled.
    /// - Returns: The statement.
    func basesInOrder(withMarks: Bool) -> String {
        let keys = SQLName.list(layout.baseKeyColumns)
        let marks = withMarks ? ", \(Self.marks)" : ""
        return "SELECT \(keys), row_hash, state\(marks) FROM \(base) WHERE \(keys) >= ?1 ORDER BY \(keys) LIMIT ?2"
    }

    /// The mark of the text that a base was read from, and whether the base is settled.
    private static let marks = "text_hash, text_within, state = 0 AND open = 0"

    /// Live keys in the order of the key, from the start or after a key, each with its mark.
    func markedKeys(isFirst: Bool) -> String { keys(Self.isListed, isFirst: isFirst, with: ", \(Self.marks)") }

    /// The rows from a key on, in the order of the key: key, and the value of each field that has a column.
    var rowsInOrder: String {
        let keys = SQLName.list(layout.keyColumns)
        return """
            SELECT \(keys), \(SQLName.list(columns)) FROM \(table) WHERE \(keys) >= ?1\(isThere) ORDER BY \(keys)
            """
    }

    /// Expressions for the columns of a base's key as the entity's table has them.
    private func storedKeys(_ expressions: [String]) -> [String] {
        zip(expressions, layout.schema.keyFields).map { forms.stored(expression: $0, field: $1) }
    }

    /// How many rows are there.
    var rowCount: String {
        let isMarked = layout.mark == nil ? "" : " WHERE \(DeletionMark.isNotSet)"
        return "SELECT count(*) FROM \(table)\(isMarked)"
    }

    /// The keys of rows without a base, in the order of the key.
    func keysWithoutBase(isFirst: Bool) -> String {
        let count = layout.keyColumns.count
        let keys = layout.keyColumns.map { "t." + SQLName.quoted($0) }
        let isSame = zip(storedKeys(layout.baseKeyColumns.map { "b." + SQLName.quoted($0) }), keys).map {
            "\($0) = \($1)"
        }
        let isKey = keys.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        let after = isFirst ? "" : "(\(keys.joined(separator: ", "))) > (\(parameters(count))) AND "
        return """
            SELECT \(keys.joined(separator: ", ")) FROM \(table) AS t WHERE \(after)\(isKey)\(isThere) \
            AND NOT EXISTS (SELECT 1 FROM \(base) AS b WHERE \(isSame.joined(separator: " AND "))) \
            ORDER BY \(keys.joined(separator: ", ")) LIMIT ?\(count + 1)
            """
    }

    /// The base of a record that is settled and was read from a text with a hash.
    var selectText: String {
        """
        SELECT text_within FROM \(base) WHERE \(match(layout.baseKeyColumns)) AND text_hash = ?\(layout.baseKeyColumns.count + 1) \
        AND state = 0 AND open = 0
        """
    }

    /// The bases from a key on, in the order of the key: the key, the hash of the text, what stands within it, and whether
    /// the base is settled.
    var selectTexts: String {
        let keys = SQLName.list(layout.baseKeyColumns)
        return """
            SELECT \(keys), \(Self.marks) FROM \(base) \
            WHERE (\(keys)) >= (\(parameters(layout.baseKeyColumns.count))) ORDER BY \(keys)
            """
    }

    /// Notes the mark of the text that a base stands for, where it is another one.
    var updateText: String {
        let (hash, within) = ("?\(layout.baseKeyColumns.count + 1)", "?\(layout.baseKeyColumns.count + 2)")
        return """
            UPDATE \(base) SET text_hash = \(hash), text_within = \(within) WHERE \(match(layout.baseKeyColumns)) \
            AND (text_hash IS NOT \(hash) OR text_within IS NOT \(within))
            """
    }

    /// The keys and hashes of bases that are settled.
    var settled: String {
        "SELECT \(SQLName.list(layout.baseKeyColumns)), row_hash FROM \(base) WHERE state = 0 AND open = 0"
    }

    /// A row with all its columns.
    func selectWhole(_ columns: [String]) -> String {
        "SELECT \(SQLName.list(columns)) FROM \(table) WHERE \(match(layout.keyColumns))"
    }

    /// A row with columns of its own choice.
    func insertWhole(_ columns: [String]) -> String {
        "INSERT OR ABORT INTO \(table) (\(SQLName.list(columns))) VALUES (\(parameters(columns.count)))"
    }

    /// A new row, or the row that was marked as deleted with what the new one would hold.
    var insertRow: String {
        // A constraint of an adopted table may say REPLACE or IGNORE; what the statement says goes before.
        let insert = "INSERT OR ABORT INTO \(table) (\(SQLName.list(columns))) VALUES (\(parameters(columns.count)))"
        guard let mark = layout.mark else { return insert }
        let values = columns.filter { !layout.keyColumns.contains($0) }
            .map { "\(SQLName.quoted($0)) = excluded.\(SQLName.quoted($0))" }
        return """
            \(insert) ON CONFLICT (\(SQLName.list(layout.keyColumns))) \
            DO UPDATE SET \((values + mark.clearing).joined(separator: ", ")) WHERE NOT (\(DeletionMark.isNotSet))
            """
    }

    /// The base of a record that has none: key, hash and entries, the run twice, and the mark of its text.
    var insertBase: String {
        let count = layout.baseKeyColumns.count
        return """
            INSERT INTO \(base) (\(SQLName.list(layout.baseKeyColumns)), row_hash, fields, state, open, first_run, \
            last_run, text_hash, text_within) VALUES (\(parameters(count + 2)), 0, 0, ?\(count + 3), ?\(count + 3), \
            ?\(count + 4), ?\(count + 5))
            """
    }

    var upsertBase: String {
        """
        INSERT OR REPLACE INTO \(base) (\(SQLName.list(layout.baseKeyColumns)), row_hash, fields, state, open, \
        first_run, last_run, text_hash, text_within) VALUES (\(parameters(layout.baseKeyColumns.count + 8)))
        """
    }

    var deleteBase: String { "DELETE FROM \(base) WHERE \(match(layout.baseKeyColumns))" }

    var deleteRow: String { "DELETE FROM \(table) WHERE \(match(layout.keyColumns))" }

    /// Marks a row as deleted: key, time and run.
    var markRow: String {
        let time = layout.keyColumns.count + 1
        let run = layout.mark?.hasRun == true ? ", \(SQLName.quoted(DeletionMark.run)) = ?\(time + 1)" : ""
        return """
            UPDATE OR ABORT \(table) SET \(SQLName.quoted(DeletionMark.time)) = ?\(time)\(run) \
            WHERE \(match(layout.keyColumns)) AND \(DeletionMark.isNotSet)
            """
    }

    func update(_ fields: [Int]) -> String { update(fields.map { layout.schema.fields[$0].column }) }

    func update(_ columns: [String]) -> String {
        let assignments = columns.enumerated().map { "\(SQLName.quoted($1)) = ?\($0 + 1)" }
        return """
            UPDATE OR ABORT \(table) SET \(assignments.joined(separator: ", ")) \
            WHERE \(match(layout.keyColumns, from: columns.count + 1))
            """
    }

    /// Whether a base is of a record that its source spoke of when it was last seen.
    private static let isListed = "state <> \(BaseState.remoteTombstone.rawValue)"

    func count(of state: BaseState) -> String { "SELECT count(*) FROM \(base) WHERE state = \(state.rawValue)" }

    var liveCount: String { "SELECT count(*) FROM \(base) WHERE \(Self.isListed)" }

    /// Live keys in the order of the key, from the start or after a key.
    func liveKeys(isFirst: Bool) -> String { keys(Self.isListed, isFirst: isFirst) }

    /// Live keys that begin with some values, in the order of the key.
    func liveKeys(under count: Int) -> String {
        let keys = layout.baseKeyColumns
        return """
            SELECT \(SQLName.list(keys)) FROM \(base) WHERE \(match(Array(keys.prefix(count)))) AND \(Self.isListed) \
            ORDER BY \(SQLName.list(keys))
            """
    }

    /// The keys of rows that begin with some values, in the order of the key.
    func rowKeys(under count: Int) -> String {
        let keys = layout.keyColumns
        return """
            SELECT \(SQLName.list(keys)) FROM \(table) WHERE \(match(Array(keys.prefix(count))))\(isThere) \
            ORDER BY \(SQLName.list(keys))
            """
    }

    /// A row that begins with some values, marked as deleted or not.
    func anyRow(under count: Int) -> String {
        let keys = layout.keyColumns
        return "SELECT \(SQLName.list(keys)) FROM \(table) WHERE \(match(Array(keys.prefix(count)))) LIMIT 1"
    }

    /// Keys whose base a run wrote first, in the order of the key, from the start or after a key.
    func firstWrittenKeys(isFirst: Bool) -> String {
        keys("first_run = ?\(layout.baseKeyColumns.count + 2)", isFirst: isFirst)
    }

    private func keys(_ condition: String, isFirst: Bool, with others: String = "") -> String {
        let keys = SQLName.list(layout.baseKeyColumns)
        let count = layout.baseKeyColumns.count
        let after = isFirst ? "" : "(\(keys)) > (\(parameters(count))) AND "
        return "SELECT \(keys)\(others) FROM \(base) WHERE \(after)\(condition) ORDER BY \(keys) LIMIT ?\(count + 1)"
    }

    /// The key of another row that has some values.
    func holder(of fields: [Int]) -> String {
        // A row that is marked as deleted holds values only where the index was there before.
        let order = layout.mark == nil ? "" : " ORDER BY \(DeletionMark.isNotSet) DESC"
        return """
            SELECT \(SQLName.list(layout.keyColumns)) FROM \(table) \
            WHERE \(match(fields.map { layout.schema.fields[$0].column }))\(order) LIMIT 1
            """
    }
}

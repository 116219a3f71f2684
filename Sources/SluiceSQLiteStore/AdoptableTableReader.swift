internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite
package import SluiceStore

/// Reads what pipelines can adopt from a database that may be no store yet; nothing of it is changed.
package struct AdoptableTableReader {
    private let connection: Connection
    private let path: String

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - busyTimeoutMilliseconds: How long to wait for another program's lock.
    /// - Throws: `StoreError` where it is missing or cannot be read.
    package init(path: String, busyTimeoutMilliseconds: Int) throws {
        self.path = path
        let place = StorePlace(path)
        try place.check(for: .reading)
        // Who may not write there would leave files beside it that its owner could not write either.
        let isSealed = !place.isWritable && place.isSealed
        do throws(SQLiteError) {
            connection = try Connection(path: path, mode: isSealed ? .immutable : .existing)
            connection.setBusyTimeout(milliseconds: busyTimeoutMilliseconds)
        } catch { throw StoreError(error, path: path) }
    }

    /// What a name stands for in the database.
    package enum Finding: Sendable {
        case table(AdoptableTable)
        /// Something that no pipeline fills, with what it is, as in `a view`.
        case other(String)
        case nothing
    }

    /// The names of the tables that a pipeline may adopt, in order.
    ///
    /// - Throws: `StoreError`.
    package func names() throws -> [String] {
        try told { () throws(SQLiteError) in
            try connection.rows(
                """
                SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
                AND lower(name) NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND lower(name) NOT LIKE '\\_sluice\\_%' ESCAPE '\\'
                ORDER BY name
                """
            ).map { FieldValue($0[0]).string ?? "" }
        }
    }

    /// What a name stands for, whatever the case of its letters.
    ///
    /// - Throws: `StoreError`.
    package func find(_ name: String) throws -> Finding {
        let found = try told { () throws(SQLiteError) in
            try connection.rows(
                "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND name = ?1 COLLATE NOCASE",
                [SQLiteValue(name)]
            ).first?.map { FieldValue($0).string ?? "" }
        }
        guard let found else { return .nothing }
        let folded = found[0].lowercased()
        if folded.hasPrefix("sqlite_") || folded.hasPrefix("_sluice_") {
            return .other("a table of the database or the store itself")
        }
        switch found[1] {
        case "table":
            return .table(try told { try TableReading(SQLiteDatabase(connection, path: path), found[0]).table() })
        case "view": return .other("a view")
        case "virtual": return .other("a virtual table")
        default: return .other("part of a virtual table")
        }
    }

    private func told<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }
}

/// Reads one table.
private struct TableReading {
    private let database: SQLiteDatabase
    private var connection: Connection { database.connection }
    private let name: String
    private let planner: SchemaPlanner
    private let forms: ColumnFormFinder
    private let existing: [SQLColumn]
    private let definition: String
    private let isStrict: Bool

    init(_ database: SQLiteDatabase, _ name: String) throws {
        (self.database, self.name) = (database, name)
        planner = SchemaPlanner(
            database: database,
            schema: RecordSchema(pipeline: "", stream: "", entity: "", table: name, fields: [], keyFields: []))
        forms = ColumnFormFinder(database, table: name)
        existing = try database.columns(of: name)
        isStrict = existing.contains { $0.isStrict }
        definition =
            try database.rows(
                "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE", [FieldValue(name)]
            ).first?.first?.string ?? ""
    }

    func table() throws -> AdoptableTable {
        let (keys, refused) = try keys()
        let key = keys.first?.columns.map { $0.lowercased() } ?? []
        var columns: [AdoptableTable.Column] = []
        var others: [AdoptableTable.OtherColumn] = []
        var problems = hasPlainName(name) ? [] : ["its name holds control characters"]
        if keys.isEmpty { problems.append(missingKey(refused)) }
        for column in existing {
            if let reason = try reasonAgainst(column, isKey: key.contains(column.name.lowercased())) {
                others.append(AdoptableTable.OtherColumn(name: column.name, reason: reason))
                guard column.isRequired && !column.isGenerated && column.keyPosition == 0 else { continue }
                problems.append(
                    "column `\(PrintableText.escape(column.name))` is NOT NULL without a default, and no field can fill it: it \(reason)"
                )
            } else if let type = try type(of: column, isKey: key.contains(column.name.lowercased())) {
                columns.append(try self.column(column, type))
            }
        }
        return AdoptableTable(
            name: name, columns: columns, otherColumns: others, keys: keys,
            unique: try uniqueGroups(besides: key, columns), foreignKeys: try foreignKeys(), problems: problems)
    }

    // MARK: Columns

    private func type(of column: SQLColumn, isKey: Bool) throws(SQLiteError) -> FieldType? {
        try forms.fieldType(of: column, isKey: isKey, holdsJSON: column.isCheckedAsJSON(by: definition))
    }

    /// Why no field can fill a column; nil where one can.
    private func reasonAgainst(_ column: SQLColumn, isKey: Bool) throws(SQLiteError) -> String? {
        if column.isGenerated { return "is generated" }
        if !hasPlainName(column.name) { return "has no name that a field can have" }
        if DeletionMark.columns.contains(where: { ColumnName.areSame($0.name, column.name) }) {
            return "marks rows that are deleted"
        }
        return try type(of: column, isKey: isKey) == nil ? "is \(column.declared), which no type of a field fits" : nil
    }

    /// Whether a pipeline can have a name.
    private func hasPlainName(_ name: String) -> Bool {
        !name.isEmpty && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private func column(
        _ column: SQLColumn, _ type: FieldType
    ) throws(SQLiteError) -> AdoptableTable.Column {
        let form = isStrict ? nil : try forms.form(of: column, type)
        let keepsForm = form == nil || form == .own
        return AdoptableTable.Column(
            name: column.name, declared: column.declared, type: type, isNotNull: column.isNotNull,
            defaultSQL: column.defaultSQL, keepsSentForm: keepsForm)
    }

    // MARK: Keys

    /// What can identify records, and why the table's other keys cannot.
    private func keys() throws -> (keys: [AdoptableTable.Key], refused: [String]) {
        var keys: [AdoptableTable.Key] = []
        var refused: [String] = []
        for key in try candidates() {
            let problems = try problems(of: key)
            if problems.isEmpty { keys.append(key) } else { refused += problems }
        }
        return (keys, refused)
    }

    /// The primary key, then unique indexes that take no null, then the others, each with the fewest columns first.
    private func candidates() throws -> [AdoptableTable.Key] {
        let primary = existing.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
        var known = Set([Set(primary.map { $0.lowercased() })])
        let indexes = try database.wholeUniqueIndexes(of: name).compactMap { group -> AdoptableTable.Key? in
            let columns = columns(of: group.columns)
            guard columns.count == group.columns.count, known.insert(Set(group.columns)).inserted else { return nil }
            return AdoptableTable.Key(
                columns: columns.map(\.name), isPrimary: false, takesNull: !columns.allSatisfy(\.isNotNull))
        }
        let sorted = indexes.sorted { one, other in
            if one.takesNull != other.takesNull { return other.takesNull }
            return places(one.columns).lexicographicallyPrecedes(places(other.columns))
        }
        let own = primary.isEmpty ? [] : [AdoptableTable.Key(columns: primary, isPrimary: true, takesNull: false)]
        return own + sorted
    }

    private func problems(of key: AdoptableTable.Key) throws -> [String] {
        let misfits = try columns(of: key.columns.map { $0.lowercased() }).compactMap { column in
            try reasonAgainst(column, isKey: true).map { "the key column `\(PrintableText.escape(column.name))` \($0)" }
        }
        return misfits.isEmpty ? try planner.keyProblems(name, columns: key.columns, existing) : misfits
    }

    private func missingKey(_ refused: [String]) -> String {
        let reasons = refused.isEmpty ? "it has no primary key and no unique index" : refused.joined(separator: "; ")
        return
            "nothing can identify its records: \(reasons). Add an index on columns that tell its rows apart, as in `CREATE UNIQUE INDEX … ON \(SQLName.quoted(PrintableText.escape(name))) (…)`"
    }

    private func uniqueGroups(besides key: [String], _ mapped: [AdoptableTable.Column]) throws -> [[String]] {
        var known = Set([Set(key)])
        let groups = try database.uniqueGroups(of: name).compactMap { group -> [String]? in
            let names = group.compactMap { part in mapped.first { $0.name.lowercased() == part }?.name }
            return names.count == group.count && known.insert(Set(group)).inserted ? names : nil
        }
        return groups.sorted { places($0).lexicographicallyPrecedes(places($1)) }
    }

    /// The number of columns, and where in the table they are.
    private func places(_ columns: [String]) -> [Int] {
        [columns.count] + columns.map { name in existing.firstIndex { $0.name == name } ?? existing.count }
    }

    /// The columns of names in lower case.
    private func columns(of names: [String]) -> [SQLColumn] {
        names.compactMap { name in existing.first { $0.name.lowercased() == name } }
    }

    // MARK: References

    /// The newest first, as the database lists them.
    private func foreignKeys() throws -> [AdoptableTable.ForeignKey] {
        try database.foreignKeys(of: name).reversed().map {
            AdoptableTable.ForeignKey(columns: $0.columns, target: $0.target, targetColumns: $0.targetColumns)
        }
    }
}

internal import SluiceDiagnostics
package import SluiceModel
package import SluiceStore

/// What only the database itself knows of the columns of a table that was there.
package protocol AdoptableColumns {
    /// The type of a field for a column; nil where adoption accepts none. What identifies records must have one form for
    /// each value.
    func fieldType(of column: SQLColumn, isKey: Bool) throws -> FieldType?

    /// Whether a column stores values as a source sends them.
    func keepsSentForm(_ column: SQLColumn, _ type: FieldType) throws -> Bool
}

/// Reads of one table what a pipeline that adopts it can say of it.
package struct AdoptableTableReading {
    private let database: any SQLDatabase
    private let name: String
    private let planner: SchemaPlanner
    private let types: any AdoptableColumns
    private let existing: [SQLColumn]

    /// Prepares to read a table.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - name: The table's name as it is there.
    ///   - types: What the database knows of its columns.
    /// - Throws: What the database throws.
    package init(_ database: any SQLDatabase, _ name: String, _ types: any AdoptableColumns) throws {
        (self.database, self.name, self.types) = (database, name, types)
        planner = SchemaPlanner(
            database: database,
            schema: RecordSchema(pipeline: "", stream: "", entity: "", table: name, fields: [], keyFields: []))
        existing = try database.columns(of: name)
    }

    /// Reads it.
    ///
    /// - Throws: What the database throws.
    package func table() throws -> AdoptableTable {
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

    private func type(of column: SQLColumn, isKey: Bool) throws -> FieldType? {
        try types.fieldType(of: column, isKey: isKey)
    }

    /// Why no field can fill a column; nil where one can.
    private func reasonAgainst(_ column: SQLColumn, isKey: Bool) throws -> String? {
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
    ) throws -> AdoptableTable.Column {
        AdoptableTable.Column(
            name: column.name, declared: column.declared, type: type, isNotNull: column.isNotNull,
            defaultSQL: column.defaultSQL, keepsSentForm: try types.keepsSentForm(column, type))
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
            "nothing can identify its records: \(reasons). Add an index on columns that tell its rows apart, as in `CREATE UNIQUE INDEX … ON \(database.table(PrintableText.escape(name))) (…)`"
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

internal import SluiceModel
internal import SluiceStore

/// A table of people or of records as it is to be made in another database.
struct CopiedTable {
    /// A column.
    struct Column {
        let name: String
        /// The type of its values.
        let type: FieldType
        /// What stands behind its name in the new table.
        let definition: String
        /// The expression that reads it.
        let read: String
        /// What makes values of those that the table keeps in a form of its own; nil where it has none, or keeps it.
        let form: (any StoredForm)?
        /// Whether people made it, so that values are taken as its type as far as they can be.
        let isOfPeople: Bool
        /// Whether the table gives it numbers.
        let isNumbered: Bool
        /// The last number that it gave and gives never again; nil where it may.
        let lastNumber: Int64?

        /// The value that is written for one that was read.
        func value(_ read: FieldValue) -> FieldValue {
            let value = form?.canonical(read) ?? read
            guard isOfPeople else { return value }
            switch (type, value) {
            case (.string, .integer(let number)), (.decimal, .integer(let number)):
                return .text(Array(String(number).utf8))
            case (.string, .real(let number)), (.decimal, .real(let number)): return .text(Array("\(number)".utf8))
            case (.double, .integer(let number)): return .real(Double(number))
            default: return value
            }
        }
    }

    let name: String
    let columns: [Column]
    /// The columns of the primary key, in its order.
    let key: [String]
    let indexes: [SQLIndex]
    var foreignKeys: [SQLForeignKey]
    let checks: [SQLCheck]
    /// What stands behind the definition.
    let suffix: String
    let isOurs: Bool

    /// The record of a row as people know it.
    func name(of row: [FieldValue]) -> String {
        let shown = key.isEmpty ? columns.map(\.name) : key
        let parts = shown.compactMap { name in columns.firstIndex { ColumnName.areSame($0.name, name) } }
        return RefusedRows.key(
            parts.prefix(8).map { (name: columns[$0].name, type: columns[$0].type) }, parts.prefix(8).map { row[$0] })
    }

    /// The statement that makes it.
    ///
    /// - Parameters:
    ///   - database: Where.
    ///   - constraints: What it has besides columns and key.
    /// - Returns: The statement.
    func statement(in database: any TransferDatabase, constraints: [String]) -> String {
        let isSingle = key.count == 1
        let definitions = columns.map { column in
            let isKey = isSingle && ColumnName.areSame(column.name, key[0])
            let end = isKey ? " PRIMARY KEY\(column.lastNumber == nil ? "" : database.neverAgain)" : ""
            return "\(SQLText.quoted(column.name)) \(column.definition)\(end)"
        }
        let keys = key.count > 1 ? ["PRIMARY KEY (\(SQLText.list(key)))"] : []
        return
            "CREATE TABLE \(database.table(name)) (\((definitions + keys + constraints).joined(separator: ", ")))\(suffix)"
    }
}

/// What of a store is copied to another database, and what is not.
struct CopyPlan {
    let source: any TransferDatabase
    let target: any TransferDatabase
    private(set) var tables: [CopiedTable] = []
    /// What is not copied.
    private(set) var left: [String] = []
    private var isSameKind: Bool { source.kind == target.kind }
    private typealias Types = [String: [String: FieldType]]

    /// Looks at a store.
    ///
    /// - Throws: `StoreError` where a table is missing or cannot be made in the target.
    init(_ source: any TransferDatabase, _ target: any TransferDatabase) throws {
        (self.source, self.target) = (source, target)
        let registry = EntityRegistry(database: source)
        let stored = try StoredTableReader(source).tables()
        let linkTables = Set(stored.filter { $0.role == .links }.map { $0.name.lowercased() })
        // What a program keeps of its own beside what sources fill.
        let unsourced = try registry.entries("unique", prefix: "table/").map { String($0.name.dropFirst(6)) }
        var known = Set(stored.map { $0.name.lowercased() })
        let names = stored.map(\.name) + unsourced.filter { known.insert($0.lowercased()).inserted }
        let types = try Self.types(of: names, registry, source)
        var folded: Set<String> = []
        for name in names {
            if !folded.insert(target.foldsNames ? name.lowercased() : name).inserted {
                throw refusal(
                    "The store `\(source.place)` has two tables whose names differ only in capital letters, such as `\(name)`, and for `\(target.place)` they are one. Rename one of them with `table:` first."
                )
            }
            tables.append(
                try table(name, types[name.lowercased()] ?? [:], isLink: linkTables.contains(name.lowercased())))
        }
        left += try source.others(besides: Set(names.map { $0.lowercased() }))
        dropForeignKeys(known)
    }

    private func refusal(_ message: String) -> StoreError { StoreError(.mismatch, message) }

    // MARK: Types

    /// The types of the columns that are known: of fields, and of what leads to them or that they lead to.
    private static func types(of names: [String], _ registry: EntityRegistry, _ source: any TransferDatabase) throws
        -> Types
    {
        var types: Types = [:]
        for mapping in try registry.mappings() {
            let name = EntityRegistry.name(mapping)
            guard let table = try registry.tables(of: name)?.table.lowercased() else { continue }
            for slot in try registry.slots(of: name) where !slot.isRetired {
                let column = slot.column.lowercased()
                if types[table]?[column] == nil || !slot.isGivenUp { types[table, default: [:]][column] = slot.type }
            }
            for mark in DeletionMark.columns where types[table]?[mark.name] == nil {
                types[table, default: [:]][mark.name] = mark.type
            }
        }
        var pairs: [(one: (String, String), other: (String, String))] = []
        func pair(_ table: String, _ columns: [String], _ target: String, _ others: [String]) {
            for (column, other) in zip(columns, others) {
                pairs.append(((table.lowercased(), column.lowercased()), (target.lowercased(), other.lowercased())))
            }
        }
        for reference in try registry.allReferences() {
            if let link = reference.link {
                pair(link.table, link.ownerColumns, reference.table, reference.keyColumns)
                pair(link.table, link.targetColumns, reference.target, reference.targetColumns)
            } else {
                pair(reference.table, reference.columns, reference.target, reference.targetColumns)
            }
        }
        for name in names {
            for key in try source.foreignKeys(of: name) { pair(name, key.columns, key.target, key.targetColumns) }
        }
        // What is known of one end is true of the other.
        var isChanged = true
        while isChanged {
            isChanged = false
            for (one, other) in pairs {
                for (from, to) in [(one, other), (other, one)] {
                    guard let type = types[from.0]?[from.1], types[to.0]?[to.1] == nil else { continue }
                    types[to.0, default: [:]][to.1] = type
                    isChanged = true
                }
            }
        }
        return types
    }

    // MARK: Tables

    private mutating func table(_ name: String, _ types: [String: FieldType], isLink: Bool) throws -> CopiedTable {
        let columns = try source.columns(of: name)
        if columns.isEmpty {
            throw refusal(
                "The table `\(name)` of the store `\(source.place)` is missing. `sluice store check` says how it goes on."
            )
        }
        if try target.object(name) != nil {
            throw refusal(
                "The database `\(target.place)` has a `\(name)` already, and nothing is copied into what is there. Name another database or schema, or drop it."
            )
        }
        let longNames = ([name] + columns.map(\.name)).filter { target.derivedName($0) != $0 }
        if let long = longNames.first {
            throw refusal(
                "`\(target.place)` does not keep names as long as `\(long)`. Rename it with `table:` or `column:` first."
            )
        }
        let isOurs = try source.isOurs(name)
        let forms = isSameKind ? [:] : try source.forms(of: name)
        let key = columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
        var copied: [CopiedTable.Column] = []
        for column in columns {
            if try column.isGenerated && !source.givesNumbers(column, of: name) {
                left.append("the computed column `\(name).\(column.name)`")
                continue
            }
            copied.append(
                try self.column(
                    column, of: name, types[column.name.lowercased()], forms[column.name.lowercased()],
                    isSingleKey: key.count == 1 && key[0] == column.name))
        }
        let isStrict = isSameKind ? columns.allSatisfy(\.isStrict) : true
        let isKeyed = isLink && copied.count == key.count
        return CopiedTable(
            name: name, columns: copied, key: key,
            indexes: try indexes(of: name, columns), foreignKeys: try source.foreignKeys(of: name),
            checks: try checks(of: name, copied),
            suffix: !isStrict ? "" : isKeyed ? target.keyedTableSuffix : target.tableSuffix,
            isOurs: isSameKind ? isOurs : true)
    }

    private mutating func column(
        _ column: SQLColumn, of table: String, _ known: FieldType?, _ form: (any StoredForm)?, isSingleKey: Bool
    ) throws -> CopiedTable.Column {
        let type = try known ?? source.counterpart(of: column, in: table)
        let keepsType = isSameKind && source.isPortable(column)
        var definition = keepsType ? column.declared : target.columnType(isSameKind ? .string : type)
        if isSameKind ? !keepsType : source.isBounded(column) {
            let copied = definition.lowercased()
            left.append("the type `\(column.declared)` of `\(table).\(column.name)`, which is \(copied) in the copy")
        }
        let gaveNumbers = try source.givesNumbers(column, of: table)
        let numbered =
            gaveNumbers
            ? target.numberedType(definition, isKey: isSingleKey, isAlways: column.isGenerated) : nil
        /// What the column was filled with where a row said nothing, and is not in the target.
        var unfilled: String?
        if let numbered {
            definition = numbered
        } else if gaveNumbers {
            unfilled = "that `\(table).\(column.name)` gives numbers by itself"
        }
        if let collation = try source.collation(of: column.name, in: table) {
            if isSameKind, let sql = collation.sql {
                definition += " COLLATE \(sql)"
            } else if isSameKind || !collation.isByBytes {
                left.append("the collation `\(collation.name)` of `\(table).\(column.name)`")
            }
        }
        var end = ""
        if let sql = column.defaultSQL, !gaveNumbers {
            // Databases say an expression without the parentheses that its definition needs.
            let isKept = try keepsType && source.hasPortableDefault(column, of: table)
            if let kept = isKept ? "(\(sql))" : Self.portable(sql) {
                end = " DEFAULT \(kept)"
            } else {
                unfilled = "the default `\(sql)` of `\(table).\(column.name)`"
            }
        }
        // A row that says nothing of it would be refused for a value that nobody gives any more.
        let mayBeNull = unfilled != nil && column.keyPosition == 0
        if column.isNotNull && !(isSingleKey && type == .int) && !mayBeNull { definition += " NOT NULL" }
        if let unfilled { left.append(unfilled + (column.isNotNull && mayBeNull ? ", and so its `NOT NULL`" : "")) }
        definition += end
        return CopiedTable.Column(
            name: column.name, type: type, definition: definition,
            read: try source.reading(column, of: table),
            form: form, isOfPeople: known == nil && !isSameKind, isNumbered: numbered != nil,
            lastNumber: numbered != nil ? try source.lastNumber(of: column.name, in: table) : nil)
    }

    /// The CHECK rules of a table that can be made in the target: between two of one kind all of them, else those that mean
    /// the same there.
    private mutating func checks(of table: String, _ columns: [CopiedTable.Column]) throws
        -> [SQLCheck]
    {
        // What is kept in a form of its own or compared in another way is compared as something else.
        let alike = try columns.filter {
            try $0.form?.comparesValues ?? true && source.looseness(of: $0.name, in: table) == nil
        }
        return try source.checks(of: table).compactMap { check in
            if isSameKind && check.isPortable { return check }
            if let rule = CheckRule(check.text, columns: alike.map { ($0.name, $0.type) }) {
                return SQLCheck(name: check.name, text: rule.sql)
            }
            left.append(Self.left(check, of: table))
            return nil
        }
    }

    /// A CHECK rule that is not copied.
    private static func left(_ check: SQLCheck, of table: String) -> String {
        let name = check.name.map { " `\($0)`" } ?? ""
        return DefinitionText.of("the CHECK rule\(name) of `\(table)`", "CHECK (\(check.text))")
    }

    /// Records that the target takes some rules of a table no more than others did.
    mutating func recordOmitted(_ checks: [SQLCheck], of table: String) {
        left += checks.map { Self.left($0, of: table) }
    }

    /// A default that both kinds of databases read alike; nil for others.
    private static func portable(_ sql: String) -> String? {
        var text = sql
        // PostgreSQL says of what type a text is.
        if text.hasPrefix("'"), let end = text.firstRange(of: "'::") { text = String(text[..<end.lowerBound]) + "'" }
        let isText =
            text.count >= 2 && text.hasPrefix("'") && text.hasSuffix("'")
            && !text.dropFirst().dropLast().contains("'")
        if isText || Double(text) != nil || ["NULL", "CURRENT_TIMESTAMP", "CURRENT_DATE"].contains(text.uppercased()) {
            return text
        }
        return nil
    }

    /// The indexes besides that of the primary key that can be made in the target.
    private mutating func indexes(of table: String, _ columns: [SQLColumn]) throws -> [SQLIndex] {
        try source.indexes(of: table).filter { index in
            if index.isPrimary { return false }
            let isPlain = index.columns.allSatisfy { name in columns.contains { $0.name.lowercased() == name } }
            let isLoose = !index.looseCollations.isEmpty && !isSameKind
            if isPlain && !isLoose && (index.isWhole || index.leavesOutMarked) { return true }
            left.append(
                DefinitionText.of(
                    "the index `\(index.name)` of `\(table)`", try source.indexText(index.name)))
            return false
        }
    }

    /// Leaves out foreign keys to tables that are not copied.
    private mutating func dropForeignKeys(_ known: Set<String>) {
        for index in tables.indices {
            let table = tables[index]
            let kept = table.foreignKeys.filter { known.contains($0.target.lowercased()) }
            left += table.foreignKeys.filter { !known.contains($0.target.lowercased()) }.map {
                "the foreign key of `\(table.name)` (\($0.columns.joined(separator: ", "))) to `\($0.target)`"
            }
            tables[index].foreignKeys = kept
        }
    }

    /// The constraint of a CHECK rule.
    func constraint(_ check: SQLCheck) -> String {
        (check.name.map { "CONSTRAINT \(SQLText.quoted($0)) " } ?? "") + "CHECK (\(check.text))"
    }

    /// The constraint of a foreign key in the target.
    func constraint(_ key: SQLForeignKey) -> String {
        let target = tables.first { ColumnName.areSame($0.name, key.target) }
        let others = key.targetColumns.isEmpty ? target?.key ?? [] : key.targetColumns
        return
            "FOREIGN KEY (\(SQLText.list(key.columns))) REFERENCES \(self.target.table(target?.name ?? key.target)) (\(SQLText.list(others)))\(key.actions) \(SchemaPlanner.isDeferred)"
    }
}

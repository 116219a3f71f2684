internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite

/// The statements of one field whose values have a table of their own.
final class LinkStatements {
    let field: Int
    let reference: RecordReference
    private let connection: Connection
    let sql: LinkSQL
    private var readAll: KeptStatement
    private var readLinked: KeptStatement
    private var remove: KeptStatement
    private var add: KeptStatement
    private var clear: KeptStatement
    private var addOne: Statement?
    private var targets: KeptStatement
    private var removeOne: KeptStatement
    /// Whether the table is in the order of its owners; nil as long as nobody asked.
    private var isOrdered: Bool?

    init?(_ reference: RecordReference, owner: String, connection: Connection) {
        guard let link = reference.link, let field = reference.fields.first else { return nil }
        self.field = field
        self.reference = reference
        self.connection = connection
        sql = LinkSQL(reference: reference, link: link, owner: owner)
        readAll = KeptStatement(sql.read, connection)
        readLinked = KeptStatement(sql.readLinked, connection)
        remove = KeptStatement(sql.remove, connection)
        add = KeptStatement(sql.add, connection)
        clear = KeptStatement(sql.clear, connection)
        targets = KeptStatement(sql.targets, connection)
        removeOne = KeptStatement(sql.removeOne, connection)
    }

    /// The set of an owner.
    ///
    /// - Parameters:
    ///   - key: The owner's key.
    ///   - mayWait: Whether some of its members may wait for their records.
    /// - Returns: The set as it is stored.
    /// - Throws: `SQLiteError`.
    func read(_ key: RecordKey, mayWait: Bool) throws(SQLiteError) -> FieldValue {
        let statement = try mayWait ? readAll.taken() : readLinked.taken()
        Self.bind(key, to: statement)
        defer { statement.reset() }
        return try statement.step() ? FieldValue(statement.value(0)) : .null
    }

    /// Makes a set the one of an owner.
    ///
    /// - Parameters:
    ///   - value: The set; null is an empty one.
    ///   - key: The owner's key.
    ///   - isNew: Whether the owner has none yet.
    /// - Throws: ``SQLiteError``.
    func write(_ value: FieldValue, of key: RecordKey, isNew: Bool = false) throws(SQLiteError) {
        if !isNew, try change(to: value, of: key) { return }
        if !isNew { try Self.run(value.isNull ? clear.taken() : remove.taken(), key, value) }
        if !value.isNull { try Self.run(add.taken(), key, value) }
    }

    /// Makes a set of integers the one of an owner by the pairs that differ: a statement over all of them costs more than the few
    /// that it changes.
    ///
    /// - Parameters:
    ///   - value: The set.
    ///   - key: The owner's key.
    /// - Returns: Whether both this set and the one before are such; nothing is changed where they are not.
    /// - Throws: ``SQLiteError``.
    private func change(to value: FieldValue, of key: RecordKey) throws(SQLiteError) -> Bool {
        guard case .text(let text) = value, reference.targetColumns.count == 1, IntegerList(text[...]).isValid,
            let before = try integers(of: key)
        else { return false }
        var (after, list): (Set<Int64>, IntegerList) = ([], IntegerList(text[...]))
        while let member = list.next() { after.insert(member) }
        let gone = before.subtracting(after)
        if !gone.isEmpty { try Self.run(removeOne.taken(), key, members: gone) }
        let added = after.subtracting(before)
        if !added.isEmpty { try Self.run(try addOneStatement(), key, members: added) }
        return true
    }

    /// What an owner leads to; nil where that is not all integers.
    private func integers(of key: RecordKey) throws(SQLiteError) -> Set<Int64>? {
        let statement = try targets.taken()
        Self.bind(key, to: statement)
        defer { statement.reset() }
        var found: Set<Int64> = []
        while try statement.step() {
            guard let member = statement.heldInteger(0) else { return nil }
            found.insert(member)
        }
        return found
    }

    /// Adds integers to what an owner has, whose key is bound first.
    ///
    /// - Parameters:
    ///   - text: A set as it is stored.
    ///   - count: How many columns the owner's key has.
    ///   - bindOwner: Binds the owner's key.
    /// - Returns: Whether the set is one of integers; nothing is added where it is not.
    /// - Throws: `SQLiteError`.
    func add(
        integersOf text: ArraySlice<UInt8>, behind count: Int, bindOwner: (Statement) -> Void
    ) throws(SQLiteError) -> Bool {
        guard reference.targetColumns.count == 1, IntegerList(text).isValid else { return false }
        let statement = try addOneStatement()
        bindOwner(statement)
        // The owner's key is not copied.
        defer { statement.clearBindings() }
        var list = IntegerList(text)
        while let value = list.next() {
            statement.bind(value, at: count + 1)
            try statement.run()
        }
        return true
    }

    /// Adds one pair, where it is not there yet.
    private func addOneStatement() throws(SQLiteError) -> Statement {
        if let addOne { return addOne }
        let made = try connection.prepare(sql.addOne(isUnique: try isUnique()))
        addOne = made
        return made
    }

    /// Whether the pairs are the table's primary key.
    private func isUnique() throws(SQLiteError) -> Bool {
        guard let link = reference.link else { return false }
        let key = try connection.rows(
            "SELECT lower(name) FROM pragma_table_info(?1) WHERE pk > 0", [SQLiteValue(link.table)])
        let columns = link.ownerColumns + link.targetColumns
        return Set(key.map { $0[0] }) == Set(columns.map { SQLiteValue($0.lowercased()) })
    }

    /// The sets of all owners from a key on, in the order of their keys.
    ///
    /// - Parameter key: The least owner that is asked for.
    /// - Returns: What reads them; nil where the table is not in that order, or keys are no integers.
    /// - Throws: `SQLiteError`.
    func sets(from key: Int64) throws(SQLiteError) -> LinkCursor? {
        if isOrdered == nil { isOrdered = try isInOrder() }
        return isOrdered == true ? try LinkCursor(self, from: key, connection) : nil
    }

    /// Whether the table is kept in the order of its owners and of their sets, both integers.
    private func isInOrder() throws(SQLiteError) -> Bool {
        guard let link = reference.link, link.ownerColumns.count == 1, link.targetColumns.count == 1 else {
            return false
        }
        let key = try connection.rows(
            "SELECT lower(name), upper(type) FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk",
            [SQLiteValue(link.table)])
        return key
            == (link.ownerColumns + link.targetColumns).map { [SQLiteValue($0.lowercased()), SQLiteValue("INTEGER")] }
    }

    /// Takes away all of an owner.
    func clear(_ key: RecordKey) throws(SQLiteError) { try Self.run(clear.taken(), key, .null) }

    private static func run(
        _ statement: Statement, _ key: RecordKey, _ value: FieldValue
    ) throws(SQLiteError) {
        bind(key, to: statement)
        if !value.isNull { statement.bind(value.sqliteValue, at: key.values.count + 1) }
        try statement.run()
    }

    /// Runs a statement for each of some pairs, in their order.
    private static func run(_ statement: Statement, _ key: RecordKey, members: Set<Int64>) throws(SQLiteError) {
        bind(key, to: statement)
        for member in members.sorted() {
            statement.bind(member, at: key.values.count + 1)
            try statement.run()
        }
    }

    private static func bind(_ key: RecordKey, to statement: Statement) {
        for (index, value) in key.values.enumerated() { statement.bind(value.sqliteValue, at: index + 1) }
    }
}

/// What a record refers to: sets in tables of their own, and keys that wait for their records.
extension SQLiteRecordTable {
    /// Makes the sets of a row what is written of them.
    ///
    /// - Parameters:
    ///   - written: Fields and values; those with a column are left out.
    ///   - key: The row's key.
    ///   - isNew: Whether the row has no set yet.
    /// - Throws: ``SQLiteError``.
    func writeLinks(
        _ written: [(field: Int, value: FieldValue)], of key: RecordKey, isNew: Bool = false
    ) throws(SQLiteError) {
        for link in links {
            guard let value = written.first(where: { $0.field == link.field })?.value else { continue }
            try link.write(value, of: key, isNew: isNew)
        }
    }

    /// Writes what a new row refers to besides its columns.
    func writeReferences(of batch: borrowing RecordBatch, record: Int) throws(SQLiteError) {
        let mayWait = try mayWait()
        if mayWait { try clearPending(batch.key(of: record, schema: schema)) }
        for link in links {
            let cell = batch.cells[record * batch.fieldCount + link.field]
            guard cell.kind != .absent, cell.kind != .null || layout.mark != nil else { continue }
            if layout.mark == nil, cell.kind == .text {
                let start = Int(cell.payload)
                let text = batch.bytes[start..<start + Int(cell.length)]
                let isAdded = try link.add(integersOf: text, behind: schema.keyFields.count) { statement in
                    bindKey(of: batch, record: record, to: statement)
                }
                if isAdded { continue }
            }
            let value = batch.value(record: record, field: link.field) ?? .null
            try link.write(value, of: batch.key(of: record, schema: schema), isNew: layout.mark == nil)
        }
    }

    /// Whether anything in the store waits.
    func mayWait() throws(SQLiteError) -> Bool {
        try passed { try !pending.isEmpty() }
    }

    /// Forgets what fields of a row, or all of them, wait for: it is written now what they hold.
    func clearPending(_ key: RecordKey, fields: [Int]? = nil) throws(SQLiteError) {
        if schema.references.isEmpty { return }
        if try !mayWait() { return }
        for reference in schema.references
        where fields.map({ !$0.allSatisfy { field in !reference.fields.contains(field) } }) ?? true {
            let statement = try connection.prepare(
                """
                DELETE FROM _sluice_pending WHERE "table" = \(SQLText.literal(schema.table))
                AND key = \(PendingSQL.key(count: key.values.count)) AND field = \(SQLText.literal(reference.name))
                """)
            bind(key, to: statement, at: 1)
            try statement.run()
        }
    }

    /// The keys that fields of a row wait for, by the position of the field; sets have theirs already.
    func waiting(_ key: RecordKey) throws(SQLiteError) -> [Int: FieldValue] {
        let references = schema.references.filter { $0.link == nil }
        if references.isEmpty { return [:] }
        if try !mayWait() { return [:] }
        var found: [Int: FieldValue] = [:]
        for reference in references {
            let parts = reference.fields.indices.map { "json_extract(target_key, '$[\($0)]')" }
            let statement = try connection.prepare(
                """
                SELECT \(parts.joined(separator: ", ")) FROM _sluice_pending
                WHERE "table" = \(SQLText.literal(schema.table))
                AND key = \(PendingSQL.key(count: key.values.count)) AND field = \(SQLText.literal(reference.name))
                """)
            bind(key, to: statement, at: 1)
            defer { statement.reset() }
            guard try statement.step() else { continue }
            for (index, field) in reference.fields.enumerated() { found[field] = FieldValue(statement.value(index)) }
        }
        return found
    }

    /// The references of a row that are null for good: by name, with the keys of what they had led to.
    func emptied(_ key: RecordKey) throws(SQLiteError) -> [(reference: String, target: FieldValue)] {
        if schema.references.isEmpty { return [] }
        if try !mayWait() { return [] }
        let statement = try connection.prepare(
            """
            SELECT field, target_key FROM _sluice_pending WHERE "table" = \(SQLText.literal(schema.table))
            AND key = \(PendingSQL.key(count: key.values.count)) AND rule IN (\(PendingReferences.emptied))
            ORDER BY field, target_key
            """)
        bind(key, to: statement, at: 1)
        defer { statement.reset() }
        var found: [(reference: String, target: FieldValue)] = []
        while try statement.step() {
            found.append((FieldValue(statement.value(0)).string ?? "", FieldValue(statement.value(1))))
        }
        return found
    }

    func emptiedTargets(_ key: RecordKey) throws -> [String: [RecordKey]] {
        LinkHistory.targets(try translated { () throws(SQLiteError) in try emptied(key) })
    }

    func waitingTargets(_ keys: [RecordKey]) throws -> [[String: [RecordKey]]] {
        try translated { () throws(SQLiteError) in
            var found = [[String: [RecordKey]]](repeating: [:], count: keys.count)
            if schema.references.isEmpty { return found }
            if try !mayWait() { return found }
            for (index, key) in keys.enumerated() { found[index] = try waiting(of: key) }
            return found
        }
    }

    private func waiting(of key: RecordKey) throws(SQLiteError) -> [String: [RecordKey]] {
        var found: [String: [RecordKey]] = [:]
        for reference in schema.references where !reference.targetColumns.isEmpty {
            let parts = reference.targetColumns.indices.map { "json_extract(target_key, '$[\($0)]')" }
            let statement = try connection.prepare(
                """
                SELECT \(parts.joined(separator: ", ")) FROM _sluice_pending
                WHERE "table" = \(SQLText.literal(schema.table)) AND rule = 'defer'
                AND key = \(PendingSQL.key(count: key.values.count)) AND field = \(SQLText.literal(reference.name))
                ORDER BY target_key
                """)
            bind(key, to: statement, at: 1)
            defer { statement.reset() }
            while try statement.step() {
                found[reference.name, default: []].append(
                    RecordKey(parts.indices.map { FieldValue(statement.value($0)) }))
            }
        }
        return found
    }

    /// Puts what fields wait for in the place of their nulls, where all of a reference is null.
    func fill(_ row: inout [FieldValue], with waiting: [Int: FieldValue]) {
        if waiting.isEmpty { return }
        for reference in schema.references where reference.fields.allSatisfy({ row[$0].isNull }) {
            for field in reference.fields { if let value = waiting[field] { row[field] = value } }
        }
    }
}

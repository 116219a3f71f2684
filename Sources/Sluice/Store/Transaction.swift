internal import SluiceSQLite
internal import SluiceSQLiteStore

/// A transaction of a store: all that its closure writes becomes visible at once, or nothing of it.
///
/// What it writes is a local edit, as if a person had made it with any SQL tool: the entity's table alone is written.
public final class Transaction: Reader {
    private let store: SQLiteRecordStore
    /// What is to be done once it is committed.
    private(set) var followUps: [@Sendable () -> Void] = []
    /// What it changed.
    private(set) var touched = TouchedRecords()

    /// What it wrote that led to none.
    private var leading: LeadingRows
    /// Parts that were taken out of records, and that go unless another record has them in the end.
    var released: [(target: ModelDescription, keys: [[BoxedValue]])] = []
    /// The keys of the records that it deleted, by their tables in lower case.
    private(set) var deleted: [String: Set<[BoxedValue]>] = [:]

    /// Whether anybody asks what it changes.
    private let isTelling: Bool
    /// The number of the run as which the history keeps it, where it changes anything; nil where it is not kept. See
    /// ``Store/write(recording:_:)``.
    ///
    /// Whoever asks for it has a run: one that changed nothing is kept then as well.
    public var recordedRun: Int? {
        asksForRun = true
        return run
    }
    private let run: Int?
    /// Whether anybody asked for the number of the run.
    private(set) var asksForRun = false

    init(_ store: SQLiteRecordStore, _ tables: ModelTables, isTelling: Bool, run: Int64?) {
        self.store = store
        leading = LeadingRows(store)
        self.isTelling = isTelling
        self.run = run.map { Int($0) }
        super.init(store.connection, tables)
        // Whoever asks later does not learn what it changed before.
        if !isTelling { touched.touchEverything() }
    }

    // MARK: Saving

    /// Inserts a value, which takes the identifier that the store gives.
    ///
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/exists`` where the identifier is taken.
    public func insert<M: PersistentModel>(_ value: inout M) throws {
        try refuseParts(of: value)
        try value.saveNested(in: self)
        try insert(&value, try boxed(value))
        settle(&value)
    }

    /// Inserts values, each as `insert` of one value does.
    ///
    /// - Throws: ``SluiceError``.
    public func insert<M: PersistentModel>(_ values: inout [M]) throws {
        for index in values.indices { try insert(&values[index]) }
    }

    /// Inserts a value, or writes what differs from what was read of it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - isOverwriting: Whether to write over what others changed after the value was read.
    /// - Throws: ``SluiceError``: with ``SluiceError/Code/stale`` where a property that changed was changed by others as well,
    ///   ``SluiceError/Code/notFound`` where the row is no longer there.
    public func save<M: PersistentModel>(_ value: inout M, overwriting isOverwriting: Bool = false) throws {
        try refuseParts(of: value)
        try value.saveNested(in: self)
        var record = try boxed(value)
        if !record.orders.isEmpty {
            let read = try value.storedOrigin?.value(as: M.self)?.boxed()
            record.forgetOrders(asIn: read)
            if !isOverwriting { record.mergeOrders(readAs: read) }
        }
        if let change = try SaveDecision(value, record, overwriting: isOverwriting, in: self) {
            keep(M.model.description, record.key)
            if change.isInsert {
                try insert(&value, record)
            } else {
                try update(M.model.description, record, change.fields)
                try apply(record)
            }
        }
        settle(&value)
    }

    /// Saves values; see ``save(_:overwriting:)``.
    ///
    /// - Throws: ``SluiceError``.
    public func save<M: PersistentModel>(_ values: inout [M]) throws {
        for index in values.indices { try save(&values[index]) }
    }

    /// Reads a record, lets it be changed, and writes what differs.
    ///
    /// - Throws: ``SluiceError``, and what the change throws.
    public func update<M: PersistentModel>(
        _ type: M.Type, _ identifier: M.Identifier, _ change: (inout M) throws -> Void
    ) throws {
        var value = try find(type, identifier)
        try change(&value)
        try save(&value)
    }

    /// Changes all records of a query at once.
    ///
    /// - Returns: How many there were.
    /// - Throws: ``SluiceError``.
    @discardableResult
    public func update<M: PersistentModel>(_ query: Query<M>, _ changes: Assignment<M>...) throws -> Int {
        if changes.isEmpty { return 0 }
        let description = M.model.description
        for change in changes { try change.check(description) }
        try refuseHalves(query, changes)
        touch(description, nil)
        let keys = "(" + SQLExpression(sql: SQLIdentifier.list(description.keyColumns)) + ")"
        try run(
            SQLExpression(sql: "UPDATE \(SQLIdentifier.quoted(description.table)) SET ")
                + .list(changes.map(\.expression)) + " WHERE " + keys + " IN ("
                + query.keys(deletionMark: mark(description)) + ")", description)
        return connection.changes
    }

    /// Refuses changes of parts that would leave a record with half of a composition, which nobody could read.
    private func refuseHalves<M: PersistentModel>(_ query: Query<M>, _ changes: [Assignment<M>]) throws {
        let description = M.model.description
        let assigned = Dictionary(changes.map { ($0.field, $0.value) }) { $1 }
        for whole in description.wholes where whole.parts.contains(where: { assigned[$0] != nil }) {
            func column(_ field: Int) -> SQLExpression {
                assigned[field].map { "(" + $0 + ")" }
                    ?? SQLExpression(sql: SQLIdentifier.quoted(description.fields[field].column))
            }
            let isThere = SQLExpression.joined(whole.parts.map { column($0) + " IS NOT NULL" }, " OR ")
            let isLacking = SQLExpression.joined(whole.required.map { column($0) + " IS NULL" }, " OR ")
            let keys = SQLIdentifier.list(description.keyColumns)
            var found: [BoxedValue]?
            try run(
                SQLExpression(sql: "SELECT \(keys) FROM \(SQLIdentifier.quoted(description.table)) WHERE (") + isThere
                    + ") AND (" + isLacking + SQLExpression(sql: ") AND (\(keys)) IN (")
                    + query.keys(deletionMark: mark(description)) + ") LIMIT 1", description
            ) { statement in
                found = description.keyColumns.indices.map { StoredColumn(statement: statement, index: $0).value }
                return false
            }
            guard let found else { continue }
            let identifier = Self.text(found)
            throw SluiceError(
                .refused,
                "\(description.entity) \(identifier), property `\(whole.property)` would have some of its parts and not all that it needs. Give it all of them, as `update` of the record does, or nil to each, or leave such records out of the query.",
                entity: description.entity, identifier: identifier, field: whole.property)
        }
    }

    func boxed<M: PersistentModel>(_ value: M) throws -> BoxedRecord {
        do throws(BoxError) { return try value.boxed() } catch {
            throw SluiceError(error, entity: M.model.description.entity)
        }
    }

    /// What a value is once it is saved.
    private func settle<M: PersistentModel>(_ value: inout M) {
        value.attachLinks()
        var copy = value
        copy.storedOrigin = Origin()
        value.storedOrigin = Origin(reading: copy)
    }

    private func insert<M: PersistentModel>(_ value: inout M, _ record: BoxedRecord) throws {
        let description = M.model.description
        try description.check(record, description.fields.indices)
        var record = record
        let isGiven = description.fields.contains { $0.isGenerated } && value.savedIdentifier == nil
        try makingRoom(of: description, identifier: Self.text(record.key)) {
            try check(description)
            let statement = try connection.prepare(.insert(M.self, isGiven: isGiven)) {
                let columns = description.fields.filter { !(isGiven && $0.isGenerated) }.map(\.column)
                let marks = columns.map { _ in "?" }.joined(separator: ", ")
                return
                    "INSERT INTO \(SQLIdentifier.quoted(description.table)) (\(SQLIdentifier.list(columns))) VALUES (\(marks))"
            }
            var place = 0
            for index in description.fields.indices where !(isGiven && description.fields[index].isGenerated) {
                place += 1
                statement.bind(record.values[index], at: place)
            }
            do { try statement.run() } catch let error as SQLiteError
                where error.code == .primaryKeyConstraint
            {
                guard try isMarked(description, record.key) else { throw error }
                let identifier = Self.text(record.key)
                throw SluiceError(
                    .exists,
                    "\(description.entity) \(identifier) is there already, and marked as deleted. `restore` brings it back, and `deleteAll` of a query `includingDeleted()` deletes it for good.",
                    entity: description.entity, identifier: identifier)
            }
        }
        if isGiven {
            value.assign(generated: Int(truncatingIfNeeded: connection.lastInsertedRowID))
            record = try boxed(value)
        }
        try recordLeading(description, record.key, isNew: true)
        touch(description, record.key.contains(.null) ? nil : [record.key])
        try apply(record)
    }

    private func recordLeading(_ description: ModelDescription, _ key: [BoxedValue], isNew: Bool) throws {
        try recordLeading(description.table, description.keyColumns, key, of: description, isNew: isNew)
    }

    private func recordLeading(
        _ table: String, _ columns: [String], _ key: [BoxedValue], of description: ModelDescription, isNew: Bool
    ) throws {
        try SluiceError.translating(of: description) {
            try leading.record(table, columns, key, of: description.entity, isNew: isNew)
        }
    }

    /// Settles what leads to none although the database counts none.
    func settleLeading() throws { try leading.settle() }

    /// The first row that it wrote and that leads to none.
    var firstLeading: (table: String, key: [BoxedValue])? {
        get throws { try leading.first().map { ($0.table, $0.key) } }
    }

    /// Notes that records changed; nil where nobody knows which.
    func touch(_ description: ModelDescription, _ keys: @autoclosure () -> Set<[BoxedValue]>?) {
        if isTelling { touched.touch(description.table, keys()) }
    }

    /// Notes that records are deleted.
    func noteDeleted(_ description: ModelDescription, _ keys: Set<[BoxedValue]>) {
        let table = description.table.lowercased()
        deleted[table] = deleted[table].map { $0.union(keys) } ?? keys
    }

    /// A key for people.
    private static func text(_ key: [BoxedValue]) -> String { key.map(\.text).joined(separator: ", ") }

    private func update(_ description: ModelDescription, _ record: BoxedRecord, _ fields: [Int]) throws {
        if fields.isEmpty { return }
        try description.check(record, fields)
        touch(description, [record.key])
        let assignments = fields.map { field in
            SQLExpression(sql: SQLIdentifier.quoted(description.fields[field].column) + " = ")
                + SQLExpression(record.values[field])
        }
        try makingRoom(of: description, identifier: Self.text(record.key)) {
            try run(
                SQLExpression(sql: "UPDATE \(SQLIdentifier.quoted(description.table)) SET ") + .list(assignments)
                    + " WHERE " + Self.matches(description.keyColumns, record.key), description)
        }
        try recordLeading(description, record.key, isNew: false)
    }

    static func matches(_ columns: [String], _ values: [BoxedValue]) -> SQLExpression {
        .joined(
            zip(columns, values).map { column, value in
                SQLExpression(sql: SQLIdentifier.quoted(column) + " = ") + SQLExpression(value)
            }, " AND ")
    }

    // MARK: Links

    /// Lets a record lead to others as well.
    ///
    /// - Throws: ``SluiceError``.
    public func add<M: PersistentModel, Target: PersistentModel>(
        _ values: [Target], to owner: M, relationship index: Int
    ) throws {
        try change(owner, index, added: try keys(values), removed: [])
    }

    /// Lets a record no longer lead to others.
    ///
    /// - Throws: ``SluiceError``.
    public func remove<M: PersistentModel, Target: PersistentModel>(
        _ values: [Target], from owner: M, relationship index: Int
    ) throws {
        // Nothing leads to what was never saved.
        try change(owner, index, added: [], removed: try keys(values.filter { $0.savedIdentifier != nil }))
    }

    /// Lets a record lead to others from a place of its order on. Those that it leads to already move.
    ///
    /// - Parameters:
    ///   - values: The records, which stand one behind the other then.
    ///   - position: The place of the first of them, from 0; a place behind the last is the last.
    ///   - owner: The record that leads to them.
    ///   - index: The position of the relationship, as the macro counts.
    /// - Throws: ``SluiceError``.
    public func insert<M: PersistentModel, Target: PersistentModel>(
        _ values: [Target], at position: Int, into owner: M, relationship index: Int
    ) throws {
        var seen: Set<[BoxedValue]> = []
        let keys = try keys(values).filter { seen.insert($0).inserted }
        let (first, last) = (max(0, position), Int.max - keys.count)
        let changes =
            keys.map { OrderChange.remove($0) }
            + keys.enumerated().map { OrderChange.insert($1, at: min(first, last) + $0) }
        try reorder(M.model.description, index, try key(of: owner), changes)
    }

    /// The keys of records that links lead to.
    private func keys<M: PersistentModel>(_ values: [M]) throws -> [[BoxedValue]] {
        let description = M.model.description
        return try values.map { value in
            guard let key = try value.savedIdentifier?.key(of: description) else {
                throw SluiceError(
                    .notFound, "Save the \(description.entity) before others lead to it.", entity: description.entity)
            }
            return key
        }
    }

    private func key<M: PersistentModel>(of owner: M) throws -> [BoxedValue] {
        let description = M.model.description
        guard let key = try owner.savedIdentifier?.key(of: description) else {
            throw SluiceError(
                .notFound, "Save the \(description.entity) before what it leads to is changed.",
                entity: description.entity)
        }
        return key
    }

    private func change<M: PersistentModel>(
        _ owner: M, _ index: Int, added: [[BoxedValue]], removed: [[BoxedValue]]
    ) throws {
        try change(M.model.description, index, try key(of: owner), added, removed)
    }

    private func apply(_ record: BoxedRecord) throws {
        for (index, change) in record.links.sorted(by: { $0.key < $1.key }) {
            try self.change(record.description, index, record.key, change.added, change.removed)
        }
        for (index, changes) in record.orders.sorted(by: { $0.key < $1.key }) {
            try reorder(record.description, index, record.key, changes)
        }
    }

    /// Gives the ordered links of a record the places that they have after some changes.
    private func reorder(
        _ owner: ModelDescription, _ index: Int, _ key: [BoxedValue], _ changes: [OrderChange<[BoxedValue]>]
    ) throws {
        guard let target = owner.relationships[index].target?.modelDescription,
            case .table(let table, let owners, let targets, _) = try LinkDescription(owner, index, target)
        else { return }
        touch(owner, [key])
        let name = SQLIdentifier.quoted(table)
        let position = SQLIdentifier.quoted(LinkOrder.column)
        var before: [[BoxedValue]] = []
        var places: [BoxedValue] = []
        try run(
            SQLExpression(sql: "SELECT \(SQLIdentifier.list(targets + [LinkOrder.column])) FROM \(name) WHERE ")
                + Self.matches(owners, key)
                + SQLExpression(sql: " ORDER BY \(position) IS NULL, \(position), \(SQLIdentifier.list(targets))"),
            owner
        ) { statement in
            before.append(targets.indices.map { StoredColumn(statement: statement, index: $0).value })
            places.append(StoredColumn(statement: statement, index: targets.count).value)
            return true
        }
        var after = before
        for change in changes { change.apply(to: &after) }
        let kept = Set(after)
        // What is a part of the record goes with its place in it, unless another one takes it.
        if owner.relationships[index].isPart { release(target, before.filter { !kept.contains($0) }) }
        for gone in before where !kept.contains(gone) {
            try run(
                SQLExpression(sql: "DELETE FROM \(name) WHERE ") + Self.matches(owners + targets, key + gone),
                owner)
        }
        let known = Dictionary(zip(before, places)) { first, _ in first }
        for (place, other) in after.enumerated() where known[other] != .integer(Int64(place)) {
            let columns = SQLIdentifier.list(owners + targets + [LinkOrder.column])
            let values = (key + other + [.integer(Int64(place))]).map { SQLExpression($0) }
            try run(
                SQLExpression(sql: "INSERT INTO \(name) (\(columns)) VALUES (") + .list(values)
                    + SQLExpression(
                        sql:
                            ") ON CONFLICT (\(SQLIdentifier.list(owners + targets))) DO UPDATE SET \(position) = excluded.\(position)"
                    ), owner)
        }
    }

    private func change(
        _ owner: ModelDescription, _ index: Int, _ key: [BoxedValue], _ added: [[BoxedValue]],
        _ removed: [[BoxedValue]]
    ) throws {
        guard owner.relationships.indices.contains(index),
            let target = owner.relationships[index].target?.modelDescription
        else { return }
        let link = try LinkDescription(owner, index, target)
        touch(owner, [key])
        touch(target, Set(added + removed))
        switch link {
        case .column(let column, _):
            let table = SQLIdentifier.quoted(target.table)
            let name = SQLIdentifier.quoted(column)
            let own = SQLExpression(key.first ?? .null)
            for other in added {
                try run(
                    SQLExpression(sql: "UPDATE \(table) SET \(name) = ") + own + " WHERE "
                        + Self.matches(target.keyColumns, other), target)
                if connection.changes == 0 { throw Self.notFound(target, other) }
                try recordLeading(target, other, isNew: false)
            }
            for other in removed {
                if let needed = target.fields.first(where: { $0.column == column && !$0.isOptional }) {
                    try refuse(toRelease: other, of: target, needed, from: own)
                    continue
                }
                try run(
                    SQLExpression(sql: "UPDATE \(table) SET \(name) = NULL WHERE \(name) = ") + own + " AND "
                        + Self.matches(target.keyColumns, other), target)
            }
        case .table(let table, let ownerColumns, let targetColumns, _):
            let columns = ownerColumns + targetColumns
            let order = LinkOrder(owner, index, target, link)
            for other in added {
                if let order {
                    let pair = zip(columns, key + other).map { (column: $0, value: $1) }
                    try run(order.inserting(into: table, pair), owner)
                } else {
                    try run(
                        SQLExpression(
                            sql:
                                "INSERT OR IGNORE INTO \(SQLIdentifier.quoted(table)) (\(SQLIdentifier.list(columns))) VALUES ("
                        ) + .list((key + other).map { SQLExpression($0) }) + ")", owner)
                }
                try recordLeading(table, columns, key + other, of: owner, isNew: true)
            }
            for other in removed {
                try run(
                    SQLExpression(sql: "DELETE FROM \(SQLIdentifier.quoted(table)) WHERE ")
                        + Self.matches(columns, key + other), owner)
            }
        }
    }

    /// Refuses to leave a record without what it has to lead to; one that leads elsewhere by now is left alone.
    private func refuse(
        toRelease key: [BoxedValue], of model: ModelDescription, _ field: ModelDescription.Field,
        from owner: SQLExpression
    ) throws {
        var isHeld = false
        let head = "SELECT 1 FROM \(SQLIdentifier.quoted(model.table)) WHERE \(SQLIdentifier.quoted(field.column)) = "
        try run(SQLExpression(sql: head) + owner + " AND " + Self.matches(model.keyColumns, key), model) { _ in
            isHeld = true
            return false
        }
        if !isHeld { return }
        throw SluiceError(
            .denied,
            "\(model.entity) \(Self.text(key)) has to have a `\(field.property)`. Let it lead to another record, or delete it.",
            entity: model.entity, identifier: Self.text(key), field: field.property)
    }

    // MARK: The rest

    /// Nobody knows what a statement of the program changes.
    override func allowWriting() { touched.touchEverything() }

    /// Runs a statement.
    ///
    /// - Throws: ``SluiceError``.
    public func execute(_ sql: SQL) throws {
        touched.touchEverything()
        try run(sql.expression)
    }

    /// Does something once the transaction is committed, and not where it is taken back.
    ///
    /// It runs where the store writes, in the order in which it was asked for: tell somebody, and come back soon. What a part
    /// of the transaction asked for is forgotten with the part.
    ///
    /// - Parameter body: What to do.
    public func afterCommit(_ body: @escaping @Sendable () -> Void) { followUps.append(body) }

    /// A part of the transaction that is taken back alone where its closure throws.
    ///
    /// - Returns: What the closure returns.
    /// - Throws: ``SluiceError``, and what the closure throws.
    public func part<Result>(_ body: () throws -> Result) throws -> Result {
        try check()
        let (known, released) = (followUps.count, released)
        try SluiceError.translating { try store.beginSavepoint() }
        do {
            let result = try body()
            try SluiceError.translating { try store.releaseSavepoint() }
            return result
        } catch {
            followUps.removeSubrange(known...)
            self.released = released
            try SluiceError.translating { try store.rollBackToSavepoint() }
            throw error
        }
    }
}

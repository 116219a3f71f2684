internal import SluiceSQLite
internal import SluiceSQLiteStore

/// A transaction of a store: all that its closure writes becomes visible at once, or nothing of it.
///
/// What it writes is a local edit, as if a person had made it with any SQL tool: the entity's table alone is written.
public final class Transaction: Reader {
    let store: SQLiteRecordStore
    /// What is to be done once it is committed.
    private(set) var followUps: [@Sendable () -> Void] = []
    /// What it changed.
    private(set) var touched = TouchedRecords()

    /// What it wrote that led to none.
    private var leading: LeadingRows
    private var inserter: Inserter
    /// Parts that were taken out of records, and that go unless another record has them in the end.
    var released: [(target: ModelDescription, keys: [[BoxedValue]])] = []
    /// The keys of the records that it deleted, by their tables in lower case.
    var deleted: [String: Set<[BoxedValue]>] = [:]
    /// What is saved together at present.
    var together = SavedTogether()
    /// Whether the records within a value that was deleted forget what they know, in the place of being saved.
    var isForgetting = false
    /// Whether all of it is one call, so that what that call leaves behind where it fails is taken back in any case.
    var isOneCall = false
    /// The part that is under way, which is the whole where no part is.
    private(set) var writePart: WritePart

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

    init(
        _ store: SQLiteRecordStore, _ tables: ModelTables, _ plain: PlainTables, isTelling: Bool, run: Int64?
    ) {
        self.store = store
        inserter = Inserter(store.connection, plain)
        leading = LeadingRows(store)
        writePart = WritePart(changes: store.connection.totalChanges)
        self.isTelling = isTelling
        self.run = run.map { Int($0) }
        super.init(store.connection, tables)
        // Whoever asks later does not learn what it changed before.
        if !isTelling { touched.touchEverything() }
    }

    override func end() {
        super.end()
        inserter.end()
    }

    // MARK: Saving

    /// Inserts a value, which takes the identifier that the store gives.
    ///
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/exists`` where the identifier is taken; nothing is written then, and the
    ///   value is as it was.
    public func insert<M: PersistentModel>(_ value: inout M) throws {
        let description = M.model.description
        guard description.standsAlone, together.calls == 0, released.isEmpty else { return try insertTogether(&value) }
        // Where that fails, nothing was written and the value is as it was.
        try check()
        let record = try boxed(value, description)
        try description.check(record, description.checked)
        try SluiceError.translating(of: description, identifier: Self.text(record.key)) {
            try insertRow(record, M.self, description, leavingOut: nil)
        }
        try noteInserted(record, description)
        settle(&value, record)
    }

    private func insertTogether<M: PersistentModel>(_ value: inout M) throws {
        try savingTogether(&value, manyRows: M.model.description.holdsRecords) { value in
            if M.model.description.hasParts { try refuseParts(of: value) }
            let around = together.isInserting
            together.isInserting = true
            defer { together.isInserting = around }
            try saving(&value) { value in
                // Most values were made by the program and know of no record.
                if value.storedOrigin?.isEmpty ?? true {
                    let isGiven = M.model.description.generated != nil && isUnidentified(value)
                    let record = try boxed(value, M.model.description)
                    return try insert(&value, record, LinkEdits(), isGiven: isGiven)
                }
                try insertKnown(&value)
            }
        }
    }

    /// Inserts a value that knows of a record.
    private func insertKnown<M: PersistentModel>(_ value: inout M) throws {
        let known = value.known
        try insert(&value, try boxed(value, known.lostChanges), known)
    }

    /// Inserts values, each as `insert` of one value does, all or none.
    ///
    /// - Throws: ``SluiceError``.
    public func insert<M: PersistentModel>(_ values: inout [M]) throws {
        try savingSeveral(&values) { try insert(&$0) }
    }

    /// Inserts a value, or writes what differs from what was read of it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - isOverwriting: Whether to write over what others changed after the value was read, also of the records within it.
    /// - Throws: ``SluiceError``: with ``SluiceError/Code/stale`` where a property that changed was changed by others as well,
    ///   ``SluiceError/Code/notFound`` where the row is no longer there. Nothing is written then, and the value is as it was.
    public func save<M: PersistentModel>(_ value: inout M, overwriting isOverwriting: Bool = false) throws {
        if isForgetting { return try forget(&value) }
        if try isSaved(value) { return value.attachLinks() }
        try refuseOtherStores(value)
        let isInherited = together.isOverwriting
        together.isOverwriting = isInherited || isOverwriting
        defer { together.isOverwriting = isInherited }
        try savingTogether(&value, manyRows: M.model.description.holdsRecords) { value in
            if M.model.description.hasParts { try refuseParts(of: value) }
            try saving(&value) { value in try saveAlone(&value, overwriting: together.isOverwriting) }
        }
    }

    /// Saves values, all or none; see ``save(_:overwriting:)``. One may take a unique value that another one of them gives up.
    ///
    /// - Throws: ``SluiceError``.
    public func save<M: PersistentModel>(_ values: inout [M]) throws {
        if isForgetting { return try values.indices.forEach { try forget(&values[$0]) } }
        try savingSeveral(&values) { try save(&$0) }
    }

    /// Whether a value is as it was read or saved, and nothing else asks to look at its record: a save changes nothing then.
    private func isSaved<M: PersistentModel>(_ value: M) throws -> Bool {
        try check()
        let description = M.model.description
        if description.holdsRecords || description.hasNoIdentifier || description.contentKey != nil { return false }
        guard released.isEmpty, !together.isInserting, let origin = value.storedOrigin else { return false }
        do throws(BoxError) { return try origin.isAsRemembered(value, in: home) } catch {
            throw SluiceError(error, of: value)
        }
    }

    /// Saves a value whose records by value are saved.
    private func saveAlone<M: PersistentModel>(_ value: inout M, overwriting isOverwriting: Bool) throws {
        // Most values were made by the program and know of no record: where there is none, they are new.
        if value.storedOrigin?.isEmpty ?? true {
            let description = M.model.description
            let record = try boxed(value, description)
            if value.storedOrigin == nil, !together.owned.isEmpty {
                let read = try read(record)
                if read?.record.values != record.values { together.note(record) }
                if let read { return try saveKnown(&value, read: read, overwriting: isOverwriting) }
            }
            if try insertAtOnce(&value, record, description) { return }
            if try !isThere(value) {
                let isGiven = description.generated != nil && isUnidentified(value)
                return try insert(&value, record, LinkEdits(), isGiven: isGiven)
            }
        }
        try saveKnown(&value, overwriting: isOverwriting)
    }

    /// Refuses a value that another store gave: nobody knows what it is to this one.
    private func refuseOtherStores(_ value: some PersistentModel) throws {
        guard value.storedOrigin?.isForeign(to: home) == true else { return }
        let description = type(of: value).modelDescription
        let identifier = try value.savedIdentifier.map { try Self.text($0.key(of: description)) }
        throw SluiceError(
            .refused,
            "\([description.entity, identifier].compactMap { $0 }.joined(separator: " ")) was read from another store, or saved there. Fetch it from this one; or give it a new `Origin()`, and those within it, to save it here as one that the program made.",
            entity: description.entity, identifier: identifier)
    }

    private func isUnidentified(_ value: some PersistentModel) -> Bool { value.savedIdentifier == nil }

    /// Inserts a value that stands alone without a look whether it is there, as long as none was: where one is, or where anything else
    /// is in the way, nothing is written.
    ///
    /// - Returns: Whether it was inserted.
    /// - Throws: ``SluiceError``.
    private func insertAtOnce<M: PersistentModel>(
        _ value: inout M, _ record: BoxedRecord, _ description: ModelDescription
    ) throws -> Bool {
        guard description.standsAlone, description.checked.isEmpty, released.isEmpty, try inserter.insertsUnseen(M.self)
        else { return false }
        let isInserted = try SluiceError.translating(of: description, identifier: Self.text(record.key)) {
            do { try insertRow(record, M.self, description, leavingOut: nil) } catch let error as SQLiteError
                where error.code.primary == .constraint
            { return false }
            return true
        }
        guard isInserted else {
            inserter.met(M.self)
            return false
        }
        try noteInserted(record, description)
        settle(&value, record)
        return true
    }

    /// A record as one around it had it when that was read, and whether that was taken back; nil where none had.
    func read(_ record: BoxedRecord) throws -> (record: BoxedRecord, isDoubtful: Bool)? {
        do throws(BoxError) { return try together.read(record) } catch {
            throw SluiceError(error, entity: record.description.entity, identifier: Self.text(record.key))
        }
    }

    /// Saves a value whose record may be there.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - read: What a record around it had of it when that was read; nil where it knows that itself, or nobody does.
    ///   - isOverwriting: Whether to write over what others changed meanwhile.
    /// - Throws: ``SluiceError``.
    private func saveKnown<M: PersistentModel>(
        _ value: inout M, read: (record: BoxedRecord, isDoubtful: Bool)? = nil, overwriting isOverwriting: Bool
    ) throws {
        var known = value.known
        if let read { (known.read, known.isDoubtful) = read }
        let whole = try boxed(value, known.lostChanges)
        var record = whole
        if !record.orders.isEmpty {
            let read = try known.isDoubtful && isOverwriting ? nil : known.boxed()
            record.forgetOrders(asIn: read)
            if !isOverwriting { record.mergeOrders(readAs: read) }
        }
        let change = try SaveDecision(
            value, record, known, overwriting: isOverwriting, insertingMissing: together.isInserting, in: self)
        // What is saved within another record stays where one has it in the end, whatever was changed of it.
        if together.owners == 0, !released.isEmpty { keep(M.model.description, record.key) }
        if let change {
            if change.isInsert { return try insert(&value, whole, known) }
            if record.changesLinks { try beginCall() }
            try update(M.model.description, record, change.fields)
            try apply(record)
        }
        settle(&value, record.linkChanges)
    }

    /// Whether there is a record of a value's identifier, or whether that takes more than a look.
    private func isThere<M: PersistentModel>(_ value: M) throws -> Bool {
        let description = M.model.description
        if description.hasNoIdentifier { return true }
        guard let identifier = value.savedIdentifier else { return false }
        return try find(M.self, identifier.key(of: description)) { _ in true } ?? false
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
        for change in changes {
            try change.check(description)
            try refuseMarked(change)
        }
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

    /// A value as it is to be stored, with what was to become of its links and was taken back.
    private func boxed(_ value: some PersistentModel, _ lostChanges: LinkEdits) throws -> BoxedRecord {
        do throws(BoxError) {
            var record = try value.boxed()
            record.follow(lostChanges)
            return record
        } catch {
            throw SluiceError(error, of: value)
        }
    }

    /// A value as it is to be stored.
    private func boxed(_ value: some PersistentModel, _ description: ModelDescription) throws -> BoxedRecord {
        do throws(BoxError) { return try value.boxed() } catch {
            throw SluiceError(error, of: value)
        }
    }

    /// What a value that stands alone is once it is saved.
    private func settle<M: PersistentModel>(_ value: inout M, _ record: BoxedRecord) {
        value.attachLinks()
        guard let before = value.storedOrigin else { return }
        value.storedOrigin = Origin(saving: record, of: M.self, in: writePart, of: home, after: before)
    }

    /// What a value is once it is saved.
    private func settle<M: PersistentModel>(
        _ value: inout M, _ changes: LinkEdits, isGiven: Bool = false
    ) {
        value.attachLinks()
        guard let before = value.storedOrigin else { return }
        var copy = value
        copy.storedOrigin = Origin()
        value.storedOrigin = Origin(
            saving: copy, in: writePart, of: home, after: before, changes, isGiven: isGiven)
    }

    private func insert<M: PersistentModel>(
        _ value: inout M, _ record: BoxedRecord, _ known: KnownRecord<M>
    ) throws {
        let isGiven = M.model.description.generated != nil && known.held(value.savedIdentifier) == nil
        try insert(&value, record, known.lostChanges, isGiven: isGiven)
    }

    /// Inserts a record.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - record: The value as it is stored.
    ///   - lostChanges: What was to become of its links and was taken back.
    ///   - isGiven: Whether the store gives its identifier.
    /// - Throws: ``SluiceError``.
    private func insert<M: PersistentModel>(
        _ value: inout M, _ record: BoxedRecord, _ lostChanges: LinkEdits, isGiven: Bool
    ) throws {
        let description = M.model.description
        try description.check(record, description.checked)
        try refuseMarked(record, description.leading)
        if record.changesLinks { try beginCall() }
        var record = record
        let left = isGiven ? description.generated : nil
        let waiting = try postponing(record, Array(description.fields.indices)) { record in
            try makingRoom(for: record, (isGiven ? [] : [description.identifiers]) + description.unique, isNew: true) {
                try insertRow(record, M.self, description, leavingOut: left)
            }
        }
        if isGiven {
            value.assign(generated: Int(truncatingIfNeeded: connection.lastInsertedRowID))
            record = try boxed(value, lostChanges)
        }
        together.wait(record, waiting)
        // It is another record than one of its identifier that went.
        if !released.isEmpty { keep(description, record.key) }
        try noteInserted(record, description)
        if record.changesLinks { try apply(record) }
        if description.standsAlone { return settle(&value, record) }
        settle(&value, record.linkChanges, isGiven: isGiven)
    }

    /// Writes the row of a record that is inserted.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - type: Its model.
    ///   - description: What the model says.
    ///   - left: The position of the field whose value the store gives; nil where it gives none.
    /// - Throws: ``SluiceError`` and `SQLiteError`.
    private func insertRow<M: PersistentModel>(
        _ record: BoxedRecord, _ type: M.Type, _ description: ModelDescription, leavingOut left: Int?
    ) throws {
        var statement = inserter.statement(type, isGiven: left != nil)
        if statement == nil {
            try check(description)
            statement = try inserter.prepare(type, leavingOut: left)
        }
        do throws(SQLiteError) { try statement?.run(record.values, leavingOut: left) } catch {
            guard error.code == .primaryKeyConstraint, try isMarked(description, record.key) else { throw error }
            let identifier = Self.text(record.key)
            throw SluiceError(
                .exists,
                "\(description.entity) \(identifier) is there already, and marked as deleted. `restore` brings it back, and `deleteAll` of a query `includingDeleted()` deletes it for good.",
                entity: description.entity, identifier: identifier)
        }
    }

    /// Notes a record whose row was just inserted.
    private func noteInserted(_ record: BoxedRecord, _ description: ModelDescription) throws {
        if !inserter.leadsNowhere {
            try recordLeading(description, record.key, isNew: true)
            inserter.note(leadsNowhere: leading.leadsNowhere(description.table))
        }
        touch(description, record.key.contains(.null) ? nil : [record.key])
    }

    /// Notes a record that was just written, where it leads to none.
    func recordLeading(_ description: ModelDescription, _ key: @autoclosure () -> [BoxedValue], isNew: Bool) throws {
        if leading.leadsNowhere(description.table) { return }
        try recordLeading(description.table, description.keyColumns, key(), of: description, isNew: isNew)
    }

    /// Notes a row that was just written, where it leads to none.
    func recordLeading(
        _ table: String, _ columns: [String], _ key: [BoxedValue], of description: ModelDescription, isNew: Bool
    ) throws {
        try SluiceError.translating(of: description) {
            try leading.record(table, columns, key, of: description.entity, isNew: isNew)
        }
    }

    /// Settles what leads to none although the database counts none.
    func settleLeading() throws { try leading.settle() }

    /// The first row that it wrote and that leads to none.
    var firstLeading: DanglingReference.Row? {
        get throws { try leading.first().map { ($0.table, $0.columns, $0.key) } }
    }

    /// Notes that records changed; nil where nobody knows which.
    func touch(_ description: ModelDescription, _ keys: @autoclosure () -> Set<[BoxedValue]>?) {
        if isTelling { touched.touch(description.table, keys()) }
    }

    /// Notes that records are deleted.
    func noteDeleted(_ description: ModelDescription, _ keys: Set<[BoxedValue]>) {
        let table = description.lowercasedTable
        deleted[table] = deleted[table].map { $0.union(keys) } ?? keys
    }

    /// A key for people.
    static func text(_ key: [BoxedValue]) -> String { key.map(\.text).joined(separator: ", ") }

    private func update(_ description: ModelDescription, _ record: BoxedRecord, _ fields: [Int]) throws {
        if fields.isEmpty { return }
        try description.check(record, fields)
        try refuseMarked(record, fields)
        touch(description, [record.key])
        let parts = try replacedParts(record, fields)
        together.forget(record, fields)
        let waiting = try postponing(record, fields) { record in try write(record, fields) }
        together.wait(record, waiting)
        for (target, key) in parts { release(target, [key]) }
        try recordLeading(description, record.key, isNew: false)
    }

    /// Writes fields of a record that is there.
    func write(_ record: BoxedRecord, _ fields: [Int]) throws {
        let description = record.description
        let assignments = fields.map { field in
            SQLExpression(sql: SQLIdentifier.quoted(description.fields[field].column) + " = ")
                + SQLExpression(record.values[field])
        }
        try makingRoom(
            for: record, description.unique.filter { $0.contains(where: fields.contains) }, isNew: false
        ) {
            try run(
                SQLExpression(sql: "UPDATE \(SQLIdentifier.quoted(description.table)) SET ") + .list(assignments)
                    + " WHERE " + Self.matches(description.keyColumns, record.key), description,
                identifier: Self.text(record.key))
        }
    }

    static func matches(_ columns: [String], _ values: [BoxedValue]) -> SQLExpression {
        .joined(
            zip(columns, values).map { column, value in
                SQLExpression(sql: SQLIdentifier.quoted(column) + " = ") + SQLExpression(value)
            }, " AND ")
    }

    // MARK: The rest

    /// Nobody knows what a statement of the program changes.
    override func allowWriting() {
        touched.touchEverything()
        inserter.letProgramWrite()
    }

    /// Runs a statement.
    ///
    /// - Throws: ``SluiceError``.
    public func execute(_ sql: SQL) throws {
        allowWriting()
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
    /// A value that was saved in it is then saved again by the next `save`, as if it had not been; see ``Origin``.
    ///
    /// - Returns: What the closure returns.
    /// - Throws: ``SluiceError``, and what the closure throws.
    public func part<Result>(_ body: () throws -> Result) throws -> Result {
        try check()
        let (before, around) = (notes, writePart)
        try SluiceError.translating { try store.beginSavepoint() }
        writePart = WritePart(within: around, changes: connection.totalChanges)
        defer { writePart = around }
        do {
            let result = try body()
            try SluiceError.translating { try store.releaseSavepoint() }
            writePart.keep()
            return result
        } catch {
            writePart.takeBack()
            takeBack(to: before)
            try SluiceError.translating { try store.rollBackToSavepoint() }
            throw error
        }
    }

    // MARK: What is taken back

    /// What it notes beside the rows that it writes.
    struct Notes {
        fileprivate let followUps: Int
        fileprivate let leading: Int
        fileprivate let released: [(target: ModelDescription, keys: [[BoxedValue]])]
        fileprivate let deleted: [String: Set<[BoxedValue]>]
    }

    /// What it noted by now.
    var notes: Notes {
        Notes(followUps: followUps.count, leading: leading.count, released: released, deleted: deleted)
    }

    /// Forgets what it noted since.
    func takeBack(to notes: Notes) {
        followUps.removeSubrange(notes.followUps...)
        leading.forget(from: notes.leading)
        (released, deleted) = (notes.released, notes.deleted)
    }

    override var writtenPart: WritePart? {
        var part: WritePart? = writePart
        // What a part around it wrote before it is taken back with that one.
        while let quiet = part, quiet.changes == connection.totalChanges { part = quiet.around }
        return part
    }
}

internal import SluiceSQLite

/// The statements by which a transaction inserts records, and what it knows of the tables that they go to.
struct Inserter {
    /// What inserts records of a model: many come one after the other.
    private struct Insertion {
        let model: ObjectIdentifier
        /// Whether the store gives identifiers.
        let isGiven: Bool
        let statement: Statement
        /// Whether the rows of the table are known to lead nowhere.
        var leadsNowhere = false
    }

    private let connection: Connection
    private let plain: PlainTables
    private var last: Insertion?
    /// Whether values that nobody read are inserted without a look, by their models.
    private var habits: [ObjectIdentifier: Bool] = [:]
    /// Whether statements of the program's own ran, which may have changed tables.
    private var isProgramWriting = false

    init(_ connection: Connection, _ plain: PlainTables) { (self.connection, self.plain) = (connection, plain) }

    /// Whether a value that nobody read is inserted without a look whether its record is there: the table refuses it then, and none of
    /// the model was met before.
    ///
    /// - Throws: ``SluiceError``.
    mutating func insertsUnseen<M: PersistentModel>(_ type: M.Type) throws -> Bool {
        if isProgramWriting { return false }
        let model = ObjectIdentifier(type)
        if let habit = habits[model] { return habit }
        let isPlain = try plain.contain(type, connection)
        habits[model] = isPlain
        return isPlain
    }

    /// Notes that a value which nobody had read was that of a row: more of them are looked for.
    mutating func met<M: PersistentModel>(_ type: M.Type) { habits[ObjectIdentifier(type)] = false }

    /// Notes that a statement of the program writes: nobody knows what it does to tables.
    mutating func letProgramWrite() { isProgramWriting = true }

    /// The statement that inserted the last record, where that was one of a model.
    func statement<M: PersistentModel>(_ type: M.Type, isGiven: Bool) -> Statement? {
        guard let last, last.model == ObjectIdentifier(type), last.isGiven == isGiven else { return nil }
        return last.statement
    }

    /// Makes a statement that inserts records of a model.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - left: The position of the field whose value the store gives; nil where it gives none.
    /// - Returns: The statement.
    /// - Throws: `SQLiteError`.
    mutating func prepare<M: PersistentModel>(_ type: M.Type, leavingOut left: Int?) throws(SQLiteError) -> Statement {
        let description = M.model.description
        let statement = try connection.prepare(.insert(type, isGiven: left != nil)) {
            let columns = description.columns.enumerated().filter { $0.offset != left }.map(\.element)
            let start = "INSERT INTO \(SQLIdentifier.quoted(description.table))"
            if columns.isEmpty { return "\(start) DEFAULT VALUES" }
            let marks = columns.map { _ in "?" }.joined(separator: ", ")
            return "\(start) (\(SQLIdentifier.list(columns))) VALUES (\(marks))"
        }
        last = Insertion(model: ObjectIdentifier(type), isGiven: left != nil, statement: statement)
        return statement
    }

    /// Whether the row that was inserted last is known to lead nowhere.
    var leadsNowhere: Bool { last?.leadsNowhere == true }

    /// Notes whether the rows of the table that the last row went to lead nowhere.
    mutating func note(leadsNowhere: Bool) { last?.leadsNowhere = leadsNowhere }

    /// Lets the statements go.
    mutating func end() { last = nil }
}

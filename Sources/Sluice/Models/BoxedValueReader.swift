internal import SluiceSQLite

/// Reads values as properties and identifiers, as if columns held them.
struct BoxedValueReader {
    private let connection: Connection
    private let statement: Statement
    private let count: Int

    /// Makes a reader of so many values at once.
    ///
    /// - Throws: `SQLiteError`.
    init(_ count: Int = 1) throws {
        connection = try Connection(path: "", mode: .temporary)
        statement = try connection.prepare("SELECT " + (1...max(1, count)).map { "?\($0)" }.joined(separator: ", "))
        self.count = count
    }

    /// Calls a closure while columns hold some values; nil where these are not so many.
    private func holding<Result>(_ values: [BoxedValue], _ body: () throws -> Result) throws -> Result? {
        guard values.count == count else { return nil }
        statement.reset()
        for index in values.indices { statement.bind(values[index], at: index + 1) }
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        return try body()
    }

    /// Lends the columns of some values.
    ///
    /// - Throws: `SQLiteError`, and what the body throws.
    func read<Result>(_ values: [BoxedValue], _ body: ([StoredColumn]) throws -> Result) throws -> Result? {
        try holding(values) { try body(values.indices.map { StoredColumn(statement: statement, index: $0) }) }
    }

    /// The value of a model whose fields have some values.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - within: Has the records that it holds by value; nil where there are none.
    /// - Returns: The value.
    /// - Throws: ``UnboxError`` where it cannot have them, and `SQLiteError`.
    func value<M: PersistentModel>(_ values: [BoxedValue], within: (any NestedSource)? = nil) throws -> M? {
        try holding(values) {
            try M(
                unboxing: Row<M>(
                    statement: statement, first: 0, remembersOrigin: false, part: nil, company: within))
        }
    }

    /// The identifier that some values are.
    ///
    /// - Throws: ``UnboxError``.
    func identifier<Key: StoredKey>(_ values: [BoxedValue], as type: Key.Type) throws -> Key? {
        try read(values) { columns in try Key.unboxKey(columns) } ?? nil
    }
}

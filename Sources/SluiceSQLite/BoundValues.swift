internal import CSluiceSQLite

/// The values of a statement's parameters, one after the other in one place: the statement takes texts and blobs from there without
/// copying each.
package struct BoundValues: Sendable {
    private enum Entry {
        case null
        case integer(Int64)
        case real(Double)
        case text(Range<Int>)
        case blob(Range<Int>)
    }

    private var entries: [Entry] = []
    /// One text or blob after the other, behind a byte of none: what is empty stands somewhere as well.
    private var bytes: [UInt8] = [0]

    /// No values.
    package init() {}

    /// Removes all values.
    package mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        bytes.removeSubrange(1...)
    }

    /// Adds null.
    package mutating func appendNull() { entries.append(.null) }
    /// Adds an integer.
    package mutating func append(_ value: Int64) { entries.append(.integer(value)) }
    /// Adds a double.
    package mutating func append(_ value: Double) { entries.append(.real(value)) }
    /// Adds a text.
    package mutating func append(_ text: String) { entries.append(.text(append(contentsOf: text.utf8))) }
    /// Adds a blob.
    package mutating func append(blob: [UInt8]) { entries.append(.blob(append(contentsOf: blob))) }

    private mutating func append(contentsOf content: some Sequence<UInt8>) -> Range<Int> {
        let start = bytes.count
        bytes.append(contentsOf: content)
        return start..<bytes.count
    }

    /// Lends a statement the values while a closure runs.
    fileprivate func lend(to statement: Statement, _ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        try unsafe bytes.span.withUnsafeBytes { (all: UnsafeRawBufferPointer) throws(SQLiteError) in
            for (place, entry) in entries.enumerated() {
                let index = place + 1
                switch entry {
                case .null: statement.bindNull(at: index)
                case .integer(let value): statement.bind(value, at: index)
                case .real(let value): statement.bind(value, at: index)
                case .text(let range):
                    unsafe statement.bindBorrowed(text: UnsafeRawBufferPointer(rebasing: all[range]), at: index)
                case .blob(let range):
                    unsafe statement.bindBorrowed(blob: UnsafeRawBufferPointer(rebasing: all[range]), at: index)
                }
            }
            defer { statement.clearBindings() }
            try body()
        }
    }
}

extension Statement {
    /// Binds values, runs the statement to its end and resets it.
    ///
    /// - Throws: ``SQLiteError``.
    package func run(_ values: BoundValues) throws(SQLiteError) {
        try values.lend(to: self) { () throws(SQLiteError) in try run() }
    }
}

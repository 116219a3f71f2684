internal import CSluiceSQLite

/// A value that a statement takes while it runs, where it lies: no text and no blob is copied for it.
package enum LentValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

extension Statement {
    /// Runs the statement to its end with values, and resets it. Whoever runs it again binds all values anew.
    ///
    /// - Parameters:
    ///   - count: How many values there are.
    ///   - value: Gives the value of a position, from 0.
    /// - Throws: ``SQLiteError``.
    package func run(count: Int, _ value: (Int) -> LentValue) throws(SQLiteError) {
        try run(from: 0, to: count, value)
    }

    /// Binds the values from a position on, each for as long as the statement runs, and runs it.
    private func run(from start: Int, to end: Int, _ value: (Int) -> LentValue) throws(SQLiteError) {
        for position in start..<end {
            let index = position + 1
            switch value(position) {
            case .null: bindNull(at: index)
            case .integer(let number): bind(number, at: index)
            case .real(let number): bind(number, at: index)
            case .text(let text):
                return try unsafe text.utf8Span.span.withUnsafeBytes {
                    (bytes: UnsafeRawBufferPointer) throws(SQLiteError) in
                    unsafe bindBorrowed(text: bytes, at: index)
                    try run(from: index, to: end, value)
                }
            case .blob(let blob):
                return try unsafe blob.span.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws(SQLiteError) in
                    unsafe bindBorrowed(blob: bytes, at: index)
                    try run(from: index, to: end, value)
                }
            }
        }
        try run()
    }
}

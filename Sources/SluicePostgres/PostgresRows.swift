/// Rows in the binary form of `COPY`, one behind the other, of which any run can be sent.
/// See: postgresql.org/docs/current/sql-copy.html, Binary Format
package struct PostgresRows: Sendable {
    private let columnCount: Int
    /// Where each row begins.
    private var starts: [Int] = []
    /// The rows so far: one value is added for each column of the row that was begun last, of the column's type.
    package var fields = PostgresFields()

    /// Makes room for no row yet.
    ///
    /// - Parameters:
    ///   - columnCount: The number of columns of each row.
    ///   - byteCount: About how many bytes all rows will have.
    package init(columnCount: Int, byteCount: Int = 0) {
        self.columnCount = columnCount
        fields.bytes.reserveCapacity(byteCount)
    }

    /// The number of rows.
    package var count: Int { starts.count }

    /// Begins a row.
    package mutating func begin() {
        starts.append(fields.bytes.count)
        fields.bytes.appendBigEndian(Int16(truncatingIfNeeded: columnCount))
    }

    /// Takes the last row away, all of whose values need not be there.
    package mutating func removeLast() {
        guard let start = starts.popLast() else { return }
        fields.bytes.removeLast(fields.bytes.count - start)
    }

    /// The bytes of some rows.
    func bytes(of rows: Range<Int>) -> ArraySlice<UInt8> {
        if rows.isEmpty { return [] }
        let end = rows.upperBound < starts.count ? starts[rows.upperBound] : fields.bytes.count
        return fields.bytes[starts[rows.lowerBound]..<end]
    }
}

internal import SluiceModel

/// A stretch of rows, from one to another, in the order of what tells them apart.
struct RowStretch {
    /// What tells the rows apart, as expressions.
    let names: [String]
    let first: [FieldValue]
    let last: [FieldValue]

    /// The values of ``condition(from:)``.
    var values: [FieldValue] { first + last }

    /// A condition behind others, whose values follow each other from ?`place`.
    func condition(from place: Int) -> String {
        let count = names.count
        let (lower, upper) = (SQLText.parameters(count, from: place), SQLText.parameters(count, from: place + count))
        let row = names.joined(separator: ", ")
        return " AND (\(row)) >= (\(lower)) AND (\(row)) <= (\(upper))"
    }
}

/// Writes many rows by statements, and finds those that a rule of a table refuses: all together, or by halves where it
/// refuses one, so that where it refuses none the number of statements does not depend on how many rows there are.
struct RowHalving {
    private static let chunk = 1_000
    let database: any SQLDatabase
    /// What tells the rows apart, as expressions.
    let names: [String]
    /// The rows, as what stands behind `FROM`, with a condition at its end.
    let rows: String
    /// The values of that.
    let values: [FieldValue]

    /// Writes all of them but those that are refused.
    ///
    /// - Parameter write: Writes the rows of a stretch, or all. What it is refused is taken back.
    /// - Returns: The values of what tells the refused ones apart, each with the refusal.
    /// - Throws: What the database throws.
    func perform(
        _ write: (RowStretch?) throws -> Void
    ) throws -> [(row: [FieldValue], refusal: SQLRefusal)] {
        if try database.attempt({ try write(nil) }) == nil { return [] }
        var refused: [(row: [FieldValue], refusal: SQLRefusal)] = []
        var last: [FieldValue]?
        while true {
            let some = try page(after: last)
            guard let end = some.last else { return refused }
            try divide(some[...], write, &refused)
            last = end
        }
    }

    private func page(after last: [FieldValue]?) throws -> [[FieldValue]] {
        let row = names.joined(separator: ", ")
        let rest = last.map { " AND (\(row)) > (\(SQLText.parameters($0.count, from: values.count + 1)))" } ?? ""
        return try database.rows(
            "SELECT \(row) FROM \(rows)\(rest) ORDER BY \(row) LIMIT \(Self.chunk)", values + (last ?? []))
    }

    private func divide(
        _ some: ArraySlice<[FieldValue]>, _ write: (RowStretch?) throws -> Void,
        _ refused: inout [(row: [FieldValue], refusal: SQLRefusal)]
    ) throws {
        guard let first = some.first, let last = some.last else { return }
        let stretch = RowStretch(names: names, first: first, last: last)
        guard let refusal = try database.attempt({ try write(stretch) }) else { return }
        if some.count == 1 { return refused.append((first, refusal)) }
        let middle = some.startIndex + some.count / 2
        try divide(some[..<middle], write, &refused)
        try divide(some[middle...], write, &refused)
    }
}

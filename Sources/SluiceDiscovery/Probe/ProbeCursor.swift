internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceFetch
internal import SluiceModel

/// A field by which a stream could ask for changes alone.
package struct ProbeCursor: Sendable {
    /// The field.
    package let field: ImportedField
    /// In which order the records stand by it: `asc`, `desc` or `none`.
    package let order: String
    /// What was found, how sure that is, and why.
    package internal(set) var finding: ProbeFinding
}

/// Looks for the field that grows with each change of a record.
struct CursorFieldSearch {
    /// Names of fields that say when a record was last changed, then those that only say when it came.
    static let changed: Set<String> = [
        "updated", "modified", "changed", "edited", "update", "modification", "mtime", "lastmodified", "lastupdated",
        "updatedat", "modifiedat", "lastmod",
    ]
    private static let sequence: Set<String> = ["seq", "sequence", "revision", "lsn", "timestamp", "ts"]
    private static let created: Set<String> = ["created", "createdat", "inserted", "added", "published", "ctime"]

    let fields: [ImportedField]
    let records: Int

    /// The fields that could be it, the likeliest first.
    var candidates: [(field: ImportedField, rank: Int)] {
        let ranked = fields.compactMap { field in rank(field).map { (field: field, rank: $0) } }
        return [0, 1, 2].flatMap { rank in
            // Those of the record itself, and there in every record, come first.
            ranked.filter { $0.rank == rank }.enumerated().sorted { left, right in
                let (a, b) = (left.element.field, right.element.field)
                return (a.depth, a.empty, left.offset) < (b.depth, b.empty, right.offset)
            }.map(\.element)
        }
    }

    /// The fields that are named so and whose texts only look like times.
    var spelledTimes: [String] {
        fields.filter { field in
            field.dateNote != nil && NameWords.of(field.key).contains { Self.changed.contains($0) }
        }.map(\.name)
    }

    private func rank(_ field: ImportedField) -> Int? {
        // In requests a time of another form than the source's own may mean another one.
        guard field.format == nil, [.datetime, .date, .int].contains(field.type), field.depth <= 3,
            field.empty < records
        else { return nil }
        let words = NameWords.of(field.key)
        if field.type == .int, words.contains(where: { ["by", "id", "count", "number"].contains($0) }) { return nil }
        if words.contains(where: Self.changed.contains) { return 0 }
        if words.contains(where: Self.sequence.contains) { return 1 }
        return words.contains(where: Self.created.contains) && field.type != .int ? 2 : nil
    }

    /// Judges a field by its values.
    ///
    /// - Parameters:
    ///   - candidate: The field.
    ///   - values: Its values, in the order of the records.
    /// - Returns: What they say of it.
    static func judge(_ candidate: (field: ImportedField, rank: Int), values: [String?]) -> ProbeCursor {
        let field = candidate.field
        let points = values.compactMap { $0.flatMap { CursorRange.point($0, field.type) } }
        let pairs = zip(points, points.dropFirst())
        let isVaried = Set(points).count > 1
        let order =
            !isVaried ? "none" : pairs.allSatisfy { $0 <= $1 } ? "asc" : pairs.allSatisfy { $0 >= $1 } ? "desc" : "none"
        var evidence = [
            [
                "its name says when a record was changed", "its name speaks of an order",
                "its name says when a record came, so changes are not seen by it",
            ][candidate.rank]
        ]
        let empty = values.count - points.count
        let all = Plural.word(values.count, "the one record", "all \(values.count) records")
        evidence.append(empty == 0 ? "present in \(all)" : "empty in \(empty) of \(values.count) records")
        if let low = points.min(), let high = points.max(), isVaried {
            evidence.append("from \(low.text(field.type)) to \(high.text(field.type))")
        }
        if order == "asc" { evidence.append("it grows from record to record") }
        if order == "desc" { evidence.append("the newest first") }
        if !isVaried {
            let reason = Plural.word(values.count, "there is one record", "all records have the same value")
            evidence.append("\(reason), so nothing shows that it grows")
        }
        let isLikely = candidate.rank == 0 && empty == 0 && isVaried
        return ProbeCursor(
            field: field, order: order, finding: ProbeFinding(field.name, isLikely ? .likely : .unsure, evidence))
    }
}

internal import SluiceDiagnostics

/// The keys of a stream's records that no field takes.
package struct UnmappedKeys: Codable, Sendable, Equatable {
    /// How many are listed at most.
    package static let listed = 100
    /// How many are told apart at most.
    package static let counted = 10_000
    private static let shown = 10
    private static let longestPath = 80

    /// The first of them as paths within the record, in the order in which they were met.
    package private(set) var paths: [String] = []
    /// How many there are.
    package private(set) var count = 0

    package init(_ paths: [String] = []) {
        for path in paths { add(path) }
    }

    package mutating func add(_ path: String) {
        count += 1
        if paths.count < Self.listed { paths.append(Self.shortened(path)) }
    }

    /// Adds the keys of others that are not there yet.
    package mutating func formUnion(_ others: UnmappedKeys) {
        let known = Set(paths)
        for path in others.paths where !known.contains(path) { add(path) }
        count = max(count, others.count)
    }

    private static func shortened(_ path: String) -> String {
        path.unicodeScalars.count <= longestPath ? path : String(path.unicodeScalars.prefix(longestPath)) + "…"
    }

    /// The keys as a sentence without its full stop, as in "2 keys are not mapped: `a`, `b`".
    package var words: String {
        let names = paths.prefix(Self.shown).map { "`\($0)`" }.joined(separator: ", ")
        let rest = count - min(count, Self.shown)
        let more = rest == 0 ? "" : " and \(rest) more"
        return "\(Plural.of(count, "key is", "keys are")) not mapped: \(names)\(more)"
    }

    /// What people should know; nil where there are none.
    package func problem(stream: String) -> RunProblem? {
        if count == 0 { return nil }
        let fields = Plural.word(count, "a field for it", "fields for them")
        return RunProblem(
            code: "unmapped_keys", severity: .note,
            message: "\(words). Add \(fields), or give the stream `\(stream)` `schema_contract: {fields: ignore}`.")
    }
}

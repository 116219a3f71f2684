internal import SluiceDecode
internal import SluiceDiagnostics
package import SluiceModel
internal import SluicePlans
package import SluiceReport

/// Records whose rows people deleted and that are gone from their source as well: that somebody deleted them is forgotten.
package struct ForgottenDeletions {
    /// The code of what is said of them.
    package static let code = "deletion_forgotten"
    private var count = 0
    private var first: [RecordKey] = []

    /// Adds those among some records that count as gone.
    mutating func add(_ records: [GoneRecord]) {
        for record in records where record.change == .isForgotten { add(record.key) }
    }

    /// Adds a record.
    mutating func add(_ key: RecordKey) {
        count += 1
        if first.count < RunProblem.listedKeys { first.append(key) }
    }

    /// What is said of them; nil where there are none.
    package func problem(_ schema: RecordSchema) -> RunProblem? {
        if count == 0 { return nil }
        return Self.problem(schema.entity, count, first.map { FieldJSON.object(key: $0, schema: schema) })
    }

    /// What is said of the records of a page and of those of the pages before, which are others: of one that is gone already nothing is
    /// forgotten.
    ///
    /// - Parameters:
    ///   - told: What was said of those before.
    ///   - further: What is said of the page's.
    /// - Returns: What is said of all.
    package static func problem(_ told: RunProblem, and further: RunProblem) -> RunProblem {
        let count = [told, further].reduce(0) { $0 + $1.keys.count + $1.unlisted }
        return problem(told.entity, count, Array((told.keys + further.keys).prefix(RunProblem.listedKeys)))
    }

    private static func problem(_ entity: String?, _ count: Int, _ keys: [String]) -> RunProblem {
        let (verb, pronoun) = (Plural.word(count, "is", "are"), Plural.word(count, "it comes", "they come"))
        var problem = RunProblem(
            code: code, severity: .note,
            message:
                "\(Plural.of(count, "record")) whose \(Plural.word(count, "row", "rows")) people deleted \(verb) gone from the source as well. That they were deleted here is forgotten with that: if the source lists \(Plural.word(count, "it", "them")) again, \(pronoun) back."
        )
        problem.entity = entity
        problem.keys = keys
        problem.unlisted = count - keys.count
        return problem
    }
}

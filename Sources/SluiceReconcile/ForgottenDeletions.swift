internal import SluiceDecode
internal import SluiceDiagnostics
package import SluiceModel
internal import SluicePlans
package import SluiceReport

/// Records whose rows people deleted and that are gone from their source as well: that somebody deleted them is forgotten.
package struct ForgottenDeletions {
    private var count = 0
    private var first: [RecordKey] = []

    /// Adds those among some records that count as gone.
    mutating func add(_ records: [GoneRecord]) {
        for record in records where record.change == .isForgotten {
            count += 1
            if first.count < RunProblem.listedKeys { first.append(record.key) }
        }
    }

    /// What is said of them; nil where there are none.
    package func problem(_ schema: RecordSchema) -> RunProblem? {
        if count == 0 { return nil }
        let (verb, pronoun) = (Plural.word(count, "is", "are"), Plural.word(count, "it comes", "they come"))
        var problem = RunProblem(
            code: "deletion_forgotten", severity: .note,
            message:
                "\(Plural.of(count, "record")) whose \(Plural.word(count, "row", "rows")) people deleted \(verb) gone from the source as well. That they were deleted here is forgotten with that: if the source lists \(Plural.word(count, "it", "them")) again, \(pronoun) back."
        )
        problem.entity = schema.entity
        problem.keys = first.map { FieldJSON.object(key: $0, schema: schema) }
        problem.unlisted = count - first.count
        return problem
    }
}

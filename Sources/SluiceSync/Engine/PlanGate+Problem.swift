internal import SluiceDiagnostics
internal import SluiceReconcile
internal import SluiceReport

extension PlanGate {
    /// What is told of records that are not as the plan that is carried out found them: once for each entity.
    var problems: [RunProblem] { rule == .all ? [] : moved.map { problem(of: $0) } }

    private func problem(of records: MovedRecords) -> RunProblem {
        let count = records.count
        let pronoun = Plural.word(count, "it", "them")
        let outcome =
            rule == .anew
            ? "merged anew"
            : "left as \(Plural.word(count, "it is", "they are")). The next `sluice run` merges \(pronoun); a new plan shows what that does"
        var problem = RunProblem(
            code: rule == .anew ? RunProblem.mergedAnew : RunProblem.staleRecords, severity: .warning,
            message:
                "\(Plural.of(count, "record of `\(records.entity)` is", "records of `\(records.entity)` are")) not as the plan found \(pronoun), and \(Plural.word(count, "was", "were")) \(outcome)."
        )
        (problem.entity, problem.keys) = (records.entity, records.keys)
        problem.unlisted = count - records.keys.count
        return problem
    }
}

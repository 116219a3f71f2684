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
        let (stale, anew, noun) =
            records.areLists
            ? (RunProblem.staleLists, RunProblem.listsMergedAnew, "list")
            : (RunProblem.staleRecords, RunProblem.mergedAnew, "record")
        let subject = Plural.of(count, "\(noun) of `\(records.entity)` is", "\(noun)s of `\(records.entity)` are")
        var problem = RunProblem(
            code: rule == .anew ? anew : stale, severity: .warning,
            message:
                "\(subject) not as the plan found \(pronoun), and \(Plural.word(count, "was", "were")) \(outcome)."
        )
        (problem.entity, problem.keys) = (records.entity, records.keys)
        problem.unlisted = count - records.keys.count
        return problem
    }
}

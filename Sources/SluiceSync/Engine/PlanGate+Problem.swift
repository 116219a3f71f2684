internal import SluiceDiagnostics
internal import SluiceReconcile
internal import SluiceReport

extension PlanGate {
    /// What is told of records that are not as the plan that is carried out found them; nil where there are none.
    var problem: RunProblem? {
        let count = movedCount
        guard rule != .all, count > 0 else { return nil }
        let pronoun = Plural.word(count, "it", "them")
        let outcome =
            rule == .anew
            ? "merged anew: see what became of \(pronoun) above"
            : "left as \(Plural.word(count, "it is", "they are")). The next `sluice run` merges \(pronoun); a new plan shows what that does"
        var problem = RunProblem(
            code: RunProblem.staleRecords, severity: .warning,
            message:
                "\(Plural.of(count, "record is", "records are")) not as the plan found \(pronoun), and \(Plural.word(count, "was", "were")) \(outcome)."
        )
        problem.entity = moved.first?.entity
        problem.keys = moved.filter { $0.entity == problem.entity }.map(\.key)
        problem.unlisted = max(0, count - problem.keys.count)
        return problem
    }
}

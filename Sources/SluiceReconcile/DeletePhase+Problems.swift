internal import SluiceDiagnostics
internal import SluicePipeline
package import SluiceReport

/// What a delete phase has to say.
extension DeletePhase {
    /// What people should know of records that are missing and stay.
    package func problems(_ report: StreamReport) -> [RunProblem] {
        var problems: [RunProblem] = []
        func warn(_ code: String, _ message: String) {
            problems.append(RunProblem(code: code, severity: .warning, message: message))
        }
        func records(_ count: Int) -> String { Plural.of(count, "record") }
        func verb(_ count: Int, _ one: String, _ many: String) -> String { count == 1 ? one : many }
        if report.disbelieved > 0 {
            warn(
                "absences_not_believed",
                "\(records(report.disbelieved)) of `\(limit.stream)` \(verb(report.disbelieved, "is", "are")) missing, but the source gave only \(report.read), fewer than `min_records: \(limit.rule.minimumRecords)`, so the scan confirms nothing."
            )
        }
        guard case .answers(let existence?) = proof else { return problems }
        if report.stillThere > 0 {
            warn(
                "missing_still_there",
                "\(records(report.stillThere)) of `\(limit.stream)` \(verb(report.stillThere, "was", "were")) missing from the list and \(verb(report.stillThere, "is", "are")) still there when asked for, so \(verb(report.stillThere, "it stays", "they stay")). Check whether the list leaves records out."
            )
        }
        if report.unconfirmed > 0 {
            let reason = existence.obstacle.map { " \($0)" } ?? ""
            warn(
                "missing_not_confirmed",
                "\(records(report.unconfirmed)) of `\(limit.stream)` \(verb(report.unconfirmed, "is", "are")) missing from the list, and asking for \(verb(report.unconfirmed, "it", "them")) did not tell whether \(verb(report.unconfirmed, "it is", "they are")) gone, so \(verb(report.unconfirmed, "it stays", "they stay")) and the next run asks again.\(reason)"
            )
        }
        return problems
    }
}

internal import SluiceJSON
internal import SluiceServeModel
internal import SluiceStore

/// What becomes of a conflict.
enum Decision: Sendable, Equatable {
    case take(String)
    case value(String)

    /// - Throws: ``Refusal`` where it is not one of both.
    init(take: String?, value: String?) throws(Refusal) {
        switch (take, value) {
        case (let side?, nil) where ["local", "remote", "base"].contains(side): self = .take(side)
        case (nil, let value?): self = .value(value)
        default: throw .badRequest("Choose `take` with local, remote or base, or `value` with another value.")
        }
    }
}

/// What becomes of a record in quarantine.
enum QuarantineAction: String, Sendable {
    case retry, drop
}

/// Carries out what people decide.
struct Decisions {
    let site: WebSite

    /// Takes a run back.
    func undo(_ view: RunView, isPlan: Bool, by who: String?) throws -> ProgramRunner.Outcome {
        guard let entry = view.entry else {
            throw Refusal(409, "not_kept", "This run is not in the store: there is nothing to take back.")
        }
        return try site.program.run(
            ["undo", String(entry.id)] + (isPlan ? ["--plan"] : []), on: view.pipeline, by: who)
    }

    /// Decides conflicts of one pipeline.
    ///
    /// - Parameters:
    ///   - conflicts: The conflicts.
    ///   - decision: What becomes of them.
    ///   - marks: The mark of each as it was shown, so that nothing else is decided; empty where nothing was shown.
    ///   - note: Why.
    ///   - who: Who decides.
    /// - Returns: What came of it.
    /// - Throws: ``Refusal`` where none is chosen, and where the program cannot be run.
    func decide(
        _ conflicts: [FoundConflict], _ decision: Decision, marks: [String], note: String?, by who: String?
    ) throws -> ProgramRunner.Outcome {
        guard let first = conflicts.first else { throw Refusal.badRequest("No conflict is chosen.") }
        var words = ["conflicts", "resolve"] + conflicts.map { String($0.entry.id ?? 0) }
        switch decision {
        case .take(let side): words += ["--take", side]
        case .value(let value): words.append("--set=\(first.entry.field ?? "")=\(value)")
        }
        words += marks.flatMap { ["--mark", $0] }
        if let note, !note.isEmpty { words.append("--note=\(note)") }
        return try site.program.run(words, on: first.pipeline, by: who)
    }

    /// Tries records of one pipeline again, or gives them up.
    func handle(_ records: [FoundRecord], _ action: QuarantineAction, by who: String?) throws -> ProgramRunner.Outcome {
        guard let first = records.first else { throw Refusal.badRequest("No record is chosen.") }
        return try site.program.run(
            ["quarantine", action.rawValue] + records.map { String($0.entry.id ?? 0) }, on: first.pipeline,
            needsFile: action == .retry, by: who)
    }

    /// Whether a decision leaves a reference without a record to lead to.
    static func leavesReferences(_ outcome: ProgramRunner.Outcome) -> Bool {
        (outcome.json?.member(named: "results")?.elements ?? []).contains { $0.member(named: "waits_for") != nil }
    }

    /// Refuses to call conflicts decided that are not.
    ///
    /// - Throws: ``Refusal`` with the reasons.
    static func check(_ outcome: ProgramRunner.Outcome) throws(Refusal) {
        guard let document = outcome.json else { throw Refusal(422, "refused", outcome.messages) }
        let reasons = (document.member(named: "results")?.elements ?? []).compactMap { result -> String? in
            switch result.member(named: "outcome")?.string {
            case "reopened":
                "Conflict \(result.member(named: "id")?.integer ?? 0) was not decided: the store holds something else by now than it showed; it shows that now."
            case "refused":
                "Conflict \(result.member(named: "id")?.integer ?? 0) was not decided: \(result.member(named: "reason")?.string ?? "")"
            default: nil
            }
        }
        if reasons.isEmpty { return }
        let more = reasons.count > 20 ? "\n… and \(reasons.count - 20) more" : ""
        throw Refusal(409, "not_decided", reasons.prefix(20).joined(separator: "\n") + more)
    }
}

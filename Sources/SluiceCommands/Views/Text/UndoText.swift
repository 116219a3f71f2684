internal import SluiceMerge
internal import SluiceReport

/// What an undo came to, for people.
struct UndoText {
    let style: TextStyle

    /// Why a record stays as it is.
    static func reason(_ kind: RowKind) -> String {
        switch kind {
        case .editDelete: "was edited or changed since: it stays"
        case .deleteEdit: "was deleted since: it stays deleted"
        case .adopt: "is there again: that row stays"
        case .merge: "was edited or changed since: what was changed stays"
        case .heldElsewhere: "another source has it as well since: it stays"
        case .ownerGone: "what it belongs to was deleted since: it stays deleted"
        case .heldBelow: "what belongs to it stays, and so does it"
        default: "stays"
        }
    }

    /// Why a list with an order stays as it is.
    static let listReason = "its list was edited or changed since: all of it stays"

    /// The line that says it all.
    func headline(_ report: RunReport, seconds: Double) -> String {
        let name = "run \(report.undoes ?? 0) of \(ShortText.of(report.pipeline))"
        switch report.status {
        case .failed where report.isOutcomeUnknown:
            return style.paint("Undo of \(name): failed, and \(ReportText.unknown)", .strong) + "\n"
        case .failed: return style.paint("Undo of \(name): failed, the store is as before", .strong) + "\n"
        case .interrupted where report.isOutcomeUnknown:
            return style.paint("Undo of \(name): stopped, and \(ReportText.unknown)", .strong) + "\n"
        case .interrupted: return style.paint("Undo of \(name): stopped", .strong) + "\n"
        case .locked: return style.paint("Undo of \(name): not done, the store is in use", .strong) + "\n"
        case .refused: return style.paint("Undo of \(name): refused, the store is as before", .strong) + "\n"
        case .succeeded, .partial: break
        }
        let isPlan = report.command == .plan
        let number = report.run.map { "Run \($0): " } ?? ""
        let head = "\(number)\(isPlan ? "plan to undo" : "undo of") \(name): \(SummaryText.undone(report))"
        let time = isPlan ? "" : style.paint("  (\(CountText.duration(seconds)))", .faint)
        return style.paint(number.isEmpty ? head.prefix(1).uppercased() + head.dropFirst() : head, .strong) + time
            + "\n"
    }
}

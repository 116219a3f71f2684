internal import SluiceReport

/// What an undo came to, for people.
struct UndoText {
    let style: TextStyle

    /// The line that says it all.
    func headline(_ report: RunReport, seconds: Double) -> String {
        let name = "run \(report.undoes ?? 0) of \(ShortText.of(report.pipeline))"
        switch report.status {
        case .failed: return style.paint("Undo of \(name): failed, the store is as before", .strong) + "\n"
        case .interrupted: return style.paint("Undo of \(name): stopped", .strong) + "\n"
        case .locked: return style.paint("Undo of \(name): not done, another run is at work", .strong) + "\n"
        case .succeeded, .partial, .refused: break
        }
        let isPlan = report.command == .plan
        let verbs = isPlan ? ("to insert", "to update", "to delete") : ("inserted", "updated", "deleted")
        let summary = report.summary
        var words = [(summary.insert, verbs.0), (summary.update, verbs.1), (summary.delete, verbs.2)]
            .filter { $0.0 > 0 }.map { "\(CountText.grouped($0.0)) \($0.1)" }
        words += SummaryText.linked(report.linked, isPlan: isPlan)
        if words.isEmpty { words.append(isPlan ? "no row to change" : "no row changed") }
        if report.left > 0 { words.append("\(CountText.grouped(report.left)) left") }
        let number = report.run.map { "Run \($0): " } ?? ""
        let head = "\(number)\(isPlan ? "plan to undo" : "undo of") \(name): \(words.joined(separator: ", "))"
        let time = isPlan ? "" : style.paint("  (\(CountText.duration(seconds)))", .faint)
        return style.paint(number.isEmpty ? head.prefix(1).uppercased() + head.dropFirst() : head, .strong) + time
            + "\n"
    }
}

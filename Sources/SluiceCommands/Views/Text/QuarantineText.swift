internal import SluiceDiagnostics
internal import SluiceStore

/// Records that could not be taken, for people.
struct QuarantineText {
    let style: TextStyle

    /// A record as a report shows it.
    func reported(_ entry: QuarantineEntry) -> String {
        let number = entry.id.map { " \(style.paint("(quarantine \($0))", .faint))" } ?? ""
        return "\(style.paint("!", .conflict)) \(label(entry)) is not written\(number)\n" + reason(entry)
    }

    /// A record as `quarantine list` shows it.
    func listed(_ entry: QuarantineEntry) -> String {
        let number = style.paint(entry.id.map { "\($0)  " } ?? "", .conflict)
        return "\(number)\(label(entry))  \(facts(entry))\n" + reason(entry)
    }

    /// A record with its JSON.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - run: The run that closed it, where the store has it.
    /// - Returns: The text.
    func shown(_ entry: QuarantineEntry, closedBy run: RunEntry?) -> String {
        var text = listed(entry)
        if !entry.isOpen, let run, let moment = run.finishedAt {
            let who = run.who.map { " by " + PrintableText.escape($0) } ?? ""
            text += "    \(entry.status == .dropped ? "Dropped" : "Closed")\(who) at \(moment).\n"
        }
        text += "\n"
        for line in JSONLayout.lines(of: entry.record) { text += PrintableText.escape(line) + "\n" }
        return text
    }

    private func label(_ entry: QuarantineEntry) -> String {
        style.paint(RecordLabel.of(entity: entry.entity, key: entry.key), .strong)
    }

    private func facts(_ entry: QuarantineEntry) -> String {
        var facts = ["\(entry.pipeline)/\(entry.stream)", entry.reason]
        if let run = entry.firstRun { facts.append("since run \(run)") }
        if entry.status != .open {
            facts.append(entry.status.rawValue + (entry.lastRun.map { " in run \($0)" } ?? ""))
        }
        return style.paint("(\(facts.map { ShortText.of($0) }.joined(separator: "; ")))", .faint)
    }

    private func reason(_ entry: QuarantineEntry) -> String {
        let place = entry.pointer.isEmpty ? "" : ShortText.of(entry.pointer) + "  "
        let value = entry.value.map { ShortText.of($0) + "  " } ?? ""
        return "    \(place)\(value)\(PrintableText.escape(entry.message))\n"
    }
}

internal import SluiceDiagnostics
internal import SluiceReport

/// What to do after a plan or run: commands to copy, with what each of them does.
struct NextSteps {
    private typealias Line = (command: String, effect: String)
    let commands: CommandLines
    let style: TextStyle

    /// The steps.
    ///
    /// - Parameters:
    ///   - report: The report of the run.
    ///   - conflicts: The conflicts that the run opened or brought up to date, as far as they were told.
    ///   - quarantined: The number of a record that was not valid, nil where there is none.
    /// - Returns: Whole lines; empty where there is nothing to do.
    func text(_ report: RunReport, conflicts: ToldConflicts, quarantined: Int64?) -> String {
        // Nothing follows from what two recordings say.
        guard report.isKept, report.against == nil else { return "" }
        var text = retried(report)
        if report.command == .plan {
            text += toDo(report) + planned(report) + edited(report)
        } else {
            if let refused = report.refusedDeletes {
                text += step("To see what would be deleted, and to delete it after all:", deletes(refused))
            }
            text += decide(report.total.conflict, conflicts)
        }
        text += besides(report)
        if let quarantined {
            text += step(
                "To see a record that is not written, and why:",
                [("sluice quarantine show \(quarantined)\(commands.storeOption)", "")])
        }
        return text
    }

    private func retried(_ report: RunReport) -> String {
        guard let retry = report.retry, retry.left + retry.stayed > 0 else { return "" }
        let verb = report.command == .run ? "left" : "would leave"
        // Of those alone that were tried: where each of them left, more may be in it.
        let stay = CountText.word(retry.stayed, "stays", "stay")
        let stayed = retry.stayed == 0 ? "" : ", \(CountText.grouped(retry.stayed)) \(stay)"
        return "\(CountText.of(retry.left, "record")) \(verb) the quarantine\(stayed).\n"
    }

    // MARK: After a plan

    /// What people changed before, which a run does not change back.
    private func edited(_ report: RunReport) -> String {
        guard let sentence = EditText.sentence(report) else { return "" }
        return step("\(sentence). To see that:", [("sluice edits\(commands.storeOption)", "")])
    }

    private func toDo(_ report: RunReport) -> String {
        guard report.hasChanges || report.refusedDeletes != nil else { return "" }
        if report.savedAs != nil, let apply = commands.apply {
            return step("Nothing was written yet. To do exactly this:", [(apply, commands.applyNote)])
        }
        guard let run = commands.run else { return "Nothing was written yet. Run again without `--plan` to do it.\n" }
        var lines: [Line] = []
        if report.hasChanges && report.refusedDeletes == nil {
            let deletes = commands.allowedDeletes.map { " --allow-deletes \($0)" } ?? ""
            let schema = commands.allowedSchema.map { " --allow-schema \($0)" }.joined()
            lines.append((run + deletes + schema, ""))
        } else if report.hasChanges {
            lines.append((run, "all but the deletes"))
        }
        if let refused = report.refusedDeletes { lines += deletes(refused) }
        return step("Nothing was written yet. To do it:", lines)
    }

    /// What allows deletes that were refused.
    private func deletes(_ refused: RefusedDeletes) -> [Line] {
        guard let plan = commands.plan, let run = commands.run else { return [] }
        // A run that was to read everything says so already.
        let isFull = run.hasSuffix(" --full") || run.contains(" --full ")
        let options = " " + RefusedDeletes(count: refused.count, needsFull: refused.needsFull && !isFull).options
        return [(plan + options, "lists what would be deleted"), (run + options, "deletes them")]
    }

    private func planned(_ report: RunReport) -> String {
        let count = report.total.conflict
        if count == 0 { return "" }
        let records = CountText.of(count, "record")
        let isNew = report.streams.contains { stream in
            stream.newConflicts > 0 || stream.parts.contains { $0.newConflicts > 0 }
        }
        return step(
            isNew
                ? "\(records) in conflict: the run writes everything else and asks for a decision. After it:"
                : "\(records) in conflict since an earlier run. To see and decide that:",
            [("sluice conflicts list\(commands.storeOption)", "")])
    }

    // MARK: After a run

    private func decide(_ records: Int, _ conflicts: ToldConflicts) -> String {
        if records == 0 { return "" }
        let store = commands.storeOption
        let what = CountText.of(records, "record is", "records are")
        let head = "\(what) in conflict; what the table holds stays until somebody decides:"
        guard let first = conflicts.numbers.first else {
            return step(head, [("sluice conflicts list\(store)", "all that are open")])
        }
        let named = conflicts.numbers.map(String.init).joined(separator: " ")
        // Those that are not named stay open, also those of earlier runs about which nobody said anything new.
        let isMore = conflicts.count > conflicts.numbers.count
        let hasOlder = records > conflicts.records
        let noun = hasOlder ? "new conflict" : "conflict"
        let all = CountText.of(conflicts.count, noun, noun + "s")
        let which =
            switch (isMore, hasOlder) {
            case (true, _): ", in the first \(conflicts.numbers.count) of \(all)"
            case (false, true): ", in the \(CountText.word(conflicts.count, noun, all))"
            case (false, false): ""
            }
        var lines = [
            ("sluice conflicts show \(first)\(store)", "what each decision would do"),
            ("sluice conflicts resolve \(named) --take local\(store)", "keeps what the table holds\(which)"),
            ("sluice conflicts resolve \(named) --take remote\(store)", "takes what the source says\(which)"),
        ]
        if isMore {
            lines.append(("sluice conflicts export\(store) -o conflicts.csv", "decides all of them in a spreadsheet"))
        }
        lines.append(("sluice conflicts list\(store)", "all that are open"))
        return step(head, lines)
    }

    // MARK: What was open before

    /// What waits for people besides the records that the run has in conflict and in quarantine.
    private func besides(_ report: RunReport) -> String {
        var text = ""
        let (conflicts, quarantined) = (report.openBesides.conflicts, report.openBesides.quarantined)
        if conflicts > 0 {
            let verb = CountText.word(conflicts, "as it is has", "as they are have")
            let words =
                "\(CountText.of(conflicts, "record")) that this \(report.command.rawValue) leaves \(verb) open conflicts"
            // The steps for the run's own conflicts end with that list.
            text +=
                report.total.conflict > 0
                ? "\(words) as well.\n" : step("\(words):", [("sluice conflicts list\(commands.storeOption)", "")])
        }
        if quarantined > 0 {
            let verb = CountText.word(quarantined, "is", "are")
            text += step(
                "\(CountText.of(quarantined, "record")) that this \(report.command.rawValue) did not read \(verb) in quarantine:",
                [("sluice quarantine list\(commands.storeOption)", "")])
        }
        if report.openBesides.typeChanged > 0, !report.quarantinesLater {
            text += step(
                "\(report.openBesides.typeChangedWords):", [("sluice quarantine list\(commands.storeOption)", "")])
        }
        return text
    }

    // MARK: Lines

    private func step(_ head: String, _ lines: [Line]) -> String {
        if lines.isEmpty { return "" }
        let width = lines.map { TextWidth.of(PrintableText.escape($0.command)) }.max() ?? 0
        let isWide = lines.contains { 2 + width + 4 + TextWidth.of($0.effect) > style.width }
        let commands = lines.map { line in
            let command = PrintableText.escape(line.command)
            if line.effect.isEmpty { return "  \(command)\n" }
            let effect = style.paint("# \(line.effect)", .faint)
            return isWide ? "  \(effect)\n  \(command)\n" : "  \(ShortText.padded(command, to: width))  \(effect)\n"
        }
        return PrintableText.escape(head) + "\n" + commands.joined()
    }
}

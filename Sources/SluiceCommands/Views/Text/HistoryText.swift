internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceReport
internal import SluiceReview
internal import SluiceStore

/// What ran and what that changed, for people.
struct HistoryText {
    let style: TextStyle
    /// What a command must say to use the same store, with a blank before it.
    let storeOption: String

    // MARK: What ran

    /// A line for each run, the newest first.
    func list(_ store: StoreRuns, isChosen: Bool) -> String {
        let runs = store.runs
        if runs.isEmpty, !store.isTruncated { return isChosen ? "There is no such run.\n" : "Nothing has run yet.\n" }
        let cells = runs.map { run in
            [
                String(run.id), ShortText.of(run.pipeline), Self.command(run), ShortText.of(run.startedAt),
            ]
        }
        let widths = (0..<4).map { column in cells.map { TextWidth.of($0[column]) }.max() ?? 0 }
        var text = ""
        for (run, row) in zip(runs, cells) {
            let number = String(repeating: " ", count: widths[0] - row[0].count) + row[0]
            let rest = zip(row, widths).dropFirst().map { ShortText.padded($0, to: $1) }
            text +=
                "\(style.paint(number, .strong))  \(rest.joined(separator: "  "))  \(outcome(run, store.tables[run.id] ?? []))\n"
        }
        if store.isTruncated {
            text += style.paint("… and earlier ones; list more with `--limit N` or `--limit all`", .faint) + "\n"
        }
        return text
    }

    private static func command(_ run: RunEntry) -> String {
        ShortText.of(run.command) + (run.undoes.map { " \($0)" } ?? "")
    }

    /// What it came to.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - tables: How tables followed the pipeline in it, where they are not listed below it.
    ///   - givesReason: Whether it says in short why a run failed, where that does not stand below it.
    /// - Returns: A line without its end.
    private func outcome(_ run: RunEntry, _ tables: [SchemaChange] = [], givesReason: Bool = true) -> String {
        var text: String
        switch run.status {
        case "succeeded": text = SummaryText.line(run)
        case "partial", "refused": text = style.paint(run.status, .removed) + ", " + SummaryText.line(run)
        default:
            let reason = givesReason ? run.error.map { ": " + ShortText.of($0) } ?? "" : ""
            let kept = run.isKept ? SummaryText.line(run) + ", " : ""
            text = kept + style.paint(ShortText.of(run.status) + reason, .removed)
        }
        let changed = tables.changedTables
        if !changed.isEmpty { text += "; changed tables: \(ShortText.of(changed.joined(separator: ", ")))" }
        if let other = run.undoneBy { text += "  " + style.paint("(undone by \(other))", .conflict) }
        return text
    }

    // MARK: What one run changed

    /// The line that says which run it was.
    func headline(_ run: RunEntry) -> String {
        let name = "Run \(run.id) of \(ShortText.of(run.pipeline))"
        let who = run.who.map { " by " + ShortText.of($0) } ?? ""
        let took = run.seconds.flatMap { $0 > 0 ? "took \(CountText.time($0))" : nil }
        let facts = [Self.command(run) + who, "at " + ShortText.of(run.startedAt), took].compactMap(\.self)
        return style.paint(name, .strong) + "  " + style.paint("(\(facts.joined(separator: ", ")))", .faint) + "\n"
            + "  " + outcome(run, givesReason: false) + "\n"
            + (run.error.map { "  \(PrintableText.escape($0))\n" } ?? "")
            + ProblemsText(style: style).text(run.warnings.map { RunProblem($0) })
    }

    /// How tables followed the pipeline: a paragraph, or nothing.
    func tableChanges(_ changes: [SchemaChange]) -> String {
        changes.isEmpty ? "" : "\n" + ReportText(style: style).schemaChanges(changes, storeOption: storeOption)
    }

    /// A record, with a line for each field that changed.
    func text(_ change: HistoryChange) -> String {
        let label = style.paint(RecordLabel.of(entity: change.mapping.entity, key: change.key), .strong)
        let note = KindWords.change(change).map { "  " + style.paint("(\($0))", .faint) } ?? ""
        switch change.action {
        case .base:
            var noted = NotedBases()
            _ = noted.accept(change)
            return text(noted)
        case .insert: return "\(style.paint("+", .added)) \(label)\(note)\n" + fields(change)
        case .update: return "\(style.paint("~", .changed)) \(label)\(note)\n" + fields(change)
        case .delete: return "\(style.paint("-", .removed)) \(label)\(note)\n" + fields(change)
        }
    }

    /// What was noted of records without a change of their rows: a line for each entity.
    func text(_ noted: NotedBases) -> String {
        noted.groups.map { group in
            let isOne = group.count == 1
            let subject =
                isOne
                ? RecordLabel.of(entity: group.entity, key: group.firstKey)
                : "\(CountText.of(group.count, "record")) of \(ShortText.of(group.entity))"
            return style.paint("  \(subject): noted \(group.fact.words(isOne: isOne))", .faint) + "\n"
        }.joined()
    }

    /// The fields of a change, one below the other.
    func fields(_ change: HistoryChange) -> String {
        let shown = change.fields.filter { $0.old != nil && $0.new != nil || ($0.old ?? $0.new) != "null" }
        let width = shown.map { TextWidth.of(ShortText.of($0.name)) }.max() ?? 0
        return shown.map { field in
            let name = "    " + ShortText.padded(ShortText.of(field.name), to: width) + "  "
            guard let old = field.old, let new = field.new else {
                return name + ShortText.of(field.old ?? field.new ?? "") + "\n"
            }
            let (before, after) = ShortText.pair(old, new)
            let note = field.fieldClass.flatMap(KindWords.field).map { "  " + style.paint("(\($0))", .faint) } ?? ""
            return name + "\(before) → \(after)\(note)\n"
        }.joined()
    }

    /// A conflict or a record in quarantine.
    func text(_ entry: RecordedEntry) -> String {
        if entry.subject == .state {
            let mark = StateKind.mark(entry.kind, new: entry.new)
            if mark.isMark {
                guard let words = mark.words else { return "" }
                return "  " + style.paint("\(ShortText.of(entry.mapping.stream)): \(ShortText.of(words))", .faint)
                    + "\n"
            }
            let told = StateKind.telling(entry.kind, old: entry.old, new: entry.new)
            let change = told.values.map { "\(ShortText.of($0.old)) → \(ShortText.of($0.new))" }
            let action = entry.old == nil ? "kept" : entry.new == nil ? "forgotten" : "changed"
            let text = "\(ShortText.of(entry.mapping.stream)): \(ShortText.of(told.words)) \(change ?? action)"
            return "  " + style.paint(text, .faint) + "\n"
        }
        let label = RecordLabel.of(entry)
        let field = entry.field.map { ", " + ShortText.of($0) } ?? ""
        let subject = entry.subject == .conflict ? "conflict \(entry.entry)" : "quarantine \(entry.entry)"
        let end = entry.end.map { ": \($0.words)" } ?? ""
        let said = ConflictText.said(entry).map { ": \($0)" } ?? ""
        let text = "\(label)\(field): \(subject) \(ShortText.of(entry.action))\(end)\(said)  "
        let note = entry.note.map { "    Note: \(PrintableText.escape($0))\n" } ?? ""
        return "\(style.paint("!", .conflict)) " + text + style.paint("(\(ShortText.of(entry.kind)))", .faint) + "\n"
            + note
    }

    /// What is said below the changes.
    func end(of run: RunEntry, count: Int, isTruncated: Bool) -> String {
        var text = ""
        if isTruncated {
            text += style.paint("  … and more; list them with `--limit N` or `--limit all`", .faint) + "\n"
        }
        switch run.changes {
        case .kept:
            if count == 0 { return text + "It changed nothing.\n" }
            if run.undoneBy == nil {
                text += "\n" + PrintableText.escape("To undo it: `sluice undo \(run.id)\(storeOption)`.") + "\n"
            }
        case .pruning, .pruned:
            text += "What it changed is no longer kept: it is older than `history: {keep: …}` says.\n"
        case nil: text += run.status == "succeeded" ? "It was made before the store kept what runs change.\n" : ""
        }
        return text
    }
}

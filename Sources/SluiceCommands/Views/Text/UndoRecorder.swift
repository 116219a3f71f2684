internal import SluiceDiagnostics
internal import SluiceMerge
internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// Keeps what an undo does as text and writes the report for people.
final class UndoRecorder: ReportRecorder {
    private let style: TextStyle
    private let commands: CommandLines
    private var storeOption: String { commands.storeOption }
    private let changes: ListSpool
    private let conflicts: ListSpool
    private let progressLine: ProgressLine

    /// - Parameters:
    ///   - style: How text is painted.
    ///   - limit: The most changes and conflicts to list, nil for all.
    ///   - commands: The commands that the report names.
    ///   - progressLine: Shows how far the undo has come.
    init(style: TextStyle, limit: Int?, commands: CommandLines, progressLine: ProgressLine) {
        (self.style, self.commands, self.progressLine) = (style, commands, progressLine)
        changes = ListSpool(limit: limit)
        conflicts = ListSpool(limit: limit)
    }

    var wantsChanges: Bool { !changes.isFull }
    func changed(_ change: RecordChange, schema: RecordSchema) { changes.append(text(change, schema)) }
    func skippedChange(of schema: RecordSchema) { changes.skip() }
    func quarantined(_ entry: QuarantineEntry) {}
    func progress(_ progress: RunProgress) { progressLine.show(progress) }

    func restart() {
        changes.clear()
        conflicts.clear()
    }

    func conflict(_ entry: ConflictEntry) {
        let label = RecordLabel.of(entry)
        let field = entry.field.map { ", " + ShortText.of($0) } ?? ""
        let number = entry.id.map { "conflict \($0)" } ?? "its conflict"
        let word = entry.status == .open ? "is open again" : "is closed again"
        conflicts.append("\(style.paint("!", .conflict)) \(label)\(field): \(number) \(word)\n")
    }

    // MARK: Records

    private func text(_ change: RecordChange, _ schema: RecordSchema) -> String {
        let key = FieldJSON.object(key: change.key, schema: schema)
        let label = style.paint(RecordLabel.of(entity: schema.entity, key: key), .strong)
        switch change.action {
        case .insert: return "\(style.paint("+", .added)) \(label)\n"
        case .delete: return "\(style.paint("-", .removed)) \(label)\n"
        case .update: return "\(style.paint("~", .changed)) \(label)\n" + lines(change, schema)
        case .conflict, .keptLocal:
            let isList = change.key.values.count < schema.keyFields.count
            let reason = isList ? UndoText.listReason : UndoText.reason(change.kind)
            return "\(style.paint("!", .conflict)) \(label)  \(style.paint(reason, .conflict))\n"
                + lines(change, schema)
        }
    }

    private func lines(_ change: RecordChange, _ schema: RecordSchema) -> String {
        let names = change.fields.map { ShortText.of(schema.fields[$0.index].name) }
        let width = names.map { TextWidth.of($0) }.max() ?? 0
        return zip(change.fields, names).map { field, name in
            let type = schema.fields[field.index].type
            func text(_ value: FieldValue?) -> String? { value.map { FieldJSON.text($0, type: type) } }
            let start = "    " + ShortText.padded(name, to: width) + "  "
            if field.fieldClass != .localOverride, !field.fieldClass.isDivergent {
                let (now, before) = ShortText.pair(text(field.local) ?? "null", text(field.result) ?? "null")
                return start + "\(now) → \(before)\n"
            }
            let facts = [("the run wrote", text(field.base)), ("before it", text(field.remote))].compactMap {
                word, value in
                value.map { "\(word) \(ShortText.of($0, width: 40))" }
            }
            let note = facts.isEmpty ? "" : "  " + style.paint("(\(facts.joined(separator: "; ")))", .faint)
            return start + ShortText.of(text(field.local) ?? "no row") + note + "\n"
        }.joined()
    }

    // MARK: The report

    func write(_ report: RunReport, seconds: Double, to output: ResultOutput) throws {
        var report = report
        if report.isKept { report.note([changes, conflicts].map(\.spool)) } else { restart() }
        try output.write(UndoText(style: style).headline(report, seconds: seconds))
        if !report.schemaChanges.isEmpty {
            try output.write("\n" + ReportText(style: style).schemaChanges(report.schemaChanges))
        }
        if !changes.isEmpty || !conflicts.isEmpty || !report.withdrawnConflicts.isEmpty { try output.write("\n") }
        for (list, noun) in [(changes, "change"), (conflicts, "conflict")] {
            try list.spool.copy(to: output)
            let hint = noun == "change" ? "; list more with \(commands.listing(of: report))" : ""
            if list.omitted > 0 {
                let text = "  … and \(CountText.of(list.omitted, "more " + noun))\(hint)"
                try output.write(style.paint(text, .faint) + "\n")
            }
        }
        try output.write(withdrawn(report) + end(report))
        try output.flush()
    }

    private func withdrawn(_ report: RunReport) -> String {
        let numbers = report.withdrawnConflicts
        if numbers.isEmpty { return "" }
        if report.run == nil {
            return
                "! \(CountText.of(numbers.count, "conflict")) of that run \(CountText.word(numbers.count, "goes", "go")) away\n"
        }
        let shown = numbers.prefix(20).map { String($0) }.joined(separator: ", ") + (numbers.count > 20 ? ", …" : "")
        return
            "\(style.paint("!", .conflict)) conflict\(CountText.word(numbers.count, "", "s")) \(shown) of that run \(CountText.word(numbers.count, "is", "are")) gone\n"
    }

    private func end(_ report: RunReport) -> String {
        var lines: [String] = []
        if report.left + report.leftEntries > 0 {
            lines.append(
                "What was changed since stays. If it should go back too, undo the run that changed it, or change it by hand."
            )
        }
        if let run = report.run {
            lines.append("To redo run \(report.undoes ?? 0): `sluice undo \(run)\(storeOption)`.")
        } else if report.command == .run, report.isKept {
            lines.append(
                report.left + report.leftEntries == 0
                    ? "Run \(report.undoes ?? 0) changed nothing that could be taken back."
                    : "Nothing of run \(report.undoes ?? 0) could be undone, so nothing was written.")
        }
        if report.command == .plan, report.hasChanges {
            lines.append("Nothing was written yet. Run again without `--plan` to do it.")
        }
        let text = lines.map { PrintableText.escape($0) + "\n" }.joined()
        let problems = ProblemsText(style: style).text(report.problemsBesideStop)
        return text.isEmpty && problems.isEmpty ? "" : "\n" + text + problems
    }
}

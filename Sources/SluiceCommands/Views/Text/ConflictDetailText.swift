internal import SluiceDiagnostics
internal import SluiceReconcile
internal import SluiceReview
internal import SluiceStore

/// One conflict with all that is needed to decide it, for people.
struct ConflictDetailText {
    private static let indent = "    "
    let style: TextStyle
    /// What a command must say to use the same store, with a blank before it.
    let storeOption: String
    /// Whether rows that go are marked, and not deleted.
    var marksRows = false
    /// Whether the value of the source, and that of before, can be written: the field may have another type since.
    var offersRemote = true
    var offersBase = true
    var offersValue = true
    /// What decisions would do, as far as it was tried.
    var previews: [DecisionPreview] = []
    /// The local values that wait in the quarantine, while their columns are null.
    var waiting: [WaitingValue] = []

    /// The whole text.
    ///
    /// - Parameters:
    ///   - entry: The conflict.
    ///   - said: What the source said while it was open, the oldest first.
    /// - Returns: Whole lines.
    func text(_ entry: ConflictEntry, said: [SaidValue] = []) -> String {
        var text = headline(entry) + "\n"
        if entry.isOfList {
            text += ConflictText(style: style).elements(of: entry, limit: nil)
        } else {
            text += entry.field == nil ? record(entry) : sides(entry)
        }
        if !said.isEmpty { text += "\n" + line("said by the source while it was open:") + values(said) }
        if let difference = difference(entry) { text += "\n" + difference }
        text += "\n" + (entry.status == .open ? decisions(entry) : ending(entry))
        return text
    }

    private func headline(_ entry: ConflictEntry) -> String {
        let label = RecordLabel.of(entry)
        let field = entry.field.map { ", " + ShortText.of($0) } ?? ""
        var facts = ["\(entry.pipeline)/\(entry.stream)", "\(entry.kind): \(KindWords.conflict(entry.kind))"]
        if let run = entry.firstRun { facts.append("since run \(run)") }
        if entry.seen > 1 { facts.append("\(entry.seen) remote values so far") }
        return style.paint("Conflict \(entry.id ?? 0): \(label)\(field)", .strong) + "\n"
            + style.paint("(\(facts.map { ShortText.of($0, width: 120) }.joined(separator: "; ")))", .faint) + "\n"
    }

    // MARK: The sides

    private func sides(_ entry: ConflictEntry) -> String {
        let sides = FieldSides(entry)
        let source = entry.otherSource == nil ? "the source" : ConflictText.source(entry)
        let place = waiting.first.map { "in quarantine \($0.entry), null in the table" } ?? "in the table"
        let local = entry.otherSource.map { "\(place), from \(ShortText.of($0))" } ?? place
        let now = ["said by \(source) now"] + [ConflictText.obstacle(entry)].compactMap { $0 }
        let meanings = [
            "base": "said by \(source) before", "local": local, "remote": now.joined(separator: ", "),
        ]
        let values = sides.sides.map { ShortText.of($0.value, width: style.width - 40) }
        let width = min(values.map { TextWidth.of($0) }.max() ?? 0, 40)
        let lines = zip(sides.sides, values).map { side, value in
            let meaning = entry.status == .open && side.isValue ? meanings[side.label].map { "  (\($0))" } ?? "" : ""
            let label = style.paint(ShortText.padded(side.label, to: side.labelWidth), .faint)
            return line(
                label + side.gap + ShortText.padded(value, to: meaning.isEmpty ? 0 : width)
                    + style.paint(meaning, .faint))
        }
        return lines.joined() + places(entry.divergences)
    }

    /// What the source said, with run and time.
    private func values(_ said: [SaidValue]) -> String {
        let places = said.map { value in
            value.run.map { "run \($0)" + (value.at.map { ", \($0)" } ?? "") } ?? "before, run no longer kept"
        }
        let width = places.map { TextWidth.of($0) }.max() ?? 0
        return zip(said, places).map { value, place in
            let text = value.value.map { ShortText.of($0, width: style.width - width - 10) } ?? "gone"
            return line("  \(ShortText.padded(ShortText.of(place), to: width))  \(text)")
        }.joined()
    }

    /// Where within an object both sides differ.
    private func places(_ paths: [String]) -> String {
        if paths.isEmpty { return "" }
        let label = style.paint(ShortText.padded("at", to: 6), .faint)
        let both = style.paint("  (changed on both sides)", .faint)
        return line("\(label)  \(ShortText.of(paths.joined(separator: ", "), width: 200))\(both)")
    }

    private func line(_ text: String) -> String { Self.indent + text + "\n" }

    private func record(_ entry: ConflictEntry) -> String {
        var text = ""
        let sides: [(String, String?, String?)] = [
            ("base", entry.base, nil), ("local", entry.local, "no row"), ("remote", entry.remote, "gone"),
        ]
        for (name, value, missing) in sides {
            guard let value else {
                guard let missing else { continue }
                text += line("\(ShortText.padded(name, to: 6))  \(missing)")
                continue
            }
            let shown = ShownRecord(value)
            let lines = JSONLayout.lines(of: Array(shown.row.utf8)).map { PrintableText.escape($0) }
            text += line(
                "\(ShortText.padded(name, to: 6))  " + lines.joined(separator: "\n" + Self.indent + "        "))
            if let within = shown.within { text += line("        \(within)") }
            if name == "local" {
                for value in waiting {
                    text += line(
                        "        (\(ShortText.of(value.field)) in quarantine \(value.entry), null in the table)")
                }
            }
        }
        if let obstacle = ConflictText.obstacle(entry) { text += line(obstacle) }
        return text + changes(entry)
    }

    /// What the side that still has the record changed in it, a field on a line.
    private func changes(_ entry: ConflictEntry) -> String {
        guard let before = entry.base.flatMap(ValueText.members), let kept = entry.remote ?? entry.local,
            let after = ValueText.members(of: ShownRecord(kept).row)
        else { return "" }
        let changed = after.compactMap { member in
            before.first { $0.name == member.name && $0.value != member.value }.map {
                (member.name, $0.value, member.value)
            }
        }
        if changed.isEmpty { return "" }
        let width = changed.map { TextWidth.of(ShortText.of($0.0)) }.max() ?? 0
        let title = entry.remote == nil ? "changed here" : "changed at the source"
        return "\n" + line(title + ":")
            + changed.map { name, old, new in
                let (before, after) = ShortText.pair(old, new)
                return line("  \(ShortText.padded(ShortText.of(name), to: width))  \(before) → \(after)")
            }.joined()
    }

    /// How long texts differ, word by word; nil where all are seen whole.
    private func difference(_ entry: ConflictEntry) -> String? {
        guard entry.field != nil else { return nil }
        let pairs = FieldSides(entry).longPairs
        if pairs.isEmpty { return nil }
        let layout = WordDiffLayout(width: style.width - Self.indent.count - 2)
        return pairs.map { old, new in
            let lines = layout.lines(of: WordDiff(from: ValueText.plain(old.value), to: ValueText.plain(new.value)))
            return line(FieldRows.legend(from: old.label, to: new.label))
                + lines.map { Self.indent + "  " + $0.painted(style) + "\n" }.joined()
        }.joined()
    }

    // MARK: The decision

    private func decisions(_ entry: ConflictEntry) -> String {
        var rows: [(option: String, effect: String)] = []
        func write(_ json: String) -> String { "writes \(ShortText.of(json))" }
        switch entry.kind {
        case "edit_delete":
            rows = [
                ("--take local", "keeps the row, which the source no longer has"),
                ("--take remote", marksRows ? "marks the row as deleted" : "deletes the row"),
            ]
        case "delete_edit":
            rows = [
                ("--take local", "keeps it deleted, until the source changes it again"),
                ("--take remote", "brings the row back as the source has it"),
            ]
        case _ where entry.isOfList:
            rows = [
                ("--take local", "keeps the list that is here"), ("--take remote", "writes the source's list"),
                ("--take base", "writes the list that the source gave before"),
            ]
        default:
            let place = waiting.first.map { " in quarantine \($0.entry)" } ?? ""
            rows = [("--take local", "keeps \(ShortText.of(entry.local ?? "no row"))\(place)")]
            let condition = entry.kind == "unique_collision" ? ", if the other row gave it up" : ""
            if let remote = entry.remote, offersRemote { rows.append(("--take remote", write(remote) + condition)) }
            if let base = entry.base, offersBase { rows.append(("--take base", write(base))) }
            if offersValue {
                rows.append(("--set \(ShortText.of(entry.field ?? ""))=VALUE", "writes another value"))
            }
        }
        let width = rows.map { TextWidth.of($0.option) }.max() ?? 0
        var text = rows.map { "  \(ShortText.padded($0.option, to: width))  \($0.effect)\(along($0.option))\n" }
            .joined()
        text += previews.map(problems).joined()
        text += "Each decision settles what the source says now. You are asked again only if the source changes it.\n"
        if entry.kind == "unique_collision" { text += "Until then, every run tries the source's value again.\n" }
        text += "\n"
        for row in rows {
            let command = "sluice conflicts resolve \(entry.id ?? 0) \(row.option)\(storeOption)"
            text += "  " + PrintableText.escape(command) + "\n"
        }
        return text
    }

    /// What becomes of other records with a decision, or why it cannot be carried out, as the end of a line.
    private func along(_ option: String) -> String {
        guard let preview = previews.first(where: { Self.option($0) == option }) else { return "" }
        switch preview.decision.outcome {
        case .refused(let reason): return "; it would be refused: " + PrintableText.escape(reason)
        case .reopened: return "; it would be asked anew, since the store holds something else by now"
        case .resolved, .standing, .answered, nil: break
        }
        return SummaryText.within(preview.within).map { "; \($0)" }.joined()
            + ResolutionReport.waiting(preview.decision)
    }

    /// What people should know of what goes along with a decision: whole lines.
    private func problems(_ preview: DecisionPreview) -> String {
        if preview.problems.isEmpty { return "" }
        return "With `\(Self.option(preview))`:\n" + ProblemsText(style: style).text(preview.problems)
    }

    private static func option(_ preview: DecisionPreview) -> String { "--take \(preview.decision.resolution.name)" }

    private func ending(_ entry: ConflictEntry) -> String {
        let meaning = ConflictText.meaning(of: entry)
        var text = meaning.hasPrefix("closed: ") ? "It is \(meaning).\n" : "It is closed: \(meaning).\n"
        if let note = entry.note { text += "Note: \(PrintableText.escape(note))\n" }
        return text
    }
}

internal import SluiceDiagnostics
internal import SluiceJSON
internal import SluiceStore
internal import SluiceSync

/// One conflict with all that is needed to decide it, for people.
struct ConflictDetailText {
    private static let indent = "    "
    let style: TextStyle
    /// What a command must say to use the same store, with a blank before it.
    let storeOption: String

    /// The whole text.
    func text(_ entry: ConflictEntry) -> String {
        var text = headline(entry) + "\n"
        text += entry.field == nil ? record(entry) : sides(entry)
        if let difference = difference(entry) { text += "\n" + difference }
        text += "\n" + (entry.status == .open ? decisions(entry) : ending(entry))
        return text
    }

    private func headline(_ entry: ConflictEntry) -> String {
        let label = RecordLabel.of(entity: entry.entity, key: entry.key)
        let field = entry.field.map { ", " + ShortText.of($0) } ?? ""
        var facts = ["\(entry.pipeline)/\(entry.stream)", "\(entry.kind): \(Self.meaning(of: entry.kind))"]
        if let run = entry.firstRun { facts.append("since run \(run)") }
        if entry.seen > 1 { facts.append("\(entry.seen) remote values so far") }
        return style.paint("Conflict \(entry.id ?? 0): \(label)\(field)", .strong) + "\n"
            + style.paint("(\(facts.map { ShortText.of($0, width: 120) }.joined(separator: "; ")))", .faint) + "\n"
    }

    private static func meaning(of kind: String) -> String {
        switch kind {
        case "add_add": "a value was here before the source gave its first one"
        case "edit_edit": "edited here, changed at the source"
        case "clear_edit": "cleared here, changed at the source"
        case "edit_clear": "edited here, cleared at the source"
        case "edit_delete": "edited here, gone from the source"
        case "delete_edit": "deleted here, changed at the source"
        default: "both sides changed it"
        }
    }

    // MARK: The sides

    private func sides(_ entry: ConflictEntry) -> String {
        let missing =
            entry.kind == "add_add"
            ? "none, the source never gave one before" : "too long to be kept, only its digest is"
        let (local, remote) = ShortText.pair(entry.local ?? "no row", entry.remote ?? "gone")
        let base = entry.base.map { ShortText.of($0) } ?? style.paint("(\(missing))", .faint)
        let here = entry.status == .open ? "  " + style.paint("(in the table)", .faint) : ""
        let paths = entry.divergences
        let both = style.paint("  (changed on both sides)", .faint)
        let places =
            paths.isEmpty ? "" : line("at      \(ShortText.of(paths.joined(separator: ", "), width: 200))\(both)")
        return line("base    \(base)") + line("local   \(local)\(here)") + line("remote  \(remote)") + places
    }

    private func line(_ text: String) -> String { Self.indent + text + "\n" }

    private func record(_ entry: ConflictEntry) -> String {
        var text = ""
        for (name, value, missing) in [("local", entry.local, "no row"), ("remote", entry.remote, "gone")] {
            guard let value else {
                text += line("\(ShortText.padded(name, to: 6))  \(missing)")
                continue
            }
            let lines = JSONLayout.lines(of: Array(value.utf8)).map { PrintableText.escape($0) }
            text += line(
                "\(ShortText.padded(name, to: 6))  " + lines.joined(separator: "\n" + Self.indent + "        "))
        }
        return text
    }

    /// How long texts differ, word by word; nil where both are seen whole.
    private func difference(_ entry: ConflictEntry) -> String? {
        guard entry.field != nil, let local = entry.local, let remote = entry.remote, local != "null", remote != "null",
            max(local.count, remote.count) > ShortText.width
        else { return nil }
        let text = WordDiff(from: Self.plain(local), to: Self.plain(remote)).text
        return line("from local to remote, with [-words of local-] and {+words of remote+}:")
            + WordDiff.wrapped(PrintableText.escape(text), indent: Self.indent + "  ")
    }

    /// The text of a JSON string; other JSON as it is.
    private static func plain(_ json: String) -> String {
        let parser = JSONParser()
        guard let element = try? unsafe parser.parse(Array(json.utf8)), element.kind == .string else { return json }
        return unsafe String(decoding: element.utf8, as: UTF8.self)
    }

    // MARK: The decision

    private func decisions(_ entry: ConflictEntry) -> String {
        var rows: [(option: String, effect: String)] = []
        func write(_ json: String) -> String { "writes \(ShortText.of(json))" }
        switch entry.kind {
        case "edit_delete":
            rows = [
                ("--take local", "keeps the row, which the source no longer has"), ("--take remote", "deletes the row"),
            ]
        case "delete_edit":
            rows = [
                ("--take local", "keeps it deleted, until the source changes it again"),
                ("--take remote", "brings the row back as the source has it"),
            ]
        default:
            rows = [("--take local", "keeps \(ShortText.of(entry.local ?? "no row"))")]
            if let remote = entry.remote { rows.append(("--take remote", write(remote))) }
            if let base = entry.base { rows.append(("--take base", write(base))) }
            rows.append(("--set \(ShortText.of(entry.field ?? ""))=VALUE", "writes another value"))
        }
        let width = rows.map(\.option.count).max() ?? 0
        var text = rows.map { "  \(ShortText.padded($0.option, to: width))  \($0.effect)\n" }.joined()
        text += "What the source says now is settled then: only another change of it is asked again.\n\n"
        for row in rows {
            let command = "sluice conflicts resolve \(entry.id ?? 0) \(row.option)\(storeOption)"
            text += "  " + PrintableText.escape(command) + "\n"
        }
        return text
    }

    private func ending(_ entry: ConflictEntry) -> String {
        var text = "It is closed: \(ConflictText.meaning(entry.status))"
        if let resolution = entry.resolution {
            text += resolution == "set" ? ", with a value of their own" : ", who took \(ShortText.of(resolution))"
        }
        if let who = entry.who { text += " (\(ShortText.of(who)))" }
        text += ".\n"
        if let note = entry.note { text += "Note: \(PrintableText.escape(note))\n" }
        return text
    }
}

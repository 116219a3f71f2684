internal import SluiceDiagnostics
internal import SluiceReconcile
internal import SluiceReview
package import SluiceStore

/// Conflicts, for people.
package struct ConflictText {
    /// How many elements of a list a report shows.
    private static let shownElements = 10
    let style: TextStyle

    /// The open conflicts of one record as a block of a report.
    ///
    /// - Parameters:
    ///   - entries: The conflicts.
    ///   - name: How the record is called; nil for its entity and its key.
    /// - Returns: Whole lines.
    func block(_ entries: [ConflictEntry], name: String? = nil) -> String {
        guard let first = entries.first else { return "" }
        let label = style.paint(name ?? RecordLabel.of(first), .strong)
        guard let whole = entries.first(where: { $0.field == nil }) else {
            return "\(mark) \(label)\n" + FieldRows(style: style).text(entries.compactMap(row))
        }
        return recordHead(label, kind: whole.kind, note: Self.note(whole)) + members(of: whole)
    }

    private var mark: String { style.paint("!", .conflict) }

    /// The lines that say which record is in conflict as a whole, and what about.
    func recordHead(_ label: String, kind: String, note: String) -> String {
        let number = note.isEmpty ? "" : "  " + style.paint("(\(note))", .faint)
        return "\(mark) \(label)\(number)\n    \(style.paint(Self.recordMeaning(kind), .conflict))\n"
    }

    /// A conflict that is closed, as a line of a report.
    func closedLine(_ entry: ConflictEntry) -> String {
        let label = RecordLabel.of(entry)
        let field = entry.field.map { ", \(ShortText.of($0))" } ?? ""
        let number = entry.id.map { "conflict \($0)" } ?? "its conflict"
        if Self.firstSource(entry) != nil {
            let (theirs, ours) = ShortText.pair(entry.local ?? "null", entry.remote ?? "null")
            let sides = "\(ShortText.of(entry.otherSource ?? "")) says \(theirs), \(Self.source(entry)) says \(ours)"
            return style.paint("  \(label)\(field): \(sides); \(Self.meaning(of: entry))", .faint) + "\n"
        }
        return style.paint("  \(label)\(field): \(number), \(Self.meaning(of: entry))", .faint) + "\n"
    }

    /// A conflict as `conflicts list` shows it.
    func listed(_ entry: ConflictEntry) -> String {
        let label = style.paint(RecordLabel.of(entry), .strong)
        let number = style.paint(entry.id.map { "\($0)  " } ?? "", .conflict)
        var facts = [Self.source(entry), entry.kind + (entry.otherSource.map { " with \($0)" } ?? "")]
        if let run = entry.firstRun { facts.append("since run \(run)") }
        if entry.seen > 1 { facts.append("\(entry.seen) remote values") }
        facts = facts.map { ShortText.of($0) }
        // A sentence of which the names are short already.
        if entry.status != .open { facts.append(entry.status.rawValue + ", " + Self.meaning(of: entry)) }
        let aside = style.paint("(\(facts.joined(separator: "; ")))", .faint)
        var text = "\(number)\(label)  \(aside)\n"
        if var row = row(entry) {
            row.note = Self.obstacle(entry) ?? Self.sources(of: entry)
            return text + FieldRows(style: style).text([row])
        }
        text += "    \(style.paint(Self.recordMeaning(of: entry), .conflict))\n"
        if let obstacle = Self.obstacle(entry) { text += "    " + style.paint(obstacle, .faint) + "\n" }
        return text + members(of: entry)
    }

    private func row(_ entry: ConflictEntry) -> FieldRow? {
        entry.field.map { field in
            let sides = FieldSides(entry)
            let note = [Self.sources(of: entry), Self.note(entry)].filter { !$0.isEmpty }.joined(separator: "; ")
            return FieldRow(name: field, content: .sides(sides), note: note)
        }
    }

    /// The record of each side that has one, on a line.
    private func members(of entry: ConflictEntry) -> String {
        if entry.isOfList { return elements(of: entry, limit: Self.shownElements) }
        return records(of: entry)
    }

    /// The list of each side, an element on a line.
    ///
    /// - Parameters:
    ///   - entry: A conflict over a list.
    ///   - limit: The most elements of each side, nil for all.
    /// - Returns: Whole lines.
    func elements(of entry: ConflictEntry, limit: Int?) -> String {
        elements([("base", entry.base), ("local", entry.local), ("remote", entry.remote)], limit: limit)
    }

    /// Lists, an element on a line.
    ///
    /// - Parameters:
    ///   - lists: Each as a JSON array, with its label; nil for one that is not known.
    ///   - limit: The most elements of each, nil for all.
    /// - Returns: Whole lines.
    func elements(_ lists: [(label: String, list: String?)], limit: Int? = shownElements) -> String {
        lists.map { label, list in
            let all = list.flatMap(ValueText.elements) ?? []
            var lines = all.prefix(limit ?? all.count).map {
                RecordLabel.members(of: $0, except: "{}", width: style.width - 14)
            }
            if lines.count < all.count { lines.append("… and \(CountText.grouped(all.count - lines.count)) more") }
            if all.isEmpty { lines = [list == nil ? "not known" : "no elements"] }
            return zip(lines, [label] + [String](repeating: "", count: lines.count)).map { line, label in
                "    " + style.paint(ShortText.padded(label, to: 6), .faint) + "  \(line)\n"
            }.joined()
        }.joined()
    }

    private func records(of entry: ConflictEntry) -> String {
        [("base", entry.base), ("local", entry.local), ("remote", entry.remote)].compactMap { label, record in
            record.map { record in
                let shown = ShownRecord(record)
                let within = shown.within.map { "; \($0)" } ?? ""
                let width = style.width - 14 - TextWidth.of(within)
                let members = RecordLabel.members(of: shown.row, except: entry.key, width: width) + within
                return "    " + style.paint(ShortText.padded(label, to: 6), .faint) + "  \(members)\n"
            }
        }.joined()
    }

    // MARK: Words

    /// Which conflict it is, and whether it is new; empty in a plan that would open it.
    static func note(_ entry: ConflictEntry) -> String {
        var facts = entry.id.map { ["conflict \($0)"] } ?? []
        if entry.status == .open, entry.seen > 1 {
            facts.append("open since run \(entry.firstRun ?? 0), the source changed it again")
        }
        let places = entry.divergences
        if !places.isEmpty { facts.append("both changed " + ShortText.of(places.joined(separator: ", "))) }
        if let obstacle = obstacle(entry) { facts.append(obstacle) }
        return facts.joined(separator: ", ")
    }

    /// The source that a conflict was found by.
    static func source(_ entry: ConflictEntry) -> String { ShortText.of("\(entry.pipeline)/\(entry.stream)") }

    /// Which source gave which side of a disagreement; empty for other conflicts.
    private static func sources(of entry: ConflictEntry) -> String {
        entry.otherSource.map { sources(local: $0, remote: source(entry)) } ?? ""
    }

    /// Which source gave which side of a disagreement.
    static func sources(local: String, remote: String) -> String {
        "local from \(ShortText.of(local)), remote from \(ShortText.of(remote))"
    }

    /// The source whose value stands, where the order of the sources settled a disagreement.
    static func firstSource(_ entry: ConflictEntry) -> String? {
        guard entry.status == .auto, let other = entry.otherSource else { return nil }
        return entry.resolution == "remote" ? source(entry) : ShortText.of(other)
    }

    /// What the status of a conflict says.
    package static func meaning(of entry: ConflictEntry) -> String {
        firstSource(entry).map { "\($0) goes first" } ?? decision(entry) ?? ending(entry) ?? meaning(entry.status)
    }

    /// Who decided a conflict, in which run, and what; nil of one that nobody decided.
    private static func decision(_ entry: ConflictEntry) -> String? {
        guard entry.status == .resolved else { return nil }
        let run = entry.lastRun.map { " in run \($0)" } ?? ""
        let who = "decided by \(entry.who.map { ShortText.of($0) } ?? "a person")\(run)"
        return switch entry.resolution {
        case "local": who + ": what the table held stays"
        case "remote": who + ": what the source said was taken"
        case "base": who + ": what the source had said before was taken"
        case "set": who + ": another value was given, which the history shows"
        default: who
        }
    }

    /// How a conflict ended without a decision; nil for others, and where the store does not know it.
    private static func ending(_ entry: ConflictEntry) -> String? {
        entry.status == .obsolete ? entry.end.map { "closed: \($0.words)" } : nil
    }

    /// What stands in the way of an open conflict's remote value.
    static func obstacle(_ entry: ConflictEntry) -> String? {
        (entry.status == .open ? entry.note : nil).map { ShortText.of($0, width: 80) }
    }

    /// What the source said of an open conflict in place of what it had said; nil where it said nothing else.
    package static func said(_ entry: RecordedEntry) -> String? {
        guard let (before, now) = entry.remotes else { return nil }
        guard let before, let now else {
            return now == nil ? "the source lists it no longer" : "the source lists it again"
        }
        let (old, new) = ShortText.pair(before, now)
        return "the source said \(old) → \(new)"
    }

    /// What a conflict of a whole record is about; of a closed one without what waits for a decision.
    package static func recordMeaning(of entry: ConflictEntry) -> String {
        let meaning = recordMeaning(entry.kind)
        return entry.status == .open ? meaning : String(meaning.prefix { $0 != ":" })
    }

    /// What an open conflict of a whole record is about.
    static func recordMeaning(_ kind: String) -> String {
        switch kind {
        case "edit_delete": "edited here, gone from the source: the row stays until somebody decides"
        case "delete_edit": "deleted here, changed at the source: it stays deleted until somebody decides"
        case "edit_edit": "changed here and at the source: the whole list stays until somebody decides"
        default: kind
        }
    }

    /// What a status says.
    static func meaning(_ status: ConflictStatus) -> String {
        switch status {
        case .open: "undecided"
        case .auto: "decided by the policy"
        case .resolved: "decided by a person"
        case .obsolete: "closed without a decision"
        case .converged: "closed: both sides say the same"
        case .within: "waits with the conflict over the record that it is within"
        }
    }
}

internal import SluiceMerge
internal import SluiceReport
internal import SluiceStore

/// Keeps the first entries of each group and writes a report of them: what needs a person first.
final class MarkdownView: EntryView {
    /// The rows of the entries that belong together.
    private struct Group {
        var rows: [String] = []
        var bytes = 0
        var count = 0
    }

    private let families: EntityFamilies
    private let budget: MarkdownBudget
    private let commands: CommandLines
    private let listsRecords: Bool
    private let rows: MarkdownRows
    private let plain = TextStyle(isColored: false)
    private var groups: [ReportGroup: Group] = [:]
    /// The tables in the order in which they came.
    private var tables: [String] = []

    /// - Parameters:
    ///   - families: Which records belong to which.
    ///   - budget: How long the document may become.
    ///   - commands: The commands that it names.
    ///   - listsRecords: Whether records are listed. What is left out of a list is told only where there is one.
    init(families: EntityFamilies, budget: MarkdownBudget, commands: CommandLines, listsRecords: Bool) {
        (self.families, self.budget, self.commands, self.listsRecords) = (families, budget, commands, listsRecords)
        rows = MarkdownRows(families: families)
    }

    let spools: [TextSpool] = []

    func add(_ entry: ReportEntry) {
        if !tables.contains(entry.table) { tables.append(entry.table) }
        // What shows no room is left is counted.
        groups[entry.group, default: Group()].count += 1
        guard groups[entry.group, default: Group()].bytes < budget.most else { return }
        let text = rows.text(entry)
        groups[entry.group]?.rows.append(text)
        groups[entry.group]?.bytes += text.utf8.count
    }

    func clear() {
        groups.removeAll()
        tables.removeAll()
    }

    // MARK: The report

    func write(_ report: RunReport, seconds: Double, omitted: Int, to output: ResultOutput) throws {
        let room = budget.share()
        var text = headline(report, seconds: seconds) + approval(report) + edited(report)
        if text.utf8.count > room || room < MarkdownBudget.leastShare { return budget.leaveOut(report) }
        let blocks = blocks(report)
        var isCut = omitted > 0
        let note = cutNote(report)
        let besides = note.utf8.count + Self.leftOut(blocks.count).utf8.count
        let rooms = MarkdownBlock.rooms(of: room - besides - text.utf8.count, for: blocks)
        var left = 0
        for (block, room) in zip(blocks, rooms) {
            let part = block.text(within: room)
            if let found = part.text { text += found } else { left += 1 }
            isCut = isCut || part.isCut
        }
        if left > 0 { text += Self.leftOut(left) }
        if isCut { text += note }
        budget.spend(text)
        try output.write(text)
    }

    /// How many parts did not fit.
    private static func leftOut(_ count: Int) -> String {
        "… and \(CountText.of(count, "more part")), for which there is no room.\n\n"
    }

    /// That not everything is listed. What is done is listed by the history: another run would find nothing to do.
    private func cutNote(_ report: RunReport) -> String {
        let isDone = report.command != .plan && report.isKept
        let command = isDone ? report.run.map { "sluice history \($0)\(commands.storeOption) " } ?? "" : ""
        return
            "Not everything is listed, so that this stays short. `\(command)--format csv` and `\(command)--format json` list it.\n\n"
    }

    private func headline(_ report: RunReport, seconds: Double) -> String {
        let text =
            report.undoes == nil
            ? ReportText(style: plain).headline(report, seconds: seconds)
            : UndoText(style: plain).headline(report, seconds: seconds)
        return "### " + MarkdownText.prose(String(text.dropLast())) + "\n\n"
    }

    /// What is approved with a saved plan: when it was made, of which store, and how it is carried out.
    private func approval(_ report: RunReport) -> String {
        guard report.command == .plan, report.savedAs != nil, let apply = commands.apply else { return "" }
        let place = commands.store.map { " for the store \(MarkdownText.code($0))" } ?? ""
        let note = commands.applyNote.isEmpty ? "" : ", which \(commands.applyNote)"
        let head = "Planned at \(MarkdownText.prose(report.startedAt))\(place). **Nothing was written yet.**"
        guard report.hasChanges || report.refusedDeletes != nil else { return "\(head)\n\n" }
        return
            "\(head) To do exactly this, before another run changes the store: \(MarkdownText.code(apply))\(note).\n\n"
    }

    /// What people changed before, which a run does not change back.
    private func edited(_ report: RunReport) -> String {
        guard let sentence = EditText.sentence(report) else { return "" }
        return "\(sentence). To see that: \(MarkdownText.code("sluice edits\(commands.storeOption)"))\n\n"
    }

    /// The parts of a report by their weight to people.
    private func blocks(_ report: RunReport) -> [MarkdownBlock] {
        let totals = ReportTotals.of(report, families)
        var urgent: [MarkdownBlock] = []
        var others: [MarkdownBlock] = []
        let known = report.allEntities.map { families.table(of: $0) }.sorted().filter { !tables.contains($0) }
        for table in tables + known {
            for kind in ReportGroup.Kind.allCases {
                let group = ReportGroup(kind: kind, table: table)
                guard let block = block(group, total: totals(group), report) else { continue }
                if kind.needsPerson { urgent.append(block) } else { others.append(block) }
            }
        }
        return urgent + [problems(report), counts(report), schema(report)].compactMap { $0 } + others
    }

    private func block(_ group: ReportGroup, total: Int, _ report: RunReport) -> MarkdownBlock? {
        let listed = groups[group]
        // An undo lists what it changes in part among what it leaves.
        let isCounted =
            listsRecords && [.insert, .update, .delete].contains(group.kind) && total > 0 && report.undoes == nil
        guard listed != nil || isCounted else { return nil }
        let count = max(total, listed?.count ?? 0)
        let heading = group.heading(
            // What is left out of a list is said at its end; conflicts that are not listed were told by earlier runs.
            count: count, listed: group.kind == .conflict ? listed?.count ?? 0 : listed == nil ? 0 : count,
            isPlan: report.command == .plan, isUndo: report.undoes != nil, isCut: false, hasConflicts: false,
            causes: [], style: plain)
        let line = String(heading.prefix { $0 != "\n" })
        let table = MarkdownRows.head(MarkdownRows.columns(of: group.kind))
        if group.kind.needsPerson {
            return MarkdownBlock(
                head: "**\(MarkdownText.prose(line))**\n\n\(table)", entries: listed?.rows ?? [], count: count,
                weight: group.kind == .invalid ? 2 : 4, rank: .urgent)
        }
        guard let listed else { return MarkdownBlock(head: MarkdownText.prose(line) + "\n", entries: [], count: count) }
        return MarkdownBlock(
            head: "<details><summary>\(HTMLText.escape(line))</summary>\n\n\(table)", entries: listed.rows,
            count: count, foot: "\n</details>\n\n")
    }

    private func problems(_ report: RunReport) -> MarkdownBlock? {
        let problems = report.problemsBesideStop
        if problems.isEmpty { return nil }
        let entries = problems.map { problem in
            let place = problem.stream.map { MarkdownText.code($0) + ": " } ?? ""
            let message = MarkdownText.prose(ShortText.of(problem.message, width: 1_000))
            var text = "- **\(problem.severity.rawValue)**: \(place)\(message)\n"
            for label in RecordLabel.all(of: problem) { text += "  - \(MarkdownText.code(label))\n" }
            if let rest = RecordLabel.rest(of: problem) { text += "  - \(rest)\n" }
            return text
        }
        return MarkdownBlock(head: "", entries: entries, count: entries.count, weight: 2, rank: .summary)
    }

    private func counts(_ report: RunReport) -> MarkdownBlock? {
        let counts = EntityCounts.rows(report, families)
        let used = EntityCounts.used(in: counts)
        if used.isEmpty { return nil }
        let rows = counts.map { row in
            MarkdownRows.row(
                [MarkdownText.code(ShortText.of(row.entity)) + row.place]
                    + used.map { CountText.grouped($0.count(row.summary)) })
        }
        let columns = ["entity"] + used.map(\.title)
        let head = MarkdownRows.row(columns) + MarkdownRows.row(["---"] + used.map { _ in "--:" })
        return MarkdownBlock(
            head: head, entries: rows, count: rows.count, rank: .summary, nouns: ("entity", "entities"))
    }

    private func schema(_ report: RunReport) -> MarkdownBlock? {
        if report.schemaChanges.isEmpty { return nil }
        let entries = report.schemaChanges.map { change in
            let rows = change.rows.map { ", \(CountText.of($0, "row"))" } ?? ""
            let words = change.kind.rawValue.replacing("_", with: " ") + rows
            let statements =
                [SchemaStatements.line(change.sql)] + SchemaStatements.lines(of: change) + (change.examples ?? [])
            return MarkdownRows.row([
                words, MarkdownText.code(ShortText.of(change.table)),
                statements.map { MarkdownText.code(ShortText.of($0, width: 300)) }.joined(separator: "<br>"),
            ])
        }
        let summary = "\(CountText.of(entries.count, "change")) of tables"
        return MarkdownBlock(
            head: "<details><summary>\(summary)</summary>\n\n" + MarkdownRows.head(["change", "table", "what"]),
            entries: entries, count: entries.count, foot: "\n</details>\n\n")
    }
}

internal import SluiceReport
internal import SluiceStore

/// What a report says in numbers and of problems, as HTML that needs no script.
struct HTMLSummary {
    /// What is counted twice, or nothing that happens.
    private static let unpainted: Set<String> = ["in part", "gone", "unchanged", "duplicates"]

    let families: EntityFamilies
    private let commands: CommandLines
    private let plain = TextStyle(isColored: false)

    init(families: EntityFamilies, commands: CommandLines) { (self.families, self.commands) = (families, commands) }

    /// The section of a report.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - seconds: How long the run took.
    ///   - number: Its number on the page.
    ///   - omitted: How many of its changes are not on the page.
    ///   - earlierConflicts: How many of its records in conflict have been so since earlier runs, and are not listed.
    /// - Returns: HTML.
    func text(
        _ report: RunReport, seconds: Double, number: Int, omitted: Int, earlierConflicts: Int
    ) -> String {
        let headline =
            report.undoes == nil
            ? ReportText(style: plain).headline(report, seconds: seconds)
            : UndoText(style: plain).headline(report, seconds: seconds)
        let status = report.status.rawValue
        var text = "<section class=\"report \(status)\" aria-labelledby=\"report-\(number)\">\n"
        text += "<h2 id=\"report-\(number)\">\(HTMLText.escape(String(headline.dropLast())))</h2>\n"
        text += "<p class=\"faint\">\(status), <time>\(HTMLText.escape(report.startedAt))</time></p>\n"
        text += approval(report) + edited(report)
        text += counts(report) + problems(report) + schema(report)
        if earlierConflicts > 0 {
            let records = CountText.of(earlierConflicts, "record has", "records have")
            let verb = CountText.word(earlierConflicts, "is", "are")
            text +=
                "<p>\(records) been in conflict since earlier runs and \(verb) not on this page; <code>sluice conflicts list</code> lists what is open.</p>\n"
        }
        if omitted > 0 {
            text +=
                "<p>\(CountText.of(omitted, "more change")) \(CountText.word(omitted, "is", "are")) not on this page; <code>\(HTMLText.escape(commands.listingAll(of: report)))</code> lists all of them.</p>\n"
        }
        return text + "</section>\n"
    }

    /// That a plan is not done, and of a saved one, which somebody approves, for which store it is and what carries it out.
    private func approval(_ report: RunReport) -> String {
        guard report.command == .plan, report.against == nil else { return "" }
        let hasWork = report.hasChanges || report.refusedDeletes != nil
        let written = "<strong>Nothing was written yet.</strong>"
        guard report.savedAs != nil, let apply = commands.apply else {
            return report.hasChanges ? "<p>\(written)</p>\n" : ""
        }
        let store = commands.store.map { "Planned for the store <code>\(HTMLText.escape($0))</code>. " } ?? ""
        let note = commands.applyNote.isEmpty ? "" : ", which \(HTMLText.escape(commands.applyNote))"
        let step =
            hasWork
            ? " To do exactly this, before another run changes the store: <code>\(HTMLText.escape(apply))</code>\(note)."
            : ""
        return "<p>\(store)\(written)\(step)</p>\n"
    }

    /// What people changed before, which a run does not change back.
    private func edited(_ report: RunReport) -> String {
        guard let sentence = EditText.sentence(report) else { return "" }
        let command = "sluice edits\(commands.storeOption)"
        return "<p>\(sentence). To see that: <code>\(HTMLText.escape(command))</code></p>\n"
    }

    // MARK: Counts

    private func counts(_ report: RunReport) -> String {
        let counts = EntityCounts.rows(report, families)
        let used = EntityCounts.used(in: counts)
        if used.isEmpty { return "" }
        let painted = used.filter { !Self.unpainted.contains($0.title) }
        let most = counts.map { row in painted.reduce(0) { $0 + $1.count(row.summary) } }.max() ?? 0
        var text =
            "<div class=\"wide\"><table class=\"counts\"><caption>Records by entity</caption>\n<thead><tr><th scope=\"col\">entity</th>"
        for column in used { text += "<th scope=\"col\" class=\"number\">\(column.title)</th>" }
        if most > 0 { text += "<th scope=\"col\">changes</th>" }
        text += "</tr></thead>\n<tbody>\n"
        for row in counts {
            text += "<tr><th scope=\"row\"><bdi>\(HTMLText.escape(row.entity))</bdi>\(row.place)</th>"
            for column in used {
                text += "<td class=\"number\">\(CountText.grouped(column.count(row.summary)))</td>"
            }
            if most > 0 {
                text += "<td>\(Self.bar(painted.map { ($0.title, $0.count(row.summary)) }, of: most))</td>"
            }
            text += "</tr>\n"
        }
        return text + "</tbody></table></div>\n"
    }

    /// A bar with a part for each kind of change, in thousandths of the longest bar's length.
    private static func bar(_ counts: [(title: String, count: Int)], of most: Int) -> String {
        let present = counts.filter { $0.count > 0 }
        let words = present.map { "\(CountText.grouped($0.count)) \($0.title)" }.joined(separator: ", ")
        var text = "<svg class=\"bar\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" role=\"img\" "
        text += "aria-label=\"\(words.isEmpty ? "none" : words)\">"
        var start = 0
        for (title, count) in present {
            // A part that is there is seen.
            let width = max(4, Int(Double(count) / Double(most) * 1000))
            let name = title.replacing(" ", with: "-")
            text += "<rect class=\"\(name)\" x=\"\(start)\" width=\"\(width)\" height=\"10\"/>"
            start += width
        }
        return text + "</svg>"
    }

    // MARK: Problems and tables

    private func problems(_ report: RunReport) -> String {
        let problems = report.problemsBesideStop
        if problems.isEmpty { return "" }
        let items = problems.map { problem in
            let name = problem.severity.rawValue
            let place = problem.stream.map { "<code>\(HTMLText.escape($0))</code>: " } ?? ""
            var text = "<li class=\"\(name)\"><strong>\(name)</strong> \(place)\(HTMLText.escape(problem.message))"
            let keys = RecordLabel.all(of: problem).map { "<li>\(HTMLText.escape($0))</li>" }
            let rest = RecordLabel.rest(of: problem).map { "<li>\($0)</li>" } ?? ""
            if !keys.isEmpty { text += "<ul>\(keys.joined())\(rest)</ul>" }
            return text + "</li>\n"
        }
        return "<ul class=\"problems\">\n\(items.joined())</ul>\n"
    }

    private func schema(_ report: RunReport) -> String {
        if report.schemaChanges.isEmpty { return "" }
        let view = ReportText(style: plain)
        var told: Set<String> = []
        let items = report.schemaChanges.compactMap { change -> String? in
            let words = view.schemaChanges([change])
            // Several streams may fill the table of an entity.
            if change.kind == .renameSource && !told.insert(words).inserted { return nil }
            let lines = words.split(separator: "\n").map { HTMLText.escape(String($0)) }
            let statements = SchemaStatements.lines(of: change).map { "<li><code>\(HTMLText.escape($0))</code></li>" }
            let list = statements.isEmpty ? "" : "<ul>\(statements.joined())</ul>"
            return "<li>\(lines.joined(separator: "<br>"))\(list)</li>\n"
        }
        return "<details><summary>\(CountText.of(report.schemaChanges.count, "change")) of tables</summary>\n"
            + "<ul>\n\(items.joined())</ul></details>\n"
    }
}

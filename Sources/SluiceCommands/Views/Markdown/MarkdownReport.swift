internal import SluiceReport

/// Reports for a comment on a pull request: Markdown with parts that open, short enough whatever there is to tell.
final class MarkdownReport: EntryDocument {
    /// The part of the document that may tell what an import found, as its divisor.
    private static let findingsShare = 10

    private let setting: ReportSetting
    private var budget: MarkdownBudget
    var limit: Int? { setting.limit }

    init(_ setting: ReportSetting) {
        self.setting = setting
        budget = MarkdownBudget(reports: 1, most: setting.mostBytes)
    }

    func begin(_ findings: ImportFindings?, count: Int, to output: ResultOutput) throws {
        budget = MarkdownBudget(reports: count, most: setting.mostBytes)
        guard let findings else { return }
        var text = "<details><summary>What the import found</summary>\n\n<pre>\n"
        for line in findings.text(style: TextStyle(isColored: false)).split(separator: "\n") {
            let line = HTMLText.escape(ShortText.cut(String(line), to: 200)) + "\n"
            if text.utf8.count + line.utf8.count > budget.most / Self.findingsShare {
                text += "…\n"
                break
            }
            text += line
        }
        text += "</pre>\n\n</details>\n\n"
        budget.spend(text)
        try output.write(text)
    }

    func separate(isFirst: Bool, to output: ResultOutput) throws {}

    func view(for subject: ReportSubject) -> any EntryView {
        MarkdownView(
            families: subject.families, budget: budget, commands: subject.commands, listsRecords: setting.limit != 0)
    }

    func end(to output: ResultOutput) throws {
        guard let left = budget.leftWords else { return }
        try output.write("… and \(left), for which there is no room. `--format text` has all of them.\n")
    }
}

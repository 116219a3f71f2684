internal import SluiceReport

/// Reports as one page for a browser: the counts as HTML, and all entries as JSON, which the page's script lists.
final class HTMLReport: EntryDocument {
    private let setting: ReportSetting
    private var reports = 0
    var limit: Int? { setting.limit }

    init(_ setting: ReportSetting) { self.setting = setting }

    func begin(_ findings: ImportFindings?, count: Int, to output: ResultOutput) throws {
        try output.write(ReportPage.head)
        guard let findings else { return }
        let lines = findings.text(style: TextStyle(isColored: false)).split(
            separator: "\n", omittingEmptySubsequences: false)
        try output.write(
            "<details><summary>What the import found</summary>\n<pre class=\"wide\">"
                + lines.map { HTMLText.escape(String($0)) }.joined(separator: "\n") + "</pre></details>\n")
    }

    func separate(isFirst: Bool, to output: ResultOutput) throws {}

    func view(for subject: ReportSubject) -> any EntryView {
        reports += 1
        return HTMLView(
            pipeline: subject.pipeline, number: reports, families: subject.families, commands: subject.commands)
    }

    func end(to output: ResultOutput) throws { try output.write(ReportPage.tail) }
}

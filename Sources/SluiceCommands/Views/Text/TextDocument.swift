/// Reports for people, a blank line between them.
final class TextDocument: ReportDocument {
    private let setting: ReportSetting

    init(_ setting: ReportSetting) { self.setting = setting }

    func begin(_ findings: ImportFindings?, count: Int, to output: ResultOutput) throws {
        if let findings { try output.write(findings.text(style: setting.style) + "\n") }
    }

    func separate(isFirst: Bool, to output: ResultOutput) throws { if !isFirst { try output.write("\n") } }

    func recorder(for subject: ReportSubject) -> any ReportRecorder {
        subject.isUndo
            ? UndoRecorder(
                style: setting.style, limit: setting.limit, commands: subject.commands,
                progressLine: subject.progressLine)
            : TextRecorder(
                style: setting.style, limit: setting.limit, listsNewTables: subject.listsNewTables,
                families: subject.families, commands: subject.commands, progressLine: subject.progressLine)
    }

    func end(to output: ResultOutput) throws {}
}

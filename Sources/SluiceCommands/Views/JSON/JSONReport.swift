/// Reports for programs: one JSON document.
final class JSONReport: ReportDocument {
    private let setting: ReportSetting

    init(_ setting: ReportSetting) { self.setting = setting }

    func begin(_ findings: ImportFindings?, count: Int, to output: ResultOutput) throws {
        let found = findings.map { ",\"import\":\($0.json)" } ?? ""
        try output.write("{\"format\":\"sluice.report/1\"\(found),\"pipelines\":[")
    }

    func separate(isFirst: Bool, to output: ResultOutput) throws { try output.write(isFirst ? "\n" : ",\n") }

    func recorder(for subject: ReportSubject) -> any ReportRecorder {
        JSONRecorder(changeLimit: setting.limit, progressLine: subject.progressLine)
    }

    func end(to output: ResultOutput) throws { try output.write("\n]}\n") }
}

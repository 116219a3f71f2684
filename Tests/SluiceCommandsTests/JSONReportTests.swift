import SluiceCommands
import SluiceReport
import Testing

@Suite struct JSONReportTests {
    private func everything(_ recorder: any ReportRecorder) {
        recorder.changed(Sample.update, schema: Sample.schema)
        recorder.conflict(Sample.conflict(id: nil))
        recorder.quarantined(Sample.quarantined)
    }

    @Test func aReportHasEveryKeyInItsPlace() throws {
        var report = Sample.report(.plan)
        report.problems = [RunProblem(code: "incomplete_scan", severity: .warning, message: "A \"warning\".")]
        let text = try Sample.text(of: Sample.jsonRecorder(), report, everything)
        #expect(
            text == """
                {"pipeline":"shop","command":"plan","status":"succeeded","run":null,\
                "started_at":"2026-01-02T03:04:05Z","finished_at":"2026-01-02T03:04:06Z","schema_changes":[],"streams":[
                {"stream":"books","entity":"Book","complete":true,"requests":0,"pages":2,"bytes":500,\
                "not_modified":0,"retries":0,"read":6,"filtered":0,"duplicates":0,"quarantined":1,\
                "summary":{"insert":1,"update":1,"delete":0,"unchanged":2,"kept_local":0,"conflict":1,\
                "conflict_written":0,"quarantined":1,"delete_refused":0}}
                ],"summary":{"insert":1,"update":1,"delete":0,"unchanged":2,"kept_local":0,"conflict":1,\
                "conflict_written":0,"quarantined":1,"delete_refused":0},"changes":[
                {"entity":"Book","table":"books","key":{"id":17},"action":"update","kind":"merge","fields":[\
                {"field":"title","class":"local_override","base":"Old","local":"Mine","remote":"Old","result":"Mine"},\
                {"field":"price","class":"remote_update","base":"12.50","local":"12.50","remote":"13.90",\
                "result":"13.90"}]}
                ],"changes_truncated":false,"kept_local":[],"conflicts":[
                {"id":null,"kind":"edit_edit","entity":"Book","key":{"id":18},"field":"title","base":"A","local":"B",\
                "remote":"C","policy":"manual","status":"open"}
                ],"quarantine":[
                {"id":4,"stream":"books","reason":"type_mismatch","pointer":"/price","value":"x",\
                "message":"Expected a decimal.","entity":"Book","key":{"id":19}}
                ],"problems":[
                {"code":"incomplete_scan","severity":"warning","message":"A \\"warning\\"."}
                ]}
                """)
    }

    @Test func sidesThatAreNotKnownAreLeftOut() throws {
        let text = try Sample.text(of: Sample.jsonRecorder(), Sample.report()) { recorder in
            recorder.changed(Sample.insert(id: 1, title: "T"), schema: Sample.schema)
            recorder.conflict(Sample.conflict(id: 7, field: nil, kind: "edit_delete"))
        }
        #expect(text.contains(#"{"field":"price","class":"fill","remote":null,"result":null}"#))
        #expect(text.contains(#"{"field":"stock","class":"fill","remote":true,"result":true}"#))
        #expect(text.contains(#""key":{"id":18},"field":null,"local":"B","policy":"manual","status":"open"}"#))
    }

    @Test func aReportThatIsCutSaysSo() throws {
        let text = try Sample.text(of: Sample.jsonRecorder(limit: 1), Sample.report()) { recorder in
            recorder.changed(Sample.update, schema: Sample.schema)
            #expect(!recorder.wantsChanges)
            recorder.skippedChange(of: Sample.schema)
        }
        #expect(text.contains("\n],\"changes_truncated\":true,"))
    }

    @Test func aFailedRunHasNoChanges() throws {
        var report = RunReport(pipeline: "shop", command: .run, startedAt: "")
        report.status = .failed
        let text = try Sample.text(of: Sample.jsonRecorder(), report, everything)
        #expect(
            text.contains(
                #""changes":[],"changes_truncated":false,"kept_local":[],"conflicts":[],"quarantine":[],"problems":[]}"#
            ))
    }

    @Test func aLongReportIsSpooledInOrder() throws {
        let count = 5_000
        let text = try Sample.text(of: Sample.jsonRecorder(), Sample.report()) { recorder in
            for id in 1...Int64(count) {
                recorder.changed(Sample.insert(id: id, title: "Title \(id)"), schema: Sample.schema)
            }
        }
        let keys = text.split(separator: "\n").compactMap { line -> Int? in
            guard let start = line.ranges(of: "\"key\":{\"id\":").first?.upperBound else { return nil }
            return Int(line[start...].prefix { $0.isNumber })
        }
        #expect(keys == Array(1...count))
    }
}

internal import SluiceFetch
internal import SluiceReport
internal import SluiceSync

/// What a recording kept, for programs.
enum RecordJSON {
    static func text(_ result: RecordingReport) -> String {
        let report = result.report
        var object = JSONObject()
        object.add("pipeline", report.pipeline)
        object.add("status", report.status.rawValue)
        object.add("folder", result.folder)
        object.add("started_at", report.startedAt)
        object.add("finished_at", report.finishedAt)
        object.add("exchanges", json: JSONObject.array(result.kept.map(text)))
        object.add("problems", json: ReportJSON.problems(report.problems))
        return object.text
    }

    private static func text(_ exchange: KeptExchange) -> String {
        var object = JSONObject()
        object.add("file", exchange.file)
        object.add("method", exchange.method)
        object.add("url", exchange.url)
        object.add("status", exchange.status)
        object.add("bytes", exchange.bytes)
        return object.text
    }
}

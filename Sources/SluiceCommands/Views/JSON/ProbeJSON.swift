internal import SluiceDiscovery
internal import SluiceModel
internal import SluicePipeline

/// What a probe found in its source, for programs: `sluice.probe/1`.
struct ProbeJSON {
    let probe: SourceProbe
    /// The key that was asked for, nil for what was found.
    let key: ImportKey?
    let writer: PipelineWriter

    var text: String {
        var object = JSONObject()
        object.add("format", "sluice.probe/1")
        object.add("url", probe.url)
        object.add("pages", probe.pages)
        object.add("requests", probe.requests)
        object.add("complete", probe.isWhole)
        object.add("sample", probe.inspection.records)
        for (name, finding) in probe.findings(key: key?.identity) {
            object.add(name, json: Self.text(of: finding, type: name == "paginator" ? probe.paginator.rule.type : nil))
        }
        let candidates = probe.inspection.keyCandidates.suggestions.map { candidate in
            var object = JSONObject()
            object.add("fields", json: Self.list(candidate.fields))
            object.add("reason", candidate.reason)
            return object.text
        }
        object.add("key_candidates", json: JSONObject.array(candidates))
        object.add("columns", json: JSONObject.array(probe.inspection.fields.map { ImportJSON.text(of: $0) }))
        object.add("variables", json: Self.list(writer.variables.map(\.name)))
        object.add("pipeline", writer.text)
        return probe.hiding(object.text + "\n")
    }

    /// The object of a finding.
    static func text(of finding: ProbeFinding, type: String? = nil) -> String {
        var object = JSONObject()
        object.add("value", finding.text)
        if let type { object.add("type", type) }
        object.add("certainty", finding.certainty.rawValue)
        object.add("evidence", json: list(finding.evidence))
        return object.text
    }

    private static func list(_ texts: [String]) -> String {
        "[" + texts.map { FieldJSON.quoted($0) }.joined(separator: ",") + "]"
    }
}

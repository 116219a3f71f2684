internal import SluiceModel
internal import SluiceStore

/// What a check of a store found, for programs.
enum StoreCheckJSON {
    static func text(_ findings: [StoreFinding], store: String, kind: String) -> String {
        var object = JSONObject()
        object.add("format", "sluice.store-check/1")
        object.add("store", store)
        object.add("kind", kind)
        object.add("wrong", findings.count { $0.verdict == .wrong })
        object.add(
            "checks",
            json: JSONObject.array(
                StoreCheck.allCases.map { check in text(check, findings.filter { $0.check == check }) }))
        return object.text + "\n"
    }

    private static func text(_ check: StoreCheck, _ findings: [StoreFinding]) -> String {
        var object = JSONObject()
        object.add("check", check.rawValue)
        object.add("looks_at", check.looksAt)
        object.add("findings", json: JSONObject.array(findings.map(text)))
        return object.text
    }

    private static func text(_ finding: StoreFinding) -> String {
        var object = JSONObject()
        object.add("verdict", finding.verdict.rawValue)
        object.add("table", finding.table)
        object.add("count", finding.count)
        object.add("message", finding.message)
        object.add("examples", json: "[" + finding.examples.map { FieldJSON.quoted($0) }.joined(separator: ",") + "]")
        object.add("remedy", finding.remedy)
        return object.text
    }
}

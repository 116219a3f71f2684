internal import SluiceDiscovery

/// What a checkup found, for programs.
enum CheckupJSON {
    static func text(_ sections: [CheckupSection], version: String) -> String {
        var object = JSONObject()
        object.add("format", "sluice.doctor/1")
        object.add("version", version)
        object.add("sections", json: JSONObject.array(sections.map(text)))
        return object.text + "\n"
    }

    private static func text(_ section: CheckupSection) -> String {
        var object = JSONObject()
        object.add("title", section.title)
        object.add("findings", json: JSONObject.array(section.findings.map(text)))
        return object.text
    }

    private static func text(_ finding: CheckupFinding) -> String {
        var object = JSONObject()
        object.add("subject", finding.subject)
        object.add("verdict", finding.verdict.rawValue)
        object.add("message", finding.message)
        return object.text
    }
}

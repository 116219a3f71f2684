internal import SluiceDiagnostics

/// Problems as SARIF 2.1.0, which code hosts and editors show.
enum ProblemsSARIF {
    /// The document.
    static func text(_ problems: [Diagnostic], version: String) -> String {
        var codes: [DiagnosticCode] = []
        for problem in problems where !codes.contains(problem.code) { codes.append(problem.code) }
        let rules = codes.map { code in
            var message = JSONObject()
            message.add("text", problems.first { $0.code == code }?.summary ?? code.rawValue)
            var rule = JSONObject()
            rule.add("id", code.rawValue)
            rule.add("shortDescription", json: message.text)
            return rule.text
        }
        var driver = JSONObject()
        driver.add("name", "sluice")
        driver.add("version", version)
        driver.add("rules", json: JSONObject.array(rules))
        var tool = JSONObject()
        tool.add("driver", json: driver.text)
        var run = JSONObject()
        run.add("tool", json: tool.text)
        run.add("columnKind", "unicodeCodePoints")
        run.add("results", json: JSONObject.array(problems.map { result($0, codes) }))
        var document = JSONObject()
        document.add("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
        document.add("version", "2.1.0")
        document.add("runs", json: JSONObject.array([run.text]))
        return document.text + "\n"
    }

    private static func result(_ problem: Diagnostic, _ codes: [DiagnosticCode]) -> String {
        var message = JSONObject()
        message.add("text", [problem.message, problem.help].compactMap { $0 }.joined(separator: " "))
        var result = JSONObject()
        result.add("ruleId", problem.code.rawValue)
        result.add("ruleIndex", codes.firstIndex(of: problem.code) ?? 0)
        result.add("level", problem.severity.rawValue)
        result.add("message", json: message.text)
        if let location = problem.location {
            result.add("locations", json: JSONObject.array([place(location)]))
        }
        if !problem.notes.isEmpty {
            result.add(
                "relatedLocations",
                json: JSONObject.array(problem.notes.map { place($0.location, saying: $0.text) }))
        }
        return result.text
    }

    private static func place(_ location: SourceLocation, saying text: String? = nil) -> String {
        var artifact = JSONObject()
        artifact.add("uri", uri(location.file))
        var physical = JSONObject()
        physical.add("artifactLocation", json: artifact.text)
        if let position = location.position {
            var region = JSONObject()
            region.add("startLine", position.line)
            region.add("startColumn", position.column)
            physical.add("region", json: region.text)
        }
        var place = JSONObject()
        place.add("physicalLocation", json: physical.text)
        if let text {
            var message = JSONObject()
            message.add("text", text)
            place.add("message", json: message.text)
        }
        return place.text
    }

    /// A path as a URI: relative where the path is.
    private static func uri(_ path: String) -> String {
        let encoded = PercentText.encoded(path.utf8) { PercentText.isUnreserved($0) || $0 == UInt8(ascii: "/") }
        return path.hasPrefix("/") ? "file://" + encoded : encoded
    }
}

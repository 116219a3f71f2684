internal import SluiceDiagnostics

/// The problems of pipeline files, for programs.
enum ProblemsJSON {
    static func text(_ problems: [Diagnostic]) -> String {
        var object = JSONObject()
        object.add("format", "sluice.validate/1")
        object.add("problems", json: JSONObject.array(problems.map(text)))
        return object.text + "\n"
    }

    private static func text(_ problem: Diagnostic) -> String {
        var object = JSONObject()
        for field in problem.fields {
            switch field.value {
            case .text(let text): object.add(field.name, text)
            case .number(let number): object.add(field.name, number)
            }
        }
        return object.text
    }
}

internal import SluiceDiagnostics

/// Problems as annotations of GitHub Actions: commands that a step prints.
enum ProblemsAnnotations {
    /// A line for each problem.
    static func text(_ problems: [Diagnostic]) -> String {
        problems.map { problem in
            let word =
                switch problem.severity {
                case .error: "error"
                case .warning: "warning"
                case .note: "notice"
                }
            var properties: [String] = []
            if let location = problem.location {
                properties.append("file=\(property(location.file))")
                if let position = location.position {
                    properties += ["line=\(position.line)", "col=\(position.column)"]
                }
            }
            properties.append("title=\(property(problem.summary))")
            let message = [problem.message, problem.help].compactMap { $0 }.joined(separator: " ")
            return "::\(word) \(properties.joined(separator: ","))::\(data(message))\n"
        }.joined()
    }

    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}

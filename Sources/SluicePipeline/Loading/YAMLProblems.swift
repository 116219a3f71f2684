internal import SluiceDiagnostics
internal import SluiceYAML

/// Reports what is wrong with a file as YAML.
struct YAMLProblems {
    let file: SourceFile
    let reporter: Reporter

    func report(_ problems: [YAMLError]) {
        for problem in problems { report(problem) }
    }

    private func report(_ problem: YAMLError) {
        let place = SourcePlace(file: file, mark: problem.mark)
        switch problem.code {
        case .duplicateKey: reporter.report(.duplicateKey, problem.message, at: place)
        case .unsupported: reporter.report(.unsupportedYAML, problem.message, at: place, help: help(problem))
        case .invalidAlias, .invalidMerge: reporter.report(.invalidYAML, problem.message, at: place)
        default: reporter.report(.invalidYAML, problem.message, at: place, help: help(problem))
        }
    }

    /// What to do about the mistakes that are made most.
    private func help(_ problem: YAMLError) -> String? {
        let line = file.line(problem.mark.line) ?? ""
        let rest = line.unicodeScalars.dropFirst(problem.mark.column - 1)
        if problem.code == .limit { return nil }
        if rest.first == "\t" || line.prefix(while: { $0 == " " || $0 == "\t" }).contains("\t") {
            return "YAML is indented with blanks, not with tabs."
        }
        if line.contains("${") || line.contains("{{") {
            return "Write texts with `${…}` or `{{ … }}` in quotes; within `{…}` and `[…]` they must be."
        }
        if let first = rest.first, "@`%&*!|>".unicodeScalars.contains(first) {
            return "A text that begins with this character must be in quotes."
        }
        return nil
    }
}

extension YAMLDocument {
    /// Whether its nodes are all there: of a key that stands twice the first one counts.
    var isUsable: Bool { problems.allSatisfy { $0.code == .duplicateKey } }
}

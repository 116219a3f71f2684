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
        let kind: ProblemKind =
            switch problem.code {
            case .duplicateKey: .duplicateKey
            case .unsupported: .unsupportedYAML
            default: .invalidYAML
            }
        reporter.report(kind, message(of: problem), at: place, help: remedy(for: problem))
    }

    /// Names of anchors and tags are words of the file, and a value that lacks its quotes may begin like one.
    private func message(of problem: YAMLError) -> String {
        let namesWords = [.invalidAlias, .unsupported].contains(problem.code)
        guard namesWords, file.hides(at: problem.mark) else { return problem.message }
        return problem.code == .invalidAlias ? "The alias cannot be resolved." : "The tag is not supported."
    }

    private func remedy(for problem: YAMLError) -> String {
        switch problem.code {
        case .duplicateKey: "Leave one of the two out, or give it another name."
        case .encoding where problem.message.contains("UTF-8"): "Save the file as UTF-8."
        case .encoding: "Remove the character, or write it in double quotes as an escape such as `\\u0007`."
        case .invalidAlias where problem.message.contains("contain itself"):
            "Write the value out in place of the alias."
        case .invalidAlias: "Write the anchor at the value above, or put a text that begins with `*` in quotes."
        case .invalidMerge: "Name a mapping, as in `<<: *common`."
        case .limit: "Write it flatter and with fewer aliases, or move entities to another file with `include`."
        case .unsupported: lineRemedy(problem) ?? "Write plain YAML: one document of mappings, lists and single values."
        default: lineRemedy(problem) ?? Self.syntaxRemedy(problem.message)
        }
    }

    /// What to do about the mistakes that are made most, as the line shows them.
    private func lineRemedy(_ problem: YAMLError) -> String? {
        let line = file.line(problem.mark.line) ?? ""
        let rest = line.unicodeScalars.dropFirst(problem.mark.column - 1)
        if rest.first == "\t" || line.prefix(while: { $0 == " " || $0 == "\t" }).contains("\t") {
            return "YAML is indented with spaces, not with tabs."
        }
        if line.contains("${") || line.contains("{{") {
            return "Write texts with `${…}` or `{{ … }}` in quotes; within `{…}` and `[…]` they must be."
        }
        if let first = rest.first, "@`%&*!|>".unicodeScalars.contains(first) {
            return "A text that begins with this character must be in quotes."
        }
        return nil
    }

    /// What to do about an error of syntax, by libyaml's words for it.
    private static func syntaxRemedy(_ message: String) -> String {
        let message = message.lowercased()
        for (words, remedy) in syntaxRemedies where message.contains(words) { return remedy }
        return "Check indentation, quotes and brackets here and in the lines above."
    }

    private static let syntaxRemedies = [
        ("',' or ']'", "Close the list with `]`, and put commas between its elements."),
        ("',' or '}'", "Close the mapping with `}`, and put commas between its keys."),
        ("expected ':'", "A key is followed by a colon and a space, as in `name: value`."),
        (
            "mapping values are not allowed",
            "Indent the keys of one mapping alike; a text that holds `: ` needs quotes."
        ),
        ("expected key", "Indent the keys of one mapping alike."),
        ("'-' indicator", "Indent the elements of one list alike, each after `- `."),
        ("sequence entries are not allowed", "A list begins on a line of its own below its key."),
        ("escape", "In double quotes a backslash is written `\\\\`; in single quotes it stands for itself."),
        ("quoted scalar", "Close the text with the quote that it began with."),
        ("anchor", "The name of an anchor or alias follows at once: letters, digits, `-` and `_`."),
        ("alias", "The name of an anchor or alias follows at once: letters, digits, `-` and `_`."),
    ]
}

extension YAMLDocument {
    /// Whether its nodes are all there: of a key that stands twice the first one counts.
    var isUsable: Bool { problems.allSatisfy { $0.code == .duplicateKey } }
}

internal import SluiceDiagnostics
internal import SluiceYAML

/// Collects the problems of one file, each with its source line.
///
/// A class, since every part of a load adds to the same list.
final class Reporter {
    private let file: String
    private let lines: SourceLines
    private let secrets: SecretPlaces
    private(set) var list = DiagnosticList()

    init(file: String, lines: SourceLines, secrets: SecretPlaces) {
        self.file = file
        self.lines = lines
        self.secrets = secrets
    }

    /// Adds a problem.
    ///
    /// - Parameters:
    ///   - kind: Gives the code, the summary and the usual severity.
    ///   - detail: Full sentences; values in them must be masked already.
    ///   - mark: The place in the file.
    ///   - suggestion: The name that was probably meant.
    ///   - help: What to do about it.
    ///   - severity: Where it is not the kind's own.
    func report(
        _ kind: ProblemKind, _ detail: String, at mark: Mark, suggestion: String? = nil, help: String? = nil,
        severity: Severity? = nil
    ) {
        list.append(
            Diagnostic(
                code: kind.code, severity: severity ?? kind.severity, summary: kind.summary, detail: detail,
                location: SourceLocation(file: file, line: mark.line, column: mark.column),
                snippet: lines.line(mark.line).map { secrets.snippet(of: $0, at: mark) },
                suggestion: suggestion, help: help))
    }
}

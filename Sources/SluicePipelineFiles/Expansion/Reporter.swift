internal import SluiceDiagnostics

/// Collects the problems of a pipeline's files, each with its source line.
///
/// A class, since every part of a load adds to the same list.
final class Reporter {
    private(set) var list = DiagnosticList()
    /// Finds the file beside the pipeline's that has an entity.
    let elsewhere: (String) -> String?
    /// What came from the environment or from files: no message tells it, wherever it was put.
    private var secrets: Set<String> = []

    init(elsewhere: @escaping (String) -> String? = { _ in nil }) { self.elsewhere = elsewhere }

    /// Notes a text that no message may tell. Very short ones stay, since they are part of other words.
    func hide(_ text: String) {
        if text.utf8.count >= 4 { secrets.insert(text) }
    }

    private func masked(_ text: String) -> String {
        secrets.sorted { $0.utf8.count > $1.utf8.count }.reduce(text) { $0.replacing($1, with: "***") }
    }

    /// Adds a problem.
    ///
    /// - Parameters:
    ///   - kind: Gives the code, the summary and the usual severity.
    ///   - detail: Full sentences; values in them must be masked already.
    ///   - place: The place in one of the files.
    ///   - suggestion: The name that was probably meant.
    ///   - help: What to do about it.
    ///   - notes: Other places that it is about, before those that lead to this one.
    ///   - severity: Where it is not the kind's own.
    func report(
        _ kind: ProblemKind, _ detail: String, at place: SourcePlace, suggestion: String? = nil, help: String? = nil,
        notes: [Diagnostic.Note] = [], severity: Severity? = nil
    ) {
        list.append(
            Diagnostic(
                code: kind.code, severity: severity ?? kind.severity, summary: kind.summary, detail: masked(detail),
                location: place.location, snippet: place.file.snippet(at: place.mark),
                suggestion: suggestion.map(masked),
                help: help.map(masked), notes: notes + place.notes))
    }
}

/// One problem: what is wrong, where, why, and what to do about it.
package struct Diagnostic: Sendable, Hashable {
    /// What kind of problem it is.
    package var code: DiagnosticCode
    /// How much it matters.
    package var severity: Severity
    /// A few constant words without data of the user, such as "Unknown key".
    package var summary: String
    /// Full sentences: what is wrong with which thing, and why.
    package var detail: String
    /// Where it is; nil where it is about no file.
    package var location: SourceLocation?
    /// The source line it points at.
    package var snippet: SourceSnippet?
    /// The name that was probably meant.
    package var suggestion: String?
    /// What to do, as full sentences.
    package var help: String?
    /// Other places that it is about, and how the place of the problem came to be used.
    package var notes: [Note]

    /// Makes a diagnostic.
    package init(
        code: DiagnosticCode, severity: Severity = .error, summary: String, detail: String,
        location: SourceLocation? = nil, snippet: SourceSnippet? = nil, suggestion: String? = nil,
        help: String? = nil, notes: [Note] = []
    ) {
        self.code = code
        self.severity = severity
        self.summary = summary
        self.detail = detail
        self.location = location
        self.snippet = snippet
        self.suggestion = suggestion
        self.help = help
        self.notes = notes
    }

    /// Summary, detail and suggestion as one line of text.
    package var message: String {
        let base = detail.isEmpty ? summary : "\(summary): \(detail)"
        guard let suggestion else { return base }
        return "\(base) Did you mean `\(suggestion)`?"
    }
}

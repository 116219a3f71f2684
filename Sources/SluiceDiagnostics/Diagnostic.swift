/// One problem: what is wrong, where, why, and what to do about it.
public struct Diagnostic: Sendable, Hashable {
    /// What kind of problem it is.
    public var code: DiagnosticCode
    /// How much it matters.
    public var severity: Severity
    /// A few constant words without data of the user, such as "Unknown key".
    public var summary: String
    /// Full sentences: what is wrong with which thing, and why.
    public var detail: String
    /// Where it is; nil where it is about no file.
    public var location: SourceLocation?
    /// The source line it points at.
    public var snippet: SourceSnippet?
    /// The name that was probably meant.
    public var suggestion: String?
    /// What to do, as full sentences.
    public var help: String?
    /// Other places that it is about, and how the place of the problem came to be used.
    public var notes: [Note]

    /// Makes a diagnostic.
    public init(
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
    public var message: String {
        let base = detail.isEmpty ? summary : "\(summary): \(detail)"
        guard let suggestion else { return base }
        return "\(base) Did you mean `\(suggestion)`?"
    }
}

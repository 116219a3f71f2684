/// The source line that a diagnostic points at.
public struct SourceSnippet: Sendable, Hashable {
    /// The line without its line break; secrets are already masked.
    public var line: String
    /// Where the caret goes, in Unicode scalars of ``line``, from 1.
    ///
    /// It differs from the location's column where a masked secret stands before it.
    public var caretColumn: Int

    /// Makes a snippet.
    public init(line: String, caretColumn: Int) {
        self.line = line
        self.caretColumn = caretColumn
    }
}

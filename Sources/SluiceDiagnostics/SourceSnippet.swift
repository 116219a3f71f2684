/// The source line that a diagnostic points at.
package struct SourceSnippet: Sendable, Hashable {
    /// The line without its line break; secrets are already masked.
    package var line: String
    /// Where the caret goes, in Unicode scalars of ``line``, from 1.
    ///
    /// It differs from the location's column where a masked secret stands before it.
    package var caretColumn: Int

    /// Makes a snippet.
    package init(line: String, caretColumn: Int) {
        self.line = line
        self.caretColumn = caretColumn
    }
}

/// Writes diagnostics for people.
///
/// ```text
/// shop.yaml:7:5: error: Unknown key: `pathh` is not a key of a stream. Did you mean `path`?
///         pathh: /books
///         ^
///     help: …
/// ```
package struct TextDiagnosticRenderer: Sendable {
    /// About how many cells a source line may take before it is clipped around the caret.
    package var width: Int

    private static let indent = "    "

    /// Makes a renderer.
    package init(width: Int = 100) { self.width = width }

    /// One diagnostic as lines of text, each ended by a line break.
    package func render(_ diagnostic: Diagnostic) -> String {
        let place = diagnostic.location.map { "\($0): " } ?? ""
        var text = PrintableText.escape("\(place)\(diagnostic.severity.rawValue): \(diagnostic.message)") + "\n"
        if let snippet = diagnostic.snippet, !snippet.line.isEmpty {
            let layout = SnippetLayout(snippet, width: width)
            text += Self.indent + layout.text + "\n" + Self.indent + layout.caret + "\n"
        }
        for note in diagnostic.notes {
            text += Self.indent + "note: " + PrintableText.escape(note.description) + "\n"
        }
        if let help = diagnostic.help { text += Self.indent + "help: " + PrintableText.escape(help) + "\n" }
        return text
    }

    /// Several diagnostics, in the order given.
    package func render(_ diagnostics: some Sequence<Diagnostic>) -> String {
        diagnostics.reduce(into: "") { $0 += render($1) }
    }
}

import SluiceDiagnostics
import Testing

@Suite struct TextDiagnosticRendererTests {
    private func render(_ line: String, column: Int, width: Int = 100) -> [String] {
        let diagnostic = Diagnostic(
            code: "x", summary: "Bad", detail: "", snippet: SourceSnippet(line: line, caretColumn: column))
        let text = TextDiagnosticRenderer(width: width).render(diagnostic)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast().map {
            String($0.dropFirst(4))
        }
    }

    @Test func wholeDiagnostic() {
        let diagnostic = Diagnostic(
            code: "unknown_key", summary: "Unknown key", detail: "`pathh` is not a key of a stream.",
            location: SluiceDiagnostics.SourceLocation(file: "shop.yaml", line: 7, column: 5),
            snippet: SourceSnippet(line: "    pathh: /books", caretColumn: 5), suggestion: "path", help: "Look it up.")
        let expected = """
            shop.yaml:7:5: error: Unknown key: `pathh` is not a key of a stream. Did you mean `path`?
                    pathh: /books
                    ^
                help: Look it up.

            """
        #expect(TextDiagnosticRenderer().render(diagnostic) == expected)
    }

    @Test func withoutPosition() {
        let diagnostic = Diagnostic(
            code: "x", severity: .warning, summary: "Odd", detail: "It is.",
            location: SluiceDiagnostics.SourceLocation(file: "a"))
        #expect(TextDiagnosticRenderer().render(diagnostic) == "a: warning: Odd: It is.\n")
        let bare = Diagnostic(code: "x", severity: .note, summary: "Odd", detail: "")
        #expect(TextDiagnosticRenderer().render(bare) == "note: Odd\n")
    }

    @Test func tabsAreKeptBelow() {
        #expect(render("\ta:\tb", column: 5) == ["\ta:\tb", "\t  \t^"])
    }

    @Test func wideCharactersTakeTwoCells() {
        #expect(render("図書: x", column: 5) == ["図書: x", "      ^"])
    }

    @Test func combiningCharactersTakeNone() {
        #expect(render("e\u{301}: x", column: 5) == ["e\u{301}: x", "   ^"])
    }

    @Test func controlCharactersAreEscaped() {
        #expect(render("a\u{1B}[2Jb\u{202E}c", column: 6) == ["a\\u{1B}[2Jb\\u{202E}c", "          ^"])
    }

    @Test func messageIsEscapedToo() {
        let diagnostic = Diagnostic(code: "x", summary: "Bad", detail: "a\nb\u{7}", help: "c\td")
        #expect(TextDiagnosticRenderer().render(diagnostic) == "error: Bad: a\\nb\\u{7}\n    help: c\\td\n")
    }

    @Test(arguments: [1, 50, 500, 999, 1000, 1001])
    func longLinesAreClippedAroundTheCaret(column: Int) throws {
        var letters = [Character](repeating: "-", count: 1000)
        if column <= 1000 { letters[column - 1] = "X" }
        let lines = render(String(letters), column: column, width: 60)
        let (text, caret) = (Array(lines[0]), Array(lines[1]))
        #expect(text.count <= 62)
        #expect(caret.last == "^")
        if column <= 1000 { #expect(text[caret.count - 1] == "X") } else { #expect(caret.count == text.count + 1) }
        #expect((text.first == "…") == (column > 40))
        #expect((text.last == "…") == (column < 981))
    }

    @Test(arguments: [Int.min, -1, 0, 1, 5, Int.max])
    func anyColumnWillDo(column: Int) {
        #expect(render("abc", column: column).count == 2)
    }

    @Test func anEmptyLineShowsNothing() {
        #expect(render("", column: 1) == [])
    }

    @Test func notesFollowTheSourceLine() {
        let diagnostic = Diagnostic(
            code: "x", summary: "Wrong", detail: "It is.", location: SourceLocation(file: "a.yaml", line: 1, column: 2),
            snippet: SourceSnippet(line: "ab", caretColumn: 2), help: "Do.",
            notes: [
                Diagnostic.Note(text: "it is used at", location: SourceLocation(file: "a.yaml", line: 3, column: 4)),
                Diagnostic.Note(text: "its file is included at", location: SourceLocation(file: "b\n.yaml")),
            ])
        let expected = """
            a.yaml:1:2: error: Wrong: It is.
                ab
                 ^
                note: it is used at a.yaml:3:4
                note: its file is included at b\\n.yaml
                help: Do.

            """
        #expect(TextDiagnosticRenderer().render(diagnostic) == expected)
        #expect(
            diagnostic.fields.last
                == .init(name: "note", value: .text("it is used at a.yaml:3:4; its file is included at b\n.yaml")))
    }
}

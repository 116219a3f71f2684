import SluiceDiagnostics
import Testing

@Suite struct TextLinesTests {
    @Test(arguments: [
        ("", [""]), ("a", ["a"]), ("a\n", ["a", ""]), ("a\r\nb\r\n", ["a", "b", ""]), ("a\n\r\nb", ["a", "", "b"]),
        ("a\rb", ["a\rb"]), ("\r\n\r\n", ["", "", ""]),
    ])
    func linesEndWithALineFeedWhateverStandsBeforeIt(text: String, lines: [String]) {
        #expect(TextLines.of(text).map(String.init) == lines)
    }
}

import SluiceModel
import Testing

/// What the reference says of the directives of patterns is what they read and write.
@Suite("The directives of patterns")
struct TimeDirectiveTests {
    @Test(arguments: TimeDirective.all.map(\.letter)) func anExampleIsWrittenAndRead(_ letter: Character) throws {
        let directive = try #require(TimeDirective.all.first { $0.letter == letter })
        let moment = try #require(Timestamp(stored: Array("2026-11-01T20:05:09.25Z".utf8)))
        #expect(moment.text(TimeFormat("%\(letter)")) == directive.example)
        // Beside others that make a whole moment, which say the same.
        let whole = "%Y-%m-%d %H:%M:%S.%f %z %\(letter)"
        let pattern = letter == "I" ? whole + " %p" : letter == "p" ? "%Y-%m-%d %I:%M:%S.%f %z %p" : whole
        let text = moment.text(TimeFormat(pattern))
        #expect(TimeFormat(pattern).timestamp(text, defaultOffset: nil) == moment, "\(text)")
    }
}

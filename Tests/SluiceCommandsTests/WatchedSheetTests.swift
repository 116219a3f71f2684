import Testing

@testable import SluiceCommands

/// CSV that a person looks at on a terminal.
@Suite struct WatchedSheetTests {
    /// What a source may send: ESC, the end of a title, a change of direction, and what is harmless.
    private static let hostile =
        #"[{"id":1,"title":"a\u001b]0;x\u0007b\u202ec"},{"id":2,"title":"Grüße, \"🎈\"\nzwei"}]"#

    private func shop() throws -> Workshop {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(Self.hostile, to: "books.json")
        return shop
    }

    @Test(arguments: [true, false])
    func aTerminalIsNotActedOn(_ isTerminal: Bool) throws {
        let shop = try shop()
        let output = MemorySink(isTerminal: isTerminal)
        let code = Sluice.run(
            arguments: ["plan", shop.pipeline, "--format", "csv"],
            context: CommandContext(output: output, errors: MemorySink()))
        #expect(code == 0)
        #expect(output.text.contains("\u{1B}") != isTerminal && output.text.contains("\u{202E}") != isTerminal)
        #expect(output.text.contains("a\\u{1B}]0;x\\u{7}b\\u{202E}c") == isTerminal, "\(output.text)")
        #expect(output.text.contains("Grüße, \"\"🎈\"\"\nzwei"), "\(output.text)")
        #expect(output.text.hasSuffix("\r\n"))
    }

    struct Cut: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let text: String
        let rest: [UInt8]
    }

    @Test(arguments: [
        Cut(testDescription: "nothing", bytes: [], text: "", rest: []),
        Cut(testDescription: "a line break", bytes: Array("a\r\nb\n".utf8), text: "a\r\nb\n", rest: []),
        Cut(testDescription: "a carriage return alone", bytes: Array("a\rb\n".utf8), text: "a\\rb\n", rest: []),
        Cut(testDescription: "half of two bytes", bytes: [0x61, 0xC3], text: "a", rest: [0xC3]),
        Cut(testDescription: "two of three bytes", bytes: [0x61, 0xE2, 0x80], text: "a", rest: [0xE2, 0x80]),
        Cut(testDescription: "three of four bytes", bytes: [0xF0, 0x9F, 0x8E], text: "", rest: [0xF0, 0x9F, 0x8E]),
        Cut(testDescription: "a whole character", bytes: Array("ü".utf8), text: "ü", rest: []),
    ])
    func whatEndsWithinACharacterWaits(_ cut: Cut) {
        let (text, rest) = VisibleLines.escaped(cut.bytes, isEnd: false)
        #expect(String(decoding: text, as: UTF8.self) == cut.text && rest == cut.rest)
        #expect(VisibleLines.escaped(cut.bytes, isEnd: true).rest == [])
    }

    @Test func aPlanIsSavedToAFile() throws {
        let shop = try shop()
        let outcome = shop.sluice("plan", shop.pipeline, "--save", "-")
        #expect(outcome.code == 64 && outcome.errors.contains("`--save` needs a file, and `-` is none"), "\(outcome)")
        #expect(outcome.output.isEmpty)
    }
}

import SluiceJSON
import TestSupport
import Testing

@Suite("JSON without what a parser need not take")
struct JSONTextTests {
    @Test(arguments: [
        (#"["a", 1.5, null]"#, #"["a", 1.5, null]"#),
        (#"["\ud83d\ude00"]"#, #"["\ud83d\ude00"]"#),
        (#"["\ud83d", 1]"#, #"["\ufffd", 1]"#),
        (#"["\ude00\ud83d"]"#, #"["\ufffd\ufffd"]"#),
        (#"["\uD83D\u0041"]"#, #"["\ufffd\u0041"]"#),
        (#"["\\ud83d"]"#, #"["\\ud83d"]"#),
        (#"{"\ud83d": "\"["}"#, #"{"\ufffd": "\"["}"#),
        (#"[[1, {"a": [2]}], 3]"#, #"[[             ], 3]"#),
        (#"[["\ud83d[", "]"], [4]]"#, #"[[              ], [ ]]"#),
    ])
    func losesThatAndNothingElse(text: String, expected: String) {
        #expect(String(decoding: JSONText.tamed(Array(text.utf8), maximumDepth: 2), as: UTF8.self) == expected)
    }

    @Test func isParsedAtAnyDepth() throws {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let parser = JSONParser()
        let root = try unsafe parser.parseTamed(Array("{\"a\": \(deep), \"next\": \"\\ud83d\"}".utf8))
        #expect(root.member(named: "next")?.string == "\u{FFFD}")
    }

    /// Whatever the text is, it stays as long, and what a parser takes stays as it is.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func damagedTextNeverTraps(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let signs = Array(#"[]{}",:\ud8e012x "#.utf8)
        for _ in 0..<500 {
            let text = (0..<30).map { _ in signs.randomElement(using: &generator) ?? 0 }
            let tamed = JSONText.tamed(text, maximumDepth: 3)
            #expect(tamed.count == text.count)
            if (try? unsafe JSONParser(maximumDepth: 2).parse(text)) != nil { #expect(tamed == text) }
        }
    }
}

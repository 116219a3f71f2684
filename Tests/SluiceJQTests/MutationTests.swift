import SluiceJQ
import TestSupport
import Testing

/// Damaged programs are refused or evaluated, and never trap.
@Suite struct MutationTests {
    private static let pieces = [
        ".", "|", ",", "[", "]", "{", "}", "(", ")", "\"", "\\(", "$x", " as $x ", ":", ";", "?", "//", "..", "1", "-",
        "1e9", "#", "\n", "try ", "reduce ", "range(", "implode", "@sh", "@base64d", "tojson", "fromjson", "def f: ",
        "=", "|=", "*", "%", "/", "error", "splits(", "limit(", "path(", "getpath(", "del(", "to_entries", "\u{0}", "é",
        "ltrimstr(", "ascii", "@json", "env", "input", "repeat(", "strptime(", "mktime", "todate", "infinite", "nan",
    ]

    @Test(arguments: UInt64(1)...3)
    func damagedProgramsDoNotTrap(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limits = JQLimits(time: .milliseconds(20), memory: 32 << 20, outputCount: 1000, outputBytes: 1 << 20)
        var compiled = 0
        for _ in 0..<60 {
            guard let one = ConformanceTests.cases.randomElement(using: &random) else { return }
            let code = failure(damaged(one.program, &random), one.input, limits: limits)?.code
            if code != .syntax && code != .notAllowed { compiled += 1 }
        }
        #expect(compiled > 0)
    }

    private func damaged(_ text: String, _ random: inout SeededGenerator) -> String {
        var program = Array(text.unicodeScalars)
        for _ in 0...Int.random(in: 0...1, using: &random) {
            let position = Int.random(in: 0...program.count, using: &random)
            let piece = Self.pieces.randomElement(using: &random) ?? ""
            switch Int.random(in: 0..<3, using: &random) {
            case 0 where position < program.count: program.remove(at: position)
            case 1 where position < program.count:
                program.replaceSubrange(position...position, with: piece.unicodeScalars)
            default: program.insert(contentsOf: piece.unicodeScalars, at: position)
            }
        }
        var damaged = ""
        damaged.unicodeScalars.append(contentsOf: program)
        return damaged
    }
}

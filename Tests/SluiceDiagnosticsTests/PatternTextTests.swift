import SluiceDiagnostics
import Testing

struct PatternTextTests {
    /// Patterns, and whether they are ones; none of them is a trap.
    static let patterns: [(text: String, isOne: Bool)] = [
        ("[A-Z]{2}-\\d+", true), ("", true), ("a|b", true), ("(?<n>a)", true), ("\\[[\\]]", true), ("[[a][b]]", true),
        ("(", false), ("[", false), ("[a", false), ("a**", false), ("\\", false), ("a{3,1}", false), ("[z-a]", false),
        (String(repeating: "[a", count: 16) + String(repeating: "]", count: 16), true),
        (String(repeating: "\\[", count: 400), true), (String(repeating: "[a]", count: 400), true),
        (String(repeating: "[a", count: 17) + String(repeating: "]", count: 17), false),
        (String(repeating: "[", count: 100_000), false), (String(repeating: "[^", count: 100_000), false),
        (String(repeating: "[a&&", count: 100_000), false), (String(repeating: "(", count: 100_000), false),
        (String(repeating: "(?:", count: 100_000), false),
    ]

    @Test(arguments: patterns.indices) func readsPatterns(_ index: Int) {
        let (text, isOne) = Self.patterns[index]
        #expect((PatternText.expression(text) != nil) == isOne, "\(text.prefix(20))")
    }
}

import SluiceJSON
import Testing

/// Regular expressions, seen through the functions `match` and `search`.
@Suite struct IRegexpTests {
    private func selected(_ function: String, _ pattern: String, _ texts: [String]) throws -> [String] {
        var document: [UInt8] = Array("{\"p\":".utf8)
        JSONWriter.append(pattern, to: &document)
        document += Array(",\"v\":[".utf8)
        for (index, text) in texts.enumerated() {
            if index > 0 { document.append(UInt8(ascii: ",")) }
            JSONWriter.append(text, to: &document)
        }
        document += Array("]}".utf8)
        let parser = JSONParser()
        let root = try unsafe parser.parse(document)
        return try JSONPath(parsing: "$.v[?\(function)(@, $.p)]").matches(in: root).map { $0.string ?? "" }
    }

    static let whole: [(String, [String], [String])] = [
        ("abc", ["abc"], ["ab", "abcd", ""]),
        ("a|bc|", ["a", "bc", ""], ["abc", "b"]),
        ("(a|b)c", ["ac", "bc"], ["abc", "c"]),
        ("a*", ["", "a", "aaaa"], ["b", "ab"]),
        ("(ab)+", ["ab", "abab"], ["", "aba"]),
        ("a?b", ["b", "ab"], ["aab"]),
        ("a{3}", ["aaa"], ["aa", "aaaa"]),
        ("a{2,}", ["aa", "aaaaa"], ["a"]),
        ("a{1,3}", ["a", "aaa"], ["", "aaaa"]),
        ("(a|bc){2}", ["aa", "abc", "bca", "bcbc"], ["a", "abca"]),
        ("((a*)*)*b", ["b", "aab"], ["a"]),
        ("[a-c]", ["a", "b", "c"], ["d", "-"]),
        ("[^a-c]", ["d", "é", "\n"], ["a"]),
        ("[-a]", ["-", "a"], ["b"]),
        ("[a-]", ["-", "a"], ["b"]),
        ("[\\-\\]x]", ["-", "]", "x"], ["\\"]),
        ("a.b", ["axb", "a😀b"], ["a\nb", "a\rb", "ab"]),
        ("\\p{Lu}\\P{Lu}", ["Aa", "É1"], ["aa", "AA"]),
        ("[\\p{L}0-9]+", ["aé9"], ["a-b"]),
        ("\\.\\n\\t\\\\", [".\n\t\\"], ["."]),
        ("^a$", ["a"], ["^a$"]),
        ("é+", ["éé"], ["e"]),
    ]

    @Test(arguments: whole)
    func wholeTextsMatch(pattern: String, matching: [String], others: [String]) throws {
        #expect(try selected("match", pattern, matching + others) == matching)
    }

    static let parts: [(String, [String], [String])] = [
        ("b+", ["abc", "b"], ["ac", ""]),
        ("^b", ["bc"], ["ab"]),
        ("b$", ["ab"], ["ba"]),
        ("", ["", "x"], []),
        ("a.c|x", ["1abc2", "x"], ["ac"]),
    ]

    @Test(arguments: parts)
    func partsMatch(pattern: String, matching: [String], others: [String]) throws {
        #expect(try selected("search", pattern, matching + others) == matching)
    }

    @Test(arguments: [
        "(", ")", "a)", "[", "[]", "[^]", "a{2", "a{2,1}", "a{x}", "*a", "a**", "+", "?", "{1}", "\\d", "\\w", "\\",
        "\\p{Xx}",
        "\\pL", "[b-a]", "[a-\\p{L}]", "a{1000000}", "((a{999}){999}){999}", "((a{999}){0}){0}(b{19999}){0}", "]", "}",
    ])
    func whatIsNoExpressionMatchesNothingAndIsNamed(pattern: String) throws {
        #expect(try selected("search", pattern, ["a", "", "d", pattern]) == [])
        var quoted: [UInt8] = []
        JSONWriter.append(pattern, to: &quoted)
        let path = try JSONPath(parsing: "$[?search(@, \(String(decoding: quoted, as: UTF8.self)))]")
        #expect(path.invalidPatterns.map(\.offset) == [13])
        #expect(path.invalidPatterns.first?.message.contains("RFC 9485") == true)
    }

    @Test func noTextMakesAnExpressionSlow() throws {
        let text = String(repeating: "a", count: 5_000)
        for pattern in ["(a+)+b", "(a|aa)+b", "(a*)*b", "a{0,50}a{0,50}a{0,50}b", "(.*)(.*)(.*)(.*)b"] {
            #expect(try selected("match", pattern, [text]) == [])
        }
    }
}

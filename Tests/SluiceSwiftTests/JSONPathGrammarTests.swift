import SluiceJSON
import SluiceSwift
import Testing

/// The macro takes the paths that the store takes.
struct JSONPathGrammarTests {
    static let paths = [
        "a", "a.b", "$", "$.a", "$.a.b", "a[*]", "a[0]", "a[-1]", "a[0].b", "$['a b']", "['a']", "$[\"a\"]", "a.*", "*",
        "$..a", "a..b",
        "$..[0]", "$..*", "author.e-mail", "author.@id", "1st", "a.1", "ä.ö", "_a", "a['b','c']", "a[0,1]", "a[1:5:2]",
        "a[:]", "a[::]",
        "a[1:]", "a[:-1]", "a[ 0 ]", "a[ 'x' , 'y' ]", "a [0]", "a\n.b", "$ .a", "a['\\'']", "a[\"\\\"\"]",
        "a['\\u00e9']", "a['\\ud83d\\ude00']",
        "a['\\n\\t\\\\\\/']", "a[9007199254740991]", "a[?@.b]", "a[?@.b == 'x]']", "a[?@.b, ?@.c]",
        "a[?match(@.b, '[a-z]')]",
        "", ".", ".a", "a.", "a..", "a[", "a]", "a[]", "a['b", "a['b'", "a[b]", "a b", "a ", " a", "a.b c", "a[1",
        "a[1,]", "a[,1]", "a[01]",
        "a[-0]", "a[-]", "a[1:2:3:4]", "a[9007199254740992]", "a[99999999999999999999]", "$a", "$.1", "$.a-b", "$.@a",
        "a/b", "a'b'", "a#", "$$",
        "a['\\x']", "a['\\u00g0']", "a['\\u+123']", "a['\\ud83d']", "a['\\ude00']", "a['\\ud83dx']", "a['\u{1}']",
        "a['\\\"']", "a[\"\\'\"]",
        "a[?@.b", "a[?(@.b]", "a[?@.b)]", "a[?@.b == 'x]", "a[*", "a[* *]", "..", "$..", "$.", "[", "]", "a[:1",
        "a[1 2]", "a..[",
        "a.[0]", "a:b", "a,b", "a=b", "a(b)", "💡", "a.💡",
    ]

    @Test func takesWhatTheStoreTakes() {
        for path in Self.paths {
            #expect(JSONPathGrammar.accepts(path) == ((try? JSONPath(parsing: path)) != nil), "\(path)")
        }
        #expect(Self.paths.count(where: JSONPathGrammar.accepts) > 40)
    }

    /// Only conditions are left to the store: what begins as one and is none, the macro takes.
    @Test func leavesConditionsToTheStore() {
        for path in ["a[?]", "a[?@.b ==]", "a[?what(@)]", "a[?1]"] {
            #expect(JSONPathGrammar.accepts(path) && (try? JSONPath(parsing: path)) == nil, "\(path)")
        }
    }

    /// As many parts as the store takes, and no more.
    @Test func countsParts() {
        for count in [255, 256, 257, 511, 512, 513] {
            for path in [
                String(repeating: "[0]", count: count), Array(repeating: "a", count: count).joined(separator: "."),
            ] {
                #expect(JSONPathGrammar.accepts(path) == ((try? JSONPath(parsing: path)) != nil), "\(count)")
            }
        }
    }

    /// Whatever a path becomes by changes of its characters, both say the same, unless a condition decides.
    @Test func agreesOfChangedPaths() {
        var random = SystemRandomNumberGenerator()
        let letters = Array("ab01.[]'\"*:,-@$ \\u?()éd8")
        for path in Self.paths where !path.contains("?") {
            for _ in 0..<40 {
                var text = Array(path)
                let place = Int.random(in: 0...text.count, using: &random)
                if Bool.random(using: &random), place < text.count { text.remove(at: place) }
                if let letter = letters.randomElement(using: &random) {
                    text.insert(letter, at: min(place, text.count))
                }
                let changed = String(text)
                if changed.contains("?") { continue }
                #expect(JSONPathGrammar.accepts(changed) == ((try? JSONPath(parsing: changed)) != nil), "\(changed)")
            }
        }
    }
}

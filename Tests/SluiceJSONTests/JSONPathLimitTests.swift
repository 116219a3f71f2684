import SluiceJSON
import Testing

/// Hostile paths and documents end with an error.
@Suite struct JSONPathLimitTests {
    @Test(arguments: [
        "$..*..*..*..*", "$[*][*,*,*,*,*,*,*,*][*,*,*,*,*,*,*,*][*,*,*,*,*,*,*,*][*,*,*,*,*,*,*,*]",
        "$[?$..[?$..[?$..x]]]", "$..[?count($..*) == count($..*)]", "$[?@ == $[0] && $..a]",
    ])
    func aPathThatIsTooCostlyIsRefused(text: String) throws {
        // Many arrays in each other, with many numbers.
        let row = "[" + (0..<200).map { "[[[\($0)]]]" }.joined(separator: ",") + "]"
        let document = "[" + Array(repeating: row, count: 200).joined(separator: ",") + "]"
        let path = try JSONPath(parsing: text)
        try withElement(document) { root in
            let error = #expect(throws: JSONError.self) { try path.matches(in: root, maximumSteps: 2_000_000) }
            #expect(error?.code == .pathTooCostly)
        }
    }

    @Test(arguments: ["$..*", "$..[0]", "$[*]..[*]", "$[?@[0]]", "$[?length(@) > 1][*]", "$[::-1]", "$..[?@ > 3]"])
    func timeThatIsLinearIsAlwaysGranted(text: String) throws {
        let document = "[" + (0..<50_000).map { "[\($0)]" }.joined(separator: ",") + "]"
        let path = try JSONPath(parsing: text)
        try withElement(document) { root in
            #expect(throws: Never.self) { try path.matches(in: root) }
            var last = ""
            #expect(path.forEachMatch(in: root) { last = $1 })
            #expect(last.hasPrefix("/") || path.first(in: root) == nil)
        }
    }

    @Test func whatIsTooCostlyIsSaidByTheCallsThatDoNotThrow() throws {
        let document = "[" + (0..<4_000).map { "[\($0)]" }.joined(separator: ",") + "]"
        let path = try JSONPath(parsing: "$[?count($..*) == count($..*)]")
        try withElement(document) { root in
            #expect(!path.forEach(in: root) { _ in })
        }
    }

    @Test func deepDocumentsAndPathsAreFollowed() throws {
        let depth = 20_000
        let document = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let parser = JSONParser(maximumDepth: depth)
        let root = try unsafe parser.parse(Array(document.utf8))
        #expect(try JSONPath(parsing: "$..*").matches(in: root).count == depth - 1)
        #expect(try JSONPath(parsing: "$" + String(repeating: "[0]", count: 200)).matches(in: root).count == 1)
        #expect(root.firstNestedDuplicateName == nil)
    }

    private static func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

    static let large: [String] = [
        "$" + String(repeating: "[0]", count: 2_000), "$[" + String(repeating: "0,", count: 2_000) + "0]",
        "$[?" + times(200, "(") + "@.a" + times(200, ")") + "]",
        "$[?" + times(200, "!(") + "@.a" + times(200, ")") + "]",
        times(200, "$[?") + "@.a" + times(200, "]"),
        "$[?" + times(200, "length(") + "@.a" + times(200, ")") + "==1]",
        "$[?" + Array(repeating: "@.a", count: 2_000).joined(separator: "||") + "]",
    ]

    @Test(arguments: large)
    func aPathIsBounded(text: String) {
        let error = #expect(throws: JSONPathError.self) { try JSONPath(parsing: text) }
        #expect(error?.message.contains("deeply") == true || error?.message.contains("too long") == true)
    }

    @Test(arguments: [
        ("$[?@.a = 1]", 7, "=="), ("$[?@.a == @.b[*]]", 10, "several"), ("$[?lenght(@.a) == 1]", 3, "no function"),
        ("$[?count(1) == 1]", 9, "path"), ("$[?length(@)]", 3, "compared"), ("$[?match(@.a)]", 3, "two arguments"),
        ("$[?match(@.a, 'b') == true]", 3, "true or false"), ("$[?@.a & @.b]", 7, "&&"), ("$[?1]", 3, "compared"),
        ("$.a-b", 3, "['name']"), ("$.1", 2, "name"), ("$[1 2]", 4, "`,`"), ("$[?(@.a]", 7, "`)`"),
    ])
    func faultsAreNamed(text: String, offset: Int, says: String) {
        let error = #expect(throws: JSONPathError.self) { try JSONPath(parsing: text) }
        #expect(error?.offset == offset)
        #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("$.a.b[0]", true, true, true), ("a-b.1.@id", true, true, true), ("$[*].a", true, false, true),
        ("$[-1]", true, true, false), ("$['a','b']", false, false, false), ("$..a", false, false, false),
        ("$[0:1]", false, false, false), ("$.a[?@.b]", false, false, false),
    ])
    func whatAPathIs(text: String, isPlain: Bool, isSingular: Bool, isStreamable: Bool) throws {
        let path = try JSONPath(parsing: text)
        #expect(path.isPlain == isPlain)
        #expect(path.isSingular == isSingular)
        #expect(path.isStreamable == isStreamable)
    }

    @Test(arguments: [
        ("@ == 12345678901234567890", ["12345678901234567890"]), ("@ == 9007199254740993", ["9007199254740993"]),
        ("@ < 0.1", ["0.09", "-1e400", "1e-400"]), ("@ > 1e300", ["1e400", "2e300"]), ("@ == 20e299", ["2e300"]),
    ])
    func numbersAreComparedDigitByDigit(condition: String, expected: [String]) throws {
        let numbers = [
            "12345678901234567890", "12345678901234567891", "9007199254740993", "9007199254740992", "0.09", "0.1",
            "0.10", "-1e400", "1e-400", "1e400", "2e300",
        ]
        try withElement("[" + numbers.joined(separator: ",") + "]") { root in
            let found = try JSONPath(parsing: "$[?\(condition)]").matches(in: root)
            #expect(found.map(\.numberText) == expected)
        }
    }
}

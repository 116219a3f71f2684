import SluiceJQ
import Testing

/// Programs with their input and what jq's manual makes of them.
@Suite struct ConformanceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var program: String
        var input: String
        var expected: [String]
        var testDescription: String { program }

        init(_ program: String, _ input: String, _ expected: String...) {
            self.program = program
            self.input = input
            self.expected = expected
        }
    }

    static let cases = [
        Case(".", #"{"b":1,"a":[null,true,false,"x",1.5,-2,{}]}"#, #"{"b":1,"a":[null,true,false,"x",1.5,-2,{}]}"#),
        Case(".a.b", #"{"a":{"b":"c"}}"#, #""c""#),
        Case(".a", "null", "null"),
        Case(".[]", "[1,2]", "1", "2"),
        Case(".[-1]", "[1,2]", "2"),
        Case(".[1:]", "[1,2,3]", "[2,3]"),
        Case(".a?, 1", "[]", "1"),
        Case(".a // \"none\"", #"{"a":null}"#, #""none""#),
        Case("has(\"x\") | not", #"{"x":null}"#, "false"),
        Case("{id, n: (.labels | length)}", #"{"id":7,"labels":[1,2],"z":0}"#, #"{"id":7,"n":2}"#),
        Case("{(.k): .v}", #"{"k":"a","v":1}"#, #"{"a":1}"#),
        Case("{env: 1} | .env", "null", "1"),
        Case("[.[] | select(. > 1)]", "[1,2,3]", "[2,3]"),
        Case("map(. * 2)", "[1,2.5]", "[2,5]"),
        Case("to_entries", #"{"a":1}"#, #"[{"key":"a","value":1}]"#),
        Case("with_entries(.value += 1)", #"{"a":1,"b":2}"#, #"{"a":2,"b":3}"#),
        Case("group_by(.t) | map(length)", #"[{"t":1},{"t":2},{"t":1}]"#, "[2,1]"),
        Case("[paths]", #"{"a":[1]}"#, #"[["a"],["a",0]]"#),
        Case("getpath([\"a\",0])", #"{"a":[5]}"#, "5"),
        Case("del(.a)", #"{"a":1,"b":2}"#, #"{"b":2}"#),
        Case("reduce .[] as $x (0; . + $x)", "[1,2,3]", "6"),
        Case("[foreach .[] as $x (0; . + $x)]", "[1,2,3]", "[1,3,6]"),
        Case("[limit(3; range(10))]", "null", "[0,1,2]"),
        Case("[.[] | until(. > 100; . * 2)]", "[1,99]", "[128,198]"),
        Case("[1 | while(. < 9; . * 2)]", "null", "[1,2,4,8]"),
        Case("[recurse(if . < 3 then . + 1 else empty end)]", "0", "[0,1,2,3]"),
        Case("[limit(3; repeat(1))]", "null", "[1,1,1]"),
        Case("def f(x): x * 2; f(.a)", #"{"a":4}"#, "8"),
        Case(". as [$a, {b: $c}] | $a + $c", #"[1,{"b":2}]"#, "3"),
        Case("if . then \"yes\" else \"no\" end", "0", #""yes""#),
        Case("try error(\"x\") catch .", "null", #""x""#),
        Case("label $out | 1, break $out, 2", "null", "1"),
        Case(#""\(.a)-\(1 + 1)""#, #"{"a":"é"}"#, #""é-2""#),
        Case("@sh, @csv, @base64?", #"["a b",1]"#, #""'a b' 1""#, #""\"a b\",1""#, #""WyJhIGIiLDFd""#),
        Case("@uri \"q=\\(.)\"", #""a b&c""#, #""q=a%20b%26c""#),
        Case("test(\"^A\"; \"i\")", #""abc""#, "true"),
        Case("capture(\"(?<n>[0-9]+)\").n | tonumber", #""v12""#, "12"),
        Case("gsub(\"a\"; \"b\")", #""banana""#, #""bbnbnb""#),
        Case("split(\", \")", #""a, b""#, #"["a","b"]"#),
        Case("ascii_downcase, length, utf8bytelength", #""É€""#, #""É€""#, "2", "5"),
        Case("explode | implode", #""a€😀""#, #""a€😀""#),
        Case("tojson | fromjson", #"{"a":[1,"x"]}"#, #"{"a":[1,"x"]}"#),
        Case("unique, min, max, add", "[3,1,3]", "[1,3]", "1", "3", "7"),
        Case("flatten, any, all", "[[true,[false]]]", "[true,false]", "true", "true"),
        Case("sort_by(.a)", #"[{"a":2},{"a":1}]"#, #"[{"a":1},{"a":2}]"#),
        Case("[splits(\" +\")]", #""a  b c""#, #"["a","b","c"]"#),
        Case("fromdate, (fromdate | todate)", #""2015-07-05T23:51:47Z""#, "1436140307", #""2015-07-05T23:51:47Z""#),
        Case("strptime(\"%Y-%m-%d\") | mktime", #""2024-02-29""#, "1709164800"),
        Case("empty", "1"),
        Case("., .", #""\u0000\"\\\n""#, #""\u0000\"\\\n""#, #""\u0000\"\\\n""#),
        Case(
            "1e17, 1e18, 1e19, 0.1, 1e-7, -0.0, 9007199254740991", "null",
            "100000000000000000", "1000000000000000000", "1e+19", "0.1", "1e-07", "-0", "9007199254740991"),
        Case("nan, infinite, -infinite", "null", "null", "1.7976931348623157e+308", "-1.7976931348623157e+308"),
        Case("keys_unsorted | length", bigObject, "500"),
        Case(".", bigObject, bigObject),
    ]

    private static let bigObject = "{" + (0..<500).map { "\"k\($0 * 7919 % 500)\":\($0)" }.joined(separator: ",") + "}"

    @Test(arguments: cases)
    func programGivesWhatTheManualSays(_ one: Case) throws {
        #expect(try outputs(one.program, one.input) == one.expected)
    }

    @Test(arguments: [
        ("true", true), ("false", false), ("null", false), ("0", true), ("\"\"", true), ("empty", false),
        (".a == 1", true), ("any(.b[]; . == 2)", true), ("all(.b[]; . == 2)", false),
    ])
    func filterIsTrueUnlessFalseOrNull(program: String, expected: Bool) throws {
        let result = try JQProgram(program).isTrue(Array(#"{"a":1,"b":[1,2]}"#.utf8))
        #expect(result == JQResult(output: expected))
    }

    @Test func severalOutputsOfAFilterAreRefused() throws {
        let program = try JQProgram(".[] == 1")
        let error = #expect(throws: JQError.self) { try program.isTrue(Array("[1,2]".utf8)) }
        #expect(error?.code == .severalOutputs)
        #expect(try program.isTrue(Array("[1]".utf8)).output)
    }

    @Test func firstOutputIsTakenAndNoMoreIsEvaluated() throws {
        let program = try JQProgram(".[], error(\"never\")")
        #expect(try program.first(of: Array("[7,8]".utf8)).output == Array("7".utf8))
        #expect(try JQProgram("empty").first(of: Array("1".utf8)).output == nil)
    }

    @Test func programIsUsedAgainAfterErrorsAndUnfinishedOutputs() throws {
        let program = try JQProgram(".a, (.b | tonumber), .c")
        for round in 0..<50 {
            #expect(throws: JQError.self) { try program.evaluate(Array(#"{"b":"x"}"#.utf8)) }
            #expect(try program.first(of: Array("{\"a\":\(round)}".utf8)).output == Array("\(round)".utf8))
            #expect(try program.evaluate(Array(#"{"b":1}"#.utf8)).output.count == 3)
        }
    }
}

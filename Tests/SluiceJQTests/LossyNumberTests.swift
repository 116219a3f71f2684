import SluiceJQ
import Testing

/// Numbers that doubles cannot hold are reported where the output depends on them, and only there.
@Suite struct LossyNumberTests {
    static let input = """
        {"id":9007199254740993,"a/b":[3.14159265358979323846,1],"huge":1e400,"tiny":1e-400,"big":1152921504606846976,
        "max":9223372036854775807,"price":19.990,"digits":0.12345678901234568,"x":12345678901234567890}
        """

    @Test(arguments: [
        ("{id}", ["/id"]), (".id + 1", ["/id"]), (".id | tostring", ["/id"]), ("\"n\\(.id)\"", ["/id"]),
        (".id == 9007199254740992", ["/id"]), (".id % 10", ["/id"]), ("[.id] | tojson", ["/id"]),
        (".max - .id", ["/max"]), (".max - .x", ["/max", "/x"]), (".[\"a/b\"][0]", ["/a~1b/0"]), ("{huge}", ["/huge"]),
        (".tiny > 0", ["/tiny"]),
        (".x", ["/x"]), ("[.x, .id]", ["/id", "/x"]),
        (".id | if . == 9007199254740992 then error(\"x\") else 1 end | empty", []),
        (".big", []), (".price", []), (".id > 5", []), (".[\"a/b\"][0] * 100 | floor", []), ("has(\"id\")", []),
        (".id | type", []), ("keys", []), (".digits", []), (".id / 1000000 | floor", []), ("empty", []),
    ])
    func numberIsReportedIfTheOutputDependsOnIt(_ program: String, pointers: [String]) throws {
        guard !program.contains("error") else {
            // The nearest double makes an error, which comes first.
            #expect(failure(program, Self.input)?.code == .evaluation)
            return
        }
        let result = try JQProgram(program).evaluate(Array(Self.input.utf8))
        #expect(result.lossyNumbers.map(\.pointer) == pointers)
    }

    @Test func reportHoldsTheToken() throws {
        let result = try JQProgram(".").evaluate(Array("[1, 9007199254740993]".utf8))
        #expect(result.lossyNumbers == [JQLossyNumber(pointer: "/1", token: "9007199254740993")])
        #expect(result.output == [Array("[1,9007199254740992]".utf8)])
    }

    @Test func filtersReportOnlyWhatDecides() throws {
        let input = Array(#"{"id":9007199254740993,"a":1}"#.utf8)
        #expect(try JQProgram(".a == 1").isTrue(input).lossyNumbers.isEmpty)
        #expect(try JQProgram(".id > 1000").isTrue(input).lossyNumbers.isEmpty)
        #expect(try JQProgram(".id == 9007199254740992").isTrue(input).lossyNumbers.map(\.pointer) == ["/id"])
        #expect(try JQProgram(".id").first(of: input).lossyNumbers.map(\.pointer) == ["/id"])
    }

    @Test func manyNumbersAreTriedInGroups() throws {
        let input = "[" + (0..<1000).map { "\(9_007_199_254_740_993 + 2 * $0)" }.joined(separator: ",") + "]"
        #expect(try JQProgram("length").evaluate(Array(input.utf8)).lossyNumbers.isEmpty)
        #expect(try JQProgram(".").evaluate(Array(input.utf8)).lossyNumbers.count == 1000)
        let one = try JQProgram(".[500]").evaluate(Array(input.utf8)).lossyNumbers
        #expect(one.contains { $0.pointer == "/500" } && one.count <= 32)
    }

    @Test(arguments: [
        "0", "-0", "1", "-1", "0.1", "1.50", "100", "1e3", "123456789012345", "9007199254740992", "0.000001",
        "1152921504606846976", "1e300", "4.35", "-12.75e-3", "1E+2", "0.30000000000000004", "13.404953999999998",
    ])
    func numberThatSurvivesIsNotReported(_ token: String) throws {
        #expect(try JQProgram(".").evaluate(Array(token.utf8)).lossyNumbers.isEmpty)
    }
}

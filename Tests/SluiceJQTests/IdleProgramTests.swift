import SluiceJQ
import TestSupport
import Testing

/// A program that was used before is as good as a new one, whatever the last use left.
@Suite struct IdleProgramTests {
    /// What is evaluated, and what the limits are.
    struct Use: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var input = "[1,2,3]"
        var outputs = Int.max
    }

    static let uses = [
        Use(testDescription: "to its end"), Use(testDescription: "to the first output", outputs: 1),
        Use(testDescription: "to an error", input: #"{"a": 1}"#), Use(testDescription: "to a limit", input: "1e12"),
        Use(testDescription: "over what is no JSON", input: "["),
    ]

    private static let limits = JQLimits(time: .milliseconds(50), memory: 8 << 20, outputCount: 1000)

    /// A program that no other test has.
    private static func text(_ use: Use) -> String {
        "if type == \"number\" then [range(.)] else .[] + 1 end # \(use.testDescription)"
    }

    private static func evaluate(_ use: Use, _ program: JQProgram) -> [String]? {
        let input = Array(use.input.utf8)
        if use.outputs == 1 {
            return (try? program.first(of: input).output).map { [String(decoding: $0, as: UTF8.self)] }
        }
        return try? program.evaluate(input).output.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: uses)
    func asGoodAsNew(_ first: Use) throws {
        for next in Self.uses {
            do { _ = Self.evaluate(first, try JQProgram(Self.text(first), limits: Self.limits)) }
            let again = try JQProgram(Self.text(first), limits: Self.limits)
            let other = try JQProgram(Self.text(first), limits: Self.limits)
            let new = try JQProgram(Self.text(first) + " new for \(next.testDescription)", limits: Self.limits)
            let expected = Self.evaluate(next, new)
            #expect(Self.evaluate(next, again) == expected)
            #expect(Self.evaluate(next, other) == expected, "two at a time")
        }
    }

    @Test("Programs pass from thread to thread")
    func threads() async throws {
        try await withThrowingTaskGroup(of: [String]?.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    let use = Self.uses[0]
                    return Self.evaluate(use, try JQProgram(Self.text(use) + " threads", limits: Self.limits))
                }
            }
            for try await outputs in group { #expect(outputs == ["2", "3", "4"]) }
        }
    }

    @Test("What is refused once is refused again")
    func refused() {
        for _ in 0..<3 {
            #expect(throws: JQError.self) { try JQProgram("map(") }
            #expect(throws: JQError.self) { try JQProgram("input") }
        }
    }
}

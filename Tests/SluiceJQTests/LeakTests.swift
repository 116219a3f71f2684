import SluiceJQ
import Testing

/// Memory does not grow. Each test has a process of its own, so that it sees its own memory alone.
@Suite struct LeakTests {
    /// Halted between two steps, stopped within one, failed, left unfinished, and evaluated to the end.
    @Test(arguments: [
        ("[range(1e12)]", 1), ("\"a\" * 1e9 | length", 1), ("def f: 1 + f; f", 1), ("last(range(1e12))", 1),
        ("[range(1000)] | error(tojson)", 20), ("[range(1000)], 1, 2", 20),
        ("[range(1000) | tostring] | add | explode", 20),
    ])
    func evaluationsLeaveNothing(program: String, repeats: Int) async {
        await #expect(processExitsWith: .success) { [program, repeats] in
            let limits = JQLimits(time: .milliseconds(50), memory: 8 << 20)
            let compiled = try? JQProgram(program, limits: limits)
            func evaluate(_ count: Int) {
                for _ in 0..<count * repeats { _ = try? compiled?.first(of: Array("null".utf8)) }
            }
            evaluate(4)
            let before = residentBytes()
            evaluate(16)
            // A stop within a step gives up what was compiled, which is little.
            #expect(residentBytes() - before < 24 << 20)
        }
    }

    @Test func programsLeaveNothing() async {
        await #expect(processExitsWith: .success) {
            func compile(_ count: Int) {
                for index in 0..<count { _ = try? outputs(index % 2 == 0 ? "map(. + 1)" : "map(", "[1]") }
            }
            compile(20)
            let before = residentBytes()
            compile(60)
            #expect(residentBytes() - before < 8 << 20)
        }
    }
}

import Foundation
import SluiceSystem
import TestSupport
import Testing

@Suite struct ChildProcessTests {
    private static let environment = ["PATH": "/usr/bin:/bin", "COLOUR": "red"]

    private func run(
        _ script: String, input: String = "", limit: Duration = .seconds(30), grace: Duration = .milliseconds(100),
        outputBytes: Int = 8192, cancellation: Cancellation = Cancellation()
    ) throws -> ChildProcess.Result {
        var program = ChildProcess(
            ["sh", "-c", script, "name", "two words"], environment: Self.environment, limit: limit)
        (program.grace, program.outputBytes) = (grace, outputBytes)
        return try program.run(input: Array(input.utf8), cancellation: cancellation)
    }

    /// A program that ends by itself.
    struct Case: CustomTestStringConvertible {
        let name: String
        let script: String
        var input = ""
        let ending: ChildProcess.Ending
        var output: String?
        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(
            name: "input, arguments and variables reach it", script: "cat; echo \"$1\" \"$COLOUR\" \"${HOME-none}\"",
            input: "told\n", ending: .exited(0), output: "told\ntwo words red none\n"),
        Case(
            name: "both outputs are kept, and the exit code", script: "echo out; echo err >&2; exit 3",
            ending: .exited(3), output: "out\nerr\n"),
        Case(
            name: "it need not read its input", script: "exit 0", input: String(repeating: "x", count: 1 << 20),
            ending: .exited(0), output: ""),
        Case(
            name: "it may close its input and its outputs", script: "exec <&- >&- 2>&-; exit 4",
            input: String(repeating: "x", count: 1 << 20), ending: .exited(4), output: ""),
        Case(
            name: "much of both at once", script: "cat > /dev/null; exit 5",
            input: String(repeating: "x", count: 1 << 20), ending: .exited(5)),
        Case(name: "a signal of its own, which is not blocked", script: "kill -TERM $$", ending: .signalled(15)),
        Case(
            name: "a closed pipe ends it as usual", script: "yes | head -n 1; exit 6", ending: .exited(6), output: "y\n"
        ),
        Case(
            name: "what it leaves in the background is not waited for", script: "sleep 5 & exit 7", ending: .exited(7)),
    ])
    func itEndsByItself(_ expected: Case) throws {
        let start = WallClock.monotonicSeconds()
        let result = try run(expected.script, input: expected.input)
        #expect(result.ending == expected.ending)
        if let output = expected.output { #expect(String(decoding: result.output, as: UTF8.self) == output) }
        #expect(!result.isCut)
        #expect(WallClock.monotonicSeconds() - start < 4)
    }

    @Test func theEndOfALongOutputIsKept() throws {
        let result = try run("yes | head -c 300000; echo end", outputBytes: 100)
        #expect(result.output.count == 100 && result.isCut)
        #expect(String(decoding: result.output, as: UTF8.self).hasSuffix("y\nend\n"))
    }

    @Test(arguments: ["sleep 60", "trap '' TERM; while :; do sleep 60; done", "cat > /dev/null; sleep 60"])
    func itIsEndedWhenItTakesTooLong(script: String) throws {
        let start = WallClock.monotonicSeconds()
        let result = try run(script, input: "x", limit: .milliseconds(100))
        #expect(result.ending == .timedOut)
        #expect(WallClock.monotonicSeconds() - start < 20)
    }

    @Test func whatItStartedEndsWithIt() throws {
        let result = try run("(trap '' TERM; sleep 60) & echo $!; wait", limit: .seconds(1))
        #expect(result.ending == .timedOut)
        let text = String(decoding: result.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        let number = try #require(Int32(text), "\(text)")
        let limit = WallClock.monotonicSeconds() + 20
        while Self.isAlive(number), WallClock.monotonicSeconds() < limit { sched_yield() }
        #expect(!Self.isAlive(number))
    }

    /// Whether a process is more than an entry that nobody has taken back.
    private static func isAlive(_ number: Int32) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
            let state = text.split(separator: ")").last?.split(separator: " ").first
        else { return false }
        return state != "Z" && state != "X"
    }

    @Test func itEndsWithThisProgram() throws {
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(try run("sleep 60", cancellation: cancellation).ending == .cancelled)
    }

    @Test func aProgramThatIsNotThereIsAnErrorThatNamesIt() throws {
        let program = ChildProcess(["/no/such/program"], environment: [:], limit: .seconds(1))
        let error = #expect(throws: SystemError.self) {
            try program.run(input: [], cancellation: Cancellation())
        }
        #expect(error?.isMissing == true && error?.path == "/no/such/program", "\(String(describing: error))")
    }
}

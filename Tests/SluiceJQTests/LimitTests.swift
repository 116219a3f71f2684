internal import Glibc
import SluiceJQ
import Synchronization
import Testing

/// No program exceeds its limits, and none ends the process.
@Suite struct LimitTests {
    static let tight = JQLimits(
        time: .milliseconds(100), memory: 32 << 20, outputCount: 100, outputBytes: 10_000, outputDepth: 50)

    @Test(arguments: [
        "def f: f; f", "def f: ., f; last(f)", "last(range(1e12))", "reduce range(1e12) as $i (0; . + $i)",
        "[limit(0; 1)] | until(false; .)", "first(range(1e12) | select(. < 0))", "isempty(repeat(empty))",
        "last(repeat(1))", "\"a\" * 1e5 | def f: length | \"a\" * 1e5 | f; f",
        "[range(300000)] | def f: sort_by(-.) | f; f",
        "\"\(String(repeating: "a", count: 40))\" | test(\"(a*)*(a*)*(a*)*b\") | repeat(.)",
        "def f: try error(\"x\") catch f; f",
    ])
    func endlessProgramIsStopped(_ program: String) {
        let code = failure(program, limits: Self.tight)?.code
        #expect(code == .timeLimit || code == .memoryLimit || code == .outputLimit)
    }

    @Test(arguments: [
        "def f: 1 + f; f", "def f: [f]; f", "[range(1e12)]", "[recurse(.)] | length", "\"a\" * 1e9 | length",
        "[limit(1e9; repeat(1))]", "def f: . + . | f; \"abc\" | f", "def f: [., .] | tojson | f; f", ".[1e7] = 1",
        ".[1431655765] = 1", ".[2147483647] = 1", ".[536870911] = 1", "reduce range(1e9) as $i ([]; [., $i])",
        "def f(x): f(x, x); f(1)", "[range(1e9) | tostring] | add",
    ])
    func greedyProgramIsStopped(_ program: String) {
        let limits = JQLimits(time: .seconds(20), memory: 8 << 20)
        #expect(failure(program, limits: limits)?.code == .memoryLimit)
    }

    @Test(arguments: [
        ("range(101)", JQError.Code.outputLimit), ("[range(5000)]", .outputLimit), ("\"a\" * 20000", .outputLimit),
        ("reduce range(60) as $i (1; [.])", .outputLimit), ("reduce range(40) as $i (1; [.])", nil as JQError.Code?),
        ("range(100)", nil),
    ])
    func outputIsBounded(_ program: String, code: JQError.Code?) {
        #expect(failure(program, limits: Self.tight)?.code == code)
    }

    /// Values nested without end are made, compared, printed and freed on small stacks and large ones.
    @Test(
        arguments: [256 << 10, 512 << 10, 8 << 20],
        [
            "reduce range(150000) as $i (1; [.])", "reduce range(150000) as $i (1; {a: .}) | tojson",
            "reduce range(150000) as $i (1; [.]) | . == .", "[reduce range(150000) as $i (1; [.])] | sort | empty",
            "reduce range(150000) as $i (1; [.]) | empty", "def f: 1 + f; f", "def f: [f]; f",
            "\"(\" * 100000 | test(.)", "[range(100000)] | sort_by(-.) | empty",
        ])
    func deepValuesDoNotExhaustTheStack(size: Int, program: String) {
        let limits = JQLimits(time: .seconds(5), memory: 256 << 20)
        let codes = onThread(stack: size) {
            guard let program = try? JQProgram(program, limits: limits) else { return ["syntax"] }
            // The second evaluation works on what the first has left.
            return (0..<2).map { _ in
                do throws(JQError) {
                    _ = try program.evaluate(Array("null".utf8))
                    return "none"
                } catch {
                    return error.code.rawValue
                }
            }
        }
        #expect(codes.count == 2 && codes[0] == codes[1])
        #expect(codes.allSatisfy { ["none", "memory_limit", "output_limit", "evaluation"].contains($0) })
    }

    @Test func deepProgramIsCompiledOrRefused() {
        for depth in [100, 3000, 30000] {
            for (open, close) in [("[", "]"), ("(", ")"), ("try ", ""), ("{a:", "}"), ("-", ""), ("def f: ", "1; 1")] {
                let program =
                    String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
                let code = onThread(stack: 512 << 10) {
                    [failure(program, limits: Self.tight)?.code.rawValue ?? "none"]
                }
                #expect(code.count == 1)
            }
        }
    }

    @Test func programIsUsedAgainAfterAStop() throws {
        let program = try JQProgram(
            "if . == 0 then [range(1e12)] elif . == 1 then last(range(1e12)) else . end",
            limits: JQLimits(time: .milliseconds(50), memory: 16 << 20))
        for _ in 0..<5 {
            for (input, code) in [("0", JQError.Code.memoryLimit), ("1", .timeLimit), ("2", nil)] {
                do throws(JQError) {
                    #expect(try program.evaluate(Array(input.utf8)).output == [Array("2".utf8)])
                    #expect(code == nil)
                } catch {
                    // Which of the two limits a slow machine meets first is open.
                    #expect(error.code == code || error.code == .timeLimit)
                }
            }
        }
    }

    @Test func largeInputIsBoundedToo() {
        let input = "[" + String(repeating: "{},", count: 200_000) + "1]"
        #expect(failure("length", input, limits: Self.tight)?.code == .memoryLimit)
        #expect(failure("length", input) == nil)
    }
}

private func onThread(stack: Int, _ body: @escaping @Sendable () -> [String]) -> [String] {
    final class Job: Sendable {
        let body: @Sendable () -> [String]
        let result = Mutex<[String]>([])
        init(_ body: @escaping @Sendable () -> [String]) { self.body = body }
    }
    let job = Job(body)
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setstacksize(&attributes, stack)
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(job).toOpaque()
    let status = unsafe pthread_create(
        &thread, &attributes,
        { context in
            guard let context = unsafe context else { return nil }
            let job = unsafe Unmanaged<Job>.fromOpaque(context).takeRetainedValue()
            let result = job.body()
            job.result.withLock { $0 = result }
            return nil
        }, context)
    guard status == 0 else { return [] }
    pthread_join(thread, nil)
    return job.result.withLock { $0 }
}

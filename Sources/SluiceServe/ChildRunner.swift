internal import Dispatch
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceSchedule
internal import SluiceServeModel
internal import SluiceSystem
internal import Synchronization

/// Runs each pipeline as a child process of the same program, so that a crash, a leak or a runaway program ends one run.
package struct ChildRunner: ServeRunner {
    private static let noLimit = Duration.seconds(10 * 366 * 86_400)
    /// How many changes a report lists.
    private static let listedChanges = 10_000
    /// How many times in a second progress is told.
    private static let progressInterval = 0.5

    private let program: [String]
    private let environment: [String: String]

    /// Says which program it is.
    ///
    /// - Parameters:
    ///   - program: The program, and what goes before the command.
    ///   - environment: The variables that it is given, besides those of the service.
    package init(program: [String] = ["/proc/self/exe"], environment: [String: String]) {
        self.program = program
        var environment = environment
        for name in ServiceManager.variables { environment[name] = nil }
        environment[Lifeline.variable] = "1"
        self.environment = environment
    }

    /// The command line of a run.
    package func words(_ order: RunOrder) -> [String] {
        // What is read for another service's run has its report there.
        if order.share != nil {
            return program + ["run", "--quiet", "--log-format", "json", "--log-level", "debug"] + order.arguments
        }
        return program + [
            order.run.kind.rawValue, "--format", "json", "--output", order.path(of: .json), "--html",
            order.path(of: .html), "--changes", String(Self.listedChanges), "--log-format", "json", "--log-level",
            "debug", "--wait", "10m",
        ] + order.arguments
    }

    /// Starts a run.
    package func start(_ order: RunOrder, onNews: @escaping @Sendable (RunNews) -> Void) -> any RunHandle {
        let signals = ChildSignals()
        var variables = environment
        variables[PipelineTexts.variable] = order.texts
        variables[PoolTicket.variable] = order.claim.map { String($0) }
        variables[ToldFailure.variable] = order.told?.text
        variables[ShareTicket.variable] = order.share?.text
        var child = ChildProcess(words(order), environment: variables, limit: Self.noLimit)
        child.keepsInputOpen = true
        child.signals = signals
        child.outputBytes = 1
        let reader = LineReader(log: RunLog(order.path(of: .log)), onNews: onNews)
        child.onOutput = { bytes in reader.read(bytes) }
        let started = child
        DispatchQueue(label: "sluice.run").async {
            Niceness.hold()
            var code: Int32?
            var failure: String?
            do throws(SystemError) {
                let result = try started.run(input: [], cancellation: Cancellation())
                switch result.ending {
                case .exited(let number): code = number
                case .signalled(let number): code = -number
                case .timedOut, .cancelled: code = -15
                }
            } catch {
                failure = "The program cannot be started: \(error.reason)."
            }
            onNews(.ended(reader.end(code, failure)))
        }
        return Handle(signals: signals)
    }

    private struct Handle: RunHandle {
        let signals: ChildSignals
        func terminate() { signals.terminate() }
        func kill() { signals.kill() }
    }

    /// Splits what a run writes into lines; used by one thread after the other.
    private final class LineReader: Sendable {
        private struct State {
            var log: RunLog
            var lines = RunLines()
            var rest: [UInt8] = []
            var lastTold = -Double.infinity
        }

        private let state: Mutex<State>
        private let onNews: @Sendable (RunNews) -> Void

        init(log: sending RunLog, onNews: @escaping @Sendable (RunNews) -> Void) {
            state = Mutex(State(log: log))
            self.onNews = onNews
        }

        func read(_ bytes: ArraySlice<UInt8>) {
            let progress = state.withLock { state -> ServedProgress? in
                state.rest += bytes
                var told: ServedProgress?
                let time = WallClock.monotonicSeconds()
                var start = state.rest.startIndex
                while let end = state.rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                    let use = state.lines.read(state.rest[start..<end], at: time)
                    if use.isKept { state.log.add(state.rest[start...end]) }
                    if use.isProgress, time - state.lastTold >= ChildRunner.progressInterval {
                        state.lastTold = time
                        told = state.lines.progress
                    }
                    start = end + 1
                }
                state.rest.removeFirst(start - state.rest.startIndex)
                // A line without an end must not grow for ever.
                if state.rest.count > 1 << 20 {
                    state.log.add(state.rest[...])
                    state.rest = []
                }
                return told
            }
            if let progress { onNews(.progressed(progress)) }
        }

        func end(_ code: Int32?, _ failure: String?) -> RunEnding {
            state.withLock { state in
                if !state.rest.isEmpty {
                    _ = state.lines.read(state.rest[...], at: 0)
                    state.log.add(state.rest + [UInt8(ascii: "\n")])
                }
                state.log.finish()
                var ending = state.lines.ending
                ending.exitCode = code
                if let failure { ending.error = ("start_failed", failure) }
                return ending
            }
        }
    }
}

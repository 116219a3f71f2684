import SluiceHTTP
import SluiceSystem
import Synchronization
import TestSupport

/// A client's surroundings under the control of a test: pauses take no time and are written down.
final class World: Sendable {
    let clock = ManualClock()
    private let rates = HTTPRates()
    private let pauses = Mutex<[Duration]>([])
    private let random: Double
    private let beforePause: @Sendable (Cancellation) -> Void

    init(random: Double = 0.5, beforePause: @escaping @Sendable (Cancellation) -> Void = { _ in }) {
        self.random = random
        self.beforePause = beforePause
    }

    /// The pauses asked for.
    var sleeps: [Duration] { pauses.withLock { $0 } }

    /// The wall clock begins at 2019-06-03T11:00:00Z.
    static let start = Duration.seconds(1_559_559_600)

    var environment: HTTPEnvironment {
        HTTPEnvironment(
            monotonicNow: { self.clock.now },
            wallClockNow: { Self.start + self.clock.now },
            sleep: { duration, cancellation in
                self.beforePause(cancellation)
                self.pauses.withLock { $0.append(duration) }
                self.clock.advance(by: duration)
            },
            random: { self.random },
            clockInterval: .milliseconds(2), rates: rates)
    }

    func client(_ change: (inout HTTPConfiguration) -> Void = { _ in }) -> HTTPClient {
        var configuration = HTTPConfiguration(userAgent: "sluice/test")
        configuration.proxy = .none
        change(&configuration)
        return HTTPClient(configuration: configuration, environment: environment)
    }
}

/// Keeps the body and how often it began anew.
struct RecordingSink: HTTPBodySink {
    var heads: [HTTPResponseHead] = []
    var bytes: [UInt8] = []
    var restarts = 0

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func begin(_ head: HTTPResponseHead) { heads.append(head) }

    mutating func write(_ bytes: Span<UInt8>) {
        for index in bytes.indices { self.bytes.append(bytes[index]) }
    }

    mutating func restart() {
        bytes = []
        restarts += 1
    }
}

/// Answers by number of the request, the last answer for all that follow.
func answers(_ responses: [ServerResponse]) -> LoopbackServer.Handler {
    { responses[min($0.number, responses.count - 1)] }
}

extension HTTPClient {
    /// Fetches into memory.
    func text(_ request: HTTPRequest, cancellation: Cancellation = Cancellation()) throws -> String {
        var sink = RecordingSink()
        _ = try fetch(request, into: &sink, cancellation: cancellation)
        return sink.text
    }
}

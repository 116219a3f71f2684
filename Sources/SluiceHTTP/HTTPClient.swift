package import SluiceSystem

/// Fetches from one source: follows redirects, tries again what may pass, and keeps connections open.
///
/// ```swift
/// let client = HTTPClient(configuration: HTTPConfiguration(userAgent: "sluice/1.0"))
/// var body = HTTPBodyBuffer()
/// let exchange = try client.fetch(HTTPRequest(url: "https://api.example.com/items"), into: &body)
/// ```
/// Any number of threads may fetch at once; each waits for its own response, while one thread of the client serves all
/// connections. The client shuts down by itself when the last reference to it goes.
package final class HTTPClient: Sendable {
    let configuration: HTTPConfiguration
    let environment: HTTPEnvironment
    let transport: (any Transport)?

    /// Makes a client and starts its thread.
    ///
    /// - Parameters:
    ///   - configuration: How to talk to the source.
    ///   - environment: Clocks, pauses and chance.
    package init(configuration: HTTPConfiguration, environment: HTTPEnvironment = .live) {
        self.configuration = configuration
        self.environment = environment
        func loop() -> TransferLoop? {
            TransferLoop(configuration, now: environment.monotonicNow, clockInterval: environment.clockInterval)
        }
        switch environment.traffic {
        case .live: transport = loop()
        case .recorded(let recorder):
            transport = loop().map { RecordingTransport(inner: $0, recorder: recorder) }
        case .replayed(let replayer):
            transport = ReplayTransport(replayer: replayer, maximumBytes: configuration.maximumResponseBytes)
        }
    }

    /// The version of the library beneath, for people.
    package static var libraryVersion: String { CurlLibrary.version }

    /// Whether a recording answers, so that nothing is waited for.
    package var isReplayed: Bool { environment.traffic.isReplayed }

    deinit {
        transport?.stop()
    }

    /// Ends all transfers, closes all connections and waits until the client's thread has ended.
    ///
    /// Fetches under way, and later ones, fail with ``HTTPError/Code/shutDown``.
    package func shutDown() {
        transport?.stop()
        transport?.waitUntilStopped()
    }

    /// Sends a request and waits until its response is complete.
    ///
    /// The body of a successful response (2xx, or 304 without one) goes to the sink as it arrives. A failure that may pass
    /// is tried again as the configuration says. Hosts are asked no faster than it says, and than they say themselves.
    ///
    /// - Parameters:
    ///   - request: What to ask for.
    ///   - sink: Where the body goes.
    ///   - judge: Says what becomes of each response; nil for the usual.
    ///   - cancellation: Ends the fetch early, also while it waits before the next try.
    ///   - onEvent: Called on this thread with what happens.
    /// - Returns: The final response's head, and what it took.
    /// - Throws: ``HTTPError``; `CancelledError`; whatever the sink throws.
    package func fetch(
        _ request: HTTPRequest, into sink: inout some HTTPBodySink, judge: (any HTTPJudge)? = nil,
        cancellation: Cancellation = Cancellation(),
        onEvent: (HTTPEvent) -> Void = { _ in }
    ) throws -> HTTPExchange {
        var fetch = try Fetch(request, client: self, judge: judge, cancellation: cancellation)
        return try fetch.run(into: &sink, onEvent: onEvent)
    }

    /// Looks whether a request may be made: whether it is well formed, and goes to a host that is allowed.
    ///
    /// - Parameter request: What would be asked for.
    /// - Throws: ``HTTPError`` with what a fetch of it would say.
    package func check(_ request: HTTPRequest) throws(HTTPError) {
        _ = try Fetch(request, client: self, judge: nil, cancellation: Cancellation())
    }
}

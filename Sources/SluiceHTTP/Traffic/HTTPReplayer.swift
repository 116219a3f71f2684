import Synchronization

/// Answers requests from what was recorded.
package final class HTTPReplayer: Sendable {
    /// Finds the response to a request; called on the thread that waits for it.
    package typealias Finding = @Sendable (RecordedRequest) throws(HTTPTrafficError) -> RecordedResponse

    private let finding: Finding

    /// Makes a replayer.
    ///
    /// - Parameter finding: Finds the response to a request.
    package init(finding: @escaping Finding) { self.finding = finding }

    /// The same answers, each of which is kept as well.
    ///
    /// - Parameter keeping: Keeps an exchange.
    /// - Returns: What gives and keeps them.
    package func keeping(_ keeping: @escaping HTTPRecorder.Keeping) -> HTTPReplayer {
        HTTPReplayer { [finding] request throws(HTTPTrafficError) in
            let response = try finding(request)
            try keeping(request, response)
            return response
        }
    }

    func response(to request: TransferRequest) throws(HTTPTrafficError) -> RecordedResponse {
        var disguise = Disguise(secrets: request.privacy.secrets)
        return try finding(disguise.request(request))
    }
}

/// Answers from a recording: no thread, no connection.
struct ReplayTransport: Transport {
    let replayer: HTTPReplayer
    let maximumBytes: Int

    func begin(_ request: TransferRequest) -> any IncomingResponse {
        do throws(HTTPTrafficError) {
            return ReplayedResponse(try replayer.response(to: request), maximumBytes: maximumBytes)
        } catch { return ReplayedResponse(error) }
    }

    func stop() {}
    func waitUntilStopped() {}
}

/// A response whose parts are all there.
private final class ReplayedResponse: IncomingResponse {
    private let deliveries: Mutex<[TransferState.Delivery]>

    init(_ response: RecordedResponse, maximumBytes: Int) {
        let head = HeadParser.Head(
            status: response.status, httpVersion: response.httpVersion, headers: HTTPHeaders(response.headers))
        var parts: [TransferState.Delivery] = [.head(head)]
        if 200...299 ~= response.status, response.body.count > maximumBytes {
            parts.append(.ended(.bodyTooLarge))
        } else {
            if !response.body.isEmpty { parts.append(.bytes(response.body, resumes: false)) }
            parts.append(.ended(.complete))
        }
        deliveries = Mutex(parts.reversed())
    }

    init(_ error: HTTPTrafficError) { deliveries = Mutex([.ended(.refused(error))]) }

    func next(spare: inout [UInt8]) -> TransferState.Delivery {
        deliveries.withLock { $0.popLast() } ?? .ended(.complete)
    }

    func resume() {}
    func cancel() { deliveries.withLock { $0 = [.cancelled] } }
    func abandon() {}
}

import Synchronization

/// Passes everything on to another transport, and keeps what comes back.
struct RecordingTransport: Transport {
    let inner: any Transport
    let recorder: HTTPRecorder

    func begin(_ request: TransferRequest) -> any IncomingResponse {
        RecordingResponse(inner.begin(request), to: request, recorder)
    }

    func stop() { inner.stop() }
    func waitUntilStopped() { inner.waitUntilStopped() }
}

/// A response that is kept when it is complete; what broke off was no answer to anybody.
private final class RecordingResponse: IncomingResponse {
    private struct Received {
        var head: HeadParser.Head?
        var body: [UInt8] = []
        var isOver = false
    }

    private let inner: any IncomingResponse
    private let request: TransferRequest
    private let recorder: HTTPRecorder
    private let received = Mutex(Received())

    init(_ inner: any IncomingResponse, to request: TransferRequest, _ recorder: HTTPRecorder) {
        self.inner = inner
        self.request = request
        self.recorder = recorder
    }

    func next(spare: inout [UInt8]) -> TransferState.Delivery {
        let delivery = inner.next(spare: &spare)
        switch delivery {
        case .head(let head): received.withLock { $0.head = head }
        case .bytes(let bytes, _): received.withLock { $0.body += bytes }
        case .cancelled: received.withLock { $0.isOver = true }
        case .ended(let outcome):
            let whole = received.withLock { received in
                received.isOver = true
                return received
            }
            guard !outcome.isFailure, let head = whole.head else { break }
            do throws(HTTPTrafficError) {
                try recorder.keep(request, head, whole.body)
            } catch { return .ended(.refused(error)) }
        }
        return delivery
    }

    func resume() { inner.resume() }
    func cancel() { inner.cancel() }

    /// The client reads no more of a long refusal, which is its answer all the same.
    func abandon() {
        let rest = received.withLock { received in
            defer { received.isOver = true }
            return received
        }
        // What cannot be kept is told by the recorder.
        if !rest.isOver, let head = rest.head, !(200...299 ~= head.status) {
            try? recorder.keep(request, head, rest.body)
        }
        inner.abandon()
    }
}

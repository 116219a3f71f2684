internal import SluiceGzip

/// What happened to one transfer so far: filled by the transfer thread, emptied by the one that waits for it.
///
/// ```
///            head            bytes, pause, resume
/// waiting ────────► body ──────────────────────────► ended
///    └──────────────── cancel, failure ─────────────────┘
/// ```
/// Every event returns what its caller has to do after it has let go of the lock.
struct TransferState {
    /// What the consumer gets next.
    enum Delivery {
        case head(HeadParser.Head)
        /// Bytes of the body, and whether the server was made to wait and may now go on.
        case bytes([UInt8], resumes: Bool)
        case ended(TransferOutcome)
        case cancelled
    }

    /// What the transfer thread answers to bytes.
    enum Acceptance {
        case taken
        case paused
        case refused
    }

    private let capacity: Int
    private let maximumBytes: Int
    private var head: HeadParser.Head?
    private var buffer: [UInt8] = []
    private var received = 0
    private var hasSuccessfulStatus = false
    private var outcome: TransferOutcome?
    private var isCancelled = false
    private var isConsumerWaiting = false
    /// Whether the server waits until the consumer has taken what is there.
    private(set) var isPaused = false
    /// The most bytes that ever waited for the consumer.
    private(set) var highWater = 0

    /// - Parameters:
    ///   - capacity: The most bytes that may wait for the consumer.
    ///   - maximumBytes: The largest body of a successful response.
    init(capacity: Int, maximumBytes: Int) {
        self.capacity = capacity
        self.maximumBytes = maximumBytes
    }

    /// The head is complete. Returns whether to wake the consumer, as the next functions do.
    mutating func offer(_ head: HeadParser.Head) -> Bool {
        self.head = head
        hasSuccessfulStatus = 200...299 ~= head.status
        return wake()
    }

    /// Bytes of the body have arrived. A single piece is taken even where it is larger than the capacity.
    mutating func offer(_ bytes: UnsafeRawBufferPointer) -> (Acceptance, wakes: Bool) {
        let (total, overflows) = received.addingReportingOverflow(bytes.count)
        if overflows || (hasSuccessfulStatus && total > maximumBytes) {
            outcome = .bodyTooLarge
            return (.refused, wake())
        }
        if !buffer.isEmpty && buffer.count + bytes.count > capacity {
            isPaused = true
            return (.paused, false)
        }
        received = total
        unsafe buffer.append(contentsOf: bytes)
        highWater = max(highWater, buffer.count)
        return (.taken, wake())
    }

    /// The transfer is over. The first reason stays: what libcurl says after a refusal only follows from it.
    mutating func end(_ outcome: TransferOutcome) -> Bool {
        if self.outcome == nil { self.outcome = outcome }
        isPaused = false
        return wake()
    }

    /// The consumer is to stop waiting.
    mutating func cancel() -> Bool {
        isCancelled = true
        return wake()
    }

    /// What the consumer gets, or nil where it has to wait to be woken.
    ///
    /// - Parameter spare: An array whose storage is used again.
    /// - Returns: The head, then bytes, then how the transfer ended; a failure is told in place of bytes that are left.
    mutating func take(spare: inout [UInt8]) -> Delivery? {
        if isCancelled { return .cancelled }
        if let head {
            self.head = nil
            return .head(head)
        }
        // Bytes of a body that will not be complete are of no use to anybody.
        if let outcome, outcome.isFailure { return .ended(outcome) }
        if !buffer.isEmpty {
            spare.removeAll(keepingCapacity: true)
            swap(&buffer, &spare)
            let resumes = isPaused
            isPaused = false
            let bytes = spare
            spare = []
            return .bytes(bytes, resumes: resumes)
        }
        if let outcome { return .ended(outcome) }
        isConsumerWaiting = true
        return nil
    }

    private mutating func wake() -> Bool {
        defer { isConsumerWaiting = false }
        return isConsumerWaiting
    }
}

/// How a transfer ended.
enum TransferOutcome: Sendable {
    /// Every byte arrived.
    case complete
    /// libcurl gave up.
    case failed(CurlFailure)
    /// The head is larger than allowed.
    case headTooLarge
    /// The head is no HTTP.
    case headMalformed
    /// The body is larger than allowed.
    case bodyTooLarge
    /// The body cannot be unpacked.
    case packedBodyDamaged(GzipError)
    /// The body is packed in a way that was not asked for.
    case packingUnknown(String)
    /// Nothing was received for too long.
    case idleTooLong
    /// The response took too long as a whole.
    case tookTooLong
    /// The client was shut down.
    case shutDown
    /// It could not be kept, or is in no recording.
    case refused(HTTPTrafficError)

    var isFailure: Bool {
        if case .complete = self { false } else { true }
    }
}

/// What libcurl says about a failure.
struct CurlFailure: Sendable {
    /// The number of a `CURLcode`.
    let code: UInt32
    /// libcurl's own words.
    let text: String
    /// The operating system's number for it, or 0.
    let systemError: Int
}

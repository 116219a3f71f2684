import Dispatch
import Synchronization

/// One request on its way: where the transfer thread and the waiting thread meet.
final class Transfer: Sendable {
    let request: TransferRequest
    private let state: Mutex<TransferState>
    private let wakeUp = DispatchSemaphore(value: 0)
    private let parser = Mutex(HeadParser())

    init(_ request: TransferRequest, capacity: Int, maximumBytes: Int) {
        self.request = request
        state = Mutex(TransferState(capacity: capacity, maximumBytes: maximumBytes))
    }

    /// Whether the server waits until the consumer has taken what is there.
    var isPaused: Bool { state.withLock { $0.isPaused } }

    /// The most bytes that ever waited for the consumer.
    var highWater: Int { state.withLock { $0.highWater } }

    /// Takes one header line; false where the transfer must end.
    func receive(headerLine: UnsafeRawBufferPointer) -> Bool {
        do throws(HeadParser.Refusal) {
            let head = try parser.withLock { parser throws(HeadParser.Refusal) in
                try unsafe parser.accept(headerLine)
            }
            if let head { wake(state.withLock { $0.offer(head) }) }
            return true
        } catch {
            end(error == .tooLarge ? .headTooLarge : .headMalformed)
            return false
        }
    }

    /// Takes a piece of the body.
    func receive(body: UnsafeRawBufferPointer) -> TransferState.Acceptance {
        let (acceptance, wakes) = state.withLock { unsafe $0.offer(body) }
        wake(wakes)
        return acceptance
    }

    /// Says how the transfer ended; only the first call counts.
    func end(_ outcome: TransferOutcome) {
        wake(state.withLock { $0.end(outcome) })
    }

    /// Makes the waiting thread stop waiting.
    func cancel() {
        wake(state.withLock { $0.cancel() })
    }

    /// Waits for what comes next.
    ///
    /// - Parameter spare: An array whose storage is used again.
    /// - Returns: The head, some bytes of the body, how the transfer ended, or that it was cancelled.
    func next(spare: inout [UInt8]) -> TransferState.Delivery {
        while true {
            if let delivery = state.withLock({ $0.take(spare: &spare) }) { return delivery }
            wakeUp.wait()
        }
    }

    private func wake(_ isWaiting: Bool) {
        if isWaiting { wakeUp.signal() }
    }
}

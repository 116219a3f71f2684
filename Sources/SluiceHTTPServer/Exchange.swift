internal import Synchronization

/// One request on its way: libmicrohttpd's thread receives it, a worker answers it.
final class Exchange: Sendable {
    enum Phase {
        case begun
        case receiving(method: String, headers: [HeaderField], body: [UInt8])
        case working
        case answered(OutgoingResponse)
        case over
    }

    let target: String
    private let phase = Mutex(Phase.begun)

    init(target: String) { self.target = target }

    /// Takes the phase, leaving it over.
    func take() -> Phase {
        phase.withLock { phase in
            defer { phase = .over }
            return phase
        }
    }

    func put(_ next: Phase) { phase.withLock { $0 = next } }
}

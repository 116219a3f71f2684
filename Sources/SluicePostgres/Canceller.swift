internal import CSluicePostgres
internal import Synchronization

/// What cancels a connection's statement, for as long as the connection is there: PQcancel is the one call that another
/// thread may make.
final class Canceller: Sendable {
    private let address: Mutex<UInt?>
    private let isUsed = Atomic(false)

    /// Whether somebody cancelled anything.
    var wasUsed: Bool { isUsed.load(ordering: .acquiring) }

    /// Owns what PQgetCancel gave.
    init(address: UInt) { self.address = Mutex(address) }

    deinit { cut() }

    /// Ends it: from now on it does nothing.
    func cut() {
        address.withLock { address in
            if let address { unsafe PQfreeCancel(OpaquePointer(bitPattern: address)) }
            address = nil
        }
    }

    func cancel() {
        isUsed.store(true, ordering: .releasing)
        address.withLock { address in
            guard let address else { return }
            var reason = [CChar](repeating: 0, count: 256)
            // Where it fails, the statement simply goes on.
            _ = unsafe PQcancel(OpaquePointer(bitPattern: address), &reason, 256)
        }
    }
}

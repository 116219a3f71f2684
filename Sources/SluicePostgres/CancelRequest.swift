internal import CSluicePostgres

/// What cancels a connection's statement: the one call of libpq that another thread may make, also once the connection is
/// gone.
final class CancelRequest: Sendable {
    private let address: UInt

    /// Prepares a request for a connection; nil where it is not open.
    init?(_ handle: OpaquePointer) {
        guard let cancel = unsafe PQgetCancel(handle) else { return nil }
        address = UInt(bitPattern: cancel)
    }

    deinit { unsafe PQfreeCancel(OpaquePointer(bitPattern: address)) }

    /// Asks the server; waits until it has taken the request.
    func send() {
        var reason = [CChar](repeating: 0, count: 256)
        // Where it fails, the statement simply goes on.
        _ = unsafe PQcancel(OpaquePointer(bitPattern: address), &reason, 256)
    }
}

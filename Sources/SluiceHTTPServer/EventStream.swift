internal import CSluiceMicrohttpd
internal import Synchronization

/// An answer that comes bit by bit, from whatever thread. A client that does not read it is dropped.
package final class EventStream: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var connection: ClientConnection?
        var isSuspended = false
        var isClosed = false
        var isGone = false
    }

    /// How much may wait for a client that reads slowly.
    private static let mostBytes = 1 << 20
    private let state = Mutex(State())
    private let onEnd: @Sendable () -> Void

    /// Makes a stream.
    ///
    /// - Parameter onEnd: Is called once nobody reads it any more.
    package init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    /// Adds bytes.
    ///
    /// - Returns: Whether somebody may still read them.
    @discardableResult
    package func send(_ text: String) -> Bool {
        state.withLock { state in
            if state.isClosed || state.isGone { return false }
            if state.bytes.count + text.utf8.count > Self.mostBytes {
                state.isClosed = true
            } else {
                state.bytes += Array(text.utf8)
            }
            Self.wake(&state)
            return !state.isClosed
        }
    }

    /// Ends it once what was added is sent.
    package func close() {
        state.withLock { state in
            state.isClosed = true
            Self.wake(&state)
        }
    }

    private static func wake(_ state: inout State) {
        guard state.isSuspended, let connection = state.connection else { return }
        state.isSuspended = false
        connection.resume()
    }

    // MARK: The server's side

    func attach(to connection: ClientConnection) { state.withLock { $0.connection = connection } }

    /// Takes what can be sent; -1 at the end. Where there is nothing the connection waits for more.
    @unsafe
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let (bytes, isAtEnd) = state.withLock { state -> ([UInt8], Bool) in
            let part = Array(state.bytes.prefix(buffer.count))
            state.bytes.removeFirst(part.count)
            if part.isEmpty && !state.isClosed {
                state.isSuspended = true
                state.connection?.suspend()
            }
            return (part, part.isEmpty && state.isClosed)
        }
        if isAtEnd { return -1 }
        unsafe buffer.copyBytes(from: bytes)
        return bytes.count
    }

    /// The connection is no more.
    func detach() {
        let isFirst = state.withLock { state in
            defer { state.isGone = true }
            (state.connection, state.isSuspended) = (nil, false)
            return !state.isGone
        }
        if isFirst { onEnd() }
    }
}

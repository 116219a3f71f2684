internal import CSluiceMicrohttpd
internal import Dispatch
internal import SluiceSystem
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// An HTTP/1.1 server: one thread for the network, a few for the answers.
package final class HTTPServer: Sendable {
    private struct State {
        var daemon: Daemon?
        var streams: [ObjectIdentifier: EventStream] = [:]
        var isStopping = false
    }

    private let socket: ListeningSocket
    private let limits: ServerLimits
    private let handler: @Sendable (IncomingRequest) -> OutgoingResponse
    private let connections = ConnectionTable()
    private let pool: WorkerPool
    private let state = Mutex(State())
    private let ticks = DispatchGroup()
    private let end = MonotonicSemaphore()

    /// Where it listens.
    package var name: String { socket.name }
    /// How many connections there are.
    package var connectionCount: Int { connections.count }

    /// Makes a server that does not answer yet.
    ///
    /// - Parameters:
    ///   - socket: Where it listens; is closed with it.
    ///   - limits: What clients may ask of it.
    ///   - handler: Answers requests, several at a time, each on a thread that may wait.
    package init(
        _ socket: ListeningSocket, limits: ServerLimits = ServerLimits(),
        handler: @escaping @Sendable (IncomingRequest) -> OutgoingResponse
    ) {
        (self.socket, self.limits, self.handler) = (socket, limits, handler)
        pool = WorkerPool(workers: limits.workers, waiting: limits.waiting)
    }

    /// Begins to answer.
    ///
    /// - Throws: ``ServerError``.
    package func start() throws(ServerError) {
        let room = FileLimit.raise(to: limits.connections + 256) - 128
        let most = UInt32(clamping: max(16, min(limits.connections, room)))
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let daemon = unsafe sluice_http_start(
            socket.descriptor, context, most, UInt32(clamping: limits.idleSeconds), limits.headBytes, Self.begin,
            Self.handle, Self.finish, Self.notify)
        guard let daemon = unsafe daemon else {
            socket.end()
            throw ServerError(
                "libmicrohttpd does not listen at `\(socket.name)`. See the limits of the system (`ulimit -a`).")
        }
        state.withLock { unsafe $0.daemon = Daemon(pointer: daemon) }
        DispatchQueue(label: "sluice.http.server").async(group: ticks) { self.tick() }
    }

    /// Ends it: takes no more connections, waits for answers that are being made, and closes all connections.
    package func stop() {
        let (daemon, streams) = state.withLock { state -> (Daemon?, [EventStream]) in
            state.isStopping = true
            defer { state.daemon = nil }
            return (state.daemon, Array(state.streams.values))
        }
        guard let daemon else { return }
        daemon.quiesce()
        end.signal()
        ticks.wait()
        for stream in streams { stream.close() }
        // A connection that waits for its answer cannot be closed; the process is about to end, which closes it.
        if pool.wait(seconds: 10) { daemon.stop() }
        socket.end()
    }

    /// Looks at the limits of time now and then.
    private func tick() {
        var beat = Clock.now()
        while !end.wait(seconds: limits.tickSeconds) {
            let now = Clock.now()
            connections.expire(now: now)
            if now - beat < limits.heartbeatSeconds { continue }
            beat = now
            // A client that is gone is only noticed when something is sent.
            for stream in state.withLock({ Array($0.streams.values) }) { stream.send(":\n\n") }
        }
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    // MARK: One request

    private func receive(
        _ connection: ClientConnection, _ exchange: Exchange, method: String, part: [UInt8]
    ) -> Bool {
        switch exchange.take() {
        case .begun:
            let headers = connection.headers
            connections.set(connection.id, until: Clock.now() + limits.bodySeconds)
            if isStopping { return answer(connection, RequestHead.refused(503, "The server is about to end.")) }
            if let refusal = RequestHead.refusal(headers, limits: limits) { return answer(connection, refusal) }
            exchange.put(.receiving(method: method, headers: headers, body: []))
            return true
        case .receiving(let method, let headers, let body):
            if !part.isEmpty {
                if body.count + part.count > limits.bodyBytes { return false }
                exchange.put(.receiving(method: method, headers: headers, body: body + part))
                return true
            }
            let request = IncomingRequest(method: method, target: exchange.target, headers: headers, body: body)
            guard let request else { return answer(connection, RequestHead.refused(400, "The target is no path.")) }
            return work(on: request, connection, exchange)
        case .answered(let response):
            return answer(connection, response)
        case .working, .over:
            return false
        }
    }

    private func work(on request: IncomingRequest, _ connection: ClientConnection, _ exchange: Exchange) -> Bool {
        if isStopping { return answer(connection, RequestHead.refused(503, "The server is about to end.")) }
        connections.set(connection.id, until: nil)
        exchange.put(.working)
        connection.suspend()
        let handler = handler
        let isTaken = pool.submit {
            exchange.put(.answered(handler(request)))
            connection.resume()
        }
        if !isTaken {
            exchange.put(.answered(RequestHead.refused(503, "There are too many requests.")))
            connection.resume()
        }
        return true
    }

    /// Sends a response.
    ///
    /// - Returns: False where the connection is to be closed.
    private func answer(_ connection: ClientConnection, _ response: OutgoingResponse) -> Bool {
        var response = response
        var isStream = false
        if case .events(let stream) = response.body {
            let isTaken = state.withLock { state in
                if state.isStopping || state.streams.count >= limits.streams { return false }
                state.streams[ObjectIdentifier(stream)] = stream
                return true
            }
            if isTaken {
                isStream = true
                stream.attach(to: connection)
            } else {
                stream.detach()
                response = RequestHead.refused(503, "There are too many streams of events.")
            }
        }
        connections.set(connection.id, until: isStream ? nil : Clock.now() + limits.answerSeconds)
        guard let made = NativeResponse(response, of: self) else {
            return NativeResponse(.text(500, "The answer cannot be sent.\n"), of: self)?.queue(on: connection) ?? false
        }
        return made.queue(on: connection)
    }

    /// A stream that nobody reads any more.
    func forget(_ stream: EventStream) {
        state.withLock { _ = $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
        stream.detach()
    }

    // MARK: What libmicrohttpd calls

    private static let begin: sluice_http_begin = { _, target, _ in
        let text = unsafe target.map { unsafe String(cString: $0) } ?? ""
        return unsafe Unmanaged.passRetained(Exchange(target: text)).toOpaque()
    }

    private static let handle: MHD_AccessHandlerCallback = {
        context, connection, _, method, _, data, size, slot in
        guard let context = unsafe context, let connection = unsafe connection, let size = unsafe size,
            let method = unsafe method, let exchange = unsafe slot?.pointee
        else { return sluice_http_result(0) }
        let part = unsafe Array(UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size.pointee))
        unsafe size.pointee = 0
        let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
        let isWell = unsafe server.receive(
            ClientConnection(connection), Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue(),
            method: String(cString: method), part: part)
        return sluice_http_result(isWell ? 1 : 0)
    }

    private static let finish: MHD_RequestCompletedCallback = { context, connection, slot, _ in
        guard let context = unsafe context, let connection = unsafe connection, let slot = unsafe slot else { return }
        let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
        unsafe server.connections.set(
            ClientConnection(connection).id, until: Clock.now() + server.limits.headSeconds)
        guard let exchange = unsafe slot.pointee else { return }
        unsafe slot.pointee = nil
        unsafe Unmanaged<Exchange>.fromOpaque(exchange).release()
    }

    private static let notify: MHD_NotifyConnectionCallback = { context, connection, slot, code in
        guard let context = unsafe context, let connection = unsafe connection, let slot = unsafe slot else { return }
        let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
        if sluice_http_is_start(code) != 0 {
            let id = unsafe server.connections.add(
                sluice_http_descriptor(connection), until: Clock.now() + server.limits.headSeconds)
            unsafe slot.pointee = UnsafeMutableRawPointer(bitPattern: id)
        } else {
            unsafe server.connections.remove(Int(bitPattern: slot.pointee))
        }
    }
}

/// libmicrohttpd's server. It is `@unchecked Sendable` because its functions may be called from any thread; the state of
/// the server that holds it gives it away once.
@safe
private struct Daemon: @unchecked Sendable {
    let pointer: OpaquePointer

    func quiesce() { _ = unsafe MHD_quiesce_daemon(pointer) }
    func stop() { unsafe MHD_stop_daemon(pointer) }
}

/// The time that passes.
private enum Clock {
    static func now() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

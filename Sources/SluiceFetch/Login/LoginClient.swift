package import SluiceDecode
package import SluiceHTTP
internal import SluicePipeline
internal import SluiceReport
package import SluiceSystem

/// Sends requests that log in. What they hold goes to the host that they name and nowhere else.
package final class LoginClient: Sendable {
    private let connections: SourceConnections
    private let cancellation: Cancellation

    /// - Parameters:
    ///   - connections: To where the login is: those of the source where it is there, else others.
    ///   - cancellation: Ends the login between two tries, but not within one: what an answer says may be said only
    ///     once.
    package init(_ connections: SourceConnections, cancellation: Cancellation) {
        self.connections = connections
        self.cancellation = cancellation
    }

    /// The body of the answer.
    ///
    /// - Parameters:
    ///   - request: What is asked.
    ///   - remedy: What to do where the answer is no.
    /// - Returns: The answer, read.
    /// - Throws: ``SyncError``, `CancelledError`.
    package func fetch(_ request: HTTPRequest, remedy: String) throws -> PageBody {
        try cancellation.check()
        var request = request
        request.isLogin = true
        request.terms.staysAtItsHost = true
        request.terms.maximumResponseBytes = 1 << 20
        let pause = Cancellation()
        let registration = Registration(cancellation, pause)
        defer { registration.end() }
        var body = HTTPBodyBuffer()
        do {
            _ = try connections.client.fetch(request, into: &body, cancellation: pause) { event in
                switch event {
                case .retrying, .waiting: registration.begin()
                case .started, .redirected, .receiving, .finished: registration.end()
                }
            }
        } catch let error as HTTPError {
            throw Self.failure(error, remedy)
        }
        do {
            // What is in it is secret, so that no message may quote it.
            return try PageBody(body.bytes, showsValues: false)
        } catch {
            throw SyncError(
                .loginFailed, "The login failed: \(request) answered with something that is not JSON. \(remedy)")
        }
    }

    private static func failure(_ error: HTTPError, _ remedy: String) -> SyncError {
        if error.code == .tooManyRedirects {
            let place = error.message.split(separator: ":").first.map(String.init) ?? ""
            return SyncError(
                .loginFailed,
                "The login failed: \(place) redirects to another address, and credentials are not sent there. Use that address instead. \(remedy)"
            )
        }
        guard error.status != nil else { return SyncError(.loginFailed, "The login failed: \(error.message)") }
        // The rest of the message is about streams.
        let words = error.message.split(separator: "\n").first.map(String.init) ?? error.message
        return SyncError(.loginFailed, "The login failed: \(words) \(remedy)")
    }

    /// Passes a request to stop on while nothing is under way.
    private final class Registration {
        private let outer: Cancellation
        private let inner: Cancellation
        private var number: Int?

        init(_ outer: Cancellation, _ inner: Cancellation) {
            self.outer = outer
            self.inner = inner
        }

        func begin() {
            if number == nil { number = outer.onCancel { [inner] in inner.cancel() } }
        }

        func end() {
            if let number { outer.remove(number) }
            number = nil
        }
    }
}

/// What happens during a fetch, for progress and logs; no text in it holds a secret.
package enum HTTPEvent: Sendable {
    /// A try begins; the first one is number 1.
    case started(displayURL: String, attempt: Int)
    /// The server sent the request on to another URL.
    case redirected(status: Int, displayURL: String)
    /// A try failed, and the next one begins after a pause.
    case retrying(after: Duration, reason: HTTPError)
    /// A request waits for its turn.
    case waiting(for: Duration, reason: String)
    /// More of a large response has come: so many bytes of its body so far.
    case receiving(bytes: Int)
    /// The response is complete.
    case finished(status: Int, bytes: Int)
}

/// How much a client may ask of a server.
package struct ServerLimits: Sendable {
    /// The most connections at a time; further ones wait until one is closed.
    package var connections = 1_000
    /// The most bytes of a request's head, and of what is sent at a time.
    package var headBytes = 24 << 10
    /// The most bytes of a request's body.
    package var bodyBytes = 1 << 20
    /// How long the head of a request may take, from the connection or the answer before.
    package var headSeconds = 10.0
    /// How long the body of a request may take.
    package var bodySeconds = 30.0
    /// How long an answer may take that is no stream of events.
    package var answerSeconds = 600.0
    /// After how long without a byte a connection is closed.
    package var idleSeconds = 60
    /// How often a stream of events says that it is there.
    package var heartbeatSeconds = 15.0
    /// The most streams of events at a time.
    package var streams = 100
    /// How many requests are worked on at a time.
    package var workers = 4
    /// The most requests that wait for that.
    package var waiting = 256
    /// How often the limits are looked at.
    package var tickSeconds = 1.0

    /// Makes the usual limits.
    package init() {}
}

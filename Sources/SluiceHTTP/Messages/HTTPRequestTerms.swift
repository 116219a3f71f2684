/// What holds for one request where it is narrower than what holds for all of its client's.
package struct HTTPRequestTerms: Sendable {
    /// The longest time without a byte in either direction; nil for the client's.
    package var idleTimeout: Duration?
    /// The longest time for the response; nil for the client's.
    package var totalTimeout: Duration?
    /// Whether it is tried again only where the server refuses it since it takes no more of them for now.
    package var retriesRateLimitsAlone = false
    /// The largest body in bytes; nil for the client's.
    package var maximumResponseBytes: Int?
    /// Whether it goes to the host that it names and nowhere else, whatever a redirect says.
    package var staysAtItsHost = false

    /// Makes terms that narrow nothing.
    package init() {}
}

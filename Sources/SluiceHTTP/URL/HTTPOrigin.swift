/// A scheme, a host and a port: what credentials belong to.
package struct HTTPOrigin: Sendable, Hashable, CustomStringConvertible {
    /// `http` or `https`.
    package let scheme: String
    /// The host's name in lower case, or its address.
    package let host: String
    /// The port, also where it is the scheme's own.
    package let port: Int

    /// Makes an origin; nil for another scheme.
    ///
    /// - Parameters:
    ///   - scheme: `http` or `https`, in any case.
    ///   - host: The host's name.
    ///   - port: The port, or nil for the scheme's own.
    package init?(scheme: String, host: String, port: Int? = nil) {
        guard let standard = Self.standardPort(scheme.lowercased()) else { return nil }
        self.scheme = scheme.lowercased()
        self.host = host.lowercased()
        self.port = port ?? standard
    }

    /// Whether the port is the scheme's own.
    package var hasStandardPort: Bool { port == Self.standardPort(scheme) }

    /// The host, and the port where it is not the scheme's own.
    package var hostAndPort: String { hasStandardPort ? host : "\(host):\(port)" }

    /// The origin as a URL begins.
    package var description: String { "\(scheme)://\(hostAndPort)" }

    private static func standardPort(_ scheme: String) -> Int? {
        switch scheme {
        case "http": 80
        case "https": 443
        default: nil
        }
    }
}

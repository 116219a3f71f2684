/// A scheme, a host and a port: what credentials belong to.
public struct HTTPOrigin: Sendable, Hashable, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// The host's name in lower case, or its address.
    public let host: String
    /// The port, also where it is the scheme's own.
    public let port: Int

    /// Makes an origin; nil for another scheme.
    ///
    /// - Parameters:
    ///   - scheme: `http` or `https`, in any case.
    ///   - host: The host's name.
    ///   - port: The port, or nil for the scheme's own.
    public init?(scheme: String, host: String, port: Int? = nil) {
        guard let standard = Self.standardPort(scheme.lowercased()) else { return nil }
        self.scheme = scheme.lowercased()
        self.host = host.lowercased()
        self.port = port ?? standard
    }

    /// Whether the port is the scheme's own.
    public var hasStandardPort: Bool { port == Self.standardPort(scheme) }

    /// The host, and the port where it is not the scheme's own.
    public var hostAndPort: String { hasStandardPort ? host : "\(host):\(port)" }

    /// The origin as a URL begins.
    public var description: String { "\(scheme)://\(hostAndPort)" }

    private static func standardPort(_ scheme: String) -> Int? {
        switch scheme {
        case "http": 80
        case "https": 443
        default: nil
        }
    }
}

/// Another host that redirects and page links may lead to.
package struct HTTPAllowedHost: Sendable, Hashable {
    /// The host's name, in any case.
    package var host: String
    /// The port, or nil for the scheme's own.
    package var port: Int?
    /// Whether credentials and custom headers go there too.
    package var sendsCredentials: Bool

    /// Makes an allowed host.
    package init(host: String, port: Int? = nil, sendsCredentials: Bool = false) {
        self.host = host
        self.port = port
        self.sendsCredentials = sendsCredentials
    }
}

extension HTTPAllowedHost {
    /// Whether it means a host.
    func permits(_ origin: HTTPOrigin) -> Bool {
        guard host.lowercased() == origin.host else { return false }
        return port.map { $0 == origin.port } ?? origin.hasStandardPort
    }
}

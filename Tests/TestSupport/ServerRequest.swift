/// A request as a loopback server received it.
public struct ServerRequest: Sendable {
    /// Its number on this server, from 0.
    public internal(set) var number = 0
    /// The number of the connection it came on, from 0.
    public internal(set) var connection = 0
    /// The method.
    public var method: String
    /// What was asked for: a path, and a query after `?`.
    public var target: String
    /// The headers, in the order received.
    public var headers: [(name: String, value: String)]
    /// The body, without its transfer encoding.
    public var body: [UInt8]

    /// The target without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The query without its `?`, or nil where there is none.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// The value of the first header with that name, in any case, or nil where there is none.
    public func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.lowercased() == wanted }?.value
    }

    /// Whether the client lets the connection be used again.
    var keepsConnection: Bool { header("Connection")?.lowercased() != "close" }
}

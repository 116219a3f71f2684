import Glibc
import Synchronization

/// The name of a schema that no other test has, and the URL of a store in it.
public struct PostgresSchemaURL: Sendable {
    private static let count = Atomic(0)
    /// The name; nothing has to be quoted in it.
    public let schema: String
    /// Where the server is.
    public let server: String

    /// Names a schema; nothing is made.
    ///
    /// - Throws: ``PostgresCluster/Failure`` where no server starts.
    public init() throws { self.init(server: try PostgresCluster.sharedURL()) }

    /// Names a schema of a server; nothing is made.
    public init(server: String) {
        self.server = server
        schema = "stage_\(getpid())_\(Self.count.add(1, ordering: .relaxed).newValue)"
    }

    /// The store in the schema.
    public var store: String { server + (server.contains("?") ? "&" : "?") + "schema=" + schema }
}

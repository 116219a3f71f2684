internal import SluiceHTTP
internal import SluicePipeline

/// Gives a run the credentials of its source, and asks for new ones in time.
final class SourceLogin {
    /// What a login brought.
    struct Grant {
        var credentials: Credentials
        /// For how long it holds; nil where nobody said so.
        var lifetime: Duration?
    }

    /// Asks for credentials.
    protocol Asking {
        func ask() throws -> Grant
    }

    private let asking: (any Asking)?
    private let environment: HTTPEnvironment
    private var present: Credentials?
    /// When new ones are due, by the clock that never goes back.
    private var renewal: Duration?
    /// Everything secret that was used so far.
    private(set) var secrets: [String]

    /// - Parameters:
    ///   - authentication: What the pipeline says.
    ///   - asking: Where credentials come from that the pipeline does not hold itself.
    ///   - environment: The clock.
    init(
        _ authentication: SourceDefinition.Authentication, asking: (any Asking)? = nil,
        environment: HTTPEnvironment = .live
    ) {
        self.asking = asking
        self.environment = environment
        present = Credentials(authentication)
        secrets = authentication.secrets
    }

    /// What the next request is sent with.
    ///
    /// - Throws: ``SyncError`` where the login fails, `CancelledError`.
    func credentials() throws -> Credentials {
        if let present, renewal.map({ environment.monotonicNow() < $0 }) ?? true { return present }
        return try renew() ?? Credentials()
    }

    /// What a request is sent with whose credentials were refused; nil where there are no others.
    ///
    /// - Throws: ``SyncError`` where the login fails, `CancelledError`.
    func renew() throws -> Credentials? {
        guard let asking else { return nil }
        let start = environment.monotonicNow()
        let grant = try asking.ask()
        secrets += grant.credentials.secrets
        present = grant.credentials
        // A request takes its time, and clocks differ.
        renewal = grant.lifetime.map { start + $0 - min(.seconds(60), $0 / 10) }
        return grant.credentials
    }
}

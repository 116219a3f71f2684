package import SluiceHTTP
package import SluicePipeline
internal import Synchronization

/// Gives a run the credentials of its source, and asks for new ones in time.
///
/// Requests that are under way at the same time share it: of those that need new credentials one asks, and the others
/// wait for what it gets.
package final class SourceLogin: Sendable {
    /// What a login brought.
    package struct Grant: Sendable {
        var credentials: Credentials
        /// For how long it holds; nil where nobody said so.
        var lifetime: Duration?
    }

    /// Asks for credentials.
    package protocol TokenProvider: Sendable {
        func ask() throws -> Grant
    }

    private struct State {
        var present: Credentials?
        /// When new ones are due, by the clock that never goes back.
        var renewal: Duration?
        var secrets: [String]
    }

    private let provider: (any TokenProvider)?
    private let environment: HTTPEnvironment
    private let state: Mutex<State>

    /// - Parameters:
    ///   - authentication: What the pipeline says.
    ///   - provider: Where credentials come from that the pipeline does not hold itself.
    ///   - environment: The clock.
    package init(
        _ authentication: SourceDefinition.Authentication, provider: (any TokenProvider)? = nil,
        environment: HTTPEnvironment = .live
    ) {
        self.provider = provider
        self.environment = environment
        state = Mutex(State(present: Credentials(authentication), secrets: authentication.secrets))
    }

    /// Everything secret that was used so far.
    package var secrets: [String] { state.withLock { $0.secrets } }

    /// What the next request is sent with.
    ///
    /// - Throws: ``SyncError`` where the login fails, `CancelledError`.
    package func credentials() throws -> Credentials {
        try state.withLock { state in
            if let present = state.present, state.renewal.map({ environment.monotonicNow() < $0 }) ?? true {
                return present
            }
            return try renew(&state) ?? Credentials()
        }
    }

    /// What a request is sent with whose credentials were refused; nil where there are no others.
    ///
    /// - Parameter refused: The credentials; nobody is asked where others have taken their place already.
    /// - Returns: The others.
    /// - Throws: ``SyncError`` where the login fails, `CancelledError`.
    func renew(_ refused: Credentials) throws -> Credentials? {
        try state.withLock { state in
            if let present = state.present, present != refused { return present }
            return try renew(&state)
        }
    }

    private func renew(_ state: inout State) throws -> Credentials? {
        guard let provider else { return nil }
        let start = environment.monotonicNow()
        let grant = try provider.ask()
        state.secrets += grant.credentials.secrets
        state.present = grant.credentials
        // A request takes its time, and clocks differ.
        state.renewal = grant.lifetime.map { start + $0 - min(.seconds(60), $0 / 10) }
        return grant.credentials
    }
}

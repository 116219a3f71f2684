internal import SluiceFetch
internal import SluiceHTTP
package import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport

/// One run's way to its source, and what of it must not be told.
package final class SourceAccess {
    /// When the run began, RFC 3339.
    package let startedAt: String
    /// How the source is talked to.
    let configuration: HTTPConfiguration
    private let source: SourceDefinition
    private let options: SyncOptions
    private let refreshTokens: KeptRefreshToken
    private var login: SourceLogin?
    private let connections: SourceConnections

    package init(_ source: SourceDefinition, options: SyncOptions, startedAt: String) {
        self.source = source
        self.options = options
        self.startedAt = startedAt
        configuration = HTTPConfiguration(source, version: options.version)
        connections = SourceConnections(configuration, environment: options.httpEnvironment)
        refreshTokens = KeptRefreshToken(
            store: options.address, isReplayed: options.isReplayed, cancellation: options.cancellation)
    }

    /// Everything secret that was used so far.
    package var secrets: [String] { login?.secrets ?? source.authentication.secrets }

    /// Whether a new refresh token was written to the store.
    var hasKeptToken: Bool { refreshTokens.hasKept }

    /// Whether there was no store before such a token was written.
    var hasMadeStore: Bool { refreshTokens.hasMadeStore }

    /// What sends the run's requests: one client, so that all of them keep to the source's rate.
    var client: HTTPClient { connections.client }

    /// Ends all connections; the next request makes new ones.
    package func shutDown() { connections.shutDown() }

    /// Those to a login that is elsewhere, which gets no certificate of the source's client.
    private var foreignConnections: SourceConnections {
        var configuration = configuration
        configuration.tls.clientCertificateFile = nil
        configuration.tls.clientKeyFile = nil
        return SourceConnections(configuration, environment: options.httpEnvironment)
    }

    /// What proves to the source who is asking.
    func makeLogin(base: ConfigurationText, values: TemplateValues) -> SourceLogin {
        if let login { return login }
        func client(isSource: Bool) -> LoginClient {
            LoginClient(isSource ? connections : foreignConnections, cancellation: options.cancellation)
        }
        let provider: (any SourceLogin.TokenProvider)?
        switch source.authentication {
        case .oauth2(let oauth):
            let isSource = (try? HTTPURL(oauth.tokenURL.revealed).origin) == (try? HTTPURL(base.revealed).origin)
            provider = OAuth2TokenProvider(
                login: oauth, client: client(isSource: isSource), refreshTokens: refreshTokens)
        case .session(let session):
            provider = SessionTokenProvider(login: session, base: base, values: values, client: client(isSource: true))
        case .none, .bearer, .basic, .apiKey: provider = nil
        }
        let login = SourceLogin(source.authentication, provider: provider, environment: options.httpEnvironment)
        self.login = login
        return login
    }
}

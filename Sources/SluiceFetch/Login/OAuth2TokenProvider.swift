internal import SluiceDecode
internal import SluiceHTTP
internal import SluiceJSON
internal import SluiceModel
package import SluicePipeline
internal import SluiceReport

/// Asks for tokens of OAuth 2.0. See: RFC 6749, sections 2.3.1, 4.4, 5 and 6.
package struct OAuth2TokenProvider: SourceLogin.TokenProvider {
    package let login: SourceDefinition.OAuth2
    package let client: LoginClient
    package let refreshTokens: any RefreshTokenExchange

    /// Makes a value of its parts.
    package init(login: SourceDefinition.OAuth2, client: LoginClient, refreshTokens: any RefreshTokenExchange) {
        self.login = login
        self.client = client
        self.refreshTokens = refreshTokens
    }

    package func ask() throws -> SourceLogin.Grant {
        switch login.flow {
        case .clientCredentials: return try ask([HTTPField("grant_type", "client_credentials")]).grant
        case .refreshToken:
            return try refreshTokens.exchange(for: login) { token in
                let fields = [HTTPField("grant_type", "refresh_token"), HTTPField("refresh_token", token)]
                let (grant, newToken) = try ask(fields, secret: token)
                return (grant, newToken)
            }
        }
    }

    private func ask(
        _ fields: [HTTPField], secret: String? = nil
    ) throws -> (grant: SourceLogin.Grant, refreshToken: String?) {
        let body = try client.fetch(makeRequest(fields, secret: secret), remedy: remedy)
        func path(_ name: String) -> JSONPath { JSONPath(steps: [.name(name)], text: name) }
        guard let token = body.text(at: path("access_token")) else {
            throw SyncError(
                .loginFailed,
                "The login failed: \(login.tokenURL) answered without an `access_token`. Check `auth.token_url`; it must be the token endpoint, not the page where people log in."
            )
        }
        if let type = body.text(at: path("token_type")), type.lowercased() != "bearer" {
            throw SyncError(
                .loginFailed,
                "The login failed: \(login.tokenURL) returned a token whose type is not `Bearer`. Such tokens are not supported."
            )
        }
        var grant = SourceLogin.Grant(credentials: Credentials(bearer: token))
        if let seconds = body.integer(at: path("expires_in")), seconds > 0 {
            grant.lifetime = .seconds(min(seconds, 1_000_000_000))
        }
        return (grant, body.text(at: path("refresh_token")))
    }

    private func makeRequest(_ fields: [HTTPField], secret: String?) -> HTTPRequest {
        var form = fields
        if !login.scopes.isEmpty {
            form.append(HTTPField("scope", login.scopes.map(\.revealed).joined(separator: " ")))
        }
        form += login.parameters.map { HTTPField($0.name, $0.value.revealed) }
        var request = HTTPRequest(method: "POST", url: login.tokenURL.revealed)
        let (name, password) = (login.clientID.revealed, login.clientSecret?.revealed)
        if login.clientAuthentication == .basic, let password {
            let pair = Base64.encode(Array("\(FormText.encoded(name)):\(FormText.encoded(password))".utf8))
            request.credentialHeaders = [HTTPField("Authorization", "Basic \(pair)")]
        } else {
            form.append(HTTPField("client_id", name))
            if let password { form.append(HTTPField("client_secret", password)) }
        }
        request.headers = [HTTPField("Content-Type", FormText.type)]
        request.body = Array(FormText.encoded(form).utf8)
        request.secrets = SourceDefinition.Authentication.oauth2(login).secrets + [secret].compactMap { $0 }
        request.secrets += login.tokenURL.secrets
        return request
    }

    private var remedy: String {
        switch login.flow {
        case .clientCredentials: "Check `client_id`, `client_secret`, `scopes` and `client_auth` of `auth`."
        case .refreshToken:
            "If the refresh token was revoked or has expired, get a new one and set it as `auth.refresh_token`; check `client_id` and `client_secret` too."
        }
    }
}

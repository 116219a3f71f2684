internal import SluiceDecode
internal import SluiceHTTP
internal import SluiceJSON
package import SluicePipeline
internal import SluiceReport

/// Logs in at the source for a token of its own kind.
package struct SessionTokenProvider: SourceLogin.TokenProvider {
    package let login: SourceDefinition.SessionLogin
    /// The source's base URL.
    package let base: ConfigurationText
    package let values: TemplateValues
    package let client: LoginClient

    /// Makes a value of its parts.
    package init(
        login: SourceDefinition.SessionLogin, base: ConfigurationText, values: TemplateValues, client: LoginClient
    ) {
        self.login = login
        self.base = base
        self.values = values
        self.client = client
    }

    package func ask() throws -> SourceLogin.Grant {
        let request = try makeRequest()
        let remedy = "Check `login` of `auth`."
        let body = try client.fetch(request, remedy: remedy)
        guard let token = body.value(at: login.tokenPath)?.plain else {
            throw SyncError(
                .loginFailed,
                "The login failed: \(request) answered without a token at `\(login.tokenPath.text)`. Check `auth.token_path`."
            )
        }
        let value = login.header.value.filled { _ in .init(token, isSecret: true) }
        return SourceLogin.Grant(
            credentials: Credentials(header: HTTPField(login.header.name, value.revealed), token: token))
    }

    private func makeRequest() throws -> HTTPRequest {
        // A login is asked for as a page is.
        var stream = StreamDefinition(
            name: "login", entity: "", path: login.path, parameters: login.parameters, headers: login.headers)
        stream.method = login.method
        stream.body = login.body
        stream = stream.filled(values, isURL: true)
        let page = PageRequest(url: try stream.url(base: base), body: stream.body.map { RequestBody($0) })
        var request = page.httpRequest(of: stream)
        request.secrets = stream.secrets(base: base)
        return request
    }
}

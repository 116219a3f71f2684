internal import SluiceHTTP
internal import SluiceJSON
internal import SluicePipeline

/// Logs in at the source for a token of its own kind.
struct SessionAsking: SourceLogin.Asking {
    let login: SourceDefinition.SessionLogin
    /// The source's base URL.
    let base: ConfigurationText
    let values: TemplateValues
    let client: LoginClient

    func ask() throws -> SourceLogin.Grant {
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

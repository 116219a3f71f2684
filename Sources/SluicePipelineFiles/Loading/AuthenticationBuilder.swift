internal import SluiceJSON
internal import SluicePipeline

/// Makes the definition of `auth`.
struct AuthenticationBuilder {
    /// The whole `source`.
    let source: ConfigNode
    /// Whether it is made of files.
    let isFile: Bool
    let reporter: Reporter

    func build() -> SourceDefinition.Authentication {
        guard let auth = source.member("auth") else { return .none }
        func secret(_ name: String) -> ConfigurationText { auth.member(name)?.text ?? ConfigurationText("") }
        switch auth.member("type")?.string {
        case "bearer": return .bearer(token: secret("token"))
        case "basic": return .basic(username: secret("username"), password: secret("password"))
        case "api_key":
            let location = auth.member("in")?.choice(SourceDefinition.APIKeyLocation.self) ?? .header
            return .apiKey(location: location, name: auth.member("name")?.string ?? "", value: secret("value"))
        case "oauth2": return oauth2(auth).map { .oauth2($0) } ?? .none
        case "session": return session(auth).map { .session($0) } ?? .none
        default: return .none
        }
    }

    private func oauth2(_ node: ConfigNode) -> SourceDefinition.OAuth2? {
        checkConnection(node, "oauth2")
        guard let flow = node.member("flow")?.choice(SourceDefinition.OAuth2.Flow.self),
            let url = node.member("token_url")?.text, let client = node.member("client_id")?.text
        else { return nil }
        var login = SourceDefinition.OAuth2(flow: flow, tokenURL: url, clientID: client)
        login.clientSecret = node.member("client_secret")?.text
        login.refreshToken = node.member("refresh_token")?.text
        login.scopes = node.member("scopes")?.names.compactMap(\.text) ?? []
        login.clientAuthentication =
            node.member("client_auth")?.choice(SourceDefinition.OAuth2.ClientAuthentication.self) ?? .basic
        login.parameters = (node.member("params")?.members ?? []).compactMap { member in
            member.value.text.map { NamedText(name: member.name, value: $0) }
        }
        checkFlow(flow, node)
        return login
    }

    private func checkFlow(_ flow: SourceDefinition.OAuth2.Flow, _ node: ConfigNode) {
        let (needed, example) =
            flow == .refreshToken ? ("refresh_token", "REFRESH_TOKEN") : ("client_secret", "CLIENT_SECRET")
        if node.member(needed) == nil {
            reporter.report(
                .missingKey, "The flow `\(flow.rawValue)` needs the key `\(needed)`.", at: node.start,
                help: "For example: `\(needed): \"${env:\(example)}\"`")
        }
        if flow == .clientCredentials, let unused = node.member("refresh_token") {
            reporter.report(
                .conflictingKeys, "The flow `client_credentials` uses no `refresh_token`.", at: unused.start,
                help: "Leave it out, or make it `flow: refresh_token`.")
        }
        // The server would not know which one counts.
        let reserved: Set = ["grant_type", "client_id", "client_secret", "refresh_token", "scope"]
        for member in node.member("params")?.members ?? [] where reserved.contains(member.name) {
            reporter.report(
                .conflictingKeys, "`params` of `oauth2` cannot set `\(member.name)`: Sluice sends it itself.",
                at: member.mark, help: "Remove it; `scopes` sets `scope`.")
        }
    }

    private func session(_ node: ConfigNode) -> SourceDefinition.SessionLogin? {
        checkConnection(node, "session")
        guard let login = node.member("login"), let path = login.member("path")?.template,
            let text = node.member("token_path")?.string, let tokenPath = try? JSONPath(parsing: text)
        else { return nil }
        if !tokenPath.isSingular, let place = node.member("token_path")?.start {
            let detail = "`auth.token_path` must lead to one value, but `*` selects several."
            reporter.report(.conflictingKeys, detail, at: place, help: "Name one element, such as `[0]`.")
        }
        var session = SourceDefinition.SessionLogin(path: path, tokenPath: tokenPath, header: header(node))
        session.body = login.member("body").flatMap { BodyBuilder(node: $0, reporter: reporter).build() }
        let method = login.member("method")?.choice(StreamDefinition.Method.self)
        session.method = method ?? .post
        if method == .get, session.body != nil, let place = login.member("method") {
            reporter.report(
                .conflictingKeys, "A `GET` request sends no `body`.", at: place.start,
                help: "Leave `method` out, or make it `POST`.")
        }
        for key in ["path", "body"] { login.member(key).map(checkVariables) }
        session.headers = (source.member("headers")?.headers ?? []).withoutCursors
        session.parameters = (source.member("params")?.namedTemplates ?? []).withoutCursors
        return session
    }

    private func header(_ node: ConfigNode) -> NamedText {
        let token = ConfigurationText.Part("{{ token }}", variable: TemplateVariable(.token))
        guard let header = node.member("header") else {
            return NamedText(name: "Authorization", value: ConfigurationText(parts: [.init("Bearer "), token]))
        }
        if let members = header.members {
            if members.count > 1 {
                reporter.report(
                    .conflictingKeys, "`auth.header` names one header, but there are \(members.count).",
                    at: members[1].mark, help: "Leave all but one of them out.")
            }
            if let first = members.first, let text = first.value.text {
                return NamedText(name: first.name, value: text.template([.token]))
            }
        }
        return NamedText(name: header.string ?? "Authorization", value: ConfigurationText(parts: [token]))
    }

    private func checkConnection(_ node: ConfigNode, _ type: String) {
        guard isFile else { return }
        reporter.report(
            .conflictingKeys, "A `file:` source needs no login, so it takes no `auth` of type `\(type)`.",
            at: node.start,
            help: "Leave `auth` out.")
    }
}

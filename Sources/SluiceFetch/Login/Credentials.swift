internal import SluiceHTTP
internal import SluiceModel
internal import SluicePipeline

/// What a request proves who is asking with.
package struct Credentials: Sendable, Hashable {
    var headers: [HTTPField] = []
    var parameters: [HTTPField] = []
    /// What must never appear in a message.
    var secrets: [String] = []

    /// Nothing.
    init() {}

    /// Those that a pipeline gives once and for all; nil where they are asked for.
    init?(_ authentication: SourceDefinition.Authentication) {
        self.init()
        switch authentication {
        case .none: break
        case .bearer(let token): self.init(bearer: token.revealed)
        case .basic(let username, let password):
            let pair = Base64.encode(Array("\(username.revealed):\(password.revealed)".utf8))
            headers = [HTTPField("Authorization", "Basic \(pair)")]
            secrets = [password.revealed, pair]
        case .apiKey(let location, let name, let value):
            switch location {
            case .header: headers = [HTTPField(name, value.revealed)]
            case .cookie: headers = [HTTPField("Cookie", "\(name)=\(value.revealed)")]
            case .query: parameters = [HTTPField(name, value.revealed)]
            }
            secrets = [value.revealed]
        case .oauth2, .session: return nil
        }
    }

    /// A token of RFC 6750.
    init(bearer token: String) {
        headers = [HTTPField("Authorization", "Bearer \(token)")]
        secrets = [token]
    }

    /// A token in a header of its own.
    init(header: HTTPField, token: String) {
        headers = [header]
        secrets = [token, header.value]
    }
}

extension SourceDefinition.Authentication {
    /// Every text that must never appear in a message.
    package var secrets: [String] {
        let texts: [ConfigurationText]
        switch self {
        case .none: texts = []
        case .bearer(let token): texts = [token]
        case .basic(_, let password): texts = [password]
        case .apiKey(_, _, let value): texts = [value]
        case .oauth2(let login):
            texts =
                [login.clientID] + [login.clientSecret, login.refreshToken].compactMap { $0 }
                + login.parameters.map(\.value)
        case .session(let login): texts = login.body?.texts ?? []
        }
        return texts.flatMap(\.parts).filter { !$0.text.isEmpty && $0.isSecret }.map(\.text)
    }
}

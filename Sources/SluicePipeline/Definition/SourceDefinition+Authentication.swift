package import SluiceJSON

extension SourceDefinition {
    /// How a request proves who is asking; every text in it is secret.
    package enum Authentication: Sendable {
        /// It does not.
        case none
        /// `Authorization: Bearer …`.
        case bearer(token: ConfigurationText)
        /// `Authorization: Basic …`, see RFC 7617.
        case basic(username: ConfigurationText, password: ConfigurationText)
        /// A key in a header, a query parameter or a cookie.
        case apiKey(location: APIKeyLocation, name: String, value: ConfigurationText)
        /// A token that another server gives, see RFC 6749.
        case oauth2(OAuth2)
        /// A token that the source gives whoever logs in.
        case session(SessionLogin)
    }

    /// Where an API key travels.
    package enum APIKeyLocation: String, Sendable, CaseIterable {
        /// In a request header.
        case header
        /// In a query parameter.
        case query
        /// In a cookie.
        case cookie
    }

    /// How a token is got, see RFC 6749.
    package struct OAuth2: Sendable {
        /// What stands for the right to have one.
        package enum Flow: String, Sendable, CaseIterable {
            /// The client's own name and secret, section 4.4.
            case clientCredentials = "client_credentials"
            /// A token that the user gave, section 6.
            case refreshToken = "refresh_token"
        }

        /// Where the client says who it is, section 2.3.1.
        package enum ClientAuthentication: String, Sendable, CaseIterable {
            /// In the `Authorization` header.
            case basic
            /// In the request's body.
            case body
        }

        /// What stands for the right to have a token.
        package var flow: Flow
        /// The URL that gives tokens.
        package var tokenURL: ConfigurationText
        /// The client's name.
        package var clientID: ConfigurationText
        /// The client's secret; nil for a client that has none.
        package var clientSecret: ConfigurationText?
        /// The first refresh token.
        package var refreshToken: ConfigurationText?
        /// The scopes to request.
        package var scopes: [ConfigurationText] = []
        /// Where the client says who it is.
        package var clientAuthentication = ClientAuthentication.basic
        /// What else the server wants to know.
        package var parameters: [NamedText] = []

        /// Makes a flow.
        package init(flow: Flow, tokenURL: ConfigurationText, clientID: ConfigurationText) {
            self.flow = flow
            self.tokenURL = tokenURL
            self.clientID = clientID
        }
    }

    /// A login at the source itself.
    package struct SessionLogin: Sendable {
        /// The method of the login.
        package var method: StreamDefinition.Method
        /// Its path below the base URL.
        package var path: ConfigurationText
        /// What it sends.
        package var body: StreamDefinition.Body?
        /// The path to the token in what it answers.
        package var tokenPath: JSONPath
        /// The header that takes the token, with `{{ token }}` in its value.
        package var header: NamedText
        /// Headers of every request of the source, the login among them.
        package var headers: [NamedText] = []
        /// Query parameters likewise.
        package var parameters: [NamedText] = []

        /// Makes a login.
        package init(
            method: StreamDefinition.Method = .post, path: ConfigurationText, tokenPath: JSONPath, header: NamedText
        ) {
            self.method = method
            self.path = path
            self.tokenPath = tokenPath
            self.header = header
        }
    }
}

internal import SluicePipeline

extension VariantSpec {
    /// The kinds of `auth`.
    package static let authentication = VariantSpec(
        title: "`auth`",
        variants: [
            Variant("none", "No credentials are sent."),
            Variant(
                "bearer",
                keys: [
                    KeySpec(
                        "token", .text(.sentText), isRequired: true, secrets: .always, example: "\"${env:API_TOKEN}\"",
                        "The token.")
                ],
                "Sends `Authorization: Bearer` and the token."),
            Variant(
                "basic",
                keys: [
                    KeySpec(
                        "username", .text(.sentText), isRequired: true, secrets: .always,
                        example: "\"${env:API_USER}\"",
                        "The user's name."),
                    KeySpec(
                        "password", .text(.sentText), isRequired: true, secrets: .always,
                        example: "\"${env:API_PASSWORD}\"",
                        "The password; `\"\"` if there is none."),
                ],
                "Sends name and password, see RFC 7617."),
            Variant(
                "api_key",
                keys: [
                    KeySpec(
                        "in", .choice(ChoiceSpec(SourceDefinition.APIKeyLocation.allCases.map(\.rawValue))),
                        default: "header", example: "query",
                        "Where the key is sent."),
                    KeySpec(
                        "name", .string(.name), isRequired: true, example: "X-Api-Key",
                        "The name of the header, parameter or cookie."),
                    KeySpec(
                        "value", .text(.sentText), isRequired: true, secrets: .always, example: "\"${env:API_KEY}\"",
                        "The key."),
                ],
                "Sends a key in a header, a query parameter or a cookie."),
            oauth2,
            session,
        ],
        synonyms: [
            "token": "bearer", "http": "basic", "apikey": "api_key", "key": "api_key", "oauth": "oauth2",
            "oauth2_client_credentials": "oauth2", "login": "session",
        ])

    private static let oauth2 = Variant(
        "oauth2",
        keys: [
            KeySpec(
                "flow", .choice(ChoiceSpec(SourceDefinition.OAuth2.Flow.allCases.map(\.rawValue))), isRequired: true,
                example: "client_credentials",
                "The grant: the client's own credentials, or a refresh token from a user."),
            KeySpec(
                "token_url", .string(.endpoint), isRequired: true, secrets: .accepted,
                example: "https://login.example.com/token",
                "The token endpoint. The client's credentials are sent nowhere else."),
            KeySpec(
                "client_id", .text(.sentText), isRequired: true, secrets: .always, example: "\"${env:CLIENT_ID}\"",
                "The client ID."),
            KeySpec(
                "client_secret", .text(.sentText), secrets: .always, example: "\"${env:CLIENT_SECRET}\"",
                "The client secret. `client_credentials` needs it."),
            KeySpec(
                "refresh_token", .text(.sentText), secrets: .always, example: "\"${env:REFRESH_TOKEN}\"",
                "The refresh token of the flow `refresh_token`. If the server issues a new one with each use, the store keeps the newest, encrypted, until you set another one here."
            ),
            KeySpec(
                "scopes", .anyOf([.text(.sentText), .list(.text(.sentText), minimumCount: 0)]), default: "[]",
                secrets: .accepted, example: "[read, list]", "The scopes to request."),
            KeySpec(
                "client_auth",
                .choice(ChoiceSpec(SourceDefinition.OAuth2.ClientAuthentication.allCases.map(\.rawValue))),
                default: "basic", example: "body",
                "How the client ID and secret are sent: in a header (`basic`), or in the body."),
            KeySpec(
                "params", .mapping(keys: .name, values: .text(.anything), minimumCount: 0), default: "{}",
                secrets: .always, example: "{audience: \"https://api.example.com\"}",
                "More parameters for the token endpoint."),
        ],
        feature: .oauth2,
        "Sends a bearer token from an authorization server (RFC 6749). The token is requested at the start, again before it expires, and once more if the source refuses it."
    )

    private static let session = Variant(
        "session",
        keys: [
            KeySpec(
                "login", .section(.login), isRequired: true,
                example: "{path: /login, body: {json: {user: me, password: \"${env:PASSWORD}\"}}}",
                "The request that logs in."),
            KeySpec(
                "token_path", .string(.valuePath), isRequired: true, example: "data.token",
                "The path to the token in the response to the login."),
            KeySpec(
                "header",
                .anyOf([
                    .string(.pattern(.token)),
                    .mapping(keys: .pattern(.token), values: .string(.tokenTemplate), minimumCount: 1),
                ]),
                default: "{Authorization: \"Bearer {{ token }}\"}", secrets: .accepted, example: "X-Session",
                "The header for the token: its name, or its name and a value that contains `{{ token }}`."),
        ],
        feature: .session,
        "Logs in at the source and sends the token that it returns. Logs in again, once, if the source refuses the token."
    )
}

extension SectionSpec {
    /// The keys of `login`.
    package static let login = SectionSpec(
        title: "`login`",
        keys: [
            KeySpec(
                "method", .choice(ChoiceSpec(StreamDefinition.Method.allCases.map(\.rawValue))), default: "POST",
                example: "PUT", "The method of the request."),
            KeySpec(
                "path", .string(.requestPath), isRequired: true, secrets: .accepted, example: "/login",
                "The path below the base URL. The headers and parameters of the source are sent too."),
            KeySpec(
                "body", .section(.body), secrets: .always,
                example: "{json: {user: me, password: \"${env:PASSWORD}\"}}", "The body of the request."),
        ])
}

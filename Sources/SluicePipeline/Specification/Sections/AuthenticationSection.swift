extension VariantSpec {
    /// The kinds of `auth`.
    public static let authentication = VariantSpec(
        title: "`auth`",
        variants: [
            Variant("none", "Nothing is sent."),
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
                        "The password; `\"\"` where there is none."),
                ],
                "Sends name and password, see RFC 7617."),
            Variant(
                "api_key",
                keys: [
                    KeySpec(
                        "in", .choice(ChoiceSpec(SourceDefinition.APIKeyLocation.allCases.map(\.rawValue))),
                        default: "header", example: "query",
                        "Where the key travels."),
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
                "What stands for the right to have a token: the client itself, or a refresh token that a user gave."),
            KeySpec(
                "token_url", .string(.endpoint), isRequired: true, secrets: .accepted,
                example: "https://login.example.com/token",
                "The URL that gives tokens; the client's credentials go nowhere else."),
            KeySpec(
                "client_id", .text(.sentText), isRequired: true, secrets: .always, example: "\"${env:CLIENT_ID}\"",
                "The client's name."),
            KeySpec(
                "client_secret", .text(.sentText), secrets: .always, example: "\"${env:CLIENT_SECRET}\"",
                "The client's secret; `client_credentials` needs it."),
            KeySpec(
                "refresh_token", .text(.sentText), secrets: .always, example: "\"${env:REFRESH_TOKEN}\"",
                "The token of the flow `refresh_token`. Where the server gives a new one with each use, the newest is kept in the store, encrypted, until another one stands here."
            ),
            KeySpec(
                "scopes", .anyOf([.text(.sentText), .list(.text(.sentText), minimumCount: 0)]), default: "[]",
                secrets: .accepted, example: "[read, list]", "What the token is to be good for."),
            KeySpec(
                "client_auth",
                .choice(ChoiceSpec(SourceDefinition.OAuth2.ClientAuthentication.allCases.map(\.rawValue))),
                default: "basic", example: "body",
                "Where the client's name and secret are sent: as a header, or in the body."),
            KeySpec(
                "params", .mapping(keys: .name, values: .text(.anything), minimumCount: 0), default: "{}",
                secrets: .always, example: "{audience: \"https://api.example.com\"}",
                "What else the server that gives tokens is told."),
        ],
        feature: .oauth2,
        "Sends a bearer token that another server gives, see RFC 6749: asked for at the start, again before it expires, and once where the source refuses it."
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
                "The path to the token in what the login answers."),
            KeySpec(
                "header",
                .anyOf([
                    .string(.pattern(.token)),
                    .mapping(keys: .pattern(.token), values: .string(.tokenTemplate), minimumCount: 1),
                ]),
                default: "{Authorization: \"Bearer {{ token }}\"}", secrets: .accepted, example: "X-Session",
                "The header that takes the token, or such a header with a value in which `{{ token }}` stands."),
        ],
        feature: .session,
        "Logs in at the source and sends the token that it gives; logs in again, once, where the source refuses it.")
}

extension SectionSpec {
    /// The keys of `login`.
    public static let login = SectionSpec(
        title: "`login`",
        keys: [
            KeySpec(
                "method", .choice(ChoiceSpec(StreamDefinition.Method.allCases.map(\.rawValue))), default: "POST",
                example: "PUT", "The method of the request."),
            KeySpec(
                "path", .string(.requestPath), isRequired: true, secrets: .accepted, example: "/login",
                "Its path below the base URL; the headers and parameters of the source are sent along."),
            KeySpec(
                "body", .section(.body), secrets: .always,
                example: "{json: {user: me, password: \"${env:PASSWORD}\"}}", "What it sends."),
        ])
}

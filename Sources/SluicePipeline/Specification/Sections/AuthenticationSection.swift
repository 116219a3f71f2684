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
        ],
        synonyms: ["token": "bearer", "http": "basic", "apikey": "api_key", "key": "api_key"])
}

extension HTTPURL {
    /// The URL with the values of secret parameters replaced by `***`.
    ///
    /// Parameters whose names commonly hold secrets are always among them: a server's links may bring secrets of its
    /// own.
    ///
    /// - Parameter parameters: Further names, in any case.
    /// - Returns: A text for messages, in which a user name and a password are hidden too.
    package func redacted(parameters: Set<String> = []) -> String {
        Self.redacting(text, parameters: parameters)
    }

    /// Also for texts that are no valid URLs.
    static func redacting(_ text: String, parameters: Set<String>) -> String {
        let hidden = commonlySecret.union(parameters.map { $0.lowercased() })
        var pieces = Pieces(withoutUserInformation(text))
        pieces.items = pieces.items.map { item in
            guard let equals = item.firstIndex(of: "="), hidden.contains(Pieces.name(of: item).lowercased()) else {
                return item
            }
            return item[...equals] + "***"
        }
        return pieces.text
    }

    /// `scheme://user:password@host` becomes `scheme://***@host`.
    private static func withoutUserInformation(_ text: String) -> String {
        guard let slashes = text.firstRange(of: "//") else { return text }
        let authority = text[slashes.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return text }
        return text[..<slashes.upperBound] + "***" + text[at...]
    }

    static let commonlySecret: Set<String> = [
        "access_token", "api-key", "api_key", "apikey", "auth", "auth_token", "client_secret", "id_token", "jwt",
        "key", "passwd", "password", "refresh_token", "secret", "session", "sig", "signature", "token",
        "x-amz-credential", "x-amz-security-token", "x-amz-signature", "x-goog-credential", "x-goog-signature",
    ]
}

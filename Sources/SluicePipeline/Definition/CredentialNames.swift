/// Which names of headers, parameters and variables stand for credentials.
package enum CredentialNames {
    private static let openHeaders: Set<String> = ["cache-control", "content-type", "prefer", "user-agent"]
    private static let words = [
        "auth", "bearer", "cookie", "credential", "jwt", "passphrase", "passwd", "password", "secret", "session",
        "signature", "token",
    ]
    /// Words that are part of others, and so count alone or beside a separator.
    private static let wholeWords: Set<Substring> = ["key", "pass", "pin", "pw", "pwd", "sig"]

    /// Whether a header is known for holding no credential.
    ///
    /// - Parameter name: The name in any case.
    /// - Returns: False for a name that is not known, too.
    package static func isOpenHeader(_ name: String) -> Bool {
        let name = name.lowercased()
        return openHeaders.contains(name) || name == "accept" || name.hasPrefix("accept-") || name.hasSuffix("-version")
    }

    /// Whether a header carries credentials, as `Authorization`, `Cookie` and `X-Api-Key` do.
    ///
    /// - Parameter name: The name in any case.
    /// - Returns: True where its last word names a credential; `X-Token-Type` says something about one.
    package static func isCredentialHeader(_ name: String) -> Bool {
        let last = name.lowercased().split { !$0.isLetter && !$0.isNumber }.last ?? ""
        return ["apikey", "auth", "authorization", "cookie", "key", "password", "secret", "token"].contains {
            last.hasSuffix($0)
        }
    }

    /// Whether a parameter or a key of a body is a credential, as `api_key`, `access_token` and `password` are.
    ///
    /// - Parameter name: The name in any case.
    /// - Returns: True where its last words name a credential; `project_key`, `author` and `token_type` name none.
    package static func isCredentialParameter(_ name: String) -> Bool {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        guard let last = words.last else { return false }
        if last == "key", let before = words.dropLast().last { return keyKinds.contains(before) }
        return shortWords.contains(last) || lastWords.contains(where: last.hasSuffix)
    }

    private static let keyKinds: Set<Substring> = ["access", "api", "auth", "private", "secret", "subscription"]
    private static let shortWords: Set<Substring> = ["auth", "jwt", "pass", "pin", "pw", "pwd", "sig"]
    private static let lastWords = [
        "apikey", "accesskey", "authorization", "passphrase", "passwd", "password", "secret", "signature", "token",
    ]

    /// The words before a credential in a header that are none themselves, in lower case.
    package static let schemes: Set<String> = [
        "apikey", "api-key", "basic", "bearer", "digest", "genie", "key", "negotiate", "token",
    ]

    /// Whether a name says that its value may be a credential, as `api_key` and `X-Auth-Token` do.
    ///
    /// - Parameter name: The name of a parameter, a variable or a key of a body, in any case.
    /// - Returns: True where one of its words is used for credentials.
    package static func mayNameCredential(_ name: String) -> Bool {
        let name = name.lowercased()
        if words.contains(where: name.contains) || name.hasSuffix("apikey") { return true }
        return name.split { !$0.isLetter && !$0.isNumber }.contains(where: wholeWords.contains)
    }
}

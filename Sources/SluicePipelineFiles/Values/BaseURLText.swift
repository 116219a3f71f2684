internal import SluiceDiagnostics
internal import SluicePipeline

/// Where a source lives.
enum BaseURLText: Equatable {
    /// An `http:` or `https:` URL, as it was written.
    case http
    /// The path after `file:`, its escapes undone, not yet resolved.
    case file(String)

    /// Reads a base URL.
    init(_ text: String) throws(TextProblem) {
        let scheme = text.prefix { $0 != ":" }
        // A folder may have blanks in its name, and nobody escapes them by hand.
        let least: UInt8 = scheme.lowercased() == "file" ? 0x20 : 0x21
        if text.utf8.contains(where: { $0 < least || $0 == 0x7F }) {
            throw TextProblem(
                least == 0x20 ? "It must not hold control characters." : "A URL has no blanks or control characters.",
                help: least == 0x20 ? "Rename the folder." : "Write a space as `%20`.")
        }
        let isComplete = scheme.count < text.count
        switch scheme.lowercased() {
        case "http" where isComplete, "https" where isComplete:
            try Self.checkAuthority(text.dropFirst(scheme.count + 1))
            self = .http
        case "file" where isComplete:
            self = .file(try Self.path(text.dropFirst(scheme.count + 1)))
        default:
            throw TextProblem(
                "It must be \(StringRule.baseURL.expectation).",
                help: "For files on this machine, write `file:` and the folder, such as `file:data`.")
        }
    }

    private static func checkAuthority(_ rest: Substring) throws(TextProblem) {
        guard rest.hasPrefix("//") else { throw TextProblem("Two slashes and a host must follow the scheme.") }
        let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
        if authority.contains("@") {
            throw TextProblem("A URL must not hold a user's name or password.", help: "Put them into `source.auth`.")
        }
        if HostText.parse(String(authority)) == nil {
            throw TextProblem("The host is missing or not valid.", help: "Write it as in `https://api.example.com/v1`.")
        }
        if rest.contains("?") {
            throw TextProblem("A base URL has no query.", help: "Put the parameters into `source.params`.")
        }
        if rest.contains("#") { throw TextProblem("A base URL has no fragment (`#`).") }
    }

    private static func path(_ rest: Substring) throws(TextProblem) -> String {
        if rest.isEmpty { throw TextProblem("A folder or file must follow `file:`.") }
        guard rest.hasPrefix("//") else { return try decoded(rest) }
        if !rest.hasPrefix("///") {
            throw TextProblem(
                "`file://` names a host, which is not supported.",
                help: "Write `file:data` for a folder beside this file, or `file:/data` from the root.")
        }
        return try decoded(rest.dropFirst(2))
    }

    /// A path without escapes: `%20` is a blank, as in every URL.
    private static func decoded(_ path: Substring) throws(TextProblem) -> String {
        guard let bytes = PercentText.bytes(path.utf8) else {
            throw TextProblem(
                "`%` begins an escape such as `%20`.", help: "Write a percent sign of the name itself as `%25`.")
        }
        guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(where: { $0 < 0x20 }) else {
            throw TextProblem(
                "Its `%` escapes are not valid UTF-8.", help: "Write the folder's name as it is; only `%` needs `%25`.")
        }
        return text
    }
}

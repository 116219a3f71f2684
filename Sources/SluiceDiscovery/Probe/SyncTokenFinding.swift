internal import SluiceDecode
internal import SluiceFetch
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline

/// A token by which a source can be asked for what changed since it gave it, as the last page holds it.
package struct SyncTokenFinding {
    /// The token as it is said.
    let name: String
    let finding: ProbeFinding
    /// The key of a stream that asks by it.
    let yaml: String

    /// Looks for a token on pages of a source; nil where none has one.
    init?(_ pages: [ProbedPage], query: [(name: String, value: String)]) {
        guard let member = pages.reversed().lazy.compactMap({ $0.envelope.members.first(where: \.isSyncToken) }).first
        else { return nil }
        name = member.text
        let path = "token: \(FieldJSON.quoted(member.path.text))"
        if Envelope.isURL(member.string ?? "") {
            yaml = "incremental: {\(path)}"
            finding = ProbeFinding(
                "token, the URL at \(name)", .likely, ["`\(name)` is named as the URL that asks for what changed since"]
            )
            return
        }
        let parameter = CursorParameter.ofToken(member, query: query.map(\.name))
        yaml = "incremental: {\(path), token_param: \(FieldJSON.quoted(parameter))}"
        finding = ProbeFinding(
            "token, \(name) sent back as \(parameter)", .unsure,
            [
                "`\(name)` is named as what asks for changes since",
                "the parameter `\(parameter)` is a guess; the source's documentation names it",
            ])
    }
}

extension Envelope.Member {
    private static let ofChanges: Set<String> = ["sync", "delta"]
    private static let ofTokens: Set<String> = ["cursor", "href", "link", "token", "uri", "url"]

    /// Whether it asks for what changes from now on, rather than for the next page: `nextSyncUrl`, `@odata.deltaLink`.
    var isSyncToken: Bool {
        guard let string, !string.isEmpty else { return false }
        let words = Set(words)
        if self.words == ["new", "start", "page", "token"] { return true }
        return !words.isDisjoint(with: Self.ofChanges) && !words.isDisjoint(with: Self.ofTokens)
    }
}

internal import SluicePipeline
internal import SluiceSQLiteStore
internal import SluiceStore

/// Tokens by which sources are asked for what changed since they gave them.
extension SyncEngine {
    /// What streams ask for changes with, by their names.
    ///
    /// - Parameter store: The store as it is, nil where there is none.
    /// - Returns: The tokens; none for a run that reads everything.
    /// - Throws: `StoreError`.
    func tokens(in store: SQLiteRecordStore?) throws -> [String: PageToken] {
        if options.retry != nil { return [:] }
        var tokens: [String: PageToken] = [:]
        for stream in streams { tokens[stream.name] = token(try keptToken(of: stream, in: store), of: stream) }
        return tokens
    }

    /// What is kept of a stream's token, nil where it is not asked by one.
    func keptToken(of stream: StreamDefinition, in store: SQLiteRecordStore?) throws -> String? {
        if stream.syncToken == nil || options.isFull { return nil }
        return try keptState(.token, of: stream, in: store)
    }

    /// The token that a text stands for; nil for one that was given to other requests.
    func token(_ text: String?, of stream: StreamDefinition) -> PageToken? {
        guard let rule = stream.syncToken, let members = text.flatMap({ TextMembers($0.utf8) }),
            members["fingerprint"] == stream.requestFingerprint,
            let lead = PageToken.Lead(kind: members["lead"], text: members["token"])
        else { return nil }
        if case .link = lead { return rule.parameter == nil ? PageToken(lead: lead) : nil }
        return rule.parameter == nil ? nil : PageToken(lead: lead)
    }
}

extension PageToken {
    /// The text that a store keeps of a token.
    func text(for stream: StreamDefinition) -> String {
        TextMembers([("fingerprint", stream.requestFingerprint), ("lead", lead.kind), ("token", lead.text)]).json
    }
}

extension PageToken.Lead {
    /// How texts tell the kinds apart.
    var kind: String {
        switch self {
        case .start: "start"
        case .link: "link"
        case .value(.text): "text"
        case .value(.json): "json"
        }
    }

    /// What it leads with; nil for the first page.
    var text: String? {
        switch self {
        case .start: nil
        case .link(let text), .value(.text(let text)), .value(.json(let text)): text
        }
    }

    /// Reads ``kind`` and ``text``; nil where they are something else.
    init?(kind: String?, text: String?) {
        switch (kind, text) {
        case ("start", _): self = .start
        case ("link", let text?): self = .link(text)
        case ("text", let text?): self = .value(.text(text))
        case ("json", let text?): self = .value(.json(text))
        default: return nil
        }
    }
}

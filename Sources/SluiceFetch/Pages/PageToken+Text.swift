package import SluiceDecode
package import SluicePipeline

extension PageToken {
    /// The text that a store keeps of a token.
    package func text(for stream: StreamDefinition) -> String {
        TextMembers([("fingerprint", stream.requestFingerprint), ("lead", lead.kind), ("token", lead.text)]).json
    }
}

extension PageToken.Lead {
    /// How texts tell the kinds apart.
    package var kind: String {
        switch self {
        case .start: "start"
        case .link: "link"
        case .value(.text): "text"
        case .value(.json): "json"
        }
    }

    /// What it leads with; nil for the first page.
    package var text: String? {
        switch self {
        case .start: nil
        case .link(let text), .value(.text(let text)), .value(.json(let text)): text
        }
    }

    /// Reads ``kind`` and ``text``; nil where they are something else.
    package init?(kind: String?, text: String?) {
        switch (kind, text) {
        case ("start", _): self = .start
        case ("link", let text?): self = .link(text)
        case ("text", let text?): self = .value(.text(text))
        case ("json", let text?): self = .value(.json(text))
        default: return nil
        }
    }
}

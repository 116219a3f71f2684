internal import SluiceModel
internal import SluiceStore

/// A token by which a source is asked for what changed, as a store keeps it.
package struct KeptToken: StateValue {
    /// What the requests were made from that brought it.
    package let fingerprint: String
    package let lead: PageToken.Lead

    /// Makes a value of its parts.
    package init(fingerprint: String, lead: PageToken.Lead) {
        (self.fingerprint, self.lead) = (fingerprint, lead)
    }

    package init?(stateText: String) {
        guard let members = TextMembers(stateText.utf8), let fingerprint = members["fingerprint"],
            let lead = PageToken.Lead(kind: members["lead"], text: members["token"])
        else { return nil }
        self.init(fingerprint: fingerprint, lead: lead)
    }

    package var stateText: String? {
        TextMembers([("fingerprint", fingerprint), ("lead", lead.kind), ("token", lead.text)]).json
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

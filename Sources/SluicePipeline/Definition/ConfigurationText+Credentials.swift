extension ConfigurationText {
    /// The environment variable that holds all that is secret of it; nil where there is none.
    package var environmentVariable: String? {
        let secrets = parts.filter(\.isSecret)
        return secrets.count == 1 ? secrets[0].environmentVariable : nil
    }

    /// The text as secret as a credential is, but for a scheme before it: `Bearer` may be shown.
    package var withoutCredential: ConfigurationText {
        var parts = parts
        for index in parts.indices where !parts[index].isSecret && parts[index].variable == nil {
            let text = parts[index].text
            let blank = index == 0 ? text.firstIndex(of: " ") : nil
            guard let blank, CredentialNames.schemes.contains(text[..<blank].lowercased()) else { continue }
            let rest = String(text[text.index(after: blank)...])
            parts[index].text = String(text[...blank])
            if !rest.isEmpty { parts.insert(Part(rest, isSecret: true), at: index + 1) }
            return ConfigurationText(
                parts: parts.enumerated().map { $0.offset == index ? $0.element : $0.element.hidden })
        }
        return ConfigurationText(parts: parts.map(\.hidden))
    }
}

extension ConfigurationText.Part {
    /// The part as a secret; what a variable stands for is known by itself.
    fileprivate var hidden: ConfigurationText.Part {
        var part = self
        if variable == nil { part.isSecret = true }
        return part
    }
}

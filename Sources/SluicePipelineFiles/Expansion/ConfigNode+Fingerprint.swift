internal import SluiceModel
internal import SluicePipeline

extension ConfigNode {
    /// A hash of everything that the file says once `${…}` is filled in; layout and comments make no difference.
    ///
    /// It is kept in stores, where a secret could be guessed from it: one counts as there, whatever it is.
    var fingerprint: String { digest { $0.description } }

    /// A hash of the same in which secrets of other names are others.
    var namedFingerprint: String { digest { $0.named } }

    private func digest(_ words: (ConfigurationText) -> String) -> String {
        var bytes: [UInt8] = []
        append(to: &bytes, words)
        return String(decoding: SHA256.hexadecimal(of: bytes).prefix(32), as: UTF8.self)
    }

    /// A mapping without one of its keys.
    func without(_ key: String) -> ConfigNode {
        guard let members else { return self }
        return ConfigNode(content: .mapping(members.filter { $0.name != key }), start: start, end: end)
    }

    /// Whether something in it is a secret.
    var holdsSecret: Bool {
        switch content {
        case .scalar(let scalar): scalar.text.isSecret
        case .sequence(let elements): elements.contains(where: \.holdsSecret)
        case .mapping(let members): members.contains { $0.value.holdsSecret }
        }
    }

    /// A hash of what it and another node say under some keys.
    func fingerprint(of keys: [String], and other: ConfigNode?, besides others: [String]) -> String {
        part(keys, and: other, besides: others).fingerprint
    }

    /// ``namedFingerprint`` of what it and another node say under some keys.
    func namedFingerprint(of keys: [String], and other: ConfigNode?, besides others: [String]) -> String {
        part(keys, and: other, besides: others).namedFingerprint
    }

    /// The texts with secrets of what ``fingerprint(of:and:besides:)`` is made from, in the order of the file.
    ///
    /// Credentials in headers, parameters and bodies are not among them: they say who asks, and several may ask for the
    /// same. A digest of them could be guessed from, besides.
    func requestValues(of keys: [String], and other: ConfigNode?, besides others: [String]) -> [ConfigurationText] {
        part(keys, and: other, besides: others).secretTexts { _ in false }
    }

    /// The texts with secrets, without those under names that stand for credentials.
    private func secretTexts(_ isCredential: @escaping (String) -> Bool) -> [ConfigurationText] {
        switch content {
        case .scalar(let scalar): return scalar.text.isSecret ? [scalar.text] : []
        case .sequence(let elements): return elements.flatMap { $0.secretTexts(isCredential) }
        case .mapping(let members):
            return members.flatMap { member -> [ConfigurationText] in
                if isCredential(member.name) { return [] }
                return switch member.name {
                case "headers": member.value.secretTexts(CredentialNames.isCredentialHeader)
                case "params", "body": member.value.secretTexts(CredentialNames.isCredentialParameter)
                default: member.value.secretTexts(isCredential)
                }
            }
        }
    }

    private func part(_ keys: [String], and other: ConfigNode?, besides others: [String]) -> ConfigNode {
        let chosen = keys.compactMap { name in members?.first { $0.name == name } }
        let rest = (other?.members ?? []).filter { !others.contains($0.name) }
        return ConfigNode(
            content: .sequence([chosen, rest].map { ConfigNode(content: .mapping($0), start: start, end: end) }),
            start: start, end: end)
    }

    private func append(to bytes: inout [UInt8], _ words: (ConfigurationText) -> String) {
        func append(_ text: String) {
            bytes += Array("\(text.utf8.count):\(text)".utf8)
        }
        switch content {
        case .scalar(let scalar): append(words(scalar.text))
        case .sequence(let elements):
            bytes.append(UInt8(ascii: "["))
            for element in elements { element.append(to: &bytes, words) }
            bytes.append(UInt8(ascii: "]"))
        case .mapping(let members):
            bytes.append(UInt8(ascii: "{"))
            for member in members {
                append(member.name)
                member.value.append(to: &bytes, words)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

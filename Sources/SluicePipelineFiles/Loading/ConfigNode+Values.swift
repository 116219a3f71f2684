internal import SluicePipeline
internal import SluiceYAML

/// Values of nodes that the checker has seen; nil where it refused them.
extension ConfigNode {
    /// The characters of a scalar, secrets and all.
    var string: String? { scalar.flatMap { $0.value == .null ? nil : $0.text.revealed } }

    /// The text of a scalar.
    var text: ConfigurationText? { scalar.flatMap { $0.value == .null ? nil : $0.text } }

    /// A truth value.
    var bool: Bool? {
        if case .bool(let value)? = scalar?.value { return value }
        return nil
    }

    /// A whole number.
    var int: Int? {
        if case .int(let value)? = scalar?.value { return value }
        return nil
    }

    /// A time span.
    var duration: Duration? { string.flatMap(UnitText.milliseconds).map { .milliseconds($0) } }

    /// A number of bytes.
    var byteCount: Int? { string.flatMap(UnitText.bytes) }

    /// A word out of a few.
    func choice<Choice: RawRepresentable<String>>(_ type: Choice.Type) -> Choice? {
        string.flatMap { Choice(rawValue: $0) }
    }

    /// The names of a list, or the only one.
    var names: [ConfigNode] { elements ?? [self] }

    /// The text of a scalar in which `{{ … }}` is filled in.
    var template: ConfigurationText? { text?.template() }

    /// Names and such texts in order.
    var namedTemplates: [NamedText] {
        (members ?? []).compactMap { member in
            member.value.template.map { NamedText(name: member.name, value: $0) }
        }
    }

    /// Names and texts of headers: the value of one that carries credentials is secret, also where it is written out.
    var headers: [NamedText] {
        namedTemplates.map { header in
            CredentialNames.isCredentialHeader(header.name)
                ? NamedText(name: header.name, value: header.value.withoutCredential) : header
        }
    }
}

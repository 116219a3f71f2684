internal import SluiceHTTP
internal import SluicePipeline

/// What stands for the variables of requests during one run.
struct TemplateValues {
    private let startedAt: Timestamp?

    /// - Parameter startedAt: When the run began, RFC 3339.
    init(startedAt: String) {
        self.startedAt = unsafe Array(startedAt.utf8).withUnsafeBytes { unsafe Timestamp(rfc3339: $0) }
    }

    /// The text of a variable.
    func text(_ variable: TemplateVariable) -> String {
        guard variable.name == .runStartedAt, let startedAt else { return "" }
        var bytes: [UInt8] = []
        switch variable.filter {
        case nil: startedAt.appendRFC3339(to: &bytes)
        case .date: startedAt.appendDate(to: &bytes)
        case .unix: return String(startedAt.seconds)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension StreamDefinition {
    /// The stream with its variables filled in.
    ///
    /// - Parameters:
    ///   - values: What stands for them.
    ///   - isURL: Whether the path is a part of a URL, in which values are encoded.
    /// - Returns: A stream without variables.
    func filled(_ values: TemplateValues, isURL: Bool) -> StreamDefinition {
        var stream = self
        stream.path = path?.filled { variable in
            .init(isURL ? HTTPURL.percentEncoded(values.text(variable)) : values.text(variable))
        }
        stream.parameters = parameters.map { $0.filled(values) }
        stream.headers = headers.map { $0.filled(values) }
        stream.body = body?.filled(values)
        return stream
    }
}

extension NamedText {
    fileprivate func filled(_ values: TemplateValues) -> NamedText {
        NamedText(name: name, value: value.filled { .init(values.text($0)) })
    }
}

extension StreamDefinition.Body {
    fileprivate func filled(_ values: TemplateValues) -> StreamDefinition.Body {
        switch self {
        case .json(let value): .json(value.filled(values))
        case .form(let fields): .form(fields.map { $0.filled(values) })
        case .text(let text): .text(text.filled { .init(values.text($0)) })
        }
    }
}

extension StreamDefinition.BodyValue {
    fileprivate func filled(_ values: TemplateValues) -> StreamDefinition.BodyValue {
        switch self {
        case .literal: self
        case .text(let text):
            // What is a number is sent as one.
            if text.parts.count == 1, let variable = text.parts[0].variable, variable.filter == .unix {
                .literal(ConfigurationText(values.text(variable)))
            } else {
                .text(text.filled { .init(values.text($0)) })
            }
        case .array(let elements): .array(elements.map { $0.filled(values) })
        case .object(let members):
            .object(
                members.map { StreamDefinition.BodyMember(name: $0.name, value: $0.value.filled(values)) })
        }
    }
}

package import SluiceDecode
internal import SluiceHTTP
internal import SluiceModel
package import SluicePipeline

/// What stands for the variables of requests during one run.
package struct TemplateValues {
    private let startedAt: CursorPoint?
    /// The part of the time that is asked for, and how it is written.
    private var cursor: (window: CursorRange.Window, text: CursorText)?

    /// What is asked for; nil where a stream asks once.
    package var partition: Partition?

    /// - Parameter startedAt: When the run began, RFC 3339.
    package init(startedAt: String) { self.startedAt = CursorPoint(FieldValue(startedAt)) }

    /// The same values, and the bounds of a window.
    package func within(_ window: CursorRange.Window, of reading: CursorRange) -> TemplateValues {
        var values = self
        values.cursor = (window, reading.text)
        return values
    }

    /// The text of a variable.
    package func text(_ variable: TemplateVariable) -> String {
        if let partition, variable.name == .parent || variable.name == .item { return partition.text(variable) }
        let point: CursorPoint? =
            switch variable.name {
            case .runStartedAt: startedAt
            case .cursorStart: cursor?.window.start
            case .cursorEnd: cursor?.window.end
            case .token, .key, .record, .parent, .item: nil
            }
        guard let point else { return "" }
        let writer = variable.name.isOfCursor ? cursor?.text : nil
        return (writer ?? CursorText(format: nil)).text(point, filter: variable.filter)
    }

    /// Whether a variable stands for a number.
    package func isNumber(_ variable: TemplateVariable) -> Bool {
        switch variable.filter {
        case .unix, .unixMilliseconds: true
        case .date: false
        case nil: variable.name.isOfCursor && cursor?.text.isNumeric == true
        }
    }
}

extension StreamDefinition {
    /// The stream with its variables filled in.
    ///
    /// - Parameters:
    ///   - values: What stands for them.
    ///   - isURL: Whether the path is a part of a URL, in which values are encoded.
    /// - Returns: A stream without variables.
    package func filled(_ values: TemplateValues, isURL: Bool) -> StreamDefinition {
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
            if text.parts.count == 1, let variable = text.parts[0].variable, values.isNumber(variable) {
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

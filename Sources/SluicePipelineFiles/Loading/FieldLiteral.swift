internal import SluiceModel
internal import SluicePipeline
internal import SluiceYAML

/// A value of a field that stands in the pipeline file.
struct FieldLiteral {
    let field: FieldDefinition

    /// JSON text of a scalar.
    ///
    /// - Throws: ``TextProblem`` where it is not of the field's type.
    func json(_ scalar: ConfigScalar) throws(TextProblem) -> String {
        if scalar.value == .null { return "null" }
        let text = scalar.text.revealed
        let number = isNumber(scalar.value) ? JSONLiteral.number(scalar.value, source: text) : nil
        let isText = scalar.value == .string
        // A number stands for its digits where text is wanted.
        let asText = isText || number != nil
        switch field.type {
        case .string: if asText { return JSONLiteral.quote(text) }
        case .enumeration: if asText, field.values.contains(text) { return JSONLiteral.quote(text) }
        case .uuid: if isText, TextShapes.isUUID(text) { return JSONLiteral.quote(text) }
        case .url: if isText, AbsoluteURI.isValid(text) { return JSONLiteral.quote(text) }
        case .bytes: if isText, TextShapes.isBase64(text) { return JSONLiteral.quote(text) }
        case .int: if case .int(let value) = scalar.value { return String(value) }
        case .double:
            if let number, let exact = ExactNumber(number), let value = Double(number) {
                guard let problem = exact.problem(asDouble: value, called: scalar.printable) else { return number }
                throw TextProblem(problem)
            }
        case .decimal:
            if let number { return number }
            if isText, TextShapes.isDecimal(text) { return JSONLiteral.quote(text) }
        case .bool: if case .bool(let value) = scalar.value { return value ? "true" : "false" }
        case .json: if let json = JSONLiteral.text(of: scalar.value, source: text) { return json }
        case .date, .datetime:
            if asText, isTime(text, number: number) { return number ?? JSONLiteral.quote(text) }
        }
        throw TextProblem("Expected \(expectation).")
    }

    private func isNumber(_ value: YAMLValue) -> Bool {
        switch value {
        case .int, .double: true
        default: false
        }
    }

    /// Whether a run reads the value as a time.
    private func isTime(_ text: String, number: String?) -> Bool {
        let isDay = field.type == .date
        let given = isDay ? 0 : field.timezone.flatMap { Timestamp.offset($0) }
        for format in TimeFormat.named(field.formats, forDays: isDay) {
            // That a format lacks a zone is told of the field.
            let offset = format.statesZone ? given : given ?? 0
            let moment =
                if let number {
                    format.timestamp(number: number, defaultOffset: offset)
                } else {
                    format.timestamp(text, defaultOffset: offset, isLocal: isDay)
                }
            if let moment { return !isDay || format.isDay(moment) }
        }
        return false
    }

    private var expectation: String {
        switch field.type {
        case .string: "text, such as `\"EUR\"`"
        case .uuid: "a UUID, such as `7f1c9a52-3d4e-4b6f-8a90-1b2c3d4e5f60`"
        case .url: "an absolute URL, such as `https://example.com`"
        case .enumeration: "one of \(field.values.quotedList)"
        case .int: "a whole number within 64 bits, such as `0`"
        case .double, .decimal: "a number, such as `0.5`"
        case .bool: "`true` or `false`"
        case .date where field.format == nil || field.format == "date": "a date, such as `2024-05-17`"
        case .datetime where field.format == nil: "a moment, such as `2024-05-17T09:30:00Z`"
        case .date, .datetime: "a value in the field's `format`"
        case .json: "a single value"
        case .bytes: "base64, such as `\"aGVsbG8=\"`"
        }
    }
}

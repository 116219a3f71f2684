extension ValueSpec {
    /// What is expected, to go into "`x` must be …".
    package var expectation: String {
        switch self {
        case .boolean: "`true` or `false`"
        case .integer(let range): Self.words(for: range)
        case .duration: "a duration such as `10s`, `500ms`, `5m`, `2h` or `30d`"
        case .size: "a size such as `64MiB`, `10MB` or a number of bytes"
        case .rowLimit: "a number of rows such as `100`, or a share such as `10%`"
        case .status: "a status such as `404`, or `5xx` for a hundred of them"
        case .string(let rule): rule.expectation
        case .text: "a single value"
        case .scalar: "a single value"
        case .json: "any value"
        case .choice(let choice): Self.words(for: choice)
        case .list(let element, _): "a list (each element: \(element.expectation))"
        case .mapping: "a mapping of names to values"
        case .section(let section): "a mapping with the keys of \(section.title)"
        case .variants: "a mapping with the key `type`"
        case .anyOf(let forms): forms.map(\.expectation).joined(separator: ", or ")
        }
    }

    private static func words(for range: ClosedRange<Int>) -> String {
        if range.lowerBound == range.upperBound { return "\(range.lowerBound)" }
        if range.upperBound == Int.max { return "a whole number of at least \(range.lowerBound)" }
        return "a whole number from \(range.lowerBound) to \(range.upperBound)"
    }

    private static func words(for choice: ChoiceSpec) -> String {
        let names = choice.values.map { "`\($0)`" }
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}

extension StringRule {
    /// What is expected, to go into "`x` must be …".
    package var expectation: String {
        switch self {
        case .anything, .anyTemplate, .sentText, .sentTemplate: "text"
        case .name: "a name"
        case .pattern(let pattern): "a name of \(pattern.words)"
        case .baseURL: "a URL that begins with `https://` or `http://`, or `file:` and a folder or file"
        case .storeURL: "a store such as `sqlite:shop.db` or `postgres://user@host/shop`"
        case .tokenTemplate: "a text such as `Bearer {{ token }}`"
        case .endpoint: "a URL such as `https://login.example.com/token`"
        case .webhook: "a URL such as `https://hooks.example.com/sync`"
        case .requestPath: "a path such as `/books`"
        case .recordPath: "a path such as `/books/{{ key.id }}`"
        case .host: "a host such as `cdn.example.com` or `localhost:8080`"
        case .relation: "a link relation such as `next`"
        case .valuePath: "a path to a value such as `author.name`"
        case .recordsPath: "a path to the records such as `$.items[*]`"
        case .template: "a text such as `{{ file.stem }}`"
        case .dateFormat:
            "`rfc3339`, `unix`, `unix_ms`, `date`, `rfc2822`, `rfc850`, `http_date` or a pattern such as `%d.%m.%Y`"
        case .cron: "a cron expression such as `0 6 * * MON-FRI`"
        case .timeZone: "an IANA name such as `Europe/Berlin`, or `UTC`"
        case .program: "a jq program such as `.price * 100`"
        case .proxyURL: "a URL such as `http://proxy.example.com:3128`"
        case .utcOffset: "`UTC` or an offset such as `+01:00`"
        }
    }
}

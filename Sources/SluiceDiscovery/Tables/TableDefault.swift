internal import SluiceJSON
internal import SluiceModel
internal import SluiceStore

/// What a table gives a row that says nothing, as a pipeline can say it.
enum TableDefault {
    /// The `default` of a column's field as JSON; nil where there is none, or none that a pipeline can say.
    static func json(of column: AdoptableTable.Column) -> String? {
        guard let sql = column.defaultSQL else { return nil }
        let text = literal(sql)
        switch column.type {
        case .bool:
            return ["1": "true", "true": "true", "0": "false", "false": "false"][text.lowercased()]
        case .int: return Int64(text).map(String.init)
        case .decimal, .double: return isNumber(text) ? text : nil
        case .string: return isText(sql) ? quoted(text) : nil
        case .date, .datetime, .uuid, .url, .enumeration, .json, .bytes: return nil
        }
    }

    /// What stands between the quotes of a text, or an expression as it is.
    private static func literal(_ sql: String) -> String {
        guard isText(sql), let quote = sql.first else { return sql }
        return String(sql.dropFirst().dropLast()).replacing("\(quote)\(quote)", with: "\(quote)")
    }

    /// Whether it is one text in quotes, and no expression.
    private static func isText(_ sql: String) -> Bool {
        guard let quote = sql.first, quote == "'" || quote == "\"", sql.count > 1, sql.last == quote else {
            return false
        }
        let inner = String(sql.dropFirst().dropLast()).replacing("\(quote)\(quote)", with: "")
        return !inner.contains(quote) && inner.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// Whether it is a number as JSON and YAML write one: digits, with others behind a point.
    private static func isNumber(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return false
        }
        return parts[0] == "0" || !parts[0].hasPrefix("0")
    }

    private static func quoted(_ text: String) -> String {
        var json: [UInt8] = []
        JSONWriter.append(text, to: &json)
        return String(decoding: json, as: UTF8.self)
    }
}

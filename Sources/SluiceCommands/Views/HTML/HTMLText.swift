internal import SluiceDiagnostics

/// Text from outside within HTML.
enum HTMLText {
    /// Text for an element's content or a quoted attribute, on one line; what is not seen is written as an escape.
    static func escape(_ text: String) -> String { entities(PrintableText.escape(text)) }

    private static func entities(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

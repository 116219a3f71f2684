internal import SluiceDiagnostics

/// Text from outside within HTML.
enum HTMLText {
    /// Text for an element's content or a quoted attribute, on one line; what is not seen is written as an escape.
    static func escape(_ text: String) -> String { entities(PrintableText.escape(text)) }

    /// Text with its line breaks, for an element that keeps them.
    static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { escape(String($0)) }
            .joined(separator: "\n")
    }

    /// JSON for a script element that holds data: nothing in it ends the element.
    static func json(_ text: String) -> String { text.replacing("<", with: "\\u003c") }

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

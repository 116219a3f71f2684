internal import SluiceDiagnostics

/// Text from outside within HTML.
package enum HTMLText {
    /// Text for an element's content or a quoted attribute, on one line; what is not seen is written as an escape.
    package static func escape(_ text: String) -> String { entities(PrintableText.escape(text)) }

    /// Text for a quoted attribute that a program reads, such as the value of a form's field: as it is.
    package static func entities(_ text: String) -> String {
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

    /// JSON for the content of a `script` element, which ends at the first `</script`, whatever that is part of. Outside its
    /// strings JSON has no such character, and within them an escape stands for it.
    static func script(_ json: String) -> String {
        let less = UInt8(ascii: "<")
        guard json.utf8.contains(less) else { return json }
        var bytes: [UInt8] = []
        for byte in json.utf8 {
            if byte == less { bytes += Array("\\u003c".utf8) } else { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

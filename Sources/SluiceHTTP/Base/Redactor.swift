internal import SluiceDiagnostics

/// Replaces known secrets in texts that people will read, and makes texts from servers harmless.
///
/// A secret of fewer than four characters is replaced where it is a word of its own: within other words it is there by
/// chance.
package struct Redactor: Sendable {
    private struct Secret {
        let bytes: [UInt8]
        let isWord: Bool
    }

    /// The least characters of a secret that is replaced within words too.
    private static let shortest = 4
    private let secrets: [Secret]
    /// Which bytes a secret may begin with, so that few places need a closer look.
    private let isFirst: [Bool]

    /// Makes a redactor for some texts, each also in the forms it takes in URLs and in JSON.
    package init(secrets texts: [String]) {
        var forms: [[UInt8]: Bool] = [:]
        for text in texts where !text.isEmpty {
            let encoded = PercentText.encoded(text)
            let isWord = text.unicodeScalars.count < Self.shortest
            for form in [
                Array(text.utf8), Array(encoded.utf8), Array(encoded.replacing("%20", with: "+").utf8),
                text.utf8.flatMap { $0 == 0x22 || $0 == 0x5C ? [0x5C, $0] : [$0] },
                text.utf8.flatMap { [0x22, 0x2F, 0x5C].contains($0) ? [0x5C, $0] : [$0] },
            ] { forms[form] = isWord && forms[form] ?? true }
        }
        // The longest first, so that no secret is left in part because another one is its beginning.
        secrets = forms.map { Secret(bytes: $0.key, isWord: $0.value) }.sorted { $0.bytes.count > $1.bytes.count }
        var isFirst = [Bool](repeating: false, count: 256)
        for form in forms.keys {
            guard let byte = form.first else { continue }
            for same in UInt8.min ... .max where Self.isSame(same, byte) { isFirst[Int(same)] = true }
        }
        self.isFirst = isFirst
    }

    /// The text with each secret replaced by `***`.
    package func scrub(_ text: String) -> String {
        String(decoding: scrubbed(Array(text.utf8)), as: UTF8.self)
    }

    /// A short piece of a server's text, on one line, without secrets and control characters.
    func excerpt(of bytes: [UInt8], maximumBytes: Int = 200) -> String {
        let text = String(decoding: scrubbed(bytes), as: UTF8.self)
        var result = ""
        for scalar in text.unicodeScalars {
            let piece = Self.harmless(scalar)
            if result.utf8.count + piece.utf8.count > maximumBytes { return result + "…" }
            result += piece
        }
        return result
    }

    /// A whole text of a server or of libcurl, on one line, without secrets and control characters.
    func plain(_ text: String) -> String {
        excerpt(of: Array(text.utf8), maximumBytes: .max)
    }

    private static func harmless(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse:
            return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        default:
            return String(scalar)
        }
    }

    /// The bytes with each secret replaced by `***`.
    func scrubbed(_ bytes: [UInt8]) -> [UInt8] {
        guard !secrets.isEmpty, bytes.contains(where: { isFirst[Int($0)] }) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            if isFirst[Int(bytes[position])],
                let secret = secrets.first(where: { Self.isThere($0, bytes, position) })
            {
                result += "***".utf8
                position += secret.bytes.count
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return result
    }

    private static func isThere(_ secret: Secret, _ bytes: [UInt8], _ position: Int) -> Bool {
        guard bytes[position...].starts(with: secret.bytes, by: isSame) else { return false }
        return !secret.isWord
            || !goesOn(bytes, before: position) && !goesOn(bytes, after: position + secret.bytes.count)
    }

    /// Whether a word that ends at a place has begun before it.
    private static func goesOn(_ bytes: [UInt8], before position: Int) -> Bool {
        // The digits of a percent-encoded byte are no word, nor is the letter of an escape of JSON.
        if position >= 3, bytes[position - 3] == UInt8(ascii: "%") { return false }
        if position >= 2, bytes[position - 2] == UInt8(ascii: "\\") { return false }
        return position > 0 && isWordPart(bytes[position - 1])
    }

    private static func goesOn(_ bytes: [UInt8], after position: Int) -> Bool {
        position < bytes.count && isWordPart(bytes[position])
    }

    private static func isWordPart(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || 0x30...0x39 ~= byte || 0x61...0x7A ~= byte.asciiLowercased
    }

    /// Percent-encoded digits and host names change their case on the way.
    private static func isSame(_ left: UInt8, _ right: UInt8) -> Bool {
        left.asciiLowercased == right.asciiLowercased
    }
}

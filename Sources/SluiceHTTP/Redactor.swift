/// Replaces known secrets in texts that people will read, and makes texts from servers harmless.
struct Redactor: Sendable {
    private let secrets: [[UInt8]]
    /// Which bytes a secret may begin with, so that few places need a closer look.
    private let isFirst: [Bool]

    /// Makes a redactor for everything that is secret about a request.
    init(_ request: HTTPRequest) { self.init(secrets: Self.secrets(of: request)) }

    /// Everything that is secret about a request.
    static func secrets(of request: HTTPRequest) -> [String] {
        var texts = request.secrets
        for header in request.credentialHeaders {
            texts.append(header.value)
            // `Bearer TOKEN`: a server may echo the token without the scheme.
            if let blank = header.value.firstIndex(of: " ") {
                texts.append(String(header.value[header.value.index(after: blank)...]))
            }
        }
        return texts + request.credentialParameters.map(\.value)
    }

    /// Makes a redactor for some texts, each also in the forms it takes in URLs and in JSON.
    init(secrets texts: [String]) {
        var forms: Set<[UInt8]> = []
        for text in texts where !text.isEmpty {
            let encoded = HTTPURL.percentEncoded(text)
            forms.insert(Array(text.utf8))
            forms.insert(Array(encoded.utf8))
            forms.insert(Array(encoded.replacing("%20", with: "+").utf8))
            forms.insert(Array(text.utf8.flatMap { $0 == 0x22 || $0 == 0x5C ? [0x5C, $0] : [$0] }))
            forms.insert(Array(text.utf8.flatMap { [0x22, 0x2F, 0x5C].contains($0) ? [0x5C, $0] : [$0] }))
        }
        // The longest first, so that no secret is left in part because another one is its beginning.
        secrets = forms.sorted { $0.count > $1.count }
        var isFirst = [Bool](repeating: false, count: 256)
        for form in forms {
            guard let byte = form.first else { continue }
            for same in UInt8.min ... .max where Self.isSame(same, byte) { isFirst[Int(same)] = true }
        }
        self.isFirst = isFirst
    }

    /// The text with each secret replaced by `***`.
    func scrub(_ text: String) -> String {
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
        case .control, .format, .lineSeparator, .paragraphSeparator:
            return "\\u{\(String(scalar.value, radix: 16))}"
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
                let secret = secrets.first(where: { bytes[position...].starts(with: $0, by: Self.isSame) })
            {
                result += "***".utf8
                position += secret.count
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return result
    }

    /// Percent-encoded digits and host names change their case on the way.
    private static func isSame(_ left: UInt8, _ right: UInt8) -> Bool {
        left.asciiLowercased == right.asciiLowercased
    }
}

/// Takes the secrets out of exchanges that are to be kept.
///
/// What the client knows to be secret becomes `***`. A parameter of a URL that commonly holds a secret becomes `***1`,
/// `***2` and so on, the same value the same number, so that links that differ still do.
package struct Disguise {
    private var secrets: Set<String> = []
    private var redactor = Redactor(secrets: [])
    private var numbers: [String: Int] = [:]
    /// Secret addresses of servers, as `https://host`: what links to them is kept as a link within the server.
    private var origins: [String] = []

    static let mask = "***"

    /// - Parameter secrets: Texts that must never be kept.
    package init(secrets: [String]) { hide(secrets) }

    /// Adds texts that must never be kept.
    mutating func hide(_ texts: [String]) {
        let added = texts.filter { !$0.isEmpty && !secrets.contains($0) }
        if added.isEmpty { return }
        secrets.formUnion(added)
        redactor = Redactor(secrets: Array(secrets))
        origins = secrets.compactMap(Self.origin)
    }

    private static func origin(_ text: String) -> String? {
        let parts = text.split(separator: "/")
        guard parts.count == 2, parts[0] == "http:" || parts[0] == "https:" else { return nil }
        return "\(parts[0])//\(parts[1])/"
    }

    /// A request as it is kept.
    mutating func request(_ request: TransferRequest) -> RecordedRequest {
        let url = request.privacy.parameters.isEmpty ? request.url : hidingParameters(of: request)
        return RecordedRequest(
            method: request.method, url: link(redactor.scrub(String(url.text.prefix { $0 != "#" }))),
            headers: request.headers.map { field in
                let name = field.name.lowercased()
                let isHidden = request.privacy.headers.contains(name) || Self.requestHeaders.contains(name)
                return HTTPField(redactor.scrub(field.name), isHidden ? Self.mask : redactor.scrub(field.value))
            },
            body: request.body.map { body($0, isLogin: false) })
    }

    private func hidingParameters(of request: TransferRequest) -> HTTPURL {
        var pieces = HTTPURL.Pieces(request.url.text)
        pieces.items = pieces.items.map { item in
            guard let equals = item.firstIndex(of: "="),
                request.privacy.parameters.contains(HTTPURL.Pieces.name(of: item))
            else { return item }
            return item[...equals] + Self.mask
        }
        return HTTPURL(text: pieces.text, origin: request.url.origin)
    }

    /// A header of a response as it is kept; of the answer to a login nothing is kept that might be a token.
    package mutating func response(_ field: HTTPField, isLogin: Bool) -> HTTPField {
        let name = field.name.lowercased()
        let isHidden = isLogin ? !Self.loginHeaders.contains(name) : Self.responseHeaders.contains(name)
        if isHidden { return HTTPField(redactor.scrub(field.name), Self.mask) }
        return HTTPField(redactor.scrub(field.name), String(decoding: answer(Array(field.value.utf8)), as: UTF8.self))
    }

    /// A body as it is kept; of the answer to a login all texts are tokens but those that are known to be none.
    package mutating func body(_ bytes: [UInt8], isLogin: Bool) -> [UInt8] {
        if bytes.isEmpty { return bytes }
        if JSONScrubber.isLikelyJSON(bytes) {
            var scrubber = JSONScrubber(bytes, isLogin: isLogin, secretNumbers: secrets)
            return scrubber.run { text in answer(text) }
        }
        if isLogin { return Array(Self.mask.utf8) }
        return answer(bytes)
    }

    private mutating func answer(_ bytes: [UInt8]) -> [UInt8] {
        if origins.isEmpty { return link(redactor.scrubbed(bytes)) }
        let text = origins.reduce(String(decoding: bytes, as: UTF8.self)) { $0.replacing($1, with: "/") }
        return link(redactor.scrubbed(Array(text.utf8)))
    }

    private mutating func link(_ text: String) -> String {
        String(decoding: link(Array(text.utf8)), as: UTF8.self)
    }

    /// A text in which parameters of URLs that commonly hold secrets have numbers for values.
    private mutating func link(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "=")), bytes.contains(where: { $0 == 0x3F || $0 == 0x26 }) else {
            return bytes
        }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            result.append(byte)
            index += 1
            // `?` or `&` begins a parameter.
            guard byte == 0x3F || byte == 0x26, let equals = bytes[index...].prefix(40).firstIndex(of: 0x3D) else {
                continue
            }
            let name = HTTPURL.Pieces.name(of: String(decoding: bytes[index..<equals], as: UTF8.self)).lowercased()
            guard HTTPURL.commonlySecret.contains(name) else { continue }
            let value = bytes[(equals + 1)...].prefix { !" \t\r\n\"'<>&#".utf8.contains($0) }
            result += bytes[index...equals]
            result += replacement(of: String(decoding: value, as: UTF8.self)).utf8
            index = value.endIndex
        }
        return result
    }

    private mutating func replacement(of value: String) -> String {
        if value.isEmpty || value.hasPrefix(Self.mask) { return value }
        let number = numbers[value] ?? numbers.count + 1
        numbers[value] = number
        return "\(Self.mask)\(number)"
    }

    private static let requestHeaders: Set<String> = [
        "api-key", "authorization", "cookie", "proxy-authorization", "x-access-token", "x-api-key", "x-auth-token",
    ]
    private static let responseHeaders: Set<String> = [
        "authentication-info", "authorization", "proxy-authentication-info", "set-cookie", "set-cookie2",
        "x-access-token", "x-auth-token", "x-csrf-token", "x-session-token",
    ]
    private static let loginHeaders: Set<String> = [
        "cache-control", "content-encoding", "content-length", "content-type", "date", "location", "pragma",
        "retry-after", "transfer-encoding", "vary",
    ]
}

extension Redactor {
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
}

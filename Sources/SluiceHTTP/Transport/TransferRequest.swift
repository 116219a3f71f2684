/// What the transfer thread needs to know about one request.
struct TransferRequest: Sendable {
    var method: String
    var url: HTTPURL
    var headers: [HTTPField]
    var body: [UInt8]?
    var acceptsCompression: Bool
    var privacy = RequestPrivacy()
    /// How to talk to the source for it.
    var configuration: HTTPConfiguration
}

/// What of a request, and of the answer to it, must not be kept.
struct RequestPrivacy: Sendable {
    /// Texts, wherever they stand.
    var secrets: [String] = []
    /// The names of query parameters whose values are secret.
    var parameters: Set<String> = []
    /// The names of headers whose values are secret, in lower case.
    var headers: Set<String> = []
    /// Whether it is answered with tokens.
    var isLogin = false

    init() {}

    init(_ request: HTTPRequest) {
        secrets = Redactor.secrets(of: request)
        parameters = Set(request.credentialParameters.map(\.name))
        headers = Set(request.credentialHeaders.map { $0.name.lowercased() })
        isLogin = request.isLogin
    }
}

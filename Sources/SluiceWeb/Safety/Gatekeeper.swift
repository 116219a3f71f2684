internal import SluiceHTTPServer
internal import SluiceSystem

/// Decides who may do what, before anything of a request is looked at by others.
final class Gatekeeper: Sendable {
    /// The name of the session's cookie.
    static let cookie = "sluice_session"
    /// The field of forms, and the header of scripts, that proves that a change comes from a page of the session.
    static let formField = "form_token"
    static let formHeader = "X-Sluice-Form-Token"

    private let tokens: TokenFile?
    private let key = Secret.random()
    private let sessions = SessionTable()
    private let brake = LoginBrake()

    /// - Parameter tokens: Nil where everybody who reaches the server may decide.
    init(tokens: TokenFile?) { self.tokens = tokens }

    /// Whether people have to log in.
    var asksForToken: Bool { tokens != nil }

    /// Lets a request in.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - role: Who may ask for what it asks for; nil for everybody.
    ///   - isData: Whether that is for programs, and no page.
    /// - Returns: Who asks.
    /// - Throws: ``Refusal``.
    func admit(_ request: IncomingRequest, as role: Role?, isData: Bool) throws(Refusal) -> Visitor {
        try checkHost(request)
        if !request.isSafe { try checkOrigin(request) }
        guard let role else { return Visitor(name: nil, role: .view, session: session(of: request)) }
        let visitor = try visitor(of: request)
        if visitor.role < role {
            throw Refusal(
                403, "forbidden", "The token of `\(visitor.name ?? "")` has the role `view`, and this needs `decide`.")
        }
        if !request.isSafe { try checkForm(request, visitor, isData: isData) }
        return visitor
    }

    // MARK: Host and origin

    private func checkHost(_ request: IncomingRequest) throws(Refusal) {
        let host = request.header("Host") ?? ""
        // With tokens a name that leads here by a stranger's doing brings nothing: cookies go to their own host.
        if tokens == nil ? HostName.isLocal(host) : HostName.isWellFormed(host) { return }
        throw Refusal(
            421, "wrong_host",
            "This server answers for this machine alone, as 127.0.0.1 or localhost. Set a token file to use another name."
        )
    }

    private func checkOrigin(_ request: IncomingRequest) throws(Refusal) {
        let host = request.header("Host") ?? ""
        let site = request.header("Sec-Fetch-Site") ?? "same-origin"
        let isOwn = request.header("Origin").map { $0 == "http://\(host)" || $0 == "https://\(host)" } ?? true
        if isOwn && (site == "same-origin" || site == "none") { return }
        throw Refusal(403, "wrong_origin", "Another site sent this change. Nothing was done.")
    }

    // MARK: Who it is

    private func visitor(of request: IncomingRequest) throws(Refusal) -> Visitor {
        guard let tokens else { return Visitor(name: nil, role: .decide, session: session(of: request)) }
        if let header = request.header("Authorization") {
            let words = header.split(separator: " ")
            if words.count == 2, words[0].lowercased() == "bearer" {
                try checkBrake()
                if let entry = tokens.entry(of: String(words[1])) {
                    return Visitor(name: entry.name, role: entry.role, session: nil)
                }
                brake.fail(now: WallClock.monotonicSeconds())
            }
            throw Refusal(401, "wrong_token", "This token is not known.")
        }
        if let value = request.cookie(Self.cookie),
            let visitor = sessions.visitor(value, now: WallClock.monotonicSeconds())
        {
            return visitor
        }
        throw Refusal(401, "no_token", "Log in, or send `Authorization: Bearer TOKEN`.")
    }

    private func checkBrake() throws(Refusal) {
        if brake.isOpen(now: WallClock.monotonicSeconds()) { return }
        throw Refusal(429, "too_many_attempts", "Too many tokens were wrong. Try again in a minute.")
    }

    /// The session that a cookie names; without tokens, one that this process gave out.
    private func session(of request: IncomingRequest) -> String? {
        guard let value = request.cookie(Self.cookie) else { return nil }
        if tokens != nil { return value }
        let parts = value.split(separator: ".")
        guard parts.count == 2, Secret.isSame(Secret.tag("session \(parts[0])", key: key), String(parts[1])) else {
            return nil
        }
        return value
    }

    // MARK: Forms

    private func checkForm(_ request: IncomingRequest, _ visitor: Visitor, isData: Bool) throws(Refusal) {
        if isData {
            // A form of another site cannot send this type without asking first, which is never allowed.
            guard request.contentType == "application/json" else {
                throw Refusal(415, "wrong_type", "Send the body as `Content-Type: application/json`.")
            }
            guard request.cookie(Self.cookie) != nil else { return }
        }
        let given = request.header(Self.formHeader) ?? request.form?[Self.formField] ?? ""
        guard let session = visitor.session, Secret.isSame(formToken(session), given) else {
            throw Refusal(
                403, "wrong_form_token",
                "This form is not of your present session. Nothing was done. Load the page again, and send it once more."
            )
        }
    }

    /// What forms of a session have in them.
    func formToken(_ session: String) -> String { Secret.tag("form \(session)", key: key) }

    // MARK: Sessions

    /// A session for somebody who need not log in.
    func openSession() -> String {
        let value = Secret.random()
        return "\(value).\(Secret.tag("session \(value)", key: key))"
    }

    /// Begins a session with a token.
    ///
    /// - Throws: ``Refusal`` where it is not known.
    func logIn(_ token: String) throws(Refusal) -> String {
        try checkBrake()
        let now = WallClock.monotonicSeconds()
        guard let entry = tokens?.entry(of: token) else {
            brake.fail(now: now)
            throw Refusal(401, "wrong_token", "This token is not known.")
        }
        return sessions.begin(entry, now: now)
    }

    /// Ends the session of a request.
    func logOut(_ request: IncomingRequest) {
        if let value = request.cookie(Self.cookie) { sessions.end(value) }
    }

    /// The field of the head that keeps a session.
    static func keep(_ session: String, _ request: IncomingRequest) -> HeaderField {
        // The proxy in front says how it was asked; a lie would only keep the cookie from its own sender.
        let secure = request.header("X-Forwarded-Proto") == "https" ? "; Secure" : ""
        return HeaderField("Set-Cookie", "\(cookie)=\(session); Path=/; HttpOnly; SameSite=Strict\(secure)")
    }
}

internal import SluiceHTTPServer

/// Where people give their token.
enum LoginPage {
    static func answer(_ site: WebSite, _ question: Question) -> OutgoingResponse {
        let next = path(question.request.query["next"])
        let body: HTML = """
            <body>
            <header><span class="name">Sluice</span></header>
            <main id="main"><h1>Log in</h1>
            <form method="post" action="/login">
            <input type="hidden" name="next" value="\(value: next)">
            <p><label>Token <input type="password" name="token" autocomplete="current-password" required autofocus></label>
            <button class="strong">Log in</button></p>
            </form>
            <p class="faint">Whoever runs this service gives out tokens.</p></main>
            </body>
            """
        return PageContext.document("Log in", body)
    }

    /// Begins a session.
    static func logIn(_ site: WebSite, _ question: Question) throws -> OutgoingResponse {
        let session = try site.gatekeeper.logIn(question.form("token") ?? "")
        return OutgoingResponse(
            303,
            [
                HeaderField("Location", path(question.form("next"))),
                Gatekeeper.keep(session, question.request),
            ])
    }

    static func redirect(from request: IncomingRequest) -> OutgoingResponse {
        let query = request.path.isEmpty ? "" : Link.query([FormField("next", request.target)])
        return OutgoingResponse(303, [HeaderField("Location", "/login" + query)])
    }

    /// A path of this server; the overview for anything that leads elsewhere.
    static func path(_ text: String?) -> String {
        guard let text, text.hasPrefix("/"), !text.hasPrefix("//"), !text.hasPrefix("/\\"),
            text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return "/" }
        return text
    }
}

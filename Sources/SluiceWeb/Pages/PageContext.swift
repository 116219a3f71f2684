internal import SluiceCommands
internal import SluiceDiagnostics
internal import SluiceHTTPServer
internal import SluiceModel
internal import SluiceServeModel

/// What stands around the content of every page, and what forms need.
struct PageContext {
    /// The parts of the site, as the navigation names them.
    enum Section: String, CaseIterable {
        case overview = "Overview"
        case runs = "Runs"
        case conflicts = "Conflicts"
        case quarantine = "Quarantine"
        case records = "Records"
        case pipelines = "Pipelines"

        var path: String {
            switch self {
            case .overview: "/"
            case .runs: "/runs"
            case .conflicts: "/conflicts"
            case .quarantine: "/quarantine"
            case .records: "/records"
            case .pipelines: "/pipelines"
            }
        }
    }

    /// The cookie that keeps a name for the next form.
    static let nameCookie = "sluice_name"
    /// What has been done, by the word that stands in the address.
    private static let told = [
        "decided": "The decision is carried out.",
        "waiting":
            "The decision is carried out. A reference leads to a record that is not there: it is null until that record comes. The page of the row names it.",
        "undone": "The run is taken back.",
        "retried": "The record was tried again.", "unfit": "The record was tried again, and does not fit yet.",
        "dropped": "The record is given up.",
        "stopped": "The run is told to stop.",
    ]
    private static let version = String(
        decoding: SHA256.hexadecimal(of: Array((PageStyle.text + PageScript.text).utf8)).prefix(12), as: UTF8.self)

    let site: WebSite
    let question: Question
    private let session: String?
    private let isNewSession: Bool

    init(_ site: WebSite, _ question: Question) {
        (self.site, self.question) = (site, question)
        isNewSession = question.visitor.session == nil && !site.gatekeeper.asksForToken
        session = question.visitor.session ?? (isNewSession ? site.gatekeeper.openSession() : nil)
    }

    var canDecide: Bool { question.visitor.role == .decide }

    /// Who decides: the name of the token, else the one in the form.
    var who: String? { question.visitor.name ?? question.form("who") }

    // MARK: Pages

    /// A page.
    ///
    /// - Parameters:
    ///   - title: What it is about.
    ///   - section: Where it belongs.
    ///   - isLive: Whether it is brought up to date when something happens.
    ///   - status: The status of the answer.
    ///   - body: The content.
    /// - Returns: The answer.
    func page(
        _ title: String, _ section: Section?, isLive: Bool = false, status: Int = 200, _ body: HTML
    ) -> OutgoingResponse {
        let states = site.states.all(site.control.status())
        let counts: [Section: Int] = [
            .conflicts: states.reduce(0) { $0 + ($1.row?.openConflicts ?? 0) },
            .quarantine: states.reduce(0) { $0 + ($1.row?.quarantined ?? 0) },
        ]
        let told = question.query("told").flatMap { Self.told[$0] }
        let message: HTML = told.map { "<p class=\"told\" role=\"status\">\($0)</p>" } ?? ""
        let live: HTML = isLive ? " data-live" : ""
        let content: HTML = """
            <body>
            <a class="skip" href="#main">Skip to the content</a>
            <header><a class="name" href="/">Sluice</a>
            <nav aria-label="Parts"><ul>\(Section.allCases.map { link($0, isCurrent: $0 == section, counts[$0] ?? 0) })</ul></nav>
            \(logout)</header>
            <main id="main" tabindex="-1"\(live)>
            <h1>\(title)</h1>
            \(message)\(body)
            </main>
            <footer>Sluice \(Sluice.version) · <a href="/api/v1/openapi.json">API</a> · <a href="/metrics">Metrics</a></footer>
            </body>
            """
        return Self.document(title, content, status: status, isLive ? 20 : nil, headers: cookies)
    }

    /// A whole document.
    static func document(
        _ title: String, _ body: HTML, status: Int = 200, _ refreshSeconds: Int? = nil, headers: [HeaderField] = []
    ) -> OutgoingResponse {
        let refresh: HTML =
            refreshSeconds.map { "<noscript><meta http-equiv=\"refresh\" content=\"\($0)\"></noscript>\n" } ?? ""
        let text: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title) – Sluice</title>
            <link rel="stylesheet" href="/assets/sluice.css?v=\(version)">
            <link rel="icon" href="/assets/sluice.svg?v=\(version)" type="image/svg+xml">
            <script src="/assets/sluice.js?v=\(version)" defer></script>
            \(refresh)</head>
            \(body)
            </html>

            """
        return OutgoingResponse(
            status, [HeaderField("Content-Type", "text/html; charset=utf-8")] + headers,
            body: .bytes(Array(text.text.utf8)))
    }

    private func link(_ section: Section, isCurrent: Bool, _ count: Int) -> HTML {
        let current: HTML = isCurrent ? " aria-current=\"page\"" : ""
        let number: HTML = count == 0 ? "" : " <span class=\"count\">\(CountText.grouped(count))</span>"
        return "<li><a href=\"\(link: section.path)\"\(current)>\(section.rawValue)\(number)</a></li>"
    }

    private var logout: HTML {
        guard site.gatekeeper.asksForToken, let name = question.visitor.name else { return "" }
        return form("/logout", "<span>\(name)</span> <button>Log out</button>")
    }

    /// What the answer has to keep in the browser.
    var cookies: [HeaderField] {
        guard isNewSession, let session else { return [] }
        return [Gatekeeper.keep(session, question.request)]
    }

    /// Goes on with another page of this server.
    func seeOther(_ path: String) -> OutgoingResponse {
        var headers = [HeaderField("Location", path)] + cookies
        if !site.gatekeeper.asksForToken, let name = question.form("who") {
            headers.append(
                HeaderField(
                    "Set-Cookie",
                    "\(Self.nameCookie)=\(PercentText.encoded(name)); Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"
                ))
        }
        return OutgoingResponse(303, headers)
    }

    // MARK: Forms

    /// A form that changes something.
    func form(_ action: String, _ content: HTML) -> HTML {
        let token = session.map { site.gatekeeper.formToken($0) } ?? ""
        return """
            <form method="post" action="\(link: action)"><input type="hidden" name="\(Gatekeeper.formField)" value="\(value: token)">\(content)</form>
            """
    }

    /// Where a person says who they are; nothing where their token says it.
    var whoField: HTML {
        if site.gatekeeper.asksForToken { return "" }
        let kept = question.request.cookie(Self.nameCookie).flatMap { PercentText.text(Array($0.utf8)) } ?? ""
        return
            "<label>Your name <input type=\"text\" name=\"who\" value=\"\(value: kept)\" autocomplete=\"name\"></label> "
    }

    /// Where a person says why.
    var noteField: HTML { "<label>Note <input type=\"text\" name=\"note\" autocomplete=\"off\"></label> " }

    /// A choice of one name or all.
    static func choice(_ label: String, _ name: String, _ names: [String], _ chosen: String?) -> HTML {
        if names.count < 2 && chosen == nil { return "" }
        let options = names.map { one -> HTML in
            let selected: HTML = one == chosen ? " selected" : ""
            return "<option value=\"\(value: one)\"\(selected)>\(one)</option>"
        }
        return """
            <label>\(label) <select name="\(value: name)"><option value="">all</option>\(options)</select></label>
            """
    }

    /// Links to the pages of a list.
    func pages(_ path: String, _ fields: [FormField], page: Int, hasMore: Bool) -> HTML {
        func link(_ number: Int, _ words: String) -> HTML {
            let query = Link.query(fields + [FormField("page", String(number))])
            return "<a href=\"\(link: path + query)\">\(words)</a> "
        }
        if page == 1 && !hasMore { return "" }
        let back: HTML = page > 1 ? link(page - 1, "← Newer or earlier entries") : ""
        let next: HTML = hasMore ? link(page + 1, "Further entries →") : ""
        return
            "<p class=\"actions\" role=\"navigation\" aria-label=\"Pages\">\(back)<span class=\"faint\">page \(page)</span> \(next)</p>"
    }
}

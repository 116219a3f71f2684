internal import SluiceHTTPServer

/// Why something was not done, for people.
enum ProblemPage {
    static func answer(_ refusal: Refusal, _ site: WebSite, _ visitor: Visitor?) -> OutgoingResponse {
        let title =
            refusal.status == 404 ? "Not found" : refusal.code == Refusal.partly ? "Done in part" : "Not done"
        let body: HTML = """
            <body>
            <header><a class="name" href="/">Sluice</a></header>
            <main id="main"><h1>\(title)</h1>
            <p class="trouble" role="alert">\(Words.lines(refusal.message))</p>
            <p><a href="/">To the overview</a></p></main>
            </body>
            """
        return PageContext.document(title, body, status: refusal.status)
    }
}

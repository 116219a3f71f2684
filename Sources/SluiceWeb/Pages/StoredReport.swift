internal import SluiceHTTPServer
internal import SluiceServeModel

/// The report for a browser that a run wrote, as it is.
enum StoredReport {
    /// The document names the hashes of its own script and style; this server only adds that it may do nothing else: it
    /// has no access to the pages and cookies of this server.
    private static let policy = "sandbox allow-scripts; frame-ancestors 'none'"

    static func answer(_ site: WebSite, _ question: Question) throws -> OutgoingResponse {
        let view = try RunFinder(site: site).run(question["run"])
        guard let served = view.served, let path = site.control.path(of: .html, of: served.id) else {
            throw Refusal.notFound("Of this run the service has no report, or none any more.")
        }
        return OutgoingResponse(
            200,
            [
                HeaderField("Content-Type", "text/html; charset=utf-8"),
                HeaderField("Content-Security-Policy", policy),
            ], body: .file(path))
    }
}

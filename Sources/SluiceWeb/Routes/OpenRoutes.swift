internal import SluiceHTTPServer
internal import SluiceServeModel

/// What is neither a page nor a part of the API.
enum OpenRoutes {
    static let all: [Route] = [
        Route("GET", "/healthz", .data, role: nil) { site, _ in
            _ = site.control.status()
            return .text(200, "ok\n")
        },
        Route("GET", "/readyz", .data, role: nil) { site, _ in
            let status = site.control.status()
            // Why it is not ready may name files, and anybody may ask.
            if status.isStopping { return .text(503, "stopping\n") }
            if status.isStarting { return .text(503, "starting\n") }
            return status.trouble == nil ? .text(200, "ready\n") : .text(503, "not ready\n")
        },
        Route("GET", "/metrics", .data, role: .view) { site, question in
            let accepts = question.request.header("Accept") ?? ""
            var text = MetricsText(isOpenMetrics: accepts.contains("application/openmetrics-text"))
            let status = site.control.status()
            text.write(status, site.states.all(status), site.metrics.counts, bytes: site.stores.bytes)
            return OutgoingResponse(
                200, [HeaderField("Content-Type", text.type)], body: .bytes(Array(text.text.utf8)))
        },
        asset("/assets/sluice.css", "text/css; charset=utf-8", PageStyle.text),
        asset("/assets/sluice.js", "text/javascript; charset=utf-8", PageScript.text),
        asset("/assets/sluice.svg", "image/svg+xml", PageIcon.text),
    ]

    private static func asset(_ path: String, _ type: String, _ text: String) -> Route {
        Route("GET", path, .data, role: nil) { _, _ in
            // Pages name the version that they need, so a newer program is never mixed with an older script.
            OutgoingResponse(
                200,
                [
                    HeaderField("Content-Type", type),
                    HeaderField("Cache-Control", "public, max-age=31536000, immutable"),
                ],
                body: .bytes(Array(text.utf8)))
        }
    }
}

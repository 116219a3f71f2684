internal import SluiceHTTPServer

/// The fields of every answer that keep a browser from doing what nobody asked for.
enum SafeHeaders {
    /// Nothing but what this server itself gives, no script or style within a page, and no frame around it.
    static let policy =
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    static let all = [
        HeaderField("Content-Security-Policy", policy),
        HeaderField("X-Content-Type-Options", "nosniff"),
        HeaderField("X-Frame-Options", "DENY"),
        // Not `no-referrer`: a browser would say of its own form then that it comes from nowhere.
        HeaderField("Referrer-Policy", "same-origin"),
        HeaderField("Cross-Origin-Opener-Policy", "same-origin"),
        HeaderField("Cross-Origin-Resource-Policy", "same-origin"),
        HeaderField("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ]

    /// Adds those that an answer does not have.
    static func add(to response: OutgoingResponse) -> OutgoingResponse {
        var response = response
        for field in all where !response.headers.contains(where: { $0.isNamed(field.name) }) {
            response.headers.append(field)
        }
        if !response.headers.contains(where: { $0.isNamed("Cache-Control") }) {
            response.headers.append(HeaderField("Cache-Control", "no-store"))
        }
        return response
    }
}

internal import SluiceHTTP
internal import SluicePipeline
internal import SluiceSystem

/// A URL that is told how a run ended. All of it but scheme and host is secret.
struct Webhook {
    let url: String
    /// The program's version, which the request names.
    let version: String
    let limit: Duration

    /// How often a failure that may pass is tried again, within the limit.
    private static let attempts = 3
    /// The fewest bytes of a part of a URL that is not there by chance.
    private static let leastSecretBytes = 6

    /// What of a URL must not be told: what follows the host, and its longer parts.
    static func secrets(of url: String) -> [String] {
        guard let rest = afterHost(url), rest.utf8.count > 1 else { return [url] }
        let parts = rest.split { "/?&=".contains($0) }.map(String.init)
        return [url, String(rest)] + parts.filter { $0.utf8.count >= leastSecretBytes }
    }

    /// Scheme and host of a URL.
    static func shown(_ url: String) -> String {
        guard let rest = afterHost(url) else { return "***" }
        return String(url[..<rest.startIndex])
    }

    private static func afterHost(_ url: String) -> Substring? {
        guard let slashes = url.firstRange(of: "//") else { return nil }
        return url[slashes.upperBound...].drop { !"/?#".contains($0) }
    }

    /// Posts a text. Nothing is sent anywhere else, so redirects are not followed.
    ///
    /// - Returns: What went wrong, in sentences; nil where nothing did.
    func post(_ body: String, _ cancellation: Cancellation, redactor: Redactor) -> String? {
        let time = TimeLimit()
        let registration = cancellation.onCancel { time.cancellation.cancel() }
        defer { cancellation.remove(registration) }
        let client = HTTPClient(configuration: configuration)
        defer { client.shutDown() }
        var request = HTTPRequest(
            method: "POST", url: url, headers: [HTTPField("Content-Type", "application/json")], body: Array(body.utf8))
        let name = Self.shown(url)
        request.displayURL = name
        request.secrets = Self.secrets(of: url)
        var answer = HTTPBodyBuffer()
        do {
            try time.during(Double(limit.inMilliseconds) / 1000) {
                _ = try client.fetch(request, into: &answer, cancellation: time.cancellation)
            }
            return nil
        } catch let error as HTTPError {
            return "The webhook could not be called. \(redactor.scrub(Self.words(of: error)))"
        } catch {
            return cancellation.isCancelled
                ? "The webhook at \(name) was not called, since the program was asked to stop."
                : "The webhook at \(name) took longer than \(limit.inUnits), its `timeout`."
        }
    }

    /// What failed. What to do about it is said of sources, and left out.
    private static func words(of error: HTTPError) -> String {
        let lines = error.statement.split(separator: "\n").map(String.init)
        guard error.status == nil, let first = lines.first, let end = first.firstRange(of: ". ") else {
            return lines.joined(separator: " ")
        }
        return ([first[..<end.lowerBound] + "."] + lines.dropFirst()).joined(separator: " ")
    }

    /// The system's certificates and the proxy of the environment: those of the source are for the source.
    private var configuration: HTTPConfiguration {
        var configuration = HTTPConfiguration(userAgent: "sluice/\(version)")
        configuration.maximumRedirects = 0
        configuration.maximumResponseBytes = 1 << 20
        configuration.retry.maximumAttempts = Self.attempts
        configuration.retry.maximumWait = limit
        return configuration
    }
}

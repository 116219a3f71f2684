/// Why a request is not done.
struct Refusal: Error, Sendable {
    /// The status.
    let status: Int
    /// The kind of reason, in snake_case.
    let code: String
    /// The reason and the remedy, as sentences.
    let message: String
    /// The methods that the address takes, where another one was used.
    var allowed: [String] = []

    init(_ status: Int, _ code: String, _ message: String) {
        (self.status, self.code, self.message) = (status, code, message)
    }

    /// The code of what was done for some of those that it was asked for.
    static let partly = "partly_done"

    static func notFound(_ message: String) -> Refusal { Refusal(404, "not_found", message) }
    static func badRequest(_ message: String) -> Refusal { Refusal(400, "bad_request", message) }
}

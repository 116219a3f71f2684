/// What is known about a request when it fails.
struct FailureContext {
    /// The method and the URL as messages show it.
    let subject: String
    let origin: HTTPOrigin
    let configuration: HTTPConfiguration
    let redactor: Redactor

    /// How every message begins.
    var prefix: String { "\(subject): " }
}

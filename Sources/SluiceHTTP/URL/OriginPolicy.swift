/// Which hosts a request may go to, and which of them may see credentials.
struct OriginPolicy: Sendable {
    /// What may be sent to a host.
    enum Answer: Equatable {
        /// Everything: it is the source itself, or a host that gets its credentials.
        case trusted
        /// The bare request, without credentials and custom headers.
        case withoutCredentials
        /// Nothing: the host is not allowed.
        case notAllowed
        /// Nothing: what https protected would travel in the clear.
        case downgrade
    }

    let source: HTTPOrigin
    let allowedHosts: [HTTPAllowedHost]

    func answer(for target: HTTPOrigin) -> Answer {
        if target == source { return .trusted }
        if target.host == source.host, source.scheme == "http", target.scheme == "https" { return .trusted }
        let isDowngrade = source.scheme == "https" && target.scheme == "http"
        guard let entry = allowedHosts.first(where: { $0.permits(target) }) else {
            return isDowngrade && target.host == source.host ? .downgrade : .notAllowed
        }
        if isDowngrade { return .downgrade }
        return entry.sendsCredentials ? .trusted : .withoutCredentials
    }

    /// The error for an answer that is not a permission.
    func refusal(_ answer: Answer, of target: HTTPOrigin, subject: String, prefix: String) -> HTTPError {
        let from = source.hostAndPort
        let to = target.hostAndPort
        if answer == .downgrade {
            return HTTPError(
                .hostNotAllowed,
                "\(prefix)\(subject) from https://\(from) to http://\(to), which would send in the clear what https "
                    + "protects. This is never followed; use the https address of \(to).")
        }
        return HTTPError(
            .hostNotAllowed,
            "\(prefix)\(subject) from \(from) to \(to), which is another host. "
                + "If that is right, add \(to) to `allow_hosts`.")
    }
}

internal import SluiceHTTP

/// The source's own rules, then: what a server has only accepted is no answer yet.
struct ReadyRules: HTTPJudge {
    private static let accepted = 202

    let others: (any HTTPJudge)?

    func verdict(_ head: HTTPResponseHead, body: () throws -> [UInt8]) throws -> HTTPVerdict? {
        if let verdict = try others?.verdict(head, body: body) { return verdict }
        guard head.status == Self.accepted else { return nil }
        return HTTPVerdict(
            .retry,
            message:
                "Run again later, or let `retry` of `source` wait longer. If it never answers otherwise, `on_response` can say what such an answer is.",
            reason: "which means that it accepted the request and has no answer yet")
    }
}

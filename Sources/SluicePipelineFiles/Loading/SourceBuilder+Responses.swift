internal import SluicePipeline

extension SourceBuilder {
    /// How fast requests are sent.
    func buildRateLimit() -> SourceDefinition.RateLimit {
        var limit = SourceDefinition.RateLimit()
        guard let node = node.member("rate_limit") else { return limit }
        limit.limit = node.member("limit")?.int
        if let interval = node.member("interval")?.duration { limit.interval = interval }
        limit.remainingHeader = node.member("remaining_header")?.string
        limit.resetHeader = node.member("reset_header")?.string
        limit.resetUnit = node.member("reset_unit")?.choice(SourceDefinition.RateLimit.ResetUnit.self) ?? .seconds
        limit.reserve = node.member("reserve")?.int ?? 0
        if let concurrency = node.member("concurrency")?.int { limit.concurrency = concurrency }
        for (key, needed) in [
            ("interval", "limit"), ("remaining_header", "reset_header"), ("reset_header", "remaining_header"),
            ("reset_unit", "reset_header"), ("reserve", "remaining_header"),
        ] {
            guard let value = node.member(key), node.member(needed) == nil else { continue }
            reporter.report(
                .conflictingKeys, "`rate_limit.\(key)` needs `\(needed)` beside it.", at: value.start,
                help: "Add `\(needed)`, or leave `\(key)` out.")
        }
        return limit
    }

    /// What becomes of responses.
    func buildResponseRules(_ authentication: SourceDefinition.Authentication) -> [SourceDefinition.ResponseRule] {
        (node.member("on_response")?.elements ?? []).compactMap { rule in
            guard let action = rule.member("action")?.choice(SourceDefinition.ResponseRule.Action.self) else {
                return nil
            }
            if rule.member("status") == nil, rule.member("when") == nil {
                reporter.report(
                    .missingKey,
                    "A rule of `on_response` needs `status` or `when`: without them it would apply to every response.",
                    at: rule.start, help: "For example: `{status: 404, action: ignore}`")
            }
            if action == .refreshCredentials, !authentication.isAskedFor, let place = rule.member("action")?.start {
                reporter.report(
                    .conflictingKeys, "`refresh_auth` needs an `auth` of type `oauth2` or `session`.", at: place,
                    help: "Sluice cannot renew a token that is written in the file.")
            }
            return SourceDefinition.ResponseRule(
                statuses: rule.member("status")?.names.compactMap { $0.string.flatMap(StatusText.range) } ?? [],
                condition: rule.member("when")?.string, action: action, message: rule.member("message")?.string)
        }
    }
}

extension SourceDefinition.Authentication {
    /// Whether credentials are asked for, so that there can be new ones.
    fileprivate var isAskedFor: Bool {
        switch self {
        case .oauth2, .session: true
        case .none, .bearer, .basic, .apiKey: false
        }
    }
}

internal import SluicePipeline

extension SectionSpec {
    /// The keys of `source`.
    package static let source = SectionSpec(
        title: "`source`",
        keys: [
            KeySpec(
                "base_url", .string(.baseURL), isRequired: true, secrets: .accepted, example: "https://api.github.com",
                "The base for paths: an `http` or `https` URL, or `file:` and a folder or file. Its name may hold blanks and escapes such as `%20`."
            ),
            KeySpec(
                "headers", .mapping(keys: .pattern(.token), values: .text(.sentTemplate), minimumCount: 0),
                default: "{}",
                secrets: .accepted, example: "{Accept: application/vnd.github+json}",
                "Headers for every request. They are sent only to the source's own origin."),
            KeySpec(
                "params", .mapping(keys: .name, values: .text(.sentTemplate), minimumCount: 0), default: "{}",
                secrets: .accepted, example: "{per_page: 100}",
                "Query parameters for every request."),
            KeySpec(
                "auth", .variants(.authentication), default: "{type: none}",
                example: "{type: bearer, token: \"${env:GITHUB_TOKEN}\"}",
                "How requests authenticate. Everything in it is secret."),
            KeySpec(
                "tls", .section(.tls), example: "{ca_file: certs/ca.pem}", feature: .tls,
                "The trusted certificates, and the client certificate."),
            KeySpec(
                "proxy", .string(.proxyURL), secrets: .accepted, example: "http://proxy.example.com:3128",
                feature: .proxy,
                "The proxy for requests."),
            KeySpec(
                "timeout", .section(.timeout), default: "{connect: 10s, idle: 30s, total: 5m}", example: "{idle: 1m}",
                "How long to wait."),
            KeySpec(
                "max_response", .size(1...(1 << 50)), default: "64MiB", example: "256MiB",
                "The largest HTTP response after decoding; files are not bounded."),
            KeySpec(
                "max_record", .size(1...(1 << 31)), default: "16MiB", example: "32MiB",
                "The largest single record, and so the most memory that one takes. A larger one ends the run: its end and its key stand behind the limit, so nothing would be known of what it is, nor of what is gone."
            ),
            KeySpec(
                "allow_hosts", .list(.anyOf([.string(.host), .section(.allowedHost)]), minimumCount: 0), default: "[]",
                example: "[uploads.example.com, {host: cdn.example.com, credentials: true}]",
                "Other hosts that redirects and page links may lead to."),
            KeySpec(
                "conditional", .choice(ChoiceSpec(SourceDefinition.ConditionalRule.allCases.map(\.rawValue))),
                default: "both", example: "none", feature: .conditional,
                "The validators of conditional requests: `ETag`, `Last-Modified`, both or none. If no page of a stream changed since the last run, the stream is not read. Where the body of the last page says whether another one follows, that page is read as a whole unless a strong `ETag` shows that it is the same. Pages that are counted (`page_number`, `offset`) are always fetched, since a record may move from one to another unseen. With `--full`, and after a change of the pipeline, every page is fetched."
            ),
            KeySpec(
                "retry", .section(.retry), default: "{max_attempts: 5, backoff: exponential, base: 1s, max_delay: 5m}",
                example: "{max_attempts: 8}",
                "How failed requests are retried."),
            KeySpec(
                "rate_limit", .section(.rateLimit), example: "{limit: 10, interval: 1s}", feature: .rateLimit,
                "How fast requests are sent."),
            KeySpec(
                "on_response", .list(.section(.responseRule), minimumCount: 0), default: "[]",
                example: "[{status: 404, action: ignore}]", feature: .responseRules,
                "Rules for responses. The first rule that matches applies. If none does, the built-in rules apply."),
        ])

    /// The keys of the long form of an allowed host.
    package static let allowedHost = SectionSpec(
        title: "an allowed host",
        keys: [
            KeySpec(
                "host", .string(.host), isRequired: true, example: "cdn.example.com",
                "The host, with its port unless it is the default port."),
            KeySpec(
                "credentials", .boolean, default: "false", example: "true",
                "With `true`, credentials and custom headers are sent to this host too."),
        ])
}

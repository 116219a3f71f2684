@testable import SluiceHTTP

/// Lines that a server sends: links, waits, dates, and URLs that lead elsewhere.
enum LinkTarget {
    private static let bases = [
        "https://api.example.com/v1/items?page=1&token=hidden", "http://h/", "https://[::1]:8443/a/b/../c;d?x#y",
    ].compactMap { try? HTTPURL($0) }

    static func run(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: 0, maxSplits: 7).map { String(decoding: $0, as: UTF8.self) }
        let header = LinkHeader(lines)
        for url in bases {
            for link in header.links {
                require(!link.relations.isEmpty, "a link without a relation")
                for relation in link.relations {
                    guard let target = try? header.target(of: relation.uppercased(), from: url) else { continue }
                    check(target)
                }
            }
            for line in lines { follow(line, from: url) }
        }
        for line in lines { wait(line) }
    }

    private static func follow(_ text: String, from url: HTTPURL) {
        if let absolute = try? HTTPURL(text) {
            check(absolute)
            let again = try? HTTPURL(absolute.text)
            require(again?.text == absolute.text, "\(absolute.text) reads as \(again?.text ?? "none")")
        }
        if let resolved = try? url.resolving(text) { check(resolved) }
        if let longer = try? url.appending(path: text) { require(longer.origin == url.origin, "\(longer.text)") }
        if let longer = try? url.appending(segments: [text]) {
            require(
                longer.origin == url.origin && longer.text.hasPrefix(url.text.prefix { $0 != "?" && $0 != "#" }),
                "\(longer.text)")
        }
        let asked = url.setting(parameters: [HTTPField("q", text), HTTPField(text, "r")])
        require(asked.origin == url.origin, asked.text)
        check(asked)
        _ = HTTPURL.redacting(text, parameters: ["secret"])
    }

    /// A URL is what curl would ask for: of one host, without a user and without control characters.
    private static func check(_ url: HTTPURL) {
        require(["http", "https"].contains(url.origin.scheme) && !url.origin.host.isEmpty, "\(url.text)")
        require((1...65_535).contains(url.origin.port) || url.origin.port == 0, "port \(url.origin.port)")
        // A fragment is not sent.
        let sent = url.text.prefix { $0 != "#" }
        require(!sent.utf8.contains { $0 <= 0x20 || $0 == 0x7F }, "\(sent) has blanks or control characters")
        require(!url.description.contains("hidden"), "a secret is told: \(url)")
        let again = try? HTTPURL(url.text)
        require(again?.origin == url.origin, "\(url.text) changes its origin")
    }

    private static func wait(_ text: String) {
        let now = Duration.seconds(1_700_000_000)
        let delay = RetryAfter.delay(HTTPHeaders([HTTPField("retry-after", text)]), now: now)
        require(delay.map { $0 >= .zero } ?? true, "a wait of \(String(describing: delay))")
        guard let delay else { return }
        for random in [0, 0.5, 0.999_999] {
            var schedule = RetrySchedule(HTTPRetry())
            while case .wait(let time) = schedule.decide(retryAfter: delay, random: random) {
                require(time >= .zero, "\(time)")
            }
        }
    }
}

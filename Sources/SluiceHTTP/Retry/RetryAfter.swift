/// Reads the `Retry-After` header: a number of seconds, or the date of the earliest next try.
package enum RetryAfter {
    /// How long the server asks to wait, or nil where it does not say so in a readable way.
    ///
    /// - Parameters:
    ///   - headers: A response's headers; of several fields the first one counts.
    ///   - now: The wall clock; a date before it means no wait.
    /// - Returns: Never less than zero, and a hundred years at most where seconds are given.
    package static func delay(_ headers: HTTPHeaders, now: Duration) -> Duration? {
        guard let field = headers.first("Retry-After") else { return nil }
        let text = field.trimmingBlanks
        if text.isDigits { return .seconds(whole(text)) }
        return HTTPDate(text, now: now).map { max(.zero, $0.sinceEpoch - now) }
    }

    /// The same, where a number of seconds may have a fraction: HTTP knows none, yet servers such as Shopify's write `2.0`.
    package static func tolerantDelay(_ headers: HTTPHeaders, now: Duration) -> Duration? {
        if let delay = delay(headers, now: now) { return delay }
        let parts = (headers.first("Retry-After")?.trimmingBlanks ?? "").split(
            separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ String($0).isDigits }) else { return nil }
        // Nobody waits to a fraction of a second: the next whole one is late enough.
        return .seconds(whole(String(parts[0])) + (parts[1].allSatisfy { $0 == "0" } ? 0 : 1))
    }

    /// More digits than fit are a time that nobody waits for anyway.
    private static func whole(_ digits: String) -> Int64 { Int64(digits).map { min($0, longest) } ?? longest }

    private static let longest: Int64 = 100 * 365 * 86_400
}

extension String {
    /// Whether it has digits, and nothing else.
    fileprivate var isDigits: Bool { !utf8.isEmpty && utf8.allSatisfy { 0x30...0x39 ~= $0 } }
}

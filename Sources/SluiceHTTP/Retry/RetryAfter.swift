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
        if !text.utf8.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
            // More digits than fit are a time that nobody waits for anyway.
            return .seconds(Int64(text).map { min($0, longest) } ?? longest)
        }
        return HTTPDate(text, now: now).map { max(.zero, $0.sinceEpoch - now) }
    }

    private static let longest: Int64 = 100 * 365 * 86_400
}

extension String {
    /// The text without spaces and tabs at its ends.
    var trimmingBlanks: String {
        let bytes = utf8
        guard let first = bytes.firstIndex(where: { !$0.isBlank }), let last = bytes.lastIndex(where: { !$0.isBlank })
        else { return "" }
        return String(self[first...last])
    }
}

/// Reads statuses of HTTP.
enum StatusText {
    /// The statuses that a text such as `404` or `5xx` means; nil where it is neither.
    static func range(_ text: String) -> ClosedRange<Int>? {
        let bytes = Array(text.utf8)
        guard bytes.count == 3, (0x31...0x35).contains(bytes[0]) else { return nil }
        if text.hasSuffix("xx") {
            let first = Int(bytes[0] - 0x30) * 100
            return first...first + 99
        }
        guard bytes.allSatisfy({ (0x30...0x39).contains($0) }), let status = Int(text) else { return nil }
        return status...status
    }
}

/// A set of ASCII characters, one bit for each.
struct URICharacters {
    private let low: UInt64
    private let high: UInt64

    /// Unreserved characters and sub-delimiters. See RFC 3986 sections 2.2 and 2.3.
    static let plain = URICharacters(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=")
    /// What the part before a host may have.
    static let user = plain.union(":")
    /// What a path may have.
    static let path = plain.union("/:@")
    /// What a query and a fragment may have.
    static let query = plain.union("/:@?")

    private init(_ text: String) {
        var bits: (low: UInt64, high: UInt64) = (0, 0)
        for byte in text.utf8 where byte < 0x80 {
            if byte < 64 { bits.low |= 1 << UInt64(byte) } else { bits.high |= 1 << UInt64(byte - 64) }
        }
        (low, high) = bits
    }

    private init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    private func union(_ text: String) -> URICharacters {
        let other = URICharacters(text)
        return URICharacters(low: low | other.low, high: high | other.high)
    }

    /// Whether a byte is one of the characters.
    func contains(_ byte: UInt8) -> Bool {
        byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 0x80 && high >> UInt64(byte - 64) & 1 == 1
    }
}

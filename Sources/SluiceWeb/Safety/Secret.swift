internal import SluiceModel

/// Random texts, keyed hashes and their comparison.
enum Secret {
    private static let block = 64

    /// A text that nobody can guess: 256 bits in hexadecimal digits.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }

    /// The SHA-256 of a text in hexadecimal digits.
    static func hash(_ text: String) -> String {
        String(decoding: SHA256.hexadecimal(of: Array(text.utf8)), as: UTF8.self)
    }

    /// The HMAC-SHA-256 of a text in hexadecimal digits. See: www.rfc-editor.org/rfc/rfc2104
    static func tag(_ text: String, key: String) -> String {
        var padded = Array(key.utf8)
        if padded.count > block { padded = SHA256.bytes(of: padded) }
        padded += [UInt8](repeating: 0, count: block - padded.count)
        let inner = SHA256.bytes(of: padded.map { $0 ^ 0x36 } + Array(text.utf8))
        let outer = SHA256.hexadecimal(of: padded.map { $0 ^ 0x5C } + inner)
        return String(decoding: outer, as: UTF8.self)
    }

    /// Whether two texts are the same, in a time that does not tell where they differ.
    static func isSame(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

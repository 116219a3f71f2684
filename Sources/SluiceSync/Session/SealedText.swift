internal import SluiceModel

/// A text that only those can read who know a secret, and that nobody else can change unnoticed.
///
/// A key stream of HMAC-SHA256 over a counter hides it, and another HMAC over the result says that it is whole.
/// See: RFC 2104; NIST SP 800-38A, section 6.5 (counter mode); "encrypt, then authenticate".
enum SealedText {
    private static let version: UInt8 = 1
    private static let nonceCount = 16
    private static let tagCount = 32

    /// Seals a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - secret: What opens it again.
    ///   - nonce: 16 bytes that were never used before.
    /// - Returns: Bytes that ``open(_:secret:)`` takes.
    static func seal(_ text: String, secret: [UInt8], nonce: [UInt8] = freshNonce()) -> [UInt8] {
        let body = [version] + nonce + hidden(Array(text.utf8), secret, nonce)
        return body + hmac(key(secret, "authenticate"), body)
    }

    /// The text; nil where it was sealed with another secret, or changed since.
    static func open(_ sealed: [UInt8], secret: [UInt8]) -> String? {
        let start = 1 + nonceCount
        guard sealed.count >= start + tagCount, sealed[0] == version else { return nil }
        let body = Array(sealed.dropLast(tagCount))
        let tag = hmac(key(secret, "authenticate"), body)
        // All bytes are compared, so that the time tells nothing.
        guard zip(tag, sealed.suffix(tagCount)).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0 else { return nil }
        let text = hidden(Array(body[start...]), secret, Array(body[1..<start]))
        return String(validating: text, as: UTF8.self)
    }

    static func freshNonce() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<nonceCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// The bytes combined with the key stream: doing it twice gives them back.
    private static func hidden(_ bytes: [UInt8], _ secret: [UInt8], _ nonce: [UInt8]) -> [UInt8] {
        let key = key(secret, "hide")
        var result: [UInt8] = []
        var block: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if index % tagCount == 0 {
                let counter = UInt32(truncatingIfNeeded: index / tagCount)
                block = hmac(key, nonce + stride(from: 24, through: 0, by: -8).map { UInt8(counter >> $0 & 0xFF) })
            }
            result.append(byte ^ block[index % tagCount])
        }
        return result
    }

    private static func key(_ secret: [UInt8], _ purpose: String) -> [UInt8] { hmac(secret, Array(purpose.utf8)) }

    static func hmac(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        var block = key.count > 64 ? SHA256.bytes(of: key) : key
        block += [UInt8](repeating: 0, count: 64 - block.count)
        let inner = SHA256.bytes(of: block.map { $0 ^ 0x36 } + message)
        return SHA256.bytes(of: block.map { $0 ^ 0x5C } + inner)
    }
}

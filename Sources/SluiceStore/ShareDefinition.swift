internal import SluiceModel

/// What the requests of a shared stream are made from: what the file says, and what variables say.
///
/// A store is given a salted digest of the variables' values, never the values.
package struct ShareDefinition: Sendable {
    private let fingerprint: String
    private let values: [String]

    /// Makes a definition.
    ///
    /// - Parameters:
    ///   - fingerprint: A hash of what the file says, without blanks.
    ///   - values: The texts that variables fill in, in the order of the file.
    package init(fingerprint: String, values: [String] = []) { (self.fingerprint, self.values) = (fingerprint, values) }

    /// The definition as a store keeps it, with a new salt each time.
    package var sealed: String {
        if values.isEmpty { return fingerprint }
        let words = (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 16) }
        return sealed(with: words.joined(separator: "-"))
    }

    /// Whether requests made from this are those of a share.
    ///
    /// - Parameter sealed: What the store keeps of the share's definition.
    /// - Returns: False also for what earlier versions kept of a stream with variables.
    package func isSame(as sealed: String) -> Bool {
        if values.isEmpty { return sealed == fingerprint }
        let parts = sealed.split(separator: " ", omittingEmptySubsequences: false)
        return parts.count == 3 && self.sealed(with: String(parts[1])) == sealed
    }

    private func sealed(with salt: String) -> String {
        let text = ([salt] + values).map { "\($0.utf8.count):\($0)" }.joined()
        let digest = String(decoding: SHA256.hexadecimal(of: Array(text.utf8)), as: UTF8.self)
        return "\(fingerprint) \(salt) \(digest)"
    }
}

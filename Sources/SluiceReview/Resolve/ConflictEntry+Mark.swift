internal import SluiceModel
package import SluiceStore

extension ConflictEntry {
    /// A mark of what the conflict shows, which changes with it: who decides by it decides about what was shown.
    package var mark: String {
        let sides = [base, local, remote].map { side in side.map { "\($0.utf8.count):\($0)" } ?? "-" }
        let digest = SHA256.hexadecimal(of: Array(sides.joined(separator: " ").utf8))
        return String(decoding: digest.prefix(16), as: UTF8.self)
    }
}

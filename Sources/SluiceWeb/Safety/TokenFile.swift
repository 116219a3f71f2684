internal import SluiceSystem

/// The tokens of a file, of which only hashes are kept: a line for each, `view NAME TOKEN` or `decide NAME TOKEN`.
struct TokenFile: Sendable {
    /// One token.
    struct Entry: Sendable {
        let role: Role
        let name: String
        let hash: String
    }

    /// Why a file cannot be used.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private static let leastBytes = 16
    private static let mostBytes = 1 << 20
    let entries: [Entry]

    /// Reads a file.
    ///
    /// - Throws: ``Problem``, which names the line and never the token.
    init(path: String) throws(Problem) {
        let text: [UInt8]
        do throws(SystemError) {
            let file = try ByteFile(reading: path)
            text = try file.bytes(at: 0, count: min(file.byteCount, Self.mostBytes))
        } catch {
            throw Problem(description: "The token file cannot be read: the program \(error.description).")
        }
        if let permissions = FileSystem.permissions(of: path), permissions & 0o007 != 0 {
            throw Problem(description: "The token file `\(path)` is open to all users. Run `chmod 600 \(path)`.")
        }
        try self.init(text: String(decoding: text, as: UTF8.self), path: path)
    }

    /// Reads the text of a file.
    init(text: String, path: String) throws(Problem) {
        var entries: [Entry] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            let place = "\(path):\(index + 1):"
            guard words.count == 3, let role = Role(rawValue: String(first)) else {
                throw Problem(description: "\(place) A line is `view NAME TOKEN` or `decide NAME TOKEN`.")
            }
            if words[2].utf8.count < Self.leastBytes {
                throw Problem(
                    description:
                        "\(place) The token of `\(words[1])` has less than \(Self.leastBytes) characters. Make one with `openssl rand -hex 32`."
                )
            }
            if entries.contains(where: { $0.name == words[1] }) {
                throw Problem(
                    description: "\(place) The name `\(words[1])` has a token already. Give each its own name.")
            }
            entries.append(Entry(role: role, name: String(words[1]), hash: Secret.hash(String(words[2]))))
        }
        if entries.isEmpty {
            throw Problem(description: "The token file `\(path)` has no token. A line is `decide NAME TOKEN`.")
        }
        self.entries = entries
    }

    /// Whose token it is. All are compared, so that the time does not tell which one was near.
    func entry(of token: String) -> Entry? {
        let hash = Secret.hash(token)
        return entries.reduce(nil) { found, entry in Secret.isSame(entry.hash, hash) ? entry : found }
    }
}

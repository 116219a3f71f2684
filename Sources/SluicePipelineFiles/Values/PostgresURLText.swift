internal import SluiceDiagnostics
internal import SluicePipeline

/// The URL of a PostgreSQL database as far as its text alone tells whether libpq can read it. No message repeats a part of it
/// that may be a password. See: postgresql.org/docs/current/libpq-connect.html
enum PostgresURLText {
    private static let schemes = ["postgres://", "postgresql://"]
    /// How many bytes PostgreSQL keeps of a name.
    private static let longestName = 63

    /// Whether a text says that it is one.
    static func isMeant(_ text: String) -> Bool { schemes.contains { text.hasPrefix($0) } }

    /// What is wrong with a URL; nil where nothing is.
    static func problem(with text: String) -> TextProblem? {
        let bytes = Array(text.utf8)
        if let offset = bytes.firstIndex(where: { $0 <= 0x20 || $0 == 0x7F }) {
            return TextProblem("A URL has no blanks.", offset: offset, help: "Write a blank as `%20`.")
        }
        if let offset = strayEscape(bytes) {
            return TextProblem(
                "`%` begins a byte in two hexadecimal digits.", offset: offset,
                help: "Write `%25` for a `%` of its own, as in a password.")
        }
        let scheme = schemes.first { text.hasPrefix($0) } ?? ""
        let start = scheme.utf8.count
        let question = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        let end = bytes[start..<question].firstIndex(of: UInt8(ascii: "/")) ?? question
        return problemOfServer(bytes[start..<end], rest: bytes[end..<question])
            ?? problemOfParameters(bytes[min(question + 1, bytes.endIndex)...])
    }

    /// The place of a `%` that no two digits follow.
    private static func strayEscape(_ bytes: [UInt8]) -> Int? {
        bytes.indices.first { index in
            guard bytes[index] == UInt8(ascii: "%") else { return false }
            let digits = bytes[(index + 1)...].prefix(2)
            return digits.count < 2 || !digits.allSatisfy { "0123456789abcdefABCDEF".utf8.contains($0) }
        }
    }

    private static func problemOfServer(_ authority: ArraySlice<UInt8>, rest: ArraySlice<UInt8>) -> TextProblem? {
        let ats = authority.indices.filter { authority[$0] == UInt8(ascii: "@") }
        let inPath = rest.firstIndex(of: UInt8(ascii: "@"))
        if let stray = ats.count > 1 ? ats[1] : inPath {
            return TextProblem(
                "It has an `@` where none may stand.", offset: stray,
                help: "Write `@ : / ? # %` of a password as %40 %3A %2F %3F %23 %25.")
        }
        var place = ats.first.map { $0 + 1 } ?? authority.startIndex
        for host in authority[place...].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            defer { place = host.endIndex + 1 }
            // The address of IPv6 has colons of its own.
            let named = host.first == UInt8(ascii: "[") ? host.drop { $0 != UInt8(ascii: "]") } : host
            guard let colon = named.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let port = named[(colon + 1)...]
            if let stray = port.firstIndex(where: { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
                return TextProblem(
                    "The port is not a number.", offset: stray,
                    help:
                        "Write `host:5432`, or leave the port out. A `:` of a password before the host is written as %3A."
                )
            }
        }
        return nil
    }

    private static func problemOfParameters(_ query: ArraySlice<UInt8>) -> TextProblem? {
        if query.isEmpty { return nil }
        for part in query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            guard let sign = part.firstIndex(of: UInt8(ascii: "=")) else {
                return TextProblem(
                    "A parameter has no value.", offset: part.startIndex,
                    help: "Write `name=value`, as in `?schema=sales&sslmode=verify-full`.")
            }
            guard part[..<sign].elementsEqual("schema".utf8) else { continue }
            let name = decoded(part[(sign + 1)...])
            if !(1...longestName).contains(name.count) || name.contains(0)
                || String(validating: name, as: UTF8.self) == nil
            {
                return TextProblem(
                    "`schema` is no name of a schema.", offset: sign + 1,
                    help: "Name one of 1 to \(longestName) bytes, as in `?schema=sales`.")
            }
        }
        return nil
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] { PercentText.lenientBytes(text) }
}

import TestSupport

/// Which page of a collection is asked for, as in `/day-1/books?after=110&per_page=10`.
///
/// A page begins behind a book, not at a number, so that a book which goes meanwhile moves none past the reader.
struct PageRequest {
    /// The collection's path, as in `/day-1/books`.
    let path: String
    /// The folder of the day.
    let day: String
    /// The identifier of the last book of the page before.
    let after: Int
    let pageSize: Int

    /// Reads a request; nil where nothing is served under its path or the numbers make no sense.
    init?(_ request: ServerRequest) {
        let names = request.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard names.count == 3, names[0].isEmpty, names[2] == "books", Self.isPlainName(names[1]) else { return nil }
        var values = ["after": 0, "per_page": 20]
        for parameter in (request.query ?? "").split(separator: "&") {
            let parts = parameter.split(separator: "=", maxSplits: 1).map(String.init)
            guard let name = parts.first, values[name] != nil else { continue }
            guard parts.count == 2, let number = Int(parts[1]), 1...1000 ~= number else { return nil }
            values[name] = number
        }
        path = request.path
        day = names[1]
        after = values["after"] ?? 0
        pageSize = values["per_page"] ?? 20
    }

    /// The part of a collection that this page holds; empty past its end.
    ///
    /// - Parameter identifiers: The identifiers of all books, in ascending order.
    /// - Returns: Their positions.
    func range(of identifiers: [Int]) -> Range<Int> {
        let start = identifiers.firstIndex { $0 > after } ?? identifiers.count
        return start..<min(identifiers.count, start + pageSize)
    }

    /// The value of the `Link` header, see RFC 8288.
    func links(base: String, to identifiers: [Int]) -> String {
        let end = range(of: identifiers).upperBound
        let first = "<\(base)\(path)?per_page=\(pageSize)>; rel=\"first\""
        if end == identifiers.count { return first }
        return "<\(base)\(path)?after=\(identifiers[end - 1])&per_page=\(pageSize)>; rel=\"next\", \(first)"
    }

    /// A name that cannot leave the folder.
    private static func isPlainName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "-") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            }
    }
}

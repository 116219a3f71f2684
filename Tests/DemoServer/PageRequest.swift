import TestSupport

/// Which page of a collection is asked for, as in `/day-1/books?page=2&per_page=10`.
struct PageRequest {
    /// The collection's path, as in `/day-1/books`.
    let path: String
    /// The folder of the day.
    let day: String
    let page: Int
    let pageSize: Int

    /// Reads a request; nil where nothing is served under its path or the numbers make no sense.
    init?(_ request: ServerRequest) {
        let names = request.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard names.count == 3, names[0].isEmpty, names[2] == "books", Self.isPlainName(names[1]) else { return nil }
        var values = ["page": 1, "per_page": 20]
        for parameter in (request.query ?? "").split(separator: "&") {
            let parts = parameter.split(separator: "=", maxSplits: 1).map(String.init)
            guard let name = parts.first, values[name] != nil else { continue }
            guard parts.count == 2, let number = Int(parts[1]), 1...1000 ~= number else { return nil }
            values[name] = number
        }
        path = request.path
        day = names[1]
        page = values["page"] ?? 1
        pageSize = values["per_page"] ?? 20
    }

    /// The part of a collection that this page holds; empty past its end.
    func range(of count: Int) -> Range<Int> {
        let start = min(count, (page - 1) * pageSize)
        return start..<min(count, start + pageSize)
    }

    /// The value of the `Link` header, see RFC 8288.
    func links(base: String, count: Int) -> String {
        let last = max(1, (count + pageSize - 1) / pageSize)
        var links: [(relation: String, page: Int)] = []
        if page < last { links.append(("next", page + 1)) }
        if page > 1 { links.append(("prev", min(page - 1, last))) }
        links += [("first", 1), ("last", last)]
        return links.map { "<\(base)\(path)?page=\($0.page)&per_page=\(pageSize)>; rel=\"\($0.relation)\"" }
            .joined(separator: ", ")
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

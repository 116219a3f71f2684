import Glibc
import TestSupport

/// Answers requests from a folder with one folder per day, each with a `books.json`.
struct Catalogue: Sendable {
    let folder: String

    func response(to request: ServerRequest) -> ServerResponse {
        guard ["GET", "HEAD"].contains(request.method) else { return problem(405, "Only GET and HEAD are served.") }
        guard let page = PageRequest(request), let text = read("\(folder)/\(page.day)/books.json") else {
            return problem(404, "There is no \(request.target) here; try /day-1/books?per_page=10.")
        }
        guard let books = JSONArraySlices(text) else { return problem(500, "The file of that day is no JSON array.") }
        let base = request.header("Host").map { "http://\($0)" } ?? ""
        let identifiers = books.ranges.map { Self.identifier(of: text[$0]) }
        let slices = books.ranges[page.range(of: identifiers)].map { text[$0] }
        return ServerResponse(
            headers: [
                ("Content-Type", "application/json; charset=utf-8"),
                ("Link", page.links(base: base, to: identifiers)),
            ],
            body: .bytes(Array("[".utf8) + slices.joined(separator: Array(",\n ".utf8)) + Array("]\n".utf8)))
    }

    /// The number that each book of the file begins with.
    private static func identifier(of book: ArraySlice<UInt8>) -> Int {
        let digits = book.drop { !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0) }
        return Int(String(decoding: digits.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }, as: UTF8.self)) ?? 0
    }

    private func problem(_ status: Int, _ message: String) -> ServerResponse {
        // The target of a request may hold anything but blanks.
        let escaped = message.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        return .text("{\"error\": \"\(escaped)\"}\n", status: status, headers: [("Content-Type", "application/json")])
    }

    private func read(_ path: String) -> [UInt8]? {
        guard let file = unsafe fopen(path, "re") else { return nil }
        defer { unsafe fclose(file) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe fread(&buffer, 1, buffer.count, file)
            if count == 0 { return unsafe ferror(file) == 0 ? content : nil }
            content += buffer[..<count]
        }
    }
}

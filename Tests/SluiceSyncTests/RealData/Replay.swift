import FoundationEssentials
import Synchronization
import TestSupport

/// Recorded answers of an interface, given again by a server of the tests' own.
struct Replay: Sendable {
    /// One answer.
    struct Answer: Sendable {
        var url: String
        var status: Int
        var headers: [(name: String, value: String)]
        var body: [UInt8]

        /// What a header of this name says, in whatever letters the name was recorded.
        func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }

        /// The URL of the next page as the `Link` header says it, read by the simplest means.
        var next: String? {
            let links = header("link")?.split(separator: ",") ?? []
            return links.first { $0.contains("rel=\"next\"") }.flatMap { link in
                link.firstIndex(of: ">").map {
                    String(link[..<$0]).replacing(" ", with: "").replacing("<", with: "")
                }
            }
        }
    }

    static let origin = "https://api.github.com"
    /// The first answer to each request without a body.
    let answers: [String: Answer]
    /// The requests in their order.
    let order: [String]

    init(_ answers: [Answer]) {
        var known: [String: Answer] = [:]
        var order: [String] = []
        for answer in answers where known[Self.key(answer.url)] == nil {
            known[Self.key(answer.url)] = answer
            order.append(answer.url)
        }
        (self.answers, self.order) = (known, order)
    }

    /// Path and parameters, these in one order and one spelling: a client may write them otherwise than the recorded one.
    static func key(_ url: String) -> String {
        let parts = url.replacing(origin, with: "").split(separator: "?", maxSplits: 1)
        let query = parts.count > 1 ? parts[1].split(separator: "&") : []
        let parameters = query.map { decoded(String($0).replacing("+", with: " ")) }.sorted()
        return decoded(String(parts.first ?? "/")) + "?" + parameters.joined(separator: "&")
    }

    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func answer(to url: String) -> Answer? { answers[Self.key(url)] }

    /// The answer as the server gives it: links within the interface lead to the server.
    func response(to request: ServerRequest, server: String) -> ServerResponse {
        guard let answer = answer(to: request.target) else { return .text("{}", status: 404) }
        // How the body travels is the server's own affair.
        let own = ["content-length", "transfer-encoding", "content-encoding", "connection", "status"]
        let headers = answer.headers.filter { !own.contains($0.name.lowercased()) }.map {
            (name: $0.name, value: $0.value.replacing(Self.origin, with: server))
        }
        return ServerResponse(status: answer.status, headers: headers, body: .bytes(answer.body))
    }
}

extension Replay {
    /// The requests of a scenario: an array of requests with their answers, these as JSON.
    init(scenarios paths: [String]) throws {
        self.init(
            try paths.flatMap { path in
                try Tree(file: path).elements.filter { $0["method"]?.text == "get" }.map { recorded in
                    let headers = recorded["headers"]?.members ?? []
                    let body = recorded["response"].map { $0.text ?? $0.compact } ?? ""
                    return Answer(
                        url: recorded["path"]?.text ?? "", status: Int(recorded["status"]?.text ?? "") ?? 0,
                        headers: headers.compactMap { header in header.value.text.map { (header.name, $0) } },
                        body: Array(body.utf8))
                }
            })
    }

    /// The requests of a cassette, whose bodies are text or base64.
    init(cassette path: String) throws {
        let recorded = try Tree(file: path).list("http_interactions").filter {
            $0.at("request.method")?.text == "get"
        }
        self.init(
            recorded.map { interaction in
                let answer = interaction["response"] ?? .null
                let headers = answer["headers"]?.members ?? []
                return Answer(
                    url: Self.unmasked(interaction.at("request.uri")?.text ?? ""),
                    status: Int(answer.at("status.code")?.text ?? "") ?? 0,
                    headers: headers.flatMap { header in
                        header.value.elements.compactMap(\.text).map { (header.name, Self.unmasked($0)) }
                    },
                    body: Self.body(answer["body"] ?? .null))
            })
    }

    /// A URL with names in the place of `<NAMES>`, which no URL may hold.
    private static func unmasked(_ text: String) -> String {
        text.replacing("<GITHUB", with: "GITHUB").replacing(">/", with: "/").replacing(">?", with: "?")
    }

    private static func body(_ body: Tree) -> [UInt8] {
        if let text = body["string"]?.text { return Array(text.utf8) }
        let data = Data(base64Encoded: body["base64_string"]?.text ?? "", options: .ignoreUnknownCharacters)
        return Array(data ?? Data())
    }
}

/// A server whose answers change from version to version.
final class ReplayServer: Sendable {
    private let replay = Mutex(Replay([]))
    private let address = Mutex("")
    private let server = Mutex<LoopbackServer?>(nil)

    init() throws {
        let server = try LoopbackServer { [self] request in
            replay.withLock { $0 }.response(to: request, server: url)
        }
        address.withLock { $0 = server.url }
        self.server.withLock { $0 = server }
    }

    var url: String { address.withLock { $0 } }

    /// The targets that were asked for so far.
    var requests: [String] { server.withLock { $0 }?.requests.map(\.target) ?? [] }

    func play(_ next: Replay) { replay.withLock { $0 = next } }

    func stop() { server.withLock { $0 }?.stop() }
}

extension Tree {
    /// Reads a file.
    init(file path: String) throws {
        try self.init(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    }
}

import Foundation
import Synchronization
import TestSupport

/// A source whose pages need a token, and that gives tokens.
final class TokenServer: Sendable {
    struct State {
        /// The access tokens that hold.
        var valid: Set<String> = []
        var given = 0
        /// The refresh token that holds.
        var refreshToken = "refresh-0-secret"
        /// What was asked for tokens with.
        var forms: [String] = []
        var tokenHeaders: [[String: String]] = []
        var pages = 0
    }

    let state = Mutex(State())
    let server: LoopbackServer
    var url: String { server.url }

    /// - Parameters:
    ///   - rotates: Whether a refresh token is good for one use.
    ///   - lifetime: `expires_in`, nil for none.
    ///   - perToken: For how many pages a token is good.
    ///   - gates: What is opened when a token was made, and what it waits for before it is sent.
    ///   - servesOneConnection: Whether a connection is served only once the one before is closed.
    ///   - page: Answers a request whose token holds.
    /// - Throws: Where the port cannot be had.
    init(
        rotates: Bool = true, lifetime: Int? = 3600, perToken: Int = .max,
        gates: (isAsked: Gate, mayAnswer: Gate)? = nil, servesOneConnection: Bool = false,
        page: @escaping @Sendable (ServerRequest) -> ServerResponse = { _ in .text(TokenServer.books) }
    ) throws {
        let shared = Mutex<TokenServer?>(nil)
        server = try LoopbackServer(servesOneConnection: servesOneConnection) { request in
            guard let self = shared.withLock({ $0 }) else { return .hangUp }
            guard request.path == "/token" else { return self.answer(request, perToken: perToken, page: page) }
            let answer = self.giveToken(request, rotates: rotates, lifetime: lifetime)
            gates?.isAsked.open()
            gates?.mayAnswer.wait()
            return answer
        }
        shared.withLock { $0 = self }
    }

    static let books = #"[{"id": 1, "title": "a", "price": 1}, {"id": 2, "title": "b", "price": 2}]"#

    private func giveToken(_ request: ServerRequest, rotates: Bool, lifetime: Int?) -> ServerResponse {
        let form = String(decoding: request.body, as: UTF8.self)
        return state.withLock { state in
            state.forms.append(form)
            state.tokenHeaders.append(
                Dictionary(request.headers.map { ($0.name.lowercased(), $0.value) }) { $1 })
            let fields = form.split(separator: "&").map(String.init)
            let isRefresh = fields.contains("grant_type=refresh_token")
            if isRefresh, !fields.contains("refresh_token=\(state.refreshToken)") {
                return .text(#"{"error": "invalid_grant", "echo": "\#(form)"}"#, status: 400)
            }
            state.given += 1
            let token = "access-\(state.given)-secret"
            state.valid = [token]
            state.pages = 0
            var members = [#""access_token": "\#(token)""#, #""token_type": "Bearer""#]
            if let lifetime { members.append("\"expires_in\": \(lifetime)") }
            if isRefresh, rotates {
                state.refreshToken = "refresh-\(state.given)-secret"
                members.append(#""refresh_token": "\#(state.refreshToken)""#)
            }
            return .text("{\(members.joined(separator: ", "))}")
        }
    }

    private func answer(
        _ request: ServerRequest, perToken: Int, page: (ServerRequest) -> ServerResponse
    ) -> ServerResponse {
        let token = request.header("Authorization")?.replacing("Bearer ", with: "") ?? ""
        let holds = state.withLock { state in
            guard state.valid.contains(token), state.pages < perToken else { return false }
            state.pages += 1
            return true
        }
        return holds ? page(request) : .text("the token \(token) does not hold", status: 401)
    }

    var forms: [String] { state.withLock { $0.forms } }

    func stop() { server.stop() }
}

extension Scene {
    /// A pipeline over a server, with authentication; `source` is further keys of the source.
    init(url: String, auth: String, source: String = "", stream: String = "") throws {
        try self.init(url: url, extra: stream)
        let file = folder.file("books.yaml")
        let more = source.isEmpty ? "" : ", \(source)"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try write("books.yaml", text.replacing("retry:", with: "auth: \(auth)\(more), retry:"))
    }

    /// Everything that a run left: its output, and every file of the folder but the pipeline.
    func sinks(_ results: [Program.Result]) throws -> String {
        var text = results.map { $0.output + $0.errors }.joined()
        for name in try FileManager.default.contentsOfDirectory(atPath: path) where name != "books.yaml" {
            text += String(decoding: try Data(contentsOf: URL(filePath: folder.file(name))), as: UTF8.self)
        }
        return text
    }
}

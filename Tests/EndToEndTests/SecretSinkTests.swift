import Foundation
import TestSupport
import Testing

/// What is secret reaches the source, and no output, file, report or other host.
@Suite struct SecretSinkTests {
    private static let environment = ["KEY": "key-secret", "PART": "part secret/1", "ID": "id-secret"]

    /// Ways in which a source repeats what it was sent.
    enum Echo: String, CaseIterable {
        case refusal, brokenPage, brokenRecord, link, redirect, wrongLength
    }

    private func respond(_ echo: Echo, _ request: ServerRequest) -> ServerResponse {
        let words = "\(request.target) \(request.headers) \(String(decoding: request.body, as: UTF8.self))"
            .replacing("\"", with: "'")
        switch echo {
        case .refusal: return .text(words, status: 403)
        case .brokenPage: return .text("[\(words)")
        case .brokenRecord: return .text(#"[{"id": 1, "title": "t", "price": 1}, {"id": "x", "price": 2}]"#)
        case .link:
            return .text(
                TokenServer.books, headers: [("Link", "<http://127.0.0.2/\(request.target)>; rel=\"next\"")])
        case .redirect: return ServerResponse(status: 302, headers: [("Location", "http://127.0.0.2\(request.target)")])
        case .wrongLength:
            return ServerResponse(body: .bytes(Array("[".utf8), announcing: 99), ending: .close)
        }
    }

    @Test(arguments: Echo.allCases)
    func nothingTellsThem(echo: Echo) throws {
        let server = try LoopbackServer { respond(echo, $0) }
        defer { server.stop() }
        let scene = try Scene(
            url: server.url, auth: "{type: api_key, in: query, name: k, value: \"${env:KEY}\"}",
            source: "headers: {X-Id: \"${env:ID}\"}",
            stream: """
                params: {part: "${env:PART}"}
                    method: POST
                    body: {json: {id: "${env:ID}"}}
                    paginator: {type: header_link}
                """)
        var results: [Program.Result] = []
        for arguments in [
            ["plan", "--log-level", "debug"], ["run", "--log-level", "debug"], ["run", "--format", "json"],
            ["run", "--log-level", "debug", "--log-format", "json"], ["validate"],
        ] {
            results.append(
                try Program.start(arguments + ["books.yaml"], in: scene.path, environment: Self.environment).wait())
        }
        if FileManager.default.fileExists(atPath: scene.store) {
            for arguments in [["quarantine", "list"], ["quarantine", "show", "1"], ["history"], ["status"]] {
                results.append(try Program.start(arguments + ["--store", "sqlite:shop.db"], in: scene.path).wait())
            }
        }
        #expect(server.requests.contains { $0.target.contains("key-secret") }, "the source itself gets them")
        let sinks = try scene.sinks(results)
        for form in ["key-secret", "id-secret", "part secret", "part%20secret", "part+secret"] {
            #expect(!sinks.contains(form), "\(form) in \(sinks)")
        }
    }
}

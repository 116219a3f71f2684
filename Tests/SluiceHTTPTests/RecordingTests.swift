import Foundation
import SluiceHTTP
import Synchronization
import TestSupport
import Testing

/// Exchanges that are kept and answer again.
@Suite struct RecordingTests {
    /// A recording in memory.
    private final class Tape: Sendable {
        let exchanges = Mutex<[(RecordedRequest, RecordedResponse)]>([])
        private let used = Mutex<Set<Int>>([])

        func recorder(_ secrets: [String] = []) -> HTTPRecorder {
            HTTPRecorder(secrets: secrets) { request, response throws(HTTPTrafficError) in
                self.exchanges.withLock { $0.append((request, response)) }
            }
        }

        var replayer: HTTPReplayer {
            HTTPReplayer { request throws(HTTPTrafficError) in
                let all = self.exchanges.withLock { $0 }
                let index = self.used.withLock { used in
                    let found = all.indices.first {
                        !used.contains($0) && all[$0].0.comparedURL == request.comparedURL
                            && all[$0].0.method == request.method
                    }
                    if let found { used.insert(found) }
                    return found
                }
                guard let index else { throw HTTPTrafficError(.notRecorded, "it is not there.") }
                return all[index].1
            }
        }
    }

    private func client(_ world: World, _ traffic: HTTPTraffic) -> HTTPClient {
        var environment = world.environment
        environment.traffic = traffic
        var configuration = HTTPConfiguration(userAgent: "sluice/test")
        configuration.proxy = .none
        return HTTPClient(configuration: configuration, environment: environment)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let responses: [ServerResponse]
    }

    static let cases = [
        Case(testDescription: "a page", responses: [.text("[1]", headers: [("ETag", "\"x\"")])]),
        Case(testDescription: "no content", responses: [ServerResponse(status: 204)]),
        Case(testDescription: "not modified", responses: [ServerResponse(status: 304, headers: [("ETag", "\"x\"")])]),
        Case(
            testDescription: "a redirect",
            responses: [ServerResponse(status: 302, headers: [("Location", "/b?c=1")]), .text("{}")]),
        Case(
            testDescription: "a pause that was asked for",
            responses: [.text("slow down", status: 429, headers: [("Retry-After", "70")]), .text("[2]")]),
        Case(
            testDescription: "two failures that passed",
            responses: [.text("a", status: 500), .text("b", status: 502), .text("[3]")]),
        Case(testDescription: "a refusal", responses: [.text("{\"no\": true}", status: 404)]),
        Case(
            testDescription: "a long refusal",
            responses: [.text(String(repeating: "x", count: 300_000), status: 400)]),
        Case(
            testDescription: "a body that broke off before",
            responses: [
                ServerResponse(body: .bytes(Array("[".utf8), announcing: 9), ending: .close), .text("[4]"),
            ]),
        Case(
            testDescription: "chunks", responses: [ServerResponse(body: .chunks([Array("[".utf8), Array("5]".utf8)]))]),
        Case(testDescription: "bytes", responses: [ServerResponse(body: .bytes([0xFF, 0x00, 0xFE]))]),
    ]

    @Test(arguments: cases)
    func aReplayEndsAsTheRecordingDid(_ item: Case) throws {
        let server = try LoopbackServer(handler: answers(item.responses))
        let tape = Tape()
        let request = HTTPRequest(url: server.url + "/a?x=1")
        func outcome(_ world: World, _ traffic: HTTPTraffic) -> String {
            var sink = RecordingSink()
            do {
                let exchange = try client(world, traffic).fetch(request, into: &sink)
                return "\(exchange.head.status) \(exchange.head.url) \(exchange.redirects) \(sink.bytes)"
                    + " \(exchange.head.headers.first("ETag") ?? "") \(exchange.head.isBodyDelimited)"
            } catch { return "\(error)" }
        }
        let live = outcome(World(), .recorded(tape.recorder()))
        server.stop()
        let world = World()
        #expect(outcome(world, .replayed(tape.replayer)) == live)
        #expect(world.sleeps.allSatisfy { $0 == .zero })
    }

    @Test func whatWasNotRecordedIsAnErrorOfItsOwn() throws {
        let client = client(World(), .replayed(Tape().replayer))
        let error = #expect(throws: HTTPError.self) { try client.text(HTTPRequest(url: "http://127.0.0.1:1/a")) }
        #expect(error?.code == .notRecorded)
        #expect(error?.isTransient == false)
        #expect(error?.message == "GET http://127.0.0.1:1/a: it is not there.")
    }

    @Test func whatCannotBeKeptEndsTheFetch() throws {
        let server = try LoopbackServer { _ in .text("[]") }
        defer { server.stop() }
        let recorder = HTTPRecorder(secrets: []) { _, _ throws(HTTPTrafficError) in
            throw HTTPTrafficError(.notKept, "the disk is full.")
        }
        let error = #expect(throws: HTTPError.self) {
            try client(World(), .recorded(recorder)).text(HTTPRequest(url: server.url))
        }
        #expect(error?.code == .notKept)
        #expect(recorder.problem?.message == "the disk is full.")
    }

    // MARK: Secrets

    @Test(arguments: [
        (#"{"a": "x tok/1 y"}"#, #"{"a": "x *** y"}"#),
        (#"{"tok/1": 1}"#, #"{"***": 1}"#),
        (#"{"a": "tok\/1"}"#, #"{"a": "***"}"#),
        (#"{"a": "\u0074ok\u002f1é"}"#, #"{"a": "***é"}"#),
        (#"{"a": "say \"tok/1\""}"#, #"{"a": "say \"***\""}"#),
        (#"{"a": "TOK%2f1"}"#, #"{"a": "***"}"#),
        (#"[4711, 47110, -4711, "4711"]"#, #"[0, 47110, -4711, "***"]"#),
        ("{\"a\": \"tok/1\"}\n{\"b\": 4711}\n", "{\"a\": \"***\"}\n{\"b\": 0}\n"),
        (#"["tok/1"#, #"["***"#),
        ("plain tok/1 text", "plain *** text"),
        (#"{"next": "/a?page=2&sig=abc&x=1#f"}"#, #"{"next": "/a?page=2&sig=***1&x=1#f"}"#),
        (#"{"a": "untouched \u00e9 \/ \n"}"#, #"{"a": "untouched \u00e9 \/ \n"}"#),
        (#"{"next": "https://hidden.example/b?c=1"}"#, #"{"next": "/b?c=1"}"#),
    ])
    func bodiesLoseTheirSecretsAndStayWhatTheyAre(body: String, kept: String) {
        var disguise = Disguise(secrets: ["tok/1", "4711", "https://hidden.example"])
        #expect(String(decoding: disguise.body(Array(body.utf8), isLogin: false), as: UTF8.self) == kept)
    }

    @Test(arguments: [
        (
            #"{"access_token":"a","token_type":"Bearer","expires_in":3600,"id":7,"ok":true}"#,
            #"{"access_token":"***","token_type":"Bearer","expires_in":3600,"id":"***","ok":true}"#
        ),
        (#"{"data": {"token": "b", "list": ["c", null]}}"#, #"{"data": {"token": "***", "list": ["***", null]}}"#),
        (#""d""#, #""***""#), ("e", "***"), (#"{"token": "unfinished"#, #"{"token": ***"#),
    ])
    func theAnswerToALoginKeepsNoToken(body: String, kept: String) {
        var disguise = Disguise(secrets: [])
        #expect(String(decoding: disguise.body(Array(body.utf8), isLogin: true), as: UTF8.self) == kept)
        #expect(disguise.response(HTTPField("X-Token", "t"), isLogin: true).value == "***")
    }

    @Test(arguments: [("Set-Cookie", "***"), ("X-Auth-Token", "***"), ("ETag", "v"), ("X-Next-Page-Token", "v")])
    func headersThatHoldSecretsAreHidden(name: String, kept: String) {
        var disguise = Disguise(secrets: [])
        #expect(disguise.response(HTTPField(name, "v"), isLogin: false).value == kept)
    }

    @Test func noBytesTrapAndJSONStaysJSON() throws {
        let seed = UInt64.random(in: .min ... .max)
        var state = seed
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "\\ude00", "12", "tok", "?sig=", "&", "é", " ",
        ]
        var valid = 0
        for _ in 0..<3000 {
            let text = "[\"" + (0..<random(12)).map { _ in pieces[random(pieces.count)] }.joined() + "\", 12]"
            var disguise = Disguise(secrets: ["tok", "12"])
            let clean = disguise.body(Array(text.utf8), isLogin: random(4) == 0)
            guard (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil else { continue }
            valid += 1
            #expect((try? JSONSerialization.jsonObject(with: Data(clean))) != nil, "seed \(seed): \(text)")
        }
        #expect(valid > 100)
    }
}

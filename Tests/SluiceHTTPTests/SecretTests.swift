import SluiceHTTP
import TestSupport
import Testing

@Suite struct SecretTests {
    static let token = "s3cr3t/t0k&n \"x\""

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let response: ServerResponse
    }

    static let encoded = HTTPURL.percentEncoded(token)
    static let cases = [
        Case(testDescription: "echoed", response: .text("you sent \(token)", status: 400)),
        Case(testDescription: "echoed with its scheme", response: .text("Bearer \(token) is wrong", status: 401)),
        Case(testDescription: "echoed percent-encoded", response: .text("?api_key=\(encoded)", status: 404)),
        Case(
            testDescription: "echoed in lower-case hexadecimal", response: .text(encoded.lowercased(), status: 404)),
        Case(
            testDescription: "echoed as a form has it",
            response: .text(encoded.split(separator: "%20").joined(separator: "+"), status: 404)),
        Case(
            testDescription: "echoed in JSON",
            response: .text("{\"token\": \"s3cr3t/t0k&n \\\"x\\\"\"}", status: 403)),
        Case(
            testDescription: "echoed in JSON with slashes escaped",
            response: .text("{\"token\": \"s3cr3t\\/t0k&n \\\"x\\\"\"}", status: 403)),
        Case(
            testDescription: "at the edge of the excerpt",
            response: .text(String(repeating: "a", count: 195) + token, status: 400)),
        Case(testDescription: "reset", response: .reset),
        Case(testDescription: "closed", response: .hangUp),
        Case(
            testDescription: "redirected to another host",
            response: ServerResponse(
                status: 302, headers: [("Location", "http://other.example/?api_key=\(encoded)&x=\(encoded)")])),
        Case(
            testDescription: "redirected to a broken URL",
            response: ServerResponse(status: 302, headers: [("Location", "gopher://x/\(encoded)")])),
        Case(
            testDescription: "redirected in a circle",
            response: ServerResponse(status: 302, headers: [("Location", "/again/\(encoded)?sig=\(encoded)")])),
    ]

    @Test(arguments: cases)
    func noMessageHoldsASecret(_ item: Case) throws {
        let server = try LoopbackServer { _ in item.response }
        defer { server.stop() }
        var request = HTTPRequest(url: server.url + "/\(Self.encoded)/a?token=\(Self.encoded)")
        request.credentialHeaders = [HTTPField("Authorization", "Bearer \(Self.token)")]
        request.credentialParameters = [HTTPField("api_key", Self.token)]
        request.secrets = [Self.token]
        var sink = RecordingSink()
        var texts: [String] = []
        let client = World().client { $0.retry.maximumAttempts = 2 }
        let error = #expect(throws: HTTPError.self) {
            try client.fetch(request, into: &sink) { texts.append("\($0)") }
        }
        texts.append(error?.message ?? "")
        texts.append(String(reflecting: error))
        for text in texts {
            #expect(!text.lowercased().contains("s3cr3t"), "\(text)")
        }
        #expect(error?.message.contains("***") == true)
    }

    /// The secret is `ab`: within words its letters are there by chance.
    @Test(arguments: [
        ("you sent ab", "you sent ***"), ("ab", "***"),
        ("abba, cab, ab_c, xab, größab", "abba, cab, ab_c, xab, größab"),
        (#"{"org":"ab"}"#, #"{"org":"***"}"#), ("?org=AB&cab=1", "?org=***&cab=1"), ("%2Fab.", "%2F***."),
        (#"\nab"#, #"\n***"#), ("1ab ab1 ab-1", "1ab ab1 ***-1"),
    ])
    func aVeryShortSecretIsHiddenWhereItIsAWordOfItsOwn(body: String, shown: String) throws {
        let server = try LoopbackServer { _ in .text(body, status: 400) }
        defer { server.stop() }
        var request = HTTPRequest(url: server.url + "/x?k=ab")
        request.secrets = ["ab"]
        let error = #expect(throws: HTTPError.self) { try World().client().text(request) }
        let message = try #require(error?.message)
        #expect(message.contains(shown) && message.contains("/x?k=***"), "\(message)")
    }

    @Test func aRequestAndAResponseShowNoSecretsWhenPrinted() throws {
        var request = HTTPRequest(url: "https://x.example/\(Self.encoded)?api_key=\(Self.encoded)")
        request.credentialHeaders = [HTTPField("Authorization", "Bearer \(Self.token)")]
        let url = try HTTPURL("https://x.example/?api_key=s3cr3t")
        let head = HTTPResponseHead(status: 200, httpVersion: "2", headers: HTTPHeaders(), url: url)
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(request)", String(reflecting: request), dumped, "\(head)", String(reflecting: head)] {
            #expect(!text.contains("s3cr3t"), "\(text)")
        }
    }

    @Test func anExcerptIsShortAndOnOneLine() throws {
        let body = "first\nsecond\u{1B}[31m\u{202E}" + String(repeating: "ä", count: 500)
        let server = try LoopbackServer { _ in .text(body, status: 400) }
        defer { server.stop() }
        let error = #expect(throws: HTTPError.self) { try World().client().text(HTTPRequest(url: server.url)) }
        let message = try #require(error?.message)
        #expect(message.contains("first\\nsecond\\u{1B}[31m\\u{202E}ä"))
        #expect(!message.contains("\u{1B}"))
        #expect(message.utf8.count < 350)
    }

    @Test func theDisplayURLOfTheCallerIsUsed() throws {
        let server = try LoopbackServer { _ in .text("", status: 404) }
        defer { server.stop() }
        var request = HTTPRequest(url: server.url + "/a?x=hidden")
        request.displayURL = server.url + "/a?x=…"
        let error = #expect(throws: HTTPError.self) { try World().client().text(request) }
        #expect(error?.message.contains("GET \(server.url)/a?x=…: ") == true)
        #expect(error?.message.contains("hidden") == false)
    }
}

import SluiceHTTP
import TestSupport
import Testing

@Suite struct RedirectTests {
    struct MethodCase: CustomTestStringConvertible, Sendable {
        let status: Int
        let method: String
        let then: String
        var testDescription: String { "\(status) \(method)" }
    }

    static let methods = [
        MethodCase(status: 301, method: "GET", then: "GET"), MethodCase(status: 302, method: "GET", then: "GET"),
        MethodCase(status: 301, method: "POST", then: "GET"), MethodCase(status: 302, method: "POST", then: "GET"),
        MethodCase(status: 303, method: "POST", then: "GET"), MethodCase(status: 303, method: "PUT", then: "GET"),
        MethodCase(status: 307, method: "POST", then: "POST"), MethodCase(status: 308, method: "POST", then: "POST"),
        MethodCase(status: 301, method: "PUT", then: "PUT"), MethodCase(status: 303, method: "HEAD", then: "HEAD"),
    ]

    @Test(arguments: methods)
    func methodAndBodyFollowTheStatus(_ item: MethodCase) throws {
        let server = try LoopbackServer { request in
            request.path == "/v1/a"
                ? ServerResponse(status: item.status, headers: [("Location", "../b?x=1")]) : .text("there")
        }
        defer { server.stop() }
        let sends = item.method != "GET" && item.method != "HEAD"
        let request = HTTPRequest(
            method: item.method, url: server.url + "/v1/a", headers: [HTTPField("X-Mine", "1")],
            body: sends ? Array("payload".utf8) : nil)
        var sink = RecordingSink()
        var events: [String] = []
        let exchange = try World().client().fetch(request, into: &sink) { event in
            if case .redirected(let status, let url) = event { events.append("\(status) \(url)") }
        }
        let last = try #require(server.requests.last)
        #expect(last.method == item.then)
        #expect(last.target == "/b?x=1")
        #expect(last.body == (sends && item.then == item.method ? Array("payload".utf8) : []))
        #expect(last.header("X-Mine") == "1")
        #expect(exchange.redirects == 1)
        #expect(exchange.head.url.text == server.url + "/b?x=1")
        #expect(events == ["\(item.status) \(server.url)/b?x=1"])
        #expect(sink.heads.count == 1)
    }

    @Test func anEndlessRedirectIsCutOff() throws {
        let server = try LoopbackServer { _ in ServerResponse(status: 302, headers: [("Location", "/again")]) }
        defer { server.stop() }
        let error = #expect(throws: HTTPError.self) { try World().client().text(HTTPRequest(url: server.url)) }
        #expect(error?.code == .tooManyRedirects)
        #expect(server.requests.count == 11)
    }

    @Test func aRedirectToAnotherHostIsRefused() throws {
        let other = try LoopbackServer { _ in .text("stolen") }
        let server = try LoopbackServer { _ in ServerResponse(status: 302, headers: [("Location", other.url + "/x")]) }
        defer {
            server.stop()
            other.stop()
        }
        let error = #expect(throws: HTTPError.self) { try World().client().text(HTTPRequest(url: server.url)) }
        #expect(error?.code == .hostNotAllowed)
        #expect(error?.message.contains("127.0.0.1:\(server.port)") == true)
        #expect(error?.message.contains("127.0.0.1:\(other.port)") == true)
        #expect(error?.message.contains("`allow_hosts`") == true)
        #expect(other.connectionCount == 0)
    }

    @Test(arguments: [false, true])
    func credentialsGoToAnAllowedHostOnlyIfItGetsThem(_ sendsCredentials: Bool) throws {
        let other = try LoopbackServer { _ in .text("there") }
        let server = try LoopbackServer { _ in ServerResponse(status: 302, headers: [("Location", other.url + "/x")]) }
        defer {
            server.stop()
            other.stop()
        }
        let client = World().client {
            $0.allowedHosts = [
                HTTPAllowedHost(host: "127.0.0.1", port: other.port, sendsCredentials: sendsCredentials)
            ]
        }
        var request = HTTPRequest(url: server.url + "/a", headers: [HTTPField("X-Custom", "c")])
        request.credentialHeaders = [HTTPField("Authorization", "Bearer t0ken")]
        request.credentialParameters = [HTTPField("api_key", "k3y")]
        #expect(try client.text(request) == "there")
        let own = try #require(server.requests.first)
        #expect(own.header("Authorization") == "Bearer t0ken")
        #expect(own.target == "/a?api_key=k3y")
        let foreign = try #require(other.requests.first)
        #expect(foreign.header("Authorization") == (sendsCredentials ? "Bearer t0ken" : nil))
        #expect(foreign.header("X-Custom") == (sendsCredentials ? "c" : nil))
        #expect(foreign.target == (sendsCredentials ? "/x?api_key=k3y" : "/x"))
        #expect(foreign.header("Accept") == "application/json")
        #expect(foreign.header("User-Agent") == "sluice/test")
    }

    @Test func aBodyDoesNotGoToAHostWithoutCredentials() throws {
        let other = try LoopbackServer { _ in .text("there") }
        let server = try LoopbackServer { _ in ServerResponse(status: 307, headers: [("Location", other.url)]) }
        defer {
            server.stop()
            other.stop()
        }
        let client = World().client { $0.allowedHosts = [HTTPAllowedHost(host: "127.0.0.1", port: other.port)] }
        let request = HTTPRequest(method: "POST", url: server.url, body: Array("password".utf8))
        let error = #expect(throws: HTTPError.self) { try client.text(request) }
        #expect(error?.code == .hostNotAllowed)
        #expect(other.connectionCount == 0)
    }

    @Test func aPageLinkToAnotherHostIsHeldToTheSourcesOrigin() throws {
        let server = try LoopbackServer { _ in .text("there") }
        defer { server.stop() }
        var request = HTTPRequest(url: server.url)
        request.origin = HTTPOrigin(scheme: "https", host: "api.example.com")
        request.credentialHeaders = [HTTPField("Authorization", "Bearer t0ken")]
        let error = #expect(throws: HTTPError.self) { try World().client().text(request) }
        #expect(error?.code == .hostNotAllowed)
        #expect(error?.message.contains("api.example.com") == true)
        #expect(server.connectionCount == 0)
    }

    @Test(arguments: ["ftp://127.0.0.1/x", "file:///etc/passwd", "http://[", "javascript:1"])
    func aRedirectThatIsNoWebAddressIsRefused(_ location: String) throws {
        let server = try LoopbackServer { _ in ServerResponse(status: 302, headers: [("Location", location)]) }
        defer { server.stop() }
        let error = #expect(throws: HTTPError.self) { try World().client().text(HTTPRequest(url: server.url)) }
        #expect(error?.code == .invalidURL)
    }

    @Test func aRedirectWithoutTargetIsAnAnswerOfItsOwn() throws {
        let server = try LoopbackServer { _ in ServerResponse(status: 302) }
        defer { server.stop() }
        let error = #expect(throws: HTTPError.self) { try World().client().text(HTTPRequest(url: server.url)) }
        #expect(error?.status == 302)
    }
}

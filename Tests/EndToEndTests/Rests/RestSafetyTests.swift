import Foundation
import TestSupport
import Testing

/// Where credentials go, and that unchanged pages say nothing of the rest.
@Suite struct RestSafetyTests {
    private static let auth = ", auth: {type: bearer, token: \"${env:SHOP_TOKEN}\"}"

    @Test func requestsForTheRestProveWhoAsks() throws {
        let forge = Forge(Invoices.small)
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Invoices.pipeline(server.url, source: Self.auth))
        let run = try Program.run("run", "forge.yaml", in: scene.path, environment: ["SHOP_TOKEN": "hush"])
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer hush", "Bearer hush", "Bearer hush"])
    }

    @Test func aLinkOfAListLeadsToNoOtherHost() throws {
        let other = try LoopbackServer { _ in .text(Invoices.lines("a2")) }
        defer { other.stop() }
        let forge = Forge([
            "/invoices": .body(
                #"[{"id": "i1", "lines": {"data": [{"id": "a1"}], "has_more": true, "next": "\#(other.url)/x"}}]"#)
        ])
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(
            forge: Invoices.pipeline(
                server.url, Invoices.more("{type: json_link, path: next}"), source: Self.auth))
        let run = try Program.run("run", "forge.yaml", in: scene.path, environment: ["SHOP_TOKEN": "hush"])
        #expect(run.code == 5, "\(run.output)\(run.errors)")
        #expect(run.output.contains("allow_hosts") || run.errors.contains("allow_hosts"), "\(run.output)\(run.errors)")
        #expect(other.requests.isEmpty)
        #expect(try scene.lines() == ["i1|a1"])
    }

    @Test func secretsOfTheRequestAreNotTold() throws {
        let forge = Forge(Invoices.small)
        forge["/invoices/i1/lines?after=a2&key=hush"] = .status(500)
        let server = try forge.serve()
        defer { server.stop() }
        let more = Invoices.more(Invoices.byLastRecord, ", params: {key: \"${env:SHOP_KEY}\"}")
        let scene = try Scene(forge: Invoices.pipeline(server.url, more))
        let run = try Program.run(
            "run", "forge.yaml", "--format", "json", in: scene.path, environment: ["SHOP_KEY": "hush"])
        #expect(run.code == 5, "\(run.output)\(run.errors)")
        #expect(server.requests.contains { $0.target.contains("key=hush") })
        #expect(!run.output.contains("hush") && !run.errors.contains("hush"), "\(run.output)\(run.errors)")
    }

    @Test func pagesThatDidNotChangeAreReadAllTheSame() throws {
        let forge = Forge(Invoices.small)
        let server = try LoopbackServer { request in
            if request.header("If-None-Match") != nil { return ServerResponse(status: 304) }
            guard case .body(let text)? = forge[request.target] else { return .text("", status: 404) }
            return ServerResponse(headers: [("ETag", "\"1\"")], body: .bytes(Array(text.utf8)))
        }
        defer { server.stop() }
        let scene = try Scene(forge: Invoices.pipeline(server.url))
        #expect(try scene.forge().code == 0)
        forge["/invoices/i1/lines?after=a4"] = .body(Invoices.lines("a6"))
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.lines().suffix(2) == ["i1|a6", "i2|b1"])
    }
}

import Foundation
import TestSupport
import Testing

/// Whole runs against a real server, honest and not.
@Suite struct HTTPRunTests {
    private static let first = #"[{"id": 1, "title": "a", "price": 1}, {"id": 2, "title": "b", "price": 2}]"#
    private static let second = #"[{"id": 3, "title": "c", "price": 3}]"#

    private static func link(_ target: String) -> [(name: String, value: String)] {
        [("Link", "<\(target)>; rel=\"next\"")]
    }

    @Test func pagesAreFollowedToTheEnd() throws {
        let server = try LoopbackServer { request in
            request.target.contains("page=2")
                ? .text(Self.second) : .text(Self.first, headers: Self.link("/books?page=2"))
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        let result = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let pipelines = try #require(report["pipelines"] as? [[String: Any]])
        let stream = try #require((pipelines[0]["streams"] as? [[String: Any]])?.first)
        #expect(stream["pages"] as? Int == 2)
        #expect(stream["requests"] as? Int == 2)
        #expect(stream["complete"] as? Bool == true)
        #expect(try scene.query("SELECT id, title FROM books ORDER BY id") == ["1|a", "2|b", "3|c"])
    }

    @Test func noContentIsAPageWithoutRecords() throws {
        let server = try LoopbackServer { request in
            if request.number > 1 || request.target.contains("page=2") { return ServerResponse(status: 204) }
            return .text(Self.first, headers: Self.link("/books?page=2"))
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect(server.requests.count == 2)
        #expect(try scene.query("SELECT count(*) FROM books") == ["2"])
        // Nothing at all is not believed, as with any scan that is too small.
        let empty = try Program.run("run", "books.yaml", in: scene.path)
        #expect(empty.code == 4, "\(empty.errors)")
        #expect(empty.output.contains("min_records"), "\(empty.output)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["2"])
    }

    @Test func secretsAppearNowhere() throws {
        let server = try LoopbackServer { request in
            request.headers.contains { $0.value.contains("s3cr3t") }
                ? .text("denied to s3cr3t", status: 403) : .text("no key", status: 401)
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
            .replacing("retry:", with: "auth: {type: bearer, token: \"${env:SHOP_TOKEN}\"}, retry:")
        try scene.write("books.yaml", pipeline)
        for arguments in [["run", "books.yaml", "--format", "json"], ["plan", "books.yaml", "--log-level", "debug"]] {
            let running = try Program.start(arguments, in: scene.path, environment: ["SHOP_TOKEN": "s3cr3t"])
            let result = try running.wait()
            #expect(result.code == 1)
            #expect(!(result.output + result.errors).contains("s3cr3t"))
            #expect((result.output + result.errors).contains("403"))
        }
    }
}

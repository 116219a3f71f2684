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

    /// What a server may do wrong, and what the message must name.
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let words: [String]
        let respond: @Sendable (ServerRequest) -> ServerResponse
        var testDescription: String { name }
    }

    static let faults = [
        Fault(name: "a page links to itself", words: ["circle"]) { _ in
            .text(first, headers: link("/books"))
        },
        Fault(name: "pages repeat under new addresses", words: ["repeat"]) { request in
            let page = Int(request.target.split(separator: "=").last ?? "") ?? 1
            return page > 3 ? .text(first) : .text(first, headers: link("/books?page=\(page + 1)"))
        },
        Fault(name: "every page is the same and leads on", words: ["the same as a page before it"]) { request in
            let page = Int(request.target.split(separator: "=").last ?? "") ?? 1
            return .text(first, headers: link("/books?page=\(page + 1)"))
        },
        Fault(name: "every page is empty and leads on", words: ["the same as a page before it"]) { request in
            let page = Int(request.target.split(separator: "=").last ?? "") ?? 1
            return .text("[]", headers: link("/books?page=\(page + 1)"))
        },
        Fault(name: "a page links to another host", words: ["other.example", "allow_hosts"]) { _ in
            .text(first, headers: link("https://other.example/books"))
        },
        Fault(name: "not found", words: ["404", "/books"]) { _ in .text("{}", status: 404) },
        Fault(name: "a failure for ever", words: ["500"]) { _ in .text("oops", status: 500) },
        Fault(name: "HTML in place of JSON", words: ["HTML"]) { _ in .text("<!doctype html><p>Log in</p>") },
        Fault(name: "half a document", words: ["books"]) { _ in .text(#"[{"id": 1, "title": "a""#) },
        Fault(name: "a value that is no JSON", words: ["line 2, column 21", "/books"]) { _ in
            .text("[{\"id\": 1},\n {\"id\": 2, \"price\": NaN}]")
        },
        Fault(name: "a body that is cut off", words: ["/books"]) { _ in
            ServerResponse(body: .bytes(Array(first.utf8), announcing: 5000), ending: .close)
        },
        Fault(name: "an object where a list should be", words: ["records", "data"]) { _ in
            .text(#"{"error": "no such list"}"#)
        },
    ]

    @Test(arguments: faults)
    func aFaultOfTheServerChangesNothing(fault: Fault) throws {
        let server = try LoopbackServer { request in
            request.target.contains("good") ? .text(Self.first) : fault.respond(request)
        }
        defer { server.stop() }
        let records = fault.words.contains("data") ? "records: data" : "paginator: {type: header_link}"
        let good = try Scene(url: server.url + "/good")
        #expect(try Program.run("run", "books.yaml", in: good.path).code == 0)
        let before = try good.contents()
        let bad = try Scene(url: server.url, extra: records)
        let result = try Program.run("run", "books.yaml", "--store", "sqlite:\(good.store)", in: bad.path)
        #expect(result.code == 1, "\(result.output)")
        for word in fault.words { #expect((result.output + result.errors).contains(word), "\(result.errors)") }
        #expect(try good.contents() == before)
        // The same fault on a first run leaves no store behind.
        #expect(try Program.run("run", "books.yaml", in: bad.path).code == 1)
        #expect(!FileManager.default.fileExists(atPath: bad.store))
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

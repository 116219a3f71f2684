import Foundation
import TestSupport
import Testing

/// Runs against a server program that others wrote: TLS, HTTP/2, compression, versions and limits as they are out there.
@Suite(.disabled(if: Nginx.isMissing, "nginx or openssl is not installed; `make setup` installs them"))
struct NginxTests {
    private static let pages = 12
    /// How many pages the links lead through. A page that told of more would contradict their end.
    private static let linkedPages = 3

    private static func page(_ page: Int, of pages: Int = Self.pages, edition: Int = 1) -> String {
        let records = (page * 10..<page * 10 + 10).map {
            "{\"id\": \($0), \"title\": \"Title \($0), edition \(edition)\", \"price\": \"1.50\"}"
        }
        return "{\"pages\": \(pages), \"data\": [\(records.joined(separator: ", "))]}"
    }

    private static func nginx(pages: Int = Self.pages) throws -> Nginx {
        try Nginx(files: Dictionary(uniqueKeysWithValues: (1...pages).map { ("\($0).json", page($0, of: pages)) }))
    }

    private static let counted = "{type: page_number, total_pages_path: pages}"

    private func scene(
        _ nginx: Nginx, path: String = "/items", source: String = "rate_limit: {concurrency: 4}",
        paginator: String = counted, plain: Bool = false
    ) throws -> Scene {
        let scene = try Scene()
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source:
              base_url: \(plain ? nginx.plainURL : nginx.url)
              tls: {ca_file: \(nginx.authority)}
              \(source)
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string, price: decimal}}
            streams:
              - name: books
                entity: Book
                path: \(path)
                records: data[*]
                paginator: \(paginator)
            """)
        return scene
    }

    /// A run's exit code, and what its report says of the stream.
    private func run(_ scene: Scene) throws -> (code: Int32, stream: [String: Any], errors: String) {
        let result = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        let report = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        let pipelines = report?["pipelines"] as? [[String: Any]]
        let stream = (pipelines?.first?["streams"] as? [[String: Any]])?.first
        return (result.code, stream ?? [:], result.errors)
    }

    @Test func pagesComeTogetherOverOneConnection() throws {
        let nginx = try Self.nginx()
        let scene = try scene(nginx)
        let (code, stream, errors) = try run(scene)
        #expect(code == 0, "\(errors)")
        #expect(stream["pages"] as? Int == Self.pages)
        #expect(try scene.query("SELECT count(*), min(id), max(id) FROM books") == ["120|10|129"])
        let requests = try nginx.requests()
        #expect(requests.count == Self.pages)
        #expect(requests.allSatisfy { $0.proto == "HTTP/2.0" && $0.status == "200" && $0.isPacked })
        #expect(Set(requests.map(\.connection)).count == 1)
        #expect(Set(requests.map(\.target)) == Set((1...Self.pages).map { "/items?page=\($0)" }))
    }

    @Test func connectionsInTheClearAreUsedAgain() throws {
        let nginx = try Self.nginx()
        let scene = try scene(nginx, plain: true)
        let (code, _, errors) = try run(scene)
        #expect(code == 0, "\(errors)")
        let requests = try nginx.requests()
        #expect(requests.count == Self.pages && requests.allSatisfy { $0.proto == "HTTP/1.1" && $0.isPacked })
        #expect(Set(requests.map(\.connection)).count <= 4)
    }

    @Test(arguments: ["both", "etag", "last_modified"])
    func pagesThatDidNotChangeAreNotSentAgain(conditional: String) throws {
        let nginx = try Self.nginx(pages: Self.linkedPages)
        let scene = try scene(
            nginx, path: "/linked?page=1", source: "conditional: \(conditional)", paginator: "{type: header_link}")
        #expect(try run(scene).code == 0)
        let (code, stream, errors) = try run(scene)
        #expect(code == 0, "\(errors)")
        #expect(stream["not_modified"] as? Int == 3)
        // The last page has no `Link`, so that its 304 does not say that nothing follows: it is asked for as a whole.
        #expect(try nginx.requests().map(\.status) == ["200", "200", "200", "304", "304", "304", "200"])
        // The time of a file has seconds only, so that the same second could hide the change.
        try nginx.write("2.json", Self.page(2, of: Self.linkedPages, edition: 2))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: nginx.folder.file("data/2.json"))
        #expect(try run(scene).code == 0)
        #expect(try scene.query("SELECT count(*) FROM books WHERE title LIKE '%edition 2'") == ["10"])
    }

    @Test func linksAreFollowedToTheEnd() throws {
        let nginx = try Self.nginx(pages: Self.linkedPages)
        let scene = try scene(nginx, path: "/linked?page=1", paginator: "{type: header_link}")
        let (code, stream, errors) = try run(scene)
        #expect(code == 0, "\(errors)")
        #expect(stream["pages"] as? Int == 3 && stream["complete"] as? Bool == true)
        #expect(try scene.query("SELECT count(*) FROM books") == ["30"])
    }

    @Test func anErrorPageIsToldAndNothingIsWritten() throws {
        let nginx = try Self.nginx()
        try nginx.write("1.json", Self.page(1).replacing("\"pages\": 12", with: "\"pages\": 14"))
        for page in 2...Self.pages {
            try nginx.write("\(page).json", Self.page(page).replacing("\"pages\": 12", with: "\"pages\": 14"))
        }
        let scene = try scene(nginx)
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 1)
        #expect(result.errors.contains("/items?page=13") && result.errors.contains("404"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: scene.store))
    }

    @Test func aPageIsMeasuredWithoutItsCompression() throws {
        let nginx = try Self.nginx()
        // Packed, it is far smaller than the limit.
        try nginx.write(
            "5.json", "{\"pages\": 12, \"data\": [], \"rest\": \"\(String(repeating: "a", count: 40_000))\"}")
        let scene = try scene(nginx, source: "max_response: 20KiB")
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 1)
        #expect(result.errors.contains("page=5") && result.errors.contains("max_response"), "\(result.errors)")
    }

    @Test(arguments: ["/few", "/busy"])
    func requestsThatAreTooManyAreSentAgain(path: String) throws {
        let nginx = try Self.nginx()
        let scene = try scene(
            nginx, path: path,
            source: "rate_limit: {concurrency: 4}\n  retry: {max_attempts: 20, base: 50ms, max_delay: 200ms}")
        let (code, stream, errors) = try run(scene)
        #expect(code == 0, "\(errors)")
        #expect(stream["retries"] as? Int ?? 0 > 0)
        #expect(try scene.query("SELECT count(*) FROM books") == ["120"])
        let refusals = try nginx.requests().filter { $0.status == (path == "/few" ? "429" : "503") }
        #expect(refusals.count == stream["retries"] as? Int)
    }
}

import Foundation
import TestSupport
import Testing

/// `{{ … }}` in requests.
@Suite struct TemplateTests {
    @Test func everyPartOfARequestIsFilledIn() throws {
        let server = try LoopbackServer { _ in .text(TokenServer.books) }
        defer { server.stop() }
        let scene = try Scene(
            url: server.url,
            extra: """
                params: {since: "{{run.started_at}}", until: "u-{{ run.started_at | unix }}"}
                    headers: {X-Day: "{{ run.started_at | date }}", X-Plain: "{ {a} }"}
                    body: {json: {at: "{{ run.started_at|unix }}", text: "at {{ run.started_at | unix }}", list: ["{{ run.started_at | date }}"], 1: 2}}
                """)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml", pipeline.replacing("path: /books", with: "path: \"/at/{{ run.started_at }}/books\""))
        let before = Int(Date().timeIntervalSince1970)
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        let request = try #require(server.requests.first)
        let query = Dictionary(
            (request.query ?? "").split(separator: "&").map { $0.split(separator: "=").map(String.init) }
                .map { ($0[0], $0[1]) }
        ) { $1 }
        let since = try #require(query["since"])
        #expect(request.path == "/at/\(since)/books")
        #expect(since.contains("%3A") && since.hasSuffix("Z"))
        let seconds = try #require(query["until"].flatMap { Int($0.dropFirst(2)) })
        #expect((before...before + 60).contains(seconds))
        let day = String(since.prefix(10))
        #expect(request.header("X-Day") == day)
        #expect(request.header("X-Plain") == "{ {a} }")
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"at":\#(seconds),"text":"at \#(seconds)","list":["\#(day)"],"1":2}"#)
    }

    @Test func aFileMayBeNamedByTheDay() throws {
        let scene = try Scene(records: 2)
        let day = String(ISO8601DateFormatter().string(from: Date()).prefix(10))
        try scene.write("books-\(day).json", TokenServer.books)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            pipeline.replacing("path: books.json", with: "path: \"books-{{ run.started_at | date }}.json\""))
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
    }

    @Test func whatIsSecretIsSentAsItIs() throws {
        let server = try LoopbackServer { _ in .text(TokenServer.books) }
        defer { server.stop() }
        let scene = try Scene(url: server.url, extra: "headers: {X-Key: \"${env:KEY}\"}")
        let result = try Program.start(
            ["run", "books.yaml"], in: scene.path, environment: ["KEY": "{{ not.ours }}"]
        ).wait()
        #expect(result.code == 0, "\(result.errors)")
        #expect(server.requests.first?.header("X-Key") == "{{ not.ours }}")
    }
}

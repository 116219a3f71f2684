import Foundation
import Synchronization
import TestSupport
import Testing

/// Servers that serve one connection at a time and keep it open: a second one would wait for as long as the first is idle.
@Suite struct OneConnectionTests {
    /// Runs a command, and sees that it did not wait for a connection.
    private func run(
        _ arguments: [String], _ scene: Scene, environment: [String: String] = [:]
    ) throws -> Program.Result {
        let start = ContinuousClock.now
        let result = try Program.start(arguments, in: scene.path, environment: environment).wait()
        // The server and the program wait for half a minute.
        #expect(ContinuousClock.now - start < .seconds(25), "\(arguments)")
        return result
    }

    @Test(arguments: ProbedSource.naming)
    func aSourceIsProbedImportedAndRead(source: ProbedSource) throws {
        let server = try LoopbackServer(servesOneConnection: true) { source.respond(SourceQuestion($0)) }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let url = server.url + source.target
        #expect(try run(["probe", url], scene).code == 0)
        let result = try run(
            [
                "import", url, "--table", "things", "--key", "id", "--store", "sqlite:shop.db", "--strict",
                "--write-pipeline", "things.yaml",
            ], scene)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT count(*) FROM things") == ["\(source.records)"])
        let again = try run(["run", "things.yaml", "--changes", "0"], scene)
        #expect(again.output.contains("nothing changed, \(source.records) unchanged"), "\(again.output)\(again.errors)")
    }

    /// Tokens come from the source itself, before the first page and when one no longer holds.
    @Test func aLoginAtTheSourceGoesOverItsConnection() throws {
        let source = try TokenServer(lifetime: nil, perToken: 2, servesOneConnection: true) { request in
            let number = Int(request.target.split(separator: "=").last ?? "") ?? 1
            let headers = number < 3 ? [(name: "Link", value: "</books?page=\(number + 1)>; rel=\"next\"")] : []
            return .text(#"[{"id": \#(number), "title": "t", "price": 1}]"#, headers: headers)
        }
        defer { source.stop() }
        let login =
            "{type: oauth2, flow: client_credentials, token_url: \"\(source.url)/token\", client_id: \"${env:CLIENT_ID}\", client_secret: \"${env:CLIENT_SECRET}\"}"
        let scene = try Scene(url: source.url, auth: login, stream: "paginator: {type: header_link}")
        let result = try run(
            ["run", "books.yaml"], scene, environment: ["CLIENT_ID": "name", "CLIENT_SECRET": "word"])
        #expect(result.code == 0, "\(result.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["3"])
        #expect(source.forms.count == 2)
    }

    @Test func aRecordThatIsMissingIsAskedForOverTheSameConnection() throws {
        let isShort = Mutex(false)
        let server = try LoopbackServer(servesOneConnection: true) { request in
            if request.path != "/books" { return .text("no such book", status: 404) }
            let ids = isShort.withLock { $0 } ? 1...2 : 1...3
            return .text("[" + ids.map { #"{"id":\#($0),"title":"t","price":1}"# }.joined(separator: ",") + "]")
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url, extra: "")
        let file = scene.folder.file("books.yaml")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try scene.write(
            "books.yaml",
            text.replacing("max_delete: 100%", with: "max_delete: 100%, confirm: {path: \"/books/{{ key.id }}\"}"))
        #expect(try run(["run", "books.yaml"], scene).code == 0)
        isShort.withLock { $0 = true }
        let result = try run(["run", "books.yaml"], scene)
        #expect(result.code == 0 && result.output.contains("1 deleted"), "\(result.output)\(result.errors)")
        #expect(try run(["doctor", "books.yaml"], scene).code == 0)
    }
}

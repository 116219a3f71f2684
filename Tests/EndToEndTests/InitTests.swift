import Foundation
import TestSupport
import Testing

/// `sluice init`: from a URL to a folder in which a sync can begin.
@Suite struct InitTests {
    private static let secret = "s3cret-of-the-shop"

    private static func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            guard request.header("authorization") == "Bearer \(secret)" else { return .text("no", status: 401) }
            let page = request.query?.contains("page=2") == true ? 2 : 1
            let records = (1...3).map { #"{"id": \#(page * 10 + $0), "title": "book \#($0)"}"# }
            return .text(#"{"data": [\#(records.joined(separator: ","))], "total": 3}"#)
        }
    }

    private static func begin(_ server: LoopbackServer, in scene: Scene, _ more: String...) throws -> Program.Result {
        try Program.start(
            ["init", "\(server.url)/books", "--header", "Authorization: Bearer \(secret)", "--to", "shop"] + more,
            in: scene.path
        ).wait()
    }

    @Test func theFolderIsFitForASync() throws {
        let server = try Self.server()
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let result = try Self.begin(server, in: scene)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        for line in ["  cd shop", "  cp .env.example .env", "  sluice plan books.yaml --env-file .env"] {
            #expect(result.output.contains(line), "\(result.output)")
        }
        let folder = scene.path + "/shop"
        var all = result.output + result.errors
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            all += try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        }
        #expect(!all.contains(Self.secret))
        let example = try String(contentsOfFile: folder + "/.env.example", encoding: .utf8)
        #expect(example.hasSuffix("# the secret part of the header Authorization\nAUTHORIZATION=\n"), "\(example)")
        let environment = ["AUTHORIZATION": Self.secret]
        #expect(try Program.run("validate", "books.yaml", in: folder, environment: environment).code == 0)
        let run = try Program.run("run", "books.yaml", in: folder, environment: environment)
        #expect(run.code == 0 && run.output.contains("3 inserted"), "\(run.output)\(run.errors)")
        #expect(FileManager.default.fileExists(atPath: folder + "/books.db"))
    }

    @Test func whatIsThereStays() throws {
        let server = try Self.server()
        defer { server.stop() }
        let scene = try Scene(records: 1)
        try FileManager.default.createDirectory(atPath: scene.path + "/shop", withIntermediateDirectories: true)
        try scene.write("shop/.gitignore", "*.log\n.env")
        try scene.write("shop/.env.example", "AUTHORIZATION=Bearer of the shop\n")
        #expect(try Self.begin(server, in: scene, "--quiet").code == 0)
        let ignored = try String(contentsOfFile: scene.path + "/shop/.gitignore", encoding: .utf8)
        #expect(ignored == "*.log\n.env\n*.db\n*.db-journal\n*.db-shm\n*.db-wal\n")
        let example = try String(contentsOfFile: scene.path + "/shop/.env.example", encoding: .utf8)
        #expect(example.hasPrefix("AUTHORIZATION=Bearer of the shop\n") && !example.contains("\nAUTHORIZATION="))
        let requests = server.requests.count
        let again = try Self.begin(server, in: scene)
        #expect(again.code == 1 && again.errors.contains("books.yaml` exists"), "\(again.errors)")
        #expect(server.requests.count == requests)
    }

    @Test func aTerminalIsAsked() throws {
        let server = try LoopbackServer { _ in .text(#"[{"id": 1}, {"id": 2}]"#) }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let program = Program.products.appending(path: "sluice").path
        let running = try Running(
            executable: URL(filePath: "/bin/sh"),
            arguments: ["-c", "echo '\(server.url)/books' | script -qec '\(program) init --no-progress' /dev/null"],
            folder: scene.path, environment: [:])
        let result = try running.wait()
        #expect(result.output.contains("URL of the first page: "), "\(result.output)")
        #expect(FileManager.default.fileExists(atPath: scene.path + "/books.yaml"), "\(result.output)")
    }

    @Test func nobodyIsAskedWithoutATerminal() throws {
        let scene = try Scene(records: 1)
        let result = try Program.run("init", in: scene.path)
        #expect(result.code == 64 && result.errors.contains("`sluice init` needs a URL"), "\(result.errors)")
    }
}

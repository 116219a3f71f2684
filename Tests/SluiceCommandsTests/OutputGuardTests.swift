import Foundation
import SluiceCommands
import SluiceSystem
import TestSupport
import Testing

/// No option replaces a file that its command reads, and what cannot be written is said before anything is asked.
@Suite struct OutputGuardTests {
    @Test("Each option that names a file says what becomes of it")
    func everyOptionIsKnown() {
        let known =
            OptionSpec.filesWritten + OptionSpec.foldersWritten + OptionSpec.filesRead + OptionSpec.foldersRead
            + OptionSpec.filesNamed
        let named = Set(OptionSpec.all.filter { $0.value == .file }.map(\.id))
        #expect(Set(known) == named && known.count == named.count)
    }

    /// A pipeline that reads as many kinds of files as there are.
    private static func shop() throws -> Workshop {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            include: [entities.yaml]
            vars: {part: books}
            source: {base_url: "file:."}
            streams:
              - {name: books, entity: Book, path: "${var:part}.json"}
              - {name: more, entity: Book, path: "more-*.json"}
            merge: {precedence: [books, more]}
            """, to: "shop.yaml")
        try shop.write(
            "entities: {Book: {table: books, primary_key: [id], fields: {id: int, title: string}}}", to: "entities.yaml"
        )
        try shop.write(#"[{"id": 1, "title": "Dune"}]"#, to: "books.json")
        try shop.write(#"[{"id": 2, "title": "Emma"}]"#, to: "more-1.json")
        try shop.write("NAME=value\n", to: "secrets.env")
        return shop
    }

    private static let read = ["shop.yaml", "entities.yaml", "books.json", "more-1.json", "secrets.env"]

    @Test(arguments: [
        ["plan", "--output"], ["plan", "--html"], ["plan", "--save"], ["run", "--output"], ["run", "--html"],
        ["validate", "--output"], ["schedule", "--output"], ["doctor", "--output"], ["inspect", "drift", "--output"],
        ["generate", "swift", "--output"], ["generate", "cron", "--output"],
    ])
    func whatIsReadStays(words: [String]) throws {
        let shop = try Self.shop()
        for file in Self.read {
            let before = try shop.read(file)
            let arguments = Array(words.dropLast()) + [shop.pipeline, words[words.count - 1], "\(shop.folder)/\(file)"]
            let takesVariables = ["plan", "run"].contains(words[0])
            if file == "secrets.env" && !takesVariables { continue }
            let more = takesVariables ? ["--env-file", "\(shop.folder)/secrets.env"] : []
            let outcome = shop.run(arguments + more)
            #expect(outcome.code == 64, "\(arguments): \(outcome)")
            #expect(outcome.errors.contains("is a file that this command reads"), "\(arguments): \(outcome.errors)")
            #expect(try shop.read(file) == before)
            #expect(!shop.files.contains("shop.db"), "\(arguments)")
        }
    }

    @Test(
        "No result replaces another one of the same command",
        arguments: [
            ["--save", "out", "--output", "out"], ["--save", "out", "--html", "./out"],
            ["--output", "out", "--html", "out"],
            ["--output", "books.json.new", "--html", "link"],
        ])
    func resultsAreWrittenApart(options: [String]) throws {
        let shop = try Self.shop()
        try shop.write("old", to: "books.json.new")
        try FileManager.default.createSymbolicLink(
            atPath: "\(shop.folder)/link", withDestinationPath: "\(shop.folder)/books.json.new")
        let named = options.map { $0.hasPrefix("--") ? $0 : "\(shop.folder)/\($0)" }
        let outcome = shop.run(["plan", shop.pipeline] + named)
        #expect(outcome.code == 64 && outcome.errors.contains("one would replace the other"), "\(outcome)")
        #expect(!shop.files.contains("out"), "\(shop.files)")
        #expect(try shop.read("books.json.new") == "old")
    }

    @Test func devicesTakeSeveralResults() throws {
        let shop = try Self.shop()
        #expect(shop.run(["plan", shop.pipeline, "--output", "/dev/null", "--html", "/dev/null"]).code == 0)
    }

    @Test func recordingsStay() throws {
        let server = try LoopbackServer { _ in .text(#"[{"id": 1, "title": "Dune"}]"#) }
        defer { server.stop() }
        let shop = try Self.web(server)
        #expect(shop.run(["record", "\(shop.folder)/web.yaml", "--to", "\(shop.folder)/kept"]).code == 0)
        let folder = "\(shop.folder)/kept/web"
        let file = try #require(FileSystem.names(in: folder).first)
        let outcome = shop.run(
            ["plan", "\(shop.folder)/web.yaml", "--replay", "\(shop.folder)/kept", "--output", "\(folder)/\(file)"])
        #expect(outcome.code == 64 && outcome.errors.contains("is a file that this command reads"), "\(outcome)")
    }

    /// A shop with a pipeline that asks a server.
    private static func web(_ server: LoopbackServer) throws -> Workshop {
        let shop = try Self.shop()
        try shop.write(
            """
            version: 1
            name: web
            source: {base_url: "\(server.url)"}
            entities: {Book: {table: books, primary_key: [id], fields: {id: int, title: string}}}
            streams: [{name: books, entity: Book, path: /books}]
            """, to: "web.yaml")
        return shop
    }

    @Test("A folder that is a file, or lies in one, is refused before the network is asked")
    func foldersAreFolders() throws {
        let server = try LoopbackServer { _ in .text(#"[{"id": 1, "title": "Dune"}]"#) }
        defer { server.stop() }
        let shop = try Self.web(server)
        let file = "\(shop.folder)/books.json"
        for arguments in [
            ["init", "\(server.url)/books", "--to", file], ["init", "\(server.url)/books", "--to", "\(file)/within"],
            ["record", "\(shop.folder)/web.yaml", "--to", file], ["generate", "swift", shop.pipeline, "--to", file],
            ["generate", "systemd", shop.pipeline, "--to", file],
        ] {
            let outcome = shop.run(arguments)
            #expect(outcome.code == 64 && outcome.errors.contains("a folder is needed"), "\(arguments): \(outcome)")
        }
        // The folder of pipelines that it makes may be a file as well.
        try shop.write("text", to: "pipelines")
        let outcome = shop.run(["init", "\(server.url)/books", "--to", shop.folder])
        #expect(outcome.code == 64 && outcome.errors.contains("a folder is needed"), "\(outcome)")
        #expect(server.requests.isEmpty)
    }

    @Test("A pipeline file that exists is refused before the network is asked")
    func pipelinesStay() throws {
        let server = try LoopbackServer { _ in .text(#"[{"id": 1, "title": "Dune"}]"#) }
        defer { server.stop() }
        let shop = try Self.shop()
        for command in ["probe", "import"] {
            let outcome = shop.run([command, "\(server.url)/books", "--write-pipeline", shop.pipeline])
            #expect(outcome.code == 1 && outcome.errors.contains("exists"), "\(command): \(outcome)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test("A place where no pipeline file can be is refused before the network is asked")
    func pipelinesHaveAPlace() throws {
        let server = try LoopbackServer { _ in .text(#"[{"id": 1, "title": "Dune"}]"#) }
        defer { server.stop() }
        let shop = try Workshop()
        for command in ["probe", "import"] {
            for (path, words) in [
                (shop.folder, "is a folder"), ("\(shop.folder)/none/p.yaml", "cannot be written"),
            ] {
                let outcome = shop.run([command, "\(server.url)/books", "--write-pipeline", path])
                #expect(outcome.code == 1 && outcome.errors.contains(words), "\(command) \(path): \(outcome)")
            }
        }
        #expect(server.requests.isEmpty && shop.files.isEmpty)
    }
}

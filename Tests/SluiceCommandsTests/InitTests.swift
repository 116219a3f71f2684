import SluiceCommands
import SluiceSystem
import TestSupport
import Testing

/// `sluice init` makes a folder with a first pipeline, and harms nothing that is there.
@Suite struct InitTests {
    private let folder: TemporaryDirectory
    private let server: LoopbackServer

    init() throws {
        folder = try TemporaryDirectory()
        server = try LoopbackServer { _ in .text(#"[{"id": 1, "title": "Dune"}, {"id": 2, "title": "Emma"}]"#) }
    }

    private func run(
        _ arguments: [String], ask: ((String) -> String?)? = nil
    ) -> (code: Int32, output: String, errors: String) {
        let (output, errors) = (MemorySink(), MemorySink())
        let code = Sluice.run(
            arguments: ["init"] + arguments + ["--to", folder.path],
            context: CommandContext(output: output, errors: errors, ask: ask))
        return (code, output.text, errors.text)
    }

    private func read(_ name: String) throws -> String {
        String(decoding: try FileSystem.contents(of: folder.file(name)), as: UTF8.self)
    }

    private func write(_ text: String, to name: String) throws {
        try OutputStream(writing: folder.file(name)).write(text)
    }

    private static let ignored = "# secrets\n.env\n# stores, and what stands beside them\n*.db\n*.db-*\nsluice-serve/\n"

    @Test func itMakesWhatAFirstSyncNeeds() throws {
        defer { server.stop() }
        let outcome = run(["\(server.url)/books"])
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        #expect(try read("pipelines/books.yaml").contains("primary_key: [id]"))
        #expect(try read("pipelines/books.yaml").contains("\nstore: \"sqlite:../sluice.db\"\n"))
        #expect(try read(".gitignore") == Self.ignored)
        #expect(try read(".env.example").hasSuffix("fill that in.\n"))
        #expect(
            outcome.output.hasSuffix(
                """
                  \(folder.path)/pipelines/books.yaml  (written)
                  \(folder.path)/.env.example  (written)
                  \(folder.path)/.gitignore  (written)

                Next:
                  cd \(folder.path)
                  sluice validate
                  sluice plan
                  sluice run

                """), "\(outcome.output)")
    }

    /// The first secret need not be typed into a command line: a file has it, as it will have it for runs.
    @Test(arguments: ["init", "probe", "import"])
    func aFileHasTheFirstSecret(_ command: String) throws {
        defer { server.stop() }
        try write("TOKEN=hunter2-hidden\n", to: "secrets.env")
        func run(_ more: String...) -> (code: Int32, text: String) {
            let (output, errors) = (MemorySink(), MemorySink())
            let own = command == "init" ? ["--to", folder.path] : command == "import" ? ["--plan"] : []
            let code = Sluice.run(
                arguments: [command, "\(server.url)/books"] + more + own,
                context: CommandContext(output: output, errors: errors))
            return (code, output.text + errors.text)
        }
        let header = ["--header", "Authorization: Bearer ${env:TOKEN}"]
        let unset = run(header[0], header[1])
        #expect(
            unset.code == 64 && unset.text.contains("the environment variable `TOKEN`, which is not set"), "\(unset)")
        let body = run("--body", #"{"token": "${env:TOKEN}"}"#)
        #expect(body.code == 64 && body.text.contains("is not filled in within `--body`"), "\(body)")
        #expect(server.requests.isEmpty)
        let outcome = run(header[0], header[1], "--env-file", folder.file("secrets.env"))
        #expect(outcome.code == 0 && !outcome.text.contains("hidden"), "\(outcome)")
        #expect(!server.requests.isEmpty)
        #expect(server.requests.allSatisfy { $0.header("Authorization") == "Bearer hunter2-hidden" })
        if command == "init" {
            let pipeline = try read("pipelines/books.yaml")
            // The variable keeps the name that it has.
            #expect(!pipeline.contains("hunter2") && pipeline.contains("token: \"${env:TOKEN}\""), "\(pipeline)")
            #expect(try read(".env.example").hasSuffix("\nTOKEN=\n"))
        }
    }

    @Test func secretsAreNamedAndNotWritten() throws {
        defer { server.stop() }
        let outcome = run(["\(server.url)/books", "--header", "Authorization: Bearer hunter2-hidden"])
        #expect(outcome.code == 0)
        #expect(try read(".env.example").hasSuffix("\n# the secret part of `Authorization`\nAUTHORIZATION=\n"))
        #expect(outcome.output.contains("cp .env.example .env    # and fill in AUTHORIZATION\n"), "\(outcome.output)")
        #expect(outcome.output.hasSuffix("  sluice run --env-file .env\n"))
        let texts =
            try ["pipelines/books.yaml", ".env.example", ".gitignore"].map(read) + [outcome.output, outcome.errors]
        #expect(texts.allSatisfy { !$0.contains("hidden") })
        #expect(server.requests.allSatisfy { $0.header("Authorization") == "Bearer hunter2-hidden" })
    }

    /// Two sources in one folder do not share a secret; two pipelines of one source do.
    @Test func anotherSourceHasAVariableOfItsOwn() throws {
        defer { server.stop() }
        let other = try LoopbackServer { _ in .text(#"[{"id": 1, "title": "Dune"}]"#) }
        defer { other.stop() }
        let header = ["--header", "Authorization: Bearer x"]
        #expect(run(["\(server.url)/books"] + header).code == 0)
        #expect(run(["\(server.url)/novels"] + header).code == 0)
        #expect(run(["\(other.url)/authors"] + header).code == 0)
        #expect(try read("pipelines/novels.yaml").contains("auth: {type: bearer, token: \"${env:AUTHORIZATION}\"}"))
        #expect(try read("pipelines/authors.yaml").contains("token: \"${env:AUTHORS_AUTHORIZATION}\""))
        let names = try read(".env.example").split(separator: "\n").filter { $0.hasSuffix("=") }
        #expect(names == ["AUTHORIZATION=", "AUTHORS_AUTHORIZATION="])
    }

    @Test func whatIsFilledInStays() throws {
        defer { server.stop() }
        try write("AUTHORIZATION=hunter2\n", to: ".env")
        let header = ["--header", "Authorization: Bearer x"]
        let known = run(["\(server.url)/books"] + header)
        #expect(
            known.code == 0 && known.output.contains("Next:\n  cd \(folder.path)\n  sluice validate --env-file .env\n"))
        let new = run(["\(server.url)/novels", "--header", "X-API-Key: y"])
        #expect(new.output.contains("\n  echo 'X_API_KEY=' >> .env    # and fill it in\n"), "\(new.output)")
        #expect(!new.output.contains("cp ") && !new.output.contains("hunter2"))
    }

    /// What stands in a folder, and what becomes of it.
    struct Own: CustomTestStringConvertible {
        let name: String
        let file: String
        let before: String
        let after: String
        let words: String
        var testDescription: String { name }
    }

    @Test(arguments: [
        Own(
            name: "what has all lines is left", file: ".gitignore",
            before: "*.db-*\n.env\nsluice-serve/\nbuild\n*.db\n",
            after: "*.db-*\n.env\nsluice-serve/\nbuild\n*.db\n", words: "left as it is"),
        Own(
            name: "lines are added behind one without an end", file: ".gitignore", before: "build\n*.db",
            after: "build\n*.db\n# secrets\n.env\n*.db-*\nsluice-serve/\n", words: "lines were added"),
        Own(
            name: "a variable that is there is not added", file: ".env.example",
            before: "export AUTHORIZATION='mine'\n",
            after: "export AUTHORIZATION='mine'\n", words: "left as it is"),
        Own(
            name: "a variable that is not there is added", file: ".env.example", before: "AUTHORIZATION_OLD=1\n",
            after: "AUTHORIZATION_OLD=1\n# the secret part of `Authorization`\nAUTHORIZATION=\n",
            words: "lines were added"),
    ])
    func whatIsThereStays(_ own: Own) throws {
        defer { server.stop() }
        try write(own.before, to: own.file)
        let outcome = run(["\(server.url)/books", "--header", "Authorization: Bearer x"])
        #expect(outcome.code == 0)
        #expect(try read(own.file) == own.after)
        #expect(outcome.output.contains("\(own.file)  (\(own.words))\n"), "\(outcome.output)")
    }

    @Test func aPipelineThatIsThereIsRefusedBeforeAnythingIsAsked() throws {
        defer { server.stop() }
        try FileSystem.makeFolders(folder.file("pipelines"))
        try write("mine", to: "pipelines/books.yaml")
        let outcome = run(["\(server.url)/books"])
        #expect(outcome.code == 1 && outcome.errors.contains("pipelines/books.yaml` exists"), "\(outcome.errors)")
        #expect(try read("pipelines/books.yaml") == "mine")
        #expect(server.requests.isEmpty && FileSystem.kind(of: folder.file(".gitignore")) == nil)
        #expect(run(["\(server.url)/books", "--table", "novels"]).code == 0)
        #expect(try read("pipelines/novels.yaml").contains("table: novels"))
    }

    @Test func itAsksForTheURLWhereSomebodyCanAnswer() throws {
        defer { server.stop() }
        var questions: [String] = []
        let outcome = run([]) {
            questions.append($0)
            return "\(server.url)/books"
        }
        #expect(outcome.code == 0 && questions == ["The URL of the first page: "], "\(outcome.errors)")
        #expect(FileSystem.kind(of: folder.file("pipelines/books.yaml")) == .file)
    }

    @Test func itAsksAgainWhereAnAnswerIsNoURL() throws {
        defer { server.stop() }
        var answers = ["", "books.json", "\(server.url)/books"]
        var questions: [String] = []
        let outcome = run([]) {
            questions.append($0)
            return answers.removeFirst()
        }
        let question = "The URL of the first page: "
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(
            questions == [
                question, "No URL was given. Ctrl-D ends the command.\n\(question)",
                "A URL begins with http:// or https://. For files, use `sluice import`.\n\(question)",
            ])
    }

    @Test func withoutAURLNothingIsMade() throws {
        defer { server.stop() }
        let unasked = run([])
        #expect(
            unasked.code == 64 && unasked.errors.contains("`sluice init` needs the URL of the first page"),
            "\(unasked.errors)")
        let wrong = run(["books.json"])
        #expect(wrong.code == 64 && wrong.errors.contains("A URL begins with http:// or https://."), "\(wrong.errors)")
        // As Ctrl-D says.
        let unanswered = run([]) { _ in nil }
        #expect(unanswered.code == 130 && unanswered.output == "", "\(unanswered)")
        #expect(FileSystem.kind(of: folder.file("pipelines")) == nil)
    }

    @Test func aSourceThatCannotBeReadLeavesNothing() throws {
        defer { server.stop() }
        let closed = try ClosedPort()
        let outcome = run(["http://127.0.0.1:\(closed.port)/books"])
        #expect(outcome.code == 1, "\(outcome.errors)")
        #expect(FileSystem.matches(of: "\(folder.path)/*").isEmpty)
    }
}

import Foundation
import TestSupport
import Testing

/// What `sluice init` makes and says works as it stands.
@Suite struct InitFlowTests {
    @Test func theCommandsThatComeNextWork() throws {
        let server = try LoopbackServer { request in
            request.header("Authorization") == "Bearer hunter2-hidden"
                ? .text(#"[{"id": 1, "title": "Dune"}, {"id": 2, "title": "Emma"}]"#) : .text("no", status: 401)
        }
        defer { server.stop() }
        let folder = try TemporaryDirectory()
        let made = try Program.run(
            "init", "\(server.url)/books", "--to", "book shop", "--header", "Authorization: Bearer hunter2-hidden",
            in: folder.path)
        #expect(made.code == 0, "\(made.errors)")
        let next = try #require(made.output.components(separatedBy: "\nNext:\n").last)
        // Somebody fills in the value between the commands.
        let script = next.replacing(
            "AUTHORIZATION\n", with: "AUTHORIZATION\n  echo AUTHORIZATION=hunter2-hidden >> .env\n")
        #expect(next != script, "\(next)")
        try ("set -euo pipefail\n" + script + "git init -q . && git add -A && git ls-files\n").write(
            toFile: folder.file("next.sh"), atomically: true, encoding: .utf8)
        let path = Program.products.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let result = try Running(
            executable: URL(filePath: "/bin/bash"), arguments: ["next.sh"], folder: folder.path,
            environment: ["PATH": path]
        ).wait()
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("Run 1 of books: 2 inserted"), "\(result.output)")
        #expect(result.output.hasSuffix("\n.env.example\n.gitignore\npipelines/books.yaml\n"), "\(result.output)")
        #expect(!(made.output + made.errors + result.output + result.errors).contains("hidden"))
        // From wherever a command is given, it is the same store.
        let status = try Program.run("status", "book shop/pipelines", in: folder.path)
        #expect(status.code == 0 && status.output.contains("run 1 succeeded"), "\(status)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!files.contains("sluice.db"), "\(files)")
    }
}

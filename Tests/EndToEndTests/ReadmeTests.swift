import Foundation
import TestSupport
import Testing

/// The README tells the truth: its commands run as they stand, one after the other.
@Suite struct ReadmeTests {
    @Test func theQuickStartRuns() throws {
        let folder = try TemporaryDirectory()
        let script = try blocks("sh").filter { !$0.contains("make ") }.joined(separator: "\n")
        #expect(script.contains("sluice run books.yaml"))
        try ("set -euo pipefail\n" + script).write(toFile: folder.file("readme.sh"), atomically: true, encoding: .utf8)
        let path = Program.products.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let running = try Running(
            executable: URL(filePath: "/bin/bash"), arguments: ["readme.sh"], folder: folder.path,
            environment: ["PATH": path])
        let result = try running.wait()
        #expect(result.code == 0, "\(result.output)\n\(result.errors)")
        #expect(result.output.contains("Dune (1965)"), "the correction stands")
        #expect(result.output.contains("13.90"), "the new price is taken")
        #expect(result.output.contains("Dune, a novel"), "the conflict shows what the source says")
        #expect(result.output.contains("\"Dune (1965)\" stays"), "the conflict is decided")
        for shown in try blocks("text") { #expect(result.output.contains(shown), "\(result.output)") }
    }

    /// A guide whose commands run one after the other, and what they must say besides the blocks that it shows.
    struct Guide: CustomTestStringConvertible {
        let name: String
        var output: [String] = []
        var errors: [String] = []
        var testDescription: String { name }
    }

    @Test(arguments: [
        Guide(
            name: "renaming", output: ["\n1|Dune (1965)\n"], errors: ["renamed_from: title", "--allow-schema drop"]),
        // Objects are records of their own; one label was added here and one went there; a list went on.
        Guide(
            name: "nested-data",
            output: ["It is slow|ann\nIt is fast|bob\n", "\n2,3\n", "\nin_1|Tea,Cup,Pot\nin_2|Jam\n"]),
        Guide(name: "csv"), Guide(name: "getting-started", errors: []), Guide(name: "merge"),
        Guide(name: "deletes", errors: ["3 records (`total`), and 1 was read", "--allow-deletes 2"]),
        Guide(name: "incremental"), Guide(name: "secrets"), Guide(name: "store"), Guide(name: "import"),
        Guide(name: "schedule"), Guide(name: "adopted-tables"), Guide(name: "plans"),
        Guide(name: "operation"),
        Guide(name: "report", output: [#"{"format":"sluice.report/1","pipelines":["#]),
    ])
    func theGuideRuns(_ guide: Guide) throws {
        let folder = try TemporaryDirectory()
        let file = "docs/\(guide.name).md"
        let script = try blocks("sh", of: file).joined(separator: "\n")
        try ("set -euo pipefail\n" + script).write(toFile: folder.file("guide.sh"), atomically: true, encoding: .utf8)
        let path = Program.products.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let result = try Running(
            executable: URL(filePath: "/bin/bash"), arguments: ["guide.sh"], folder: folder.path,
            environment: ["PATH": path]
        ).wait()
        #expect(!script.isEmpty && result.code == 0, "\(result.output)\n\(result.errors)")
        for shown in try blocks("text", of: file).map({ $0.trimmingCharacters(in: .newlines) }) + guide.output {
            #expect(result.output.contains(shown), "\(result.output)")
        }
        for shown in guide.errors { #expect(result.errors.contains(shown), "\(result.errors)") }
    }

    @Test func theExamplePipelineIsValid() throws {
        let folder = try TemporaryDirectory()
        let example = try #require(try blocks("yaml").first)
        try example.write(toFile: folder.file("example.yaml"), atomically: true, encoding: .utf8)
        let result = try Program.run(
            "validate", "example.yaml", "--strict", in: folder.path, environment: ["GITHUB_TOKEN": "x"])
        #expect(result.code == 0, "\(result.output)\n\(result.errors)")
    }

    @Test func theShippedPipelinesAreValid() throws {
        let result = try Program.run("validate", "pipelines", "--strict", in: Program.project.path)
        #expect(result.code == 0, "\(result.output)\n\(result.errors)")
    }

    @Test func everyMakeTargetThatIsNamedExists() throws {
        let makefile = try text("Makefile")
        let named = try blocks("sh").flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("make ") }
        #expect(!named.isEmpty)
        for line in named {
            let target = line.split(separator: " ")[1]
            #expect(makefile.contains("\n\(target):"), "\(target)")
        }
    }

    @Test func itIsShort() throws { #expect(try text("README.md").split(separator: "\n").count < 200) }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Program.project.appending(path: name), encoding: .utf8)
    }

    /// The fenced blocks of a language.
    private func blocks(_ language: String, of file: String = "README.md") throws -> [String] {
        let parts = try text(file).components(separatedBy: "```")
        return stride(from: 1, to: parts.count, by: 2).compactMap { index in
            parts[index].hasPrefix(language + "\n") ? String(parts[index].dropFirst(language.count + 1)) : nil
        }
    }
}

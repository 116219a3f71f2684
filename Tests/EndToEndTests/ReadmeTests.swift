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
        /// Whether its commands find a server by the environment.
        var server = false
        var testDescription: String { name }
    }

    static let guides = [
        Guide(
            name: "renaming", output: ["\n1|Dune (1965)\n"], errors: ["renamed_from: title", "--allow-schema drop"]),
        // Objects are records of their own; one label was added here and one went there; a list went on.
        Guide(
            name: "nested-data",
            output: ["It is slow|ann\nIt is fast|bob\n", "\n2,3\n", "\nin_1|Tea,Cup,Pot\nin_2|Jam\n"]),
        Guide(name: "csv"), Guide(name: "getting-started", errors: []), Guide(name: "merge"),
        Guide(name: "deletes", errors: ["3 records (`total`), and 1 was read", "--allow-deletes 2"]),
        Guide(name: "incremental"), Guide(name: "secrets"), Guide(name: "store"), Guide(name: "import"),
        Guide(name: "schema", errors: [#""n/a" in {"email":"bob@example.com"}"#]),
        Guide(name: "schedule"), Guide(name: "adopted-tables"), Guide(name: "plans"),
        Guide(name: "operation"), Guide(name: "serve"), Guide(name: "concepts"), Guide(name: "review"),
        Guide(name: "performance", errors: ["info: books: run of `books.yaml`"]),
        Guide(name: "postgresql", server: true),
        Guide(name: "swift-models", output: ["exit code 78", "Other delete rule", "1 difference was mended."]),
        Guide(name: "report", output: [#"{"format":"sluice.report/1","pipelines":["#]),
    ]

    @Test(arguments: guides)
    func theGuideRuns(_ guide: Guide) throws {
        let folder = try TemporaryDirectory()
        let file = "docs/\(guide.name).md"
        let script = try blocks("sh", of: file).joined(separator: "\n")
        try ("set -euo pipefail\n" + script).write(toFile: folder.file("guide.sh"), atomically: true, encoding: .utf8)
        let path = Program.products.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        var environment = ["PATH": path]
        let cluster = try guide.server ? PostgresCluster() : nil
        if let cluster { environment.merge(cluster.environment) { $1 } }
        let result = try Running(
            executable: URL(filePath: "/bin/bash"), arguments: ["guide.sh"], folder: folder.path,
            environment: environment
        ).wait()
        #expect(!script.isEmpty && result.code == 0, "\(result.output)\n\(result.errors)")
        for shown in try blocks("text", of: file).map({ $0.trimmingCharacters(in: .newlines) }) + guide.output {
            #expect(result.output.contains(shown), "\(result.output)")
        }
        for shown in guide.errors { #expect(result.errors.contains(shown), "\(result.errors)") }
    }

    /// Whoever writes a page with commands writes it into the list of those that run.
    @Test func everyPageWithCommandsIsAGuide() throws {
        let pages = try Self.pages.filter { try text($0).contains("\n```sh\n") }
        #expect(Set(pages) == Set(Self.guides.map { "docs/\($0.name).md" }))
    }

    /// The pages of the manual.
    static var pages: [String] {
        get throws {
            let files = try FileManager.default.contentsOfDirectory(atPath: Program.project.path + "/docs")
            return files.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
        }
    }

    /// Each block of YAML is a pipeline, or keys of one, which are put where they belong.
    @Test func everyBlockOfYAMLIsValid() throws {
        var count = 0
        for page in try Self.pages {
            for part in try blocks("yaml", of: page).flatMap(Self.parts) {
                count += 1
                let folder = try TemporaryDirectory()
                let name = folder.file("part.yaml")
                try Self.pipeline(of: part).write(toFile: name, atomically: true, encoding: .utf8)
                let environment = ["GITHUB_TOKEN": "x", "BOOKS_TOKEN": "x", "SLUICE_TEST_UNUSED": "x"]
                    .merging(["SLACK_URL": "https://example.com/hook"]) { $1 }
                let result = try Program.run("validate", name, in: folder.path, environment: environment)
                #expect(result.code == 0, "\(page)\n\(part)\n\(result.output)\(result.errors)")
            }
        }
        #expect(count > 10)
    }

    /// A block as one pipeline, or as the keys that stand in it; where a key comes again, each is an alternative.
    private static func parts(of block: String) -> [String] {
        if block.hasPrefix("version:") { return [block] }
        var parts: [String] = []
        for line in block.split(separator: "\n") {
            if line.first == " ", let last = parts.popLast() {
                parts.append(last + "\n" + line)
            } else {
                parts.append(String(line))
            }
        }
        let keys = parts.map { $0.prefix { $0 != ":" } }
        return Set(keys).count == keys.count ? [parts.joined(separator: "\n")] : parts
    }

    /// A pipeline that has a key where it belongs.
    private static func pipeline(of part: String) -> String {
        if part.hasPrefix("version:") { return part }
        let key = String(part.prefix { $0 != ":" })
        func indented(_ blanks: String) -> String { blanks + part.replacing("\n", with: "\n" + blanks) }
        let isStream = key == "- name"
        let isTop = ["streams", "notify", "source", "store"].contains(key)
        let isSource = key == "on_response"
        return """
            version: 1
            name: part
            vars: {space: x}
            \(key == "source" ? part : "source:\n  base_url: https://api.example.com\n" + (isSource ? indented("  ") : ""))
            entities:
            \(["Book", "User", "Entry", "Event"].map {
                "  \($0): {primary_key: id, fields: {id: string, title: string, updated_at: datetime}}"
            }.joined(separator: "\n"))
            \(isTop && key != "source" ? part : "")
            \(key == "streams" ? "" : "streams:")
            \(key == "streams" ? "" : isStream ? indented("  ") : "  - name: books\n    entity: Book\n    path: /books\n"
                + (isTop || isSource ? "" : indented("    ")))
            """
    }

    @Test func theExamplePipelineIsValid() throws {
        let folder = try TemporaryDirectory()
        let example = try #require(try blocks("yaml", of: "docs/cookbook.md").first)
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

    @Test func itIsShort() throws {
        #expect(try text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count < 200)
    }

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

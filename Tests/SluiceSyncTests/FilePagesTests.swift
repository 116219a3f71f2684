import FoundationEssentials
import SluiceJSON
import SluicePipeline
import SluiceReport
import TestSupport
import Testing

@Suite("Files as pages")
struct FilePagesTests {
    /// A folder of files that name themselves, and the rows that a path within it leads to.
    private func names(_ path: String?, base: String, files: [String]) throws -> (RunReport, [String]) {
        let shop = try Workshop(fields: [
            FieldDefinition(name: "id", column: "id", origin: .path(JSONPath(parsing: "id"))),
            FieldDefinition(name: "stem", column: "stem", origin: .template(TextTemplate(parts: [.fileStem]))),
        ])
        for file in files {
            let whole = URL(fileURLWithPath: shop.directory.file(file))
            try FileManager.default.createDirectory(
                at: whole.deletingLastPathComponent(), withIntermediateDirectories: true)
            let json = Array("{\"id\": \"\(file)\"}".utf8)
            try Data(file.hasSuffix(".gz") ? Gzip.stored(json) : json).write(to: whole)
        }
        shop.base = shop.directory.file(base)
        shop.path = path
        let report = shop.sync().report
        return (report, report.status == .succeeded ? try shop.items : [])
    }

    @Test(
        "A path leads to files",
        arguments: [
            (nil, "a", ["'a/1.json'|'1'", "'a/2.jsonl.gz'|'2'"]),
            ("/", "a", ["'a/1.json'|'1'", "'a/2.jsonl.gz'|'2'"]),
            ("*.json", "a", ["'a/1.json'|'1'"]), ("/*.json", "a", ["'a/1.json'|'1'"]),
            ("**/*.json", "", ["'a/1.json'|'1'", "'a/b/1.json'|'1'", "'c[1]/x*.json'|'x*'"]),
            ("**/b/*", "", ["'a/b/1.json'|'1'"]), ("2*", "a", ["'a/2.jsonl.gz'|'2'"]),
            ("*.json", "c[1]", ["'c[1]/x*.json'|'x*'"]), ("x*.json", "c[1]", ["'c[1]/x*.json'|'x*'"]),
            (nil, "c[1]", ["'c[1]/x*.json'|'x*'"]), ("c[1]/x*.json", "", ["'c[1]/x*.json'|'x*'"]),
        ] as [(String?, String, [String])])
    func leadsToFiles(_ path: String?, _ base: String, _ rows: [String]) throws {
        let files = ["a/1.json", "a/2.jsonl.gz", "a/b/1.json", "a/3.txt", "c[1]/x*.json"]
        let (report, found) = try names(path, base: base, files: files)
        #expect(report.problems.map(\.message) == [])
        #expect(found == rows)
        #expect(report.streams.first?.pages == rows.count)
    }

    @Test(
        "A path that leads nowhere is named",
        arguments: [
            ("*.xml", "No file matches"), ("**/none.json", "No file matches"), ("none.json", "does not exist"),
            ("empty", "has no .json, .jsonl or .ndjson file"),
        ])
    func leadsNowhere(_ path: String, _ message: String) throws {
        let (report, _) = try names(path, base: "", files: ["a.json", "empty/a.txt"])
        #expect(report.status == .failed)
        #expect(report.problems.first?.message.contains(message) == true, "\(report.problems)")
    }
}

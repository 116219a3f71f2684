import Foundation
import SluiceCommands
import TestSupport
import Testing

/// Every file of the public data sets that may lie beside the project is imported: what is counted in it is taken.
@Suite struct SharedDataImportTests {
    private static let root = Program.project.deletingLastPathComponent().appending(path: "shared/data")
    private static let isThere = FileManager.default.fileExists(atPath: root.path)

    /// What a data set's records are, where they are not the document's only array.
    struct DataSet: Sendable, CustomTestStringConvertible {
        let folder: String
        /// The options for a file.
        let options: @Sendable (String) -> [String]
        var testDescription: String { folder }
    }

    static let dataSets = [
        DataSet(folder: "browser-specs") { _ in ["--key", "shortname"] },
        DataSet(folder: "congress") { file in
            if file.contains("legislators") { return ["--key", "id.bioguide"] }
            return file.contains("membership") ? ["--key", "name,title"] : []
        },
        DataSet(folder: "countries") { _ in ["--key", "cca3"] },
        DataSet(folder: "football-season") { _ in ["--key", "round,team1,team2"] },
        DataSet(folder: "gemoji") { _ in ["--key", "emoji", "--sample", "all"] },
        DataSet(folder: "geo-csc") { $0.hasSuffix("CU.json") ? ["--key", "name,latitude"] : [] },
        DataSet(folder: "github-api") { $0.contains("cassettes") ? ["--key", "request.uri"] : ["--key", "path"] },
        DataSet(folder: "pokeapi") { _ in [] },
        DataSet(folder: "scoop-manifests") { _ in ["--key", "homepage"] },
        DataSet(folder: "stripe-fixtures") { _ in [] },
    ]

    @Test(.enabled(if: isThere), arguments: dataSets) func everyRecordIsTaken(_ set: DataSet) throws {
        let folder = Self.root.appending(path: set.folder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        #expect(!names.isEmpty)
        for name in names.sorted() {
            let file = folder.appending(path: name)
            let document = try JSONSerialization.jsonObject(with: try Data(contentsOf: file))
            let expected = Self.count(document, name: "\(set.folder)/\(name)")
            var arguments = ["import", file.path, "--plan", "--table", "t", "--format", "json", "--changes", "0"]
            arguments += ["--store", "sqlite:/nonexistent/shop.db"] + set.options(name)
            var (code, output, errors) = Self.run(arguments)
            if code == 64, !arguments.contains("--key") {
                (code, output, errors) = Self.run(arguments + ["--key", Self.lastKey(errors)])
            }
            #expect(code == 0, "\(name): \(errors)")
            guard code == 0, let object = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any],
                let stream = ((object["pipelines"] as? [[String: Any]])?.first?["streams"] as? [[String: Any]])?.first,
                let summary = stream["summary"] as? [String: Int]
            else { continue }
            #expect(stream["read"] as? Int == expected, "\(name)")
            let taken = (summary["insert"] ?? 0) + (stream["duplicates"] as? Int ?? 0)
            #expect(taken + (summary["quarantined"] ?? 0) == expected, "\(name)")
        }
    }

    /// The records of a document, counted by what is known of its data set.
    private static func count(_ document: Any, name: String) -> Int {
        if let array = document as? [Any] { return array.count }
        guard let object = document as? [String: Any] else { return 0 }
        for key in ["matches", "http_interactions", "results"] {
            if let array = object[key] as? [Any] { return array.count }
        }
        if let resources = object["resources"] as? [String: Any] { return resources.count }
        if name.contains("membership") { return object.values.reduce(0) { $0 + (($1 as? [Any])?.count ?? 0) } }
        return 1
    }

    /// The key that is suggested first, or the first field.
    private static func lastKey(_ errors: String) -> String {
        let lines = errors.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        if let suggested = lines.first(where: { $0.first == "--key" }) { return suggested[1] }
        let start = lines.firstIndex { $0.first == "field" } ?? 0
        return lines.dropFirst(start + 1).first?.first ?? ""
    }

    private static func run(_ arguments: [String]) -> (Int32, String, String) {
        let output = Sink()
        let errors = Sink()
        let code = Sluice.run(arguments: arguments, context: CommandContext(output: output, errors: errors))
        return (code, String(decoding: output.bytes, as: UTF8.self), String(decoding: errors.bytes, as: UTF8.self))
    }

    private final class Sink: TextSink {
        let isTerminal = false
        private(set) var bytes: [UInt8] = []
        func write(_ bytes: [UInt8]) { self.bytes += bytes }
    }
}

import Foundation
import SluiceCommands
import TestSupport
import Testing

/// The files of the public data sets that may lie beside the project are imported: what is counted in them is taken.
@Suite struct SharedDataImportTests {
    private static let root = Program.project.deletingLastPathComponent().appending(path: "shared/data")
    private static let isThere = FileManager.default.fileExists(atPath: root.path)

    /// A data set, and what identifies its records where they do not say it themselves.
    struct DataSet: Sendable, CustomTestStringConvertible {
        let folder: String
        /// The fields to name for a file; nil where the import must find the identifier.
        let key: @Sendable (String) -> String?
        var testDescription: String { folder }
    }

    static let dataSets = [
        DataSet(folder: "browser-specs") { _ in "shortname" },
        DataSet(folder: "congress") { file in
            if file.contains("legislators-current") { return "id.bioguide" }
            // Nothing says that a committee is known by what THOMAS calls it.
            if file.contains("committees-current") { return "thomas_id" }
            return file.contains("membership") ? "name,rank" : nil
        },
        DataSet(folder: "countries") { _ in "cca3" },
        DataSet(folder: "football-season") { _ in "round,team1,team2" },
        DataSet(folder: "gemoji") { _ in "emoji" },
        // A few of these cities have no `id`.
        DataSet(folder: "geo-csc") { $0.hasSuffix("2026-08-08/cities/CU.json") ? "name,latitude" : nil },
        DataSet(folder: "github-api") { $0.contains("cassettes") ? "request.uri,request.method" : "path,method" },
        DataSet(folder: "pokeapi") { file in
            // The root has no record but itself; the lists of chains have URLs only.
            if file.hasSuffix("v2/index.json") { return "ability" }
            if file.hasSuffix("evolution-chain/index.json") { return "url" }
            // Lists of names and URLs: a name is not taken unasked.
            return Int(file.split(separator: "/").dropLast().last ?? "") == nil ? "name" : nil
        },
        DataSet(folder: "scoop-manifests") { _ in "homepage" },
        DataSet(folder: "stripe-fixtures") { _ in nil },
    ]

    @Test(.enabled(if: isThere, "the folder shared/data is not beside the project"), arguments: dataSets)
    func everyRecordIsTaken(_ set: DataSet) throws {
        let folder = Self.root.appending(path: set.folder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        #expect(!names.isEmpty)
        try withTemporaryDirectory { stores in
            // Of sets of hundreds of files, which are much alike, some.
            let some = Seeds.some(of: names.sorted(), oneOf: max(1, names.count / 40))
            for (number, name) in some.enumerated() {
                let file = folder.appending(path: name)
                let expected = Self.count(
                    try JSONSerialization.jsonObject(with: try Data(contentsOf: file)), name: name)
                try check(set, file, name, expected, store: stores.file("\(number).db"))
            }
        }
    }

    /// Imports a file twice: all its records are taken, then none has changed.
    private func check(_ set: DataSet, _ file: URL, _ name: String, _ expected: Int, store: String) throws {
        defer { try? FileManager.default.removeItem(atPath: store) }
        var arguments = ["import", file.path, "--table", "t", "--format", "json", "--changes", "0"]
        arguments += ["--store", "sqlite:\(store)"]
        if let key = set.key(name) {
            let (code, _, errors) = Self.run(arguments)
            #expect(code == 64, "\(name) needs no key")
            #expect(errors.contains("Name the fields that identify a record with `--key"), "\(name): \(errors)")
            #expect(!FileManager.default.fileExists(atPath: store), "\(name)")
            arguments += ["--key", key]
        }
        let first = try Outcome(Self.run(arguments), name)
        #expect(first.read == expected, "\(name)")
        #expect(first.summary["update"] == 0 && first.summary["unchanged"] == 0, "\(name)")
        let quarantined = first.summary["quarantined"] ?? 0
        // Some symbols of the oldest edition have no character.
        #expect(quarantined == (name.hasPrefix("v3.0.0/emoji") ? 17 : 0), "\(name)")
        let inserted = first.summary["insert"] ?? 0
        #expect(inserted + first.duplicates + quarantined == expected, "\(name)")
        #expect(inserted > 0, "\(name)")
        #expect(first.problems.contains("import_quarantine") == (quarantined > 0), "\(name)")
        let again = try Outcome(Self.run(arguments), name)
        #expect(again.summary["unchanged"] == inserted, "\(name)")
        #expect(again.summary["insert"] == 0 && again.summary["update"] == 0, "\(name)")
        #expect(again.read == expected && again.duplicates == first.duplicates, "\(name)")
    }

    /// What a report says of an import.
    private struct Outcome {
        var read = 0
        var duplicates = 0
        var summary: [String: Int] = [:]
        var problems: [String] = []

        init(_ run: (code: Int32, output: String, errors: String), _ name: String) throws {
            #expect(run.code == 0, "\(name): \(run.errors)")
            let report = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
            let pipeline = (report?["pipelines"] as? [[String: Any]])?.first
            let stream = (pipeline?["streams"] as? [[String: Any]])?.first
            read = stream?["read"] as? Int ?? -1
            duplicates = stream?["duplicates"] as? Int ?? -1
            summary = pipeline?["summary"] as? [String: Int] ?? [:]
            problems = (pipeline?["problems"] as? [[String: Any]])?.compactMap { $0["code"] as? String } ?? []
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

    private static func run(_ arguments: [String]) -> (code: Int32, output: String, errors: String) {
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

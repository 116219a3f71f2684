import Foundation
import Testing

/// A folder of `fixtures/sync`: a store's life in steps, and what each step should leave behind.
///
///     about.txt                   what it shows, in prose, and a line for each case of the truth tables
///     pipeline.yaml               over `remote.json`, or over the files of `first`, `second` … where those are folders
///     before.sql                  optional: what the database holds before the first run, which is then checked too
///     first.json                  what the source says in the first run
///     local.sql                   what somebody does to the store before the second run
///     second.json                 what the source says then
///     second.plan.txt             what `plan` prints
///     second.run.json             what `run --format json` prints
///     second.store.txt            what the store holds after it
///
/// A step `third`, `fourth` or `fifth` goes on from there, with `local-third.sql` before it. Optional for each step:
/// `resolve-third.txt`, the arguments of one `sluice conflicts resolve` a line; `also-third.txt`, the arguments of one
/// other `sluice` command a line, done once the source has changed; and `arguments-third.txt`, further arguments of `plan`
/// and `run`. Where another pipeline has a part, it stands in a file of its own, such as `bank.yaml`.
struct Scenario: Sendable, CustomTestStringConvertible {
    /// A line of `about.txt` that says which record shows which case in which step.
    struct Case: Sendable {
        let step: String
        let number: String
        let record: Int64
        /// How many lines of `about.txt` were read before it.
        let line: Int
    }

    static let steps = ["first", "second", "third", "fourth", "fifth"]
    static let root = Program.project.appending(path: "fixtures/sync")
    static let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path))?.sorted() ?? []

    let name: String
    var testDescription: String { name }
    var folder: URL { Self.root.appending(path: name) }

    /// The steps that the folder has a source for.
    var steps: [String] { Self.steps.filter { text("\($0).json") != nil || files(of: $0) != nil } }

    /// The steps whose outcome is compared: all but the one that only fills the store.
    var checkedSteps: [String] { steps.filter { $0 != "first" || text("before.sql") != nil } }

    /// The text of a file of the folder, nil where it has none of that name.
    func text(_ file: String) -> String? {
        try? String(contentsOf: folder.appending(path: file), encoding: .utf8)
    }

    /// What the source says in a step: texts by the name of their file.
    func remote(in step: String) throws -> [String: String] {
        if let text = text("\(step).json") { return ["remote.json": text] }
        let names = try #require(files(of: step), "\(name) has no source for \(step)")
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try #require(text("\(step)/\($0)"), "\(name)/\(step)/\($0)")) })
    }

    /// The files of pipelines, by their names.
    var pipelines: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return names?.filter { $0.hasSuffix(".yaml") }.sorted() ?? []
    }

    /// What somebody does to the store before a step.
    func edits(before step: String) -> String? { text(step == "second" ? "local.sql" : "local-\(step).sql") }

    /// The words of each line of a file; none where there is no such file.
    func lines(_ file: String) -> [[String]] {
        (text(file) ?? "").split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }

    /// The cases that `about.txt` names: `second  case r9  Item 4  …`.
    var cases: [Case] {
        lines("about.txt").enumerated().compactMap { index, words in
            guard words.count >= 5, words[1] == "case", words[3] == "Item", let record = Int64(words[4]) else {
                return nil
            }
            return Case(step: words[0], number: words[2], record: record, line: index + 1)
        }
    }

    /// What `about.txt` says decides conflicts of the field `a`, as in `decides: remote_wins`.
    var policy: String? { lines("about.txt").first { $0.first == "decides:" }?.dropFirst().joined(separator: " ") }

    private func files(of step: String) -> [String]? {
        try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: step).path).sorted()
    }
}

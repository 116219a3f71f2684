import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import SluiceReview
import SluiceStore
import TestSupport

/// A random history of a table that several streams fill, some of which state deletions: what they say, and what people
/// do between the runs.
struct StreamHistory {
    /// What sort of history it is.
    struct Setting: CustomStringConvertible {
        /// The streams in the order of the file.
        let streams: [String]
        let precedence: [String]
        /// The streams with `deleted_when`.
        let stating: Set<String>
        let mode: [String: String]
        let policies: String

        init(
            _ streams: [String], precedence: [String]? = nil, stating: Set<String> = ["dels"],
            mode: [String: String] = [:], policies: String = "manual"
        ) {
            self.streams = streams
            self.precedence = precedence ?? streams
            self.stating = stating
            self.mode = mode
            self.policies = policies
        }

        var description: String {
            "file \(streams), precedence \(precedence), stating \(stating.sorted()), \(mode.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }), \(policies)"
        }

        /// A pipeline over the files of the streams.
        func makeShop() throws -> Workshop {
            let shop = try Workshop()
            let streams = streams.map { name in
                """
                  - name: \(name)
                    entity: Item
                    path: \(name).json
                    delete_missing: {mode: \(mode[name] ?? "hard"), max_delete: 100%, min_records: 0}
                \(stating.contains(name) ? "    deleted_when: .gone == true" : "")
                """
            }
            let text = """
                version: 1
                name: shop
                source: {base_url: "file:\(shop.directory.path)"}
                entities:
                  Item:
                    table: items
                    primary_key: id
                    fields: {id: int, a: string, b: string}
                    on_conflict: \(policies)
                streams:
                \(streams.joined(separator: "\n"))
                merge: {precedence: [\(precedence.joined(separator: ", "))]}
                """
            let (definition, problems) = PipelineLoader.load(
                bytes: Array(text.utf8), file: "test.yaml", environment: [:], mode: .run)
            guard let definition else {
                throw Workshop.Disagreement(what: TextDiagnosticRenderer().render(problems))
            }
            shop.definition = definition
            return shop
        }
    }

    var random: SeededGenerator
    let setting: Setting
    /// What happened so far, a step a line.
    private(set) var told: [String] = []
    private var said: [String: [Int: String]] = [:]
    private static let people = 1...3

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var streams = ["list", "dels"]
        if random.chance(70) { streams.append("other") }
        let isSoft = random.chance(25)
        let policy = ["manual", "manual", "local_wins", "remote_wins"]
        let kinds = ["edit_delete", "delete_edit"].map { "\($0): \(random.pick(policy))" }
        setting = Setting(
            streams.shuffled(using: &random), precedence: streams.shuffled(using: &random),
            stating: random.chance(80) ? ["dels"] : ["dels", "list"],
            mode: Dictionary(
                uniqueKeysWithValues: streams.map {
                    ($0, isSoft ? "soft" : random.pick(["ignore", "hard", "hard", "report"]))
                }),
            policies: "{\(kinds.joined(separator: ", ")), default: \(random.pick(policy))}")
        self.random = random
    }

    /// What the streams say next, most of it what they said before.
    mutating func send() -> [String: String] {
        var files: [String: String] = [:]
        for stream in setting.streams {
            var records = said[stream] ?? [:]
            for id in Self.people where random.chance(35) {
                records[id] = random.chance(30) ? nil : record(id, of: stream)
            }
            if said[stream] == records { continue }
            said[stream] = records
            files[stream] = "[" + records.sorted { $0.key < $1.key }.map(\.value).joined(separator: ",") + "]"
        }
        for stream in setting.streams { told += files[stream].map { ["\(stream) \($0)"] } ?? [] }
        return files
    }

    private mutating func record(_ id: Int, of stream: String) -> String {
        if setting.stating.contains(stream), random.chance(stream == "dels" ? 65 : 15) {
            return #"{"id":\#(id),"gone":true}"#
        }
        let members = ["a", "b"].compactMap { field in
            random.chance(15)
                ? nil : "\"\(field)\":" + (random.chance(10) ? "null" : "\"\(random.pick(["x", "y", "z"]))\"")
        }
        return "{" + (["\"id\":\(id)"] + members).joined(separator: ",") + "}"
    }

    /// Whether a stream lists a record, by the text of its key.
    func lists(_ key: String, by stream: String) -> Bool {
        said[stream]?.keys.contains { key == #"{"id":\#($0)}"# } ?? false
    }

    /// What people do to the table, empty for nothing.
    mutating func edit() -> String {
        var statements: [String] = []
        for id in Self.people where random.chance(25) {
            let field = random.pick(["a", "b"])
            statements.append(
                random.pick([
                    "UPDATE items SET \(field) = '\(random.pick(["x", "m"]))' WHERE id = \(id)",
                    "UPDATE items SET \(field) = '\(random.pick(["x", "m"]))' WHERE id = \(id)",
                    "DELETE FROM items WHERE id = \(id)", "DELETE FROM items WHERE id = \(id)",
                    "INSERT OR IGNORE INTO items (id, a, b) VALUES (\(id), 'm', NULL)",
                ]))
        }
        told += statements
        return statements.joined(separator: ";")
    }

    /// How all open conflicts are decided, nil where nobody decides.
    mutating func decision() -> Resolution? {
        guard random.chance(15) else { return nil }
        let decision = random.pick([Resolution.local, .remote])
        told.append("resolve \(decision)")
        return decision
    }

    /// The only stream that is run next, nil for all.
    mutating func alone() -> String? {
        let stream = random.chance(25) ? random.pick(setting.streams) : nil
        told.append("run \(stream ?? "all")")
        return stream
    }
}

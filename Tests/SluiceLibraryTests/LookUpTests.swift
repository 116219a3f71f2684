import CTestSQLite
import Foundation
import Sluice
import Synchronization
import TestSupport
import Testing

/// What is asked for by its key, or leads there, is looked up by an index: in what a program reads, saves and syncs.
struct LookUpTests {
    /// What the process has SQLite do on files that are called `watched`.
    private enum Watched {
        static let statements = Mutex<[String: Set<String>]>([:])
        static let begin: Void = unsafe ctest_sqlite_watch { file, text in
            guard let file = unsafe file, let text = unsafe text else { return }
            let (name, sql) = unsafe (String(cString: file), String(cString: text))
            Watched.statements.withLock { _ = $0[name, default: []].insert(sql) }
        }
    }

    private struct Case {
        let name: String
        /// A part of a statement that is among those that run.
        let runs: String
        let work: @Sendable (Store) async throws -> Void

        init(_ name: String, runs: String, _ work: @escaping @Sendable (Store) async throws -> Void) {
            (self.name, self.runs, self.work) = (name, runs, work)
        }
    }

    private static let shop = SyncOptions(source: "shop")
    private static let json = """
        [{"id": 1, "shelf_mark": "A", "copy_number": 1, "title": "Dune", "wing": 1, "topics": ["sf"]},
         {"id": 2, "shelf_mark": "A", "copy_number": 2, "title": "Ubik", "wing": 2, "topics": ["sf", "new"]}]
        """

    private static let cases = [
        Case("an identifier", runs: "SELECT") { _ = try await $0.find(Tome.self, 1) },
        Case("identifiers", runs: "SELECT") { _ = try await $0.fetch(Tome.where { $0.id.in([1, 2]) }) },
        Case("a unique value", runs: "SELECT") { _ = try await $0.fetch(Wing.where { $0.name == "West" }) },
        Case("a unique group", runs: "SELECT") {
            _ = try await $0.fetch(Tome.where { $0.shelfMark == "A" && $0.copyNumber == 2 })
        },
        Case("a group that identifies", runs: "SELECT") {
            _ = try await $0.fetch(Loan.where { $0.tome == 1 && $0.year == 2026 })
        },
        Case("what a reference leads to", runs: "\"wings\"") {
            try await $0.read { _ = try $0.find(Tome.self, 1).wing?.load(in: $0) }
        },
        Case("who has a reference", runs: "\"wing_id\"") { _ = try await $0.fetch(Tome.where { $0.wing == 1 }) },
        Case("the other side of a reference", runs: "\"wing_id\"") {
            try await $0.read {
                let wing = try $0.find(Wing.self, 1)
                _ = try wing.tomes.load(in: $0)
                _ = try wing.tomes.count(in: $0)
            }
        },
        Case("pairs from one side", runs: "\"tome_topics\"") {
            try await $0.read {
                let tome = try $0.find(Tome.self, 1)
                _ = try tome.topics.load(in: $0)
                _ = try tome.topics.count(in: $0)
            }
        },
        Case("pairs from the other side", runs: "\"tome_topics\"") {
            try await $0.read {
                let topic = try $0.find(Topic9.self, "sf")
                _ = try topic.tomes.load(in: $0)
                _ = try topic.tomes.count(in: $0)
            }
        },
        Case("a new record", runs: "INSERT") {
            var tome = Tome(id: 9, shelfMark: "B", copyNumber: 1, title: "New", wing: Ref(1), topics: ["sf"])
            try await $0.save(&tome)
        },
        Case("a change", runs: "UPDATE") {
            try await $0.update(Tome.self, 1) {
                $0.title = "Mine"
                $0.topics = ["new"]
            }
        },
        Case("values without origins", runs: "UPDATE") {
            var wings = [Wing(id: 1, name: "North", tomes: []), Wing(id: 3, name: "South", tomes: [])]
            try await $0.save(&wings)
        },
        Case("a deletion", runs: "DELETE") { store in try await store.write { _ = try $0.delete(Wing.self, 1) } },
        Case("news", runs: "UPDATE") {
            let news = Self.json.replacing("Ubik", with: "Valis")
            let summary = try await $0.sync(Tome.self, from: news, Self.shop).summary
            #expect(summary.update == 1)
        },
        Case("more records", runs: "INSERT") {
            let more = """
                [{"id": 7, "shelf_mark": "C", "copy_number": 1, "title": "More", "wing": 1, "topics": ["new"]}]
                """
            let summary = try await $0.sync(Tome.self, from: more, Self.shop).summary
            #expect(summary.insert == 1)
        },
        Case("nothing new", runs: "SELECT") {
            let summary = try await $0.sync(Tome.self, from: Self.json, Self.shop).summary
            #expect(summary == SyncSummary(unchanged: 2))
        },
        Case("values", runs: "UPDATE") {
            let tome = Tome(id: 2, shelfMark: "A", copyNumber: 2, title: "Valis", wing: Ref(2), topics: [])
            let summary = try await $0.sync([tome], Self.shop).summary
            #expect(summary.update == 1)
        },
    ]

    /// What is no reading of a table: values, what SQLite knows of tables, and the index of records that are kept aside.
    private static let harmless = [
        "json_each", "VIRTUAL TABLE", "CONSTANT ROW", "(subquery-", "_sluice_quarantine_open",
    ]

    /// The statements that some work runs on a store with records, and of them those that read a table from end to end.
    private func statements(of work: (Store) async throws -> Void) async throws -> (all: Set<String>, scans: [String]) {
        Watched.begin
        let folder = try TemporaryDirectory()
        let store = try Store(folder.path + "/watched.db", models: Tome.self, Wing.self, Topic9.self, Loan.self)
        try await store.write { tx in
            var wings = [Wing(id: 1, name: "West", tomes: []), Wing(id: 2, name: "East", tomes: [])]
            try tx.save(&wings)
            var topics = ["sf", "new"].map { Topic9(word: $0, tomes: []) }
            try tx.save(&topics)
        }
        let first = try await store.sync(Tome.self, from: Self.json, Self.shop)
        try #require(first.summary == SyncSummary(insert: 2) && first.problems.isEmpty)
        try await store.write { tx in
            var loan = Loan(tome: Ref(1), year: 2026, readerName: "Ann")
            try tx.save(&loan)
        }
        Watched.statements.withLock { all in all = all.filter { !$0.key.contains(folder.path) } }
        try await work(store)
        let seen = Watched.statements.withLock { all in all.filter { $0.key.contains(folder.path) }.flatMap(\.value) }
        let statements = Set(seen).filter { sql in
            ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains { sql.hasPrefix($0) }
                && !sql.contains("sqlite_schema")
        }
        // Whether a table has any row is seen at its first one.
        let scans = try await store.write { tx in
            try statements.filter { !$0.contains(/^SELECT 1 FROM "\w+" LIMIT 1$/) }.sorted().flatMap { sql in
                try tx.rows(SQL(unchecked: "EXPLAIN QUERY PLAN " + sql))
                    .compactMap { $0["detail"].map { "\($0)" } }
                    .filter { step in step.contains("SCAN") && !Self.harmless.contains { step.contains($0) } }
                    .map { "\($0) of \(sql)" }
            }
        }
        return (statements, scans)
    }

    @Test(arguments: cases.indices) func readsNoTableFromEndToEnd(_ index: Int) async throws {
        let row = Self.cases[index]
        let (all, scans) = try await statements(of: row.work)
        #expect(all.contains { $0.contains(row.runs) }, "\(row.name): \(all)")
        #expect(scans.isEmpty, "\(row.name): \(scans)")
    }

    @Test func seesWhatIsReadFromEndToEnd() async throws {
        let (_, scans) = try await statements { _ = try await $0.fetch(Tome.where { $0.title == "Dune" }) }
        #expect(scans.count == 1 && scans.first?.contains("SCAN tomes") == true, "\(scans)")
    }
}

@PersistentModel(table: "tomes", unique: [["shelfMark", "copyNumber"]], names: .snakeCase)
private struct Tome {
    let id: Int
    var shelfMark: String
    var copyNumber: Int
    var title: String
    @Relationship(inverse: "tomes", deleteRule: .nullify, json: "wing") var wing: Ref<Wing>?
    @Relationship(inverse: "tomes", deleteRule: .nullify, via: "tome_topics", json: "topics") var topics: Refs<Topic9>
    var origin = Origin()
}

@PersistentModel(table: "wings")
private struct Wing {
    let id: Int
    @Attribute(.unique) var name: String
    @Relationship(inverse: "wing", deleteRule: .nullify) var tomes: Refs<Tome>
}

@PersistentModel(table: "topics9")
private struct Topic9 {
    @Attribute(.identifier) let word: String
    @Relationship(inverse: "topics", deleteRule: .nullify) var tomes: Refs<Tome>
}

@PersistentModel(table: "loans", names: .snakeCase)
private struct Loan {
    @Attribute(.identifier) @Relationship(inverse: .none, deleteRule: .cascade) var tome: Ref<Tome>
    @Attribute(.identifier) let year: Int
    var readerName: String
    var origin = Origin()
}

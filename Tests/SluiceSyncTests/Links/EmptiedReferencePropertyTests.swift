import SluiceReport
import TestSupport
import Testing

/// Random histories of targets that are deleted and come back while what refers to them is edited, taken back in either
/// order, against a model.
///
/// A failure names its seed; see ``Seeds``.
@Suite("References over random histories")
struct EmptiedReferencePropertyTests {
    static let seeds = Seeds.first(8)

    @Test("The last runs are taken back one by one, and done again", arguments: seeds)
    func newestFirst(_ seed: UInt64) throws { try newestFirst(seed) { _ in } }

    @Test("And so on PostgreSQL", arguments: Seeds.first(2))
    func newestFirstOnPostgres(_ seed: UInt64) throws { try newestFirst(seed) { $0.database = try WorkshopSchema() } }

    @Test("A run is taken back before the one that followed it", arguments: seeds)
    func oldestFirst(_ seed: UInt64) throws { try oldestFirst(seed) { _ in } }

    @Test("And so on PostgreSQL as well", arguments: Seeds.first(2))
    func oldestFirstOnPostgres(_ seed: UInt64) throws { try oldestFirst(seed) { $0.database = try WorkshopSchema() } }

    // MARK: Histories

    private func newestFirst(_ seed: UInt64, _ adjust: (Workshop) throws -> Void) throws {
        var random = SeededGenerator(seed: seed)
        let shop = try shop(adjust)
        let runs = try history(shop, steps: 6, seed, &random)
        var place = runs.count - 1
        var expected = runs[place].after
        for _ in 0..<3 where place > 0 {
            let undone = try shop.undoPlanned(runs[place].number)
            #expect(undone.report.status == .succeeded, "seed \(seed): \(undone.report.problems)")
            expected = runs[place].before
            #expect(try state(shop) == expected.text, "seed \(seed), undo of \(runs[place].number)")
            guard let number = undone.report.run else {
                place -= 1
                continue
            }
            let again = try shop.undoPlanned(number)
            #expect(try state(shop) == runs[place].after.text, "seed \(seed), undo of \(number)")
            _ = try shop.undoPlanned(again.report.run ?? number)
            #expect(try state(shop) == expected.text, "seed \(seed), undo of \(again.report.run ?? 0)")
            place -= 1
        }
        #expect(try shop.database.damage() == [])
    }

    private func oldestFirst(_ seed: UInt64, _ adjust: (Workshop) throws -> Void) throws {
        var random = SeededGenerator(seed: seed &* 77)
        let shop = try shop(adjust)
        let runs = try history(shop, steps: 3 + Int(seed % 3), seed, &random).suffix(2)
        var model = runs.last?.after ?? Model()
        for run in runs {
            model.undo(run)
            _ = try shop.undoPlanned(run.number)
            #expect(try state(shop) == model.text, "seed \(seed), undo of \(run.number)")
        }
        let report = shop.sync().report
        #expect(report.status == .succeeded, "seed \(seed): \(report.problems)")
    }

    private func shop(_ adjust: (Workshop) throws -> Void) throws -> Workshop {
        let shop = try Workshop()
        try adjust(shop)
        try shop.define(
            "shop",
            """
            entities:
              Issue:
                table: issues
                primary_key: id
                fields:
                  id: int
                  author: {ref: User, upsert: false, on_dangling: set_null}
                  checker: {ref: User, upsert: false, on_dangling: defer}
              User: {table: users, primary_key: id, fields: {id: int}}
            streams:
              - {name: issues, entity: Issue, path: issues.json, \(Tracker.deletes)}
              - {name: users, entity: User, path: users.json, \(Tracker.deletes)}
            """)
        return shop
    }

    private struct Run {
        let number: Int64
        let before: Model
        let after: Model
    }

    /// Runs of which each changes something.
    private func history(
        _ shop: Workshop, steps: Int, _ seed: UInt64, _ random: inout SeededGenerator
    ) throws -> [Run] {
        var model = Model()
        var runs: [Run] = []
        while runs.count < steps {
            let source = Model.Source(&random)
            try shop.put(
                "[" + source.users.sorted().map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]", as: "users.json")
            let issues = source.issues.sorted { $0.key < $1.key }.map { id, issue in
                let (author, checker) = (issue.author.map(String.init), issue.checker.map(String.init))
                return #"{"id":\#(id),"author":\#(author ?? "null"),"checker":\#(checker ?? "null")}"#
            }
            try shop.put("[" + issues.joined(separator: ",") + "]", as: "issues.json")
            let report = shop.sync().report
            try #require(report.status == .succeeded, "seed \(seed): \(report.problems)")
            let before = model
            model.run(source, number: report.run ?? 0)
            #expect(try state(shop) == model.text, "seed \(seed), run \(report.run ?? 0)")
            if let number = report.run { runs.append(Run(number: number, before: before, after: model)) }
        }
        return runs
    }

    /// The rows, then what waits.
    private func state(_ shop: Workshop) throws -> [String] {
        try shop.rows("SELECT id FROM users ORDER BY id")
            + shop.rows("SELECT id, author_id, checker_id FROM issues ORDER BY id")
            + shop.rows("SELECT key || field || target_key || rule FROM _sluice_pending").sorted()
    }

    // MARK: Model

    /// What the tables hold, written down without any regard to how it comes there.
    private struct Model {
        /// A reference that is null for good once its user is not there.
        struct Author: Equatable {
            var user: Int?
            var isEmptied = false
            /// The run that emptied it and did not write it.
            var emptiedBy: Int64?
        }

        struct Issue {
            var author: Author
            var checker: Int?
        }

        struct Source {
            var users: Set<Int>
            var issues: [Int: (author: Int?, checker: Int?)] = [:]

            init(_ random: inout SeededGenerator) {
                users = Set((1...3).filter { _ in random.chance(60) })
                for id in 1...3 where random.chance(80) {
                    // Few users, so that one comes back while something still refers to it.
                    let author = random.chance(60) ? 1 : random.pick([2, 3, nil])
                    issues[id] = (author, random.pick([1, 1, 2, nil]))
                }
            }
        }

        var users: Set<Int> = []
        var issues: [Int: Issue] = [:]
        /// The runs that are taken back.
        var undone: Set<Int64> = []

        mutating func run(_ source: Source, number: Int64) {
            users = source.users
            // Those that led to a user before, and still say so.
            var kept: Set<Int> = []
            var now: [Int: Issue] = [:]
            for (id, said) in source.issues {
                var author = Author(user: said.author)
                if let known = issues[id]?.author, known.user == said.author {
                    author = known
                    if !known.isEmptied { kept.insert(id) }
                }
                now[id] = Issue(author: author, checker: said.checker)
            }
            issues = now
            settle { kept.contains($0) ? number : nil }
        }

        /// Empties what leads to a user who is not there.
        private mutating func settle(by run: (_ issue: Int) -> Int64?) {
            for (id, issue) in issues {
                guard let user = issue.author.user, !issue.author.isEmptied, !users.contains(user) else { continue }
                issues[id]?.author = Author(user: user, isEmptied: true, emptiedBy: run(id))
            }
        }

        /// Takes a run back: what is as it left it is as before again.
        mutating func undo(_ run: Run) {
            undone.insert(run.number)
            let (before, after) = (run.before, run.after)
            users.subtract(after.users.subtracting(before.users))
            users.formUnion(before.users.subtracting(after.users))
            for id in Set(before.issues.keys).union(after.issues.keys) {
                guard let left = after.issues[id] else {
                    if issues[id] == nil { issues[id] = before.issues[id].map(returning) }
                    continue
                }
                guard let now = issues[id] else { continue }
                guard let old = before.issues[id].map(returning) else {
                    if now.author.user == left.author.user && now.checker == left.checker { issues[id] = nil }
                    continue
                }
                if now.checker == left.checker { issues[id]?.checker = old.checker }
                if old.author.user != left.author.user {
                    if now.author.user == left.author.user { issues[id]?.author = old.author }
                } else if !old.author.isEmptied && left.author.isEmptied && now.author.user == left.author.user {
                    issues[id]?.author = old.author
                }
            }
            settle { _ in nil }
        }

        /// What comes back: what a run that is taken back had emptied leads to its user again.
        private func returning(_ issue: Issue) -> Issue {
            var issue = issue
            if let run = issue.author.emptiedBy, undone.contains(run) { issue.author = Author(user: issue.author.user) }
            return issue
        }

        var text: [String] {
            var rows = users.sorted().map(String.init)
            var waiting: [String] = []
            for (id, issue) in issues.sorted(by: { $0.key < $1.key }) {
                let author = issue.author.isEmptied ? nil : issue.author.user
                let checker = issue.checker.flatMap { users.contains($0) ? $0 : nil }
                rows.append("\(id)|\(author.map(String.init) ?? "NULL")|\(checker.map(String.init) ?? "NULL")")
                if issue.author.isEmptied { waiting.append("'[\(id)]author[\(issue.author.user ?? 0)]set_null'") }
                if checker == nil, let user = issue.checker { waiting.append("'[\(id)]checker[\(user)]defer'") }
            }
            return rows + waiting.sorted()
        }
    }
}

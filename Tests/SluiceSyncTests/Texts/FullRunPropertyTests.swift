import SluiceReport
import TestSupport
import Testing

/// Random lives of repositories, whose issues are asked for where the repository changed, with lines within them, and of the users
/// that they refer to. Tables refuse values for a time, people edit and delete, also without a look at what refers to a row. One
/// store is synced with `--full`; the other one passes over what it may: they must hold the same.
@Suite("No run differs from one with --full")
struct FullRunPropertyTests {
    static let seeds = Seeds.first(4)

    /// What sort of life it is.
    private struct Setting {
        let policy: String
        let dangling: String
        /// Whether people delete rows that others refer to, and the database does not look.
        let isUnwatched: Bool
        /// Whether tables refuse values.
        let refuses: Bool

        init(_ random: inout SeededGenerator) {
            policy = random.pick(["manual", "local_wins", "remote_wins"])
            dangling = random.pick(["defer", "set_null", "stub"])
            isUnwatched = random.chance(60)
            refuses = random.chance(80)
        }
    }

    private struct Issue {
        var text: String
        var user: Int
        var lines: [Int: String]

        func json(_ id: Int) -> String {
            let lines = lines.sorted { $0.key < $1.key }.map { #"{"id":\#($0),"t":"\#($1)"}"# }
            return #"{"id":\#(id),"t":"\#(text)","user":\#(user),"lines":[\#(lines.joined(separator: ","))]}"#
        }
    }

    /// What the source has.
    private struct Source {
        static let texts = ["a", "b", "no1", "no2"]
        var users: [Int: String] = [:]
        var repos: [Int: (version: Int, issues: [Int: Issue])] = [:]
        private var version = 0

        mutating func change(_ random: inout SeededGenerator) {
            for id in 1...4 {
                if random.chance(users[id] == nil ? 60 : 10) {
                    users[id] = users[id] == nil ? random.pick(Self.texts) : nil
                } else if users[id] != nil, random.chance(20) {
                    users[id] = random.pick(Self.texts)
                }
            }
            for id in 1...3 {
                guard repos[id] != nil else {
                    if random.chance(60) { repos[id] = (0, [:]) }
                    continue
                }
                if random.chance(6) { repos[id] = nil } else if random.chance(50) { changeIssues(of: id, &random) }
            }
        }

        /// Changes a list, and what shows that it changed.
        private mutating func changeIssues(of repo: Int, _ random: inout SeededGenerator) {
            version += 1
            repos[repo]?.version = version
            for id in 1...3 where random.chance(60) {
                guard var issue = repos[repo]?.issues[id] else {
                    repos[repo]?.issues[id] = Issue(
                        text: random.pick(Self.texts), user: Int.random(in: 1...5, using: &random), lines: [:])
                    continue
                }
                switch Int.random(in: 0..<5, using: &random) {
                case 0: issue.text = random.pick(Self.texts)
                case 1: issue.user = Int.random(in: 1...5, using: &random)
                case 2, 3: issue.lines[Int.random(in: 1...2, using: &random)] = random.pick(Self.texts)
                default:
                    repos[repo]?.issues[id] = nil
                    continue
                }
                repos[repo]?.issues[id] = issue
            }
        }

        func put(in shop: Workshop) throws {
            let users = users.sorted { $0.key < $1.key }.map { #"{"id":\#($0),"t":"\#($1)"}"# }
            try shop.put("[" + users.joined(separator: ",") + "]", as: "users.json")
            let repos = repos.sorted { $0.key < $1.key }
            let list = repos.map { #"{"id":\#($0),"t":"v\#($1.version)"}"# }
            try shop.put("[" + list.joined(separator: ",") + "]", as: "repos.json")
            for (id, repo) in repos {
                let issues = repo.issues.sorted { $0.key < $1.key }.map { $1.json($0) }
                try shop.put("[" + issues.joined(separator: ",") + "]", as: "issues-\(id).json")
            }
        }
    }

    @Test(arguments: seeds)
    func stores(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let setting = Setting(&random)
        let shops = try (0..<2).map { _ in try Self.shop(setting) }
        for shop in shops {
            for file in ["users", "repos"] { try shop.put("[]", as: "\(file).json") }
            _ = shop.sync()
            try shop.refuse(in: ["users", "issues", "lines"])
            if setting.refuses { try shop.sql("INSERT INTO refused VALUES ('no1'), ('no2')") }
        }
        shops[0].overrides.isFull = true
        var source = Source()
        var wasRefused = false
        for round in 0..<14 {
            let place: Comment = "seed \(seed), round \(round), \(setting)"
            source.change(&random)
            let edit = Self.edit(setting, &random)
            for shop in shops {
                try source.put(in: shop)
                try shop.sql(edit)
                let report = shop.sync().report
                #expect(report.status == .succeeded, "\(place) \(report.problems)")
            }
            let kept = try shops.map {
                try $0.kept().filter { !$0.hasPrefix("quarantine: ") || $0.hasSuffix("'open'") }
            }
            #expect(kept[0] == kept[1], place)
            let states = try shops[1].rows("SELECT status FROM _sluice_quarantine")
            wasRefused = wasRefused || states.contains("'open'")
            if kept[0] != kept[1] { break }
        }
        #expect(!setting.refuses || wasRefused, "seed \(seed): nothing was ever in quarantine")
    }

    @Test("An entry goes with the parent of its record, and so does one within it", arguments: [false, true])
    func entriesOfGoneParents(isFull: Bool) throws {
        var random = SeededGenerator(seed: 1)
        let shop = try Self.shop(Setting(&random))
        for file in ["users", "repos"] { try shop.put("[]", as: "\(file).json") }
        #expect(shop.sync().report.status == .succeeded)
        try shop.refuse(in: ["issues", "lines"])
        try shop.sql("INSERT INTO refused VALUES ('no')")
        try shop.put(#"[{"id":1,"t":"a"},{"id":2,"t":"a"}]"#, as: "repos.json")
        for id in [1, 2] {
            try shop.put(
                #"[{"id":1,"t":"no","lines":[]},{"id":2,"t":"a","lines":[{"id":1,"t":"no"}]}]"#, as: "issues-\(id).json"
            )
        }
        #expect(shop.sync().report.status == .succeeded)
        let open = "SELECT key FROM _sluice_quarantine WHERE status = 'open' ORDER BY id"
        let (issue, line) = (#"'{"repo":2,"id":1}'"#, #"'{"issue_repo":2,"issue_id":2,"id":1}'"#)
        #expect(try shop.rows(open).count == 4)
        shop.overrides.isFull = isFull
        try shop.put(#"[{"id":2,"t":"a"}]"#, as: "repos.json")
        #expect(shop.sync().report.status == .succeeded)
        #expect(try Set(shop.rows(open)) == [issue, line])
        #expect(try shop.rows("SELECT repo, id FROM issues") == ["2|2"])
    }

    /// What a person does, each statement where it finds something.
    private static func edit(_ setting: Setting, _ random: inout SeededGenerator) -> String {
        var statements = "PRAGMA foreign_keys = \(setting.isUnwatched ? "OFF" : "ON");"
        for text in ["no1", "no2"] where setting.refuses && random.chance(40) {
            statements += random.pick([
                "INSERT OR IGNORE INTO refused VALUES ('\(text)');", "DELETE FROM refused WHERE t = '\(text)';",
            ])
        }
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            let (repo, id) = (Int.random(in: 1...3, using: &random), Int.random(in: 1...4, using: &random))
            statements += random.pick([
                "UPDATE issues SET t = 'mine' WHERE repo = \(repo) AND id = \(id);",
                "UPDATE issues SET t = 'a' WHERE repo = \(repo) AND id = \(id);",
                "UPDATE lines SET t = '\(random.pick(["a", "mine"]))' WHERE issue_repo = \(repo);",
                "UPDATE users SET t = 'mine' WHERE id = \(id);",
                "DELETE FROM lines WHERE issue_repo = \(repo) AND issue_id = \(id);",
                "DELETE FROM lines WHERE issue_repo = \(repo) AND issue_id = \(id); DELETE FROM issues WHERE repo = \(repo) AND id = \(id);",
                setting.isUnwatched ? "DELETE FROM users WHERE id = \(id);" : "",
            ])
        }
        return statements
    }

    private static func shop(_ setting: Setting) throws -> Workshop {
        let shop = try Workshop()
        let deletes = "delete_missing: {mode: hard, max_delete: 100%, min_records: 0}"
        try shop.define(
            "shop",
            """
            entities:
              User: {table: users, primary_key: id, fields: {id: int, t: string}}
              Repo: {table: repos, primary_key: id, fields: {id: int, t: string}}
              Issue:
                table: issues
                primary_key: [repo, id]
                fields:
                  repo: {value: "{{ parent.id }}", type: int}
                  id: int
                  t: string
                  user: {ref: User, upsert: false, on_dangling: \(setting.dangling)}
                children: {lines: {entity: Line, key: [id]}}
              Line: {table: lines, fields: {id: int, t: string}}
            streams:
              - {name: users, entity: User, path: users.json, \(deletes)}
              - {name: repos, entity: Repo, path: repos.json, \(deletes)}
              - {name: issues, entity: Issue, path: "issues-{{ parent.id }}.json", parent: {stream: repos, only: changed}, \(deletes)}
            merge: {on_conflict: \(setting.policy)}
            """)
        return shop
    }
}

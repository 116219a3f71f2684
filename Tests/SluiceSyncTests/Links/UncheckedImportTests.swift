import SluiceReport
import SluiceSQLite
import TestSupport
import Testing

/// Random records that lead to others, of which some never come, into an empty file and into one that somebody has written to: while
/// the first is filled nobody looks after foreign keys, and what becomes of it is the same.
///
/// A failure names its seed; see ``Seeds``.
@Suite("A first import is like a later one")
struct UncheckedImportTests {
    static let rules = ["defer", "set_null", "stub", "fail"]

    @Test("Whatever leads to what is not there", arguments: Seeds.first(12), rules)
    func isLikeALaterOne(_ seed: UInt64, _ rule: String) throws {
        var random = SeededGenerator(seed: seed)
        let comesLater = Bool.random(using: &random)
        let embeds = Bool.random(using: &random)
        let issues = issues(embeds: embeds, &random)
        let users = (1...6).filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
        let (empty, used) = (try shop(rule, comesLater, embeds), try shop(rule, comesLater, embeds))
        // Both read the same files.
        used.definition = empty.definition
        try Connection(path: used.store, mode: .create).execute("CREATE TABLE own (x); INSERT INTO own VALUES (1)")
        var said: [RunReport] = []
        try empty.put(issues, as: "issues.json")
        try empty.put(Self.list(users), as: "users.json")
        for shop in [empty, used] { said.append(shop.sync().report) }
        #expect(said[0].status == said[1].status, "seed \(seed): \(said[0].problems) \(said[1].problems)")
        #expect(said[0].summary == said[1].summary, "seed \(seed)")
        #expect(said[0].problems.map(\.message) == said[1].problems.map(\.message), "seed \(seed)")
        if said[0].status == .failed { return }
        for query in Self.queries {
            #expect(try empty.rows(query) == used.rows(query), "seed \(seed): \(query)")
        }
        #expect(try empty.database.damage() == [], "seed \(seed)")
        #expect(try empty.rows("SELECT * FROM pragma_foreign_key_check") == [], "seed \(seed)")
        // What waits is linked as everywhere once it comes.
        try empty.put(Self.list(Array(1...9)), as: "users.json")
        for shop in [empty, used] { #expect(shop.sync().report.status == said[0].status, "seed \(seed)") }
        for query in Self.queries {
            #expect(try empty.rows(query) == used.rows(query), "seed \(seed), all users: \(query)")
        }
    }

    private static let queries = [
        "SELECT * FROM issues ORDER BY 1", "SELECT * FROM users ORDER BY 1",
        "SELECT * FROM issue_readers ORDER BY 1, 2",
        "SELECT * FROM _sluice_pending ORDER BY 1, 2, 3, 4",
        "SELECT kind, entity, key, action, field, old, new FROM _sluice_changes ORDER BY 1, 2, 3, 4, 5, 6, 7",
    ]

    private static func list(_ users: [Int]) -> String {
        "[" + users.map { #"{"id":\#($0),"name":"u\#($0)"}"# }.joined(separator: ",") + "]"
    }

    /// Issues with an author, readers and an issue above them, each of which may be there or not.
    private func issues(embeds: Bool, _ random: inout SeededGenerator) -> String {
        let issues = (1...8).map { id in
            let author = Int.random(in: 1...9, using: &random)
            let readers = (1...9).filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
            let above =
                Int.random(in: 0..<3, using: &random) == 0 ? "null" : String(Int.random(in: 1...10, using: &random))
            let said = embeds && author % 2 == 0 ? #"{"id":\#(author),"name":"u\#(author)"}"# : String(author)
            return #"{"id":\#(id),"author":\#(said),"readers":\#(readers),"above":\#(above)}"#
        }
        return "[" + issues.joined(separator: ",") + "]"
    }

    private func shop(_ rule: String, _ comesLater: Bool, _ embeds: Bool) throws -> Workshop {
        let shop = try Workshop()
        let streams = [
            "  - {name: issues, entity: Issue, path: issues.json}", "  - {name: users, entity: User, path: users.json}",
        ]
        try shop.define(
            "shop",
            """
            entities:
              Issue:
                table: issues
                primary_key: id
                fields:
                  id: int
                  author: {ref: User, upsert: \(embeds), on_dangling: \(rule)}
                  readers: {refs: User, via: issue_readers, upsert: false, on_dangling: \(rule)}
                  above: {ref: Issue, upsert: false, on_dangling: \(rule)}
              User: {table: users, primary_key: id, fields: {id: int, name: string}}
            streams:
            \((comesLater ? streams : streams.reversed()).joined(separator: "\n"))
            """)
        return shop
    }
}

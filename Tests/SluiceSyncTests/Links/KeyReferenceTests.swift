import SluicePipeline
import SluiceReport
import Testing

/// References to a record that goes from its source, within the primary key and outside of it.
@Suite("A reference to what goes")
struct KeyReferenceTests {
    /// What becomes of the issues of a repository that its source no longer has.
    enum Issues: String, Sendable, CaseIterable {
        /// Their source no longer has them either.
        case gone
        /// Their source has them still.
        case listed
        /// Their source no longer has them, and somebody changed one of them.
        case edited
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let isKey: Bool
        let rule: String
        let issues: Issues
        /// The issues with their repositories, in the end.
        let rows: [String]
        /// The repositories in the end.
        var repos = ["2|'b'"]
        var conflicts: [String] = []
        var problems: [String] = []
        /// What a run says that fails.
        var error: String?
        var testDescription: String { "\(isKey ? "in the key" : "outside") \(rule) \(issues)" }
    }

    private static let kept = ["1|'a'", "2|'b'"]
    private static let stub = ["1|NULL", "2|'b'"]
    private static let refusal = "refers to `1` of `repos`, which is not there, and its `on_dangling` is `fail`"
    private static let all = ["1|10|'x'", "1|11|'y'", "2|20|'z'"]
    private static let edited = ["1|10|'mine'", "2|20|'z'"]

    static let cases: [Case] =
        ["stub", "fail"].map { Case(isKey: true, rule: $0, issues: .gone, rows: ["2|20|'z'"]) }
        + ["defer", "set_null", "stub", "fail"].map { Case(isKey: false, rule: $0, issues: .gone, rows: ["2|20|'z'"]) }
        + [
            Case(isKey: true, rule: "stub", issues: .listed, rows: all, repos: stub, problems: ["stubs"]),
            Case(isKey: true, rule: "fail", issues: .listed, rows: all, repos: kept, error: refusal),
            Case(
                isKey: true, rule: "stub", issues: .edited, rows: edited, repos: stub,
                conflicts: ["edit_delete * - {\"repo\":1,\"number\":10,\"title\":\"mine\"} - open 1"],
                problems: ["stubs"]),
            Case(
                isKey: true, rule: "fail", issues: .edited, rows: ["1|10|'mine'"] + all.dropFirst(), repos: kept,
                error: refusal),
            Case(
                isKey: false, rule: "defer", issues: .listed, rows: ["NULL|10|'x'", "NULL|11|'y'", "2|20|'z'"],
                problems: ["dangling"]),
            Case(
                isKey: false, rule: "set_null", issues: .listed, rows: ["NULL|10|'x'", "NULL|11|'y'", "2|20|'z'"],
                problems: ["dangling"]),
            Case(isKey: false, rule: "stub", issues: .listed, rows: all, repos: stub, problems: ["stubs"]),
            Case(isKey: false, rule: "fail", issues: .listed, rows: all, repos: kept, error: refusal),
            Case(
                isKey: false, rule: "defer", issues: .edited, rows: ["NULL|10|'mine'", "2|20|'z'"],
                conflicts: ["edit_delete * - {\"repo\":1,\"number\":10,\"title\":\"mine\"} - open 1"],
                problems: ["dangling"]),
            Case(
                isKey: false, rule: "set_null", issues: .edited, rows: ["NULL|10|'mine'", "2|20|'z'"],
                conflicts: ["edit_delete * - {\"repo\":1,\"number\":10,\"title\":\"mine\"} - open 1"],
                problems: ["dangling"]),
            Case(
                isKey: false, rule: "stub", issues: .edited, rows: edited, repos: stub,
                conflicts: ["edit_delete * - {\"repo\":1,\"number\":10,\"title\":\"mine\"} - open 1"],
                problems: ["stubs"]),
            Case(
                isKey: false, rule: "fail", issues: .edited, rows: ["1|10|'mine'"] + all.dropFirst(), repos: kept,
                error: refusal),
        ]

    @Test(arguments: cases)
    func whatGoes(_ test: Case) throws {
        let tracker = try Tracker(
            issue: "title: string",
            entities: """
                Repo: {table: repos, primary_key: id, fields: {id: int, name: string}}
                  Ticket:
                    table: tickets
                    primary_key: \(test.isKey ? "[repo, number]" : "[number]")
                    fields: {repo: {ref: Repo, upsert: false, on_dangling: \(test.rule)}, number: int, title: string}
                """,
            streams: """
                - {name: repos, entity: Repo, path: repos.json, \(Tracker.deletes)}
                  - {name: tickets, entity: Ticket, path: tickets.json, \(Tracker.deletes)}
                """)
        let shop = tracker.shop
        try shop.put(#"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#, as: "repos.json")
        let last = #"{"repo":2,"number":20,"title":"z"}"#
        try shop.put(
            #"[{"repo":1,"number":10,"title":"x"},{"repo":1,"number":11,"title":"y"},\#(last)]"#, as: "tickets.json")
        try tracker.run()
        if test.issues == .edited { try shop.sql("UPDATE tickets SET title = 'mine' WHERE number = 10") }
        try shop.put(#"[{"id":2,"name":"b"}]"#, as: "repos.json")
        if test.issues != .listed { try shop.put("[\(last)]", as: "tickets.json") }
        for _ in 1...2 {
            let (report, _) = try tracker.run()
            #expect(report.status == (test.error == nil ? .succeeded : .failed), "\(report.problems)")
            if let error = test.error { #expect(report.problems.first?.message.contains(error) == true) }
            if test.error == nil, report.run == 2 { #expect(report.problems.map(\.code) == test.problems) }
            #expect(try shop.rows("SELECT repo_id, number, title FROM tickets ORDER BY number") == test.rows)
            #expect(try shop.rows("SELECT * FROM repos ORDER BY id") == test.repos)
            #expect(try shop.conflicts == test.conflicts)
        }
    }
}

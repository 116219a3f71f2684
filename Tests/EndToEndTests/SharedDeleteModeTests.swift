import Foundation
import TestSupport
import Testing

/// Two streams fill one table and delete in different ways: the one that had a record last says what becomes of its row.
@Suite struct SharedDeleteModeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var modes = (first: "soft", second: "hard")
        /// The records that the streams list, run after run; both begin with 1 and 2.
        let runs: [(first: [Int], second: [Int])]
        /// The rows that are left, with whether each is marked as deleted.
        let rows: [String]
    }

    static let cases = [
        Case(testDescription: "gone from one of them", runs: [([2], [1, 2]), ([2], [1, 2])], rows: ["1|0", "2|0"]),
        Case(testDescription: "the one that deletes had it last", runs: [([2], [1, 2]), ([2], [2])], rows: ["2|0"]),
        Case(
            testDescription: "the one that marks had it last", runs: [([1, 2], [2]), ([2], [2])], rows: ["1|1", "2|0"]),
        Case(testDescription: "gone from both at once: the one that goes last", runs: [([2], [2])], rows: ["2|0"]),
        Case(
            testDescription: "gone from both at once, in the other order", modes: ("hard", "soft"), runs: [([2], [2])],
            rows: ["1|1", "2|0"]),
        Case(
            testDescription: "one that only reports holds it", modes: ("soft", "report"),
            runs: [([1, 2], [2]), ([2], [2])],
            rows: ["1|0", "2|0"]),
    ]

    @Test(arguments: cases)
    func theLastOneDecides(test: Case) throws {
        let scene = try Scene(records: 1)
        let rule = "max_delete: 100%, min_records: 0, confirm: 0"
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "file:."}
            merge: {precedence: [a, b]}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int}}
            streams:
              - {name: a, entity: Book, path: a.json, delete_missing: {mode: \(test.modes.first), \(rule)}}
              - {name: b, entity: Book, path: b.json, delete_missing: {mode: \(test.modes.second), \(rule)}}
            """)
        for lists in [([1, 2], [1, 2])] + test.runs {
            for (name, list) in [("a.json", lists.0), ("b.json", lists.1)] {
                try scene.write(name, "[" + list.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]")
            }
            #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        }
        #expect(try scene.query("SELECT id, _deleted_at IS NOT NULL FROM books ORDER BY id") == test.rows)
    }
}

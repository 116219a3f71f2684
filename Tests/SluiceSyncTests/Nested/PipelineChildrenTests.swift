import SluiceReport
import SluiceReview
import SluiceStore
import Testing

/// What belongs to a record that two pipelines list: a change of either is taken as a change of the record itself is.
@Suite("Children that two pipelines list")
struct PipelineChildrenTests {
    struct Round: Sendable {
        /// What each pipeline says of the order and of its first line; nil where it says what it said before.
        var a: (note: String, text: String)?
        var b: (note: String, text: String)?
        /// The order's note and the line's text in the table.
        var held: (note: String, text: String)
        /// What is asked.
        var open: [String] = []
    }

    struct Life: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var precedence = ""
        let rounds: [Round]
    }

    private static let begin = Round(a: ("n", "x"), b: ("n", "x"), held: ("n", "x"))
    static let lives = [
        Life(
            testDescription: "one changes a child",
            rounds: [begin, Round(a: ("n", "y"), held: ("n", "y")), Round(b: ("n", "y"), held: ("n", "y"))]),
        Life(
            testDescription: "one changes a child and the other changes it on",
            rounds: [
                begin, Round(a: ("n", "y"), held: ("n", "y")), Round(b: ("n", "y"), held: ("n", "y")),
                Round(b: ("n", "z"), held: ("n", "z")), Round(a: ("n", "z"), held: ("n", "z")),
            ]),
        Life(
            testDescription: "both change a child to the same",
            rounds: [begin, Round(a: ("n", "y"), b: ("n", "y"), held: ("n", "y"))]),
        Life(
            testDescription: "both change record and child differently",
            rounds: [
                begin,
                Round(
                    a: ("na", "xa"), b: ("nb", "xb"), held: ("na", "xa"),
                    open: ["Line disagreement", "Order disagreement"]),
                Round(b: ("na", "xa"), held: ("na", "xa")),
            ]),
        Life(
            testDescription: "with an order, the first one's stands", precedence: "merge: {precedence: [a/o, b/o]}",
            rounds: [
                begin, Round(b: ("n", "xb"), held: ("n", "x")), Round(a: ("n", "xa"), held: ("n", "xa")),
                Round(b: ("n", "xa"), held: ("n", "xa")),
            ]),
    ]

    @Test(arguments: lives) func isLived(_ life: Life) throws {
        let shop = try Workshop()
        func sync(_ name: String) throws {
            try shop.define(
                name,
                """
                \(life.precedence)
                entities:
                  Order: {table: orders, primary_key: id, fields: {id: int, note: string}, children: {lines: {entity: Line, from: "lines[*]", key: [k]}}}
                  Line: {table: lines, fields: {k: int, text: string}}
                streams:
                  - {name: o, entity: Order, path: \(name).json}
                """)
            let (report, _) = try shop.syncPlanned()
            #expect(report.status == .succeeded, "\(report.problems)")
        }
        for (number, round) in life.rounds.enumerated() {
            for (name, said) in [("a", round.a), ("b", round.b)] {
                guard let said else { continue }
                try shop.put(
                    #"[{"id":1,"note":"\#(said.note)","lines":[{"k":1,"text":"\#(said.text)"},{"k":2,"text":"-"}]}]"#,
                    as: "\(name).json")
            }
            for _ in 1...2 { for name in ["a", "b"] { try sync(name) } }
            #expect(
                try shop.rows("SELECT note, text FROM orders JOIN lines ON order_id = id WHERE k = 1")
                    == ["'\(round.held.note)'|'\(round.held.text)'"], "round \(number)")
            #expect(
                try shop.rows("SELECT entity || ' ' || kind FROM _sluice_conflicts WHERE status = 'open' ORDER BY 1")
                    == round.open.map { "'\($0)'" }, "round \(number)")
            if round.open.isEmpty && life.precedence.isEmpty { #expect(try edits(of: shop) == 0, "round \(number)") }
        }
    }

    /// How many rows hold something else than what the sources said.
    private func edits(of shop: Workshop) throws -> Int {
        var edits = 0
        try EditReader(store: shop.open(.reading)).edits(pipelines: nil, entity: nil) { _ in edits += 1 }
        return edits
    }
}

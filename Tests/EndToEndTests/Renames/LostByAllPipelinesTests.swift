import Testing

/// A row goes once the last of several pipelines has lost its record, whatever the others gave of it and gave up before; what a person
/// wrote into it holds it.
@Suite struct LostByAllPipelinesTests {
    /// What happens next.
    enum Step: Sendable {
        /// A pipeline has these fields from now on, and runs.
        case has(String, String)
        /// A source gives this record besides the one that all give, and its pipeline runs; nil where it loses it.
        case gives(String, String?)
    }

    struct History: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The pipelines, the first of which goes before all others.
        let order: String
        let steps: [Step]
    }

    private static let both = "n: string, m: string"

    static let histories = [
        History(
            testDescription: "the first gives a field up, the second loses the record, then the first", order: "qp",
            steps: [
                .has("p", both), .has("q", both), .gives("p", #""n":"x","m":"m""#), .gives("q", #""n":"y","m":"m""#),
                .has("q", "m: string"), .gives("p", nil), .gives("q", nil),
            ]),
        History(
            testDescription: "the second loses the record, the first gives a field up and loses it", order: "pq",
            steps: [
                .has("p", both), .has("q", both), .gives("p", #""n":"x","m":"m""#), .gives("q", #""n":"z","m":"m""#),
                .gives("q", nil), .has("p", "m: string"), .gives("p", nil),
            ]),
        History(
            testDescription: "the first alone gave the field, which it gives up", order: "qp",
            steps: [
                .has("p", both), .has("q", both), .gives("q", #""n":"y","m":"m""#), .has("q", "m: string"),
                .gives("p", #""m":"m""#), .gives("p", nil), .gives("q", nil),
            ]),
        History(
            testDescription: "the last one left has not the field about which the others differ", order: "pqs",
            steps: [
                .has("p", both), .has("q", both), .has("s", "m: string"), .gives("p", #""n":"x","m":"m""#),
                .gives("q", #""n":"y","m":"m""#), .gives("s", #""m":"m""#), .gives("q", nil), .gives("p", nil),
                .gives("s", nil),
            ]),
        History(
            testDescription: "the first of three gives the field up", order: "qps",
            steps: [
                .has("p", both), .has("q", both), .has("s", both), .gives("p", #""n":"x","m":"m""#),
                .gives("q", #""n":"y","m":"m""#), .gives("s", #""n":"z","m":"m""#), .has("q", "m: string"),
                .gives("p", nil),
                .gives("s", #""n":"z","m":"m""#), .gives("q", nil), .gives("s", nil),
            ]),
    ]

    /// The source of a pipeline that is new gives one record, which it always has.
    private func carryOut(
        _ step: Step, of history: History, in scene: TableScene, _ begun: inout Set<String>
    ) throws -> String {
        let kept = #"{"id":2,"n":"n","m":"m"}"#
        let name: String
        switch step {
        case .has(let pipeline, let fields):
            name = pipeline
            try scene.write(
                "\(name).yaml",
                """
                version: 1
                name: \(name)
                source: {base_url: "file:."}
                entities:
                  T: {table: t, primary_key: [id], fields: {id: int, \(fields)}}
                streams:
                  - name: a
                    entity: T
                    path: \(name).json
                    schema_contract: {fields: ignore}
                    delete_missing: {mode: hard, max_delete: 100%, min_records: 0}
                merge: {precedence: [\(history.order.map { "\($0)/a" }.joined(separator: ", "))]}
                """)
            if begun.insert(name).inserted { try scene.write("\(name).json", "[\(kept)]") }
        case .gives(let pipeline, let record):
            name = pipeline
            let records = (record.map { [#"{"id":1,\#($0)}"#] } ?? []) + [kept]
            try scene.write("\(name).json", "[\(records.joined(separator: ","))]")
        }
        let run = try scene.sluice("run", "\(name).yaml")
        return "\(step): \(run.output)\(run.errors)"
    }

    @Test(arguments: histories) func itGoes(_ history: History) throws {
        let scene = try TableScene(.sqlite)
        var begun: Set<String> = []
        for step in history.steps {
            let said = try carryOut(step, of: history, in: scene, &begun)
            #expect(!said.contains("conflict:") && !said.contains("in conflict"), "\(said)")
            let edits = try scene.sluice("edits").output
            #expect(edits.contains("Nothing was changed here"), "\(said)\(edits)")
        }
        #expect(try scene.query("SELECT CAST(id AS text) FROM t") == ["2"])
    }

    @Test(arguments: histories) func anEditHoldsIt(_ history: History) throws {
        let scene = try TableScene(.sqlite)
        let last = history.steps.count - 1
        var begun: Set<String> = []
        for step in history.steps.prefix(last) { _ = try carryOut(step, of: history, in: scene, &begun) }
        try scene.execute("UPDATE t SET n = 'mine' WHERE id = 1")
        #expect(try scene.sluice("edits").output.contains(#"local "mine""#))
        let said = try carryOut(history.steps[last], of: history, in: scene, &begun)
        #expect(said.contains("1 in conflict"), "\(said)")
        #expect(try scene.query("SELECT n FROM t ORDER BY id") == ["mine", "n"])
    }
}

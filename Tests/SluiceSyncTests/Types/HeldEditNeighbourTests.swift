import SluiceModel
import SluiceReport
import SluiceReview
import SluiceStore
import SluiceSync
import TestSupport
import Testing

/// Edits that wait in the quarantine, in rows that two sources fill and in those that stand within a record: with a change
/// of type and back, a store is as one whose column never changed.
@Suite("Edits in the quarantine, of several sources and within records")
struct HeldEditNeighbourTests {
    enum Store: String, CaseIterable, Sendable { case file, schema }

    enum Step: Sendable {
        /// A file of the source.
        case put(String, String)
        /// A run, where it is said of one stream.
        case run(String? = nil)
        case edit(String)
        /// All that is open is decided for the source.
        case take
        /// The column becomes a date in the one store.
        case change
    }

    struct History: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let pipeline: String
        let table: String
        let steps: [Step]
        /// What is open while the edit waits, in both stores.
        var open: [String] = []
        /// What is edited while it waits, in both stores.
        var edits: [String] = []
        let back: [String]
    }

    private static let shared = """
        entities:
          Person: {table: contacts, primary_key: [id], fields: {id: int, mail: TYPE}}
          Account: {table: contacts, primary_key: [number], fields: {number: {type: int, column: id}, mail: TYPE, phone: string}}
        streams:
          - {name: crm, entity: Person, path: crm.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
          - {name: billing, entity: Account, path: billing.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
        merge: {precedence: [crm, billing]}
        """
    private static let nested = """
        entities:
          Invoice:
            table: invoice
            primary_key: [id]
            fields: {id: int}
            children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
          Line: {table: line, fields: {no: int, mail: TYPE}}
        streams:
          - {name: invoices, entity: Invoice, path: invoices.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
        """
    private static let titled = nested.replacing("fields: {id: int}", with: "fields: {id: int, title: string}")
    private static let both = [
        Step.put("crm.json", #"[{"id":5,"mail":"x"}]"#),
        .put("billing.json", #"[{"number":5,"mail":"x","phone":"1"}]"#),
        .run(),
    ]
    private static let mine = Step.edit("UPDATE contacts SET mail = 'mine' WHERE id = 5")
    private static let late = (
        crm: Step.put("crm.json", #"[{"id":5,"mail":"2024-05-05"}]"#),
        billing: Step.put("billing.json", #"[{"number":5,"mail":"2024-05-05","phone":"1"}]"#)
    )

    static let histories: [History] = [
        History(
            testDescription: "the second source gives a value", pipeline: shared, table: "contacts",
            steps: both + [mine, .change, .put("crm.json", #"[{"id":5}]"#), late.billing, .run()],
            edits: [#"mail "mine""#], back: ["'mine'"]),
        History(
            testDescription: "the first source gives a value", pipeline: shared, table: "contacts",
            steps: both + [
                mine, .change, late.crm, .put("billing.json", #"[{"number":5,"phone":"1"}]"#), .run(),
            ], open: [#"crm edit_edit mail "mine" "2024-05-05""#], edits: [#"mail "mine""#], back: ["'mine'"]),
        History(
            testDescription: "one source after the other lets it go", pipeline: shared, table: "contacts",
            steps: both + [mine, .change, .put("crm.json", "[]"), .run(), .put("billing.json", "[]"), .run()],
            open: [#"billing edit_delete * {"number":5,"mail":"mine","phone":"1"} -"#], edits: [#"mail "mine""#],
            back: ["'mine'"]),
        History(
            testDescription: "the second source alone said the value, and nobody edited it", pipeline: shared,
            table: "contacts",
            steps: [
                .put("crm.json", #"[{"id":5}]"#), .put("billing.json", #"[{"number":5,"mail":"x","phone":"1"}]"#),
                .run(),
                .change, late.billing, .run(),
            ], back: ["'2024-05-05'"]),
        History(
            testDescription: "a line was edited, and its record goes", pipeline: nested, table: "line",
            steps: [
                .put("invoices.json", #"[{"id":1,"lines":[{"no":1,"mail":"x"}]},{"id":2,"lines":[]}]"#), .run(),
                .edit("UPDATE line SET mail = 'mine'"), .change,
                .put("invoices.json", #"[{"id":1,"lines":[{"no":1,"mail":null}]},{"id":2,"lines":[]}]"#), .run(),
                .put("invoices.json", #"[{"id":2,"lines":[]}]"#), .run(),
            ], edits: [#"mail "mine""#], back: ["'mine'"]),
        History(
            testDescription: "a line was deleted with its record before, and comes back with it", pipeline: titled,
            table: "line",
            steps: [
                .put("invoices.json", #"[{"id":1,"title":"a","lines":[{"no":1,"mail":"x"}]}]"#), .run(),
                .edit("DELETE FROM line"), .edit("DELETE FROM invoice"),
                .put("invoices.json", #"[{"id":1,"title":"a","lines":[{"no":1}]}]"#), .change,
                .put("invoices.json", #"[{"id":1,"title":"b","lines":[{"no":1}]}]"#), .run(), .take, .run(),
            ], back: ["'x'"]),
        History(
            testDescription: "a line was edited where its source had said null, and goes", pipeline: nested,
            table: "line",
            steps: [
                .put("invoices.json", #"[{"id":1,"lines":[{"no":1,"mail":null}]}]"#), .run(),
                .edit("UPDATE line SET mail = 'mine'"), .change,
                .put("invoices.json", #"[{"id":1,"lines":[]}]"#), .run(),
            ], open: [#"invoices edit_delete * {"invoice_id":1,"no":1,"mail":"mine"} -"#], edits: [#"mail "mine""#],
            back: ["'mine'"]),
    ]

    @Test(
        "A store whose column changed is in the end as one whose column did not", arguments: histories)
    func areAlike(_ history: History) throws { try areAlike(.file, history) }

    @Test("And so on PostgreSQL", arguments: Seeds.some(of: histories, oneOf: 3))
    func areAlikeOnPostgres(_ history: History) throws { try areAlike(.schema, history) }

    private func areAlike(_ store: Store, _ history: History) throws {
        let (changed, other) = (try Workshop(), try Workshop())
        for shop in [changed, other] {
            if store == .schema { shop.database = try WorkshopSchema() }
            try define(shop, history, "string")
            for step in history.steps { try perform(step, shop, history, changes: shop === changed) }
        }
        #expect(try rows(changed, history) != history.back || history.edits.isEmpty)
        for shop in [changed, other] {
            if !history.open.isEmpty { #expect(try open(shop) == history.open) }
            #expect(try edits(shop) == history.edits)
        }
        #expect(try open(changed) == open(other))
        try define(changed, history, "string")
        for shop in [changed, other] {
            _ = shop.sync()
            #expect(try rows(shop, history) == history.back)
            #expect(try edits(shop) == history.edits)
        }
        #expect(try open(changed) == open(other))
        #expect(try changed.database.damage() == [])
    }

    private func define(_ shop: Workshop, _ history: History, _ type: String) throws {
        try shop.define("shop", history.pipeline.replacing("TYPE", with: type))
    }

    private func perform(_ step: Step, _ shop: Workshop, _ history: History, changes: Bool) throws {
        switch step {
        case .put(let file, let json): try shop.put(json, as: file)
        case .edit(let sql): try shop.sql(sql)
        case .take: try HeldEditScene.decide(.remote, shop)
        case .run(let stream):
            shop.stream = stream
            try HeldEditScene.run(shop, isPlanned: changes)
        case .change:
            if changes {
                try define(shop, history, "date")
                shop.adjustOptions = { $0.quarantinesMisfits = true }
            }
            try HeldEditScene.run(shop, isPlanned: changes)
        }
    }

    private func rows(_ shop: Workshop, _ history: History) throws -> [String] {
        try shop.rows("SELECT CAST(mail AS text) FROM \(history.table)")
    }

    private func open(_ shop: Workshop) throws -> [String] {
        try shop.rows(
            """
            SELECT stream || ' ' || kind || ' ' || coalesce(field, '*') || ' ' || coalesce(local, '-') || ' '
            || coalesce(remote, '-') FROM _sluice_conflicts WHERE status = 'open' ORDER BY stream, kind
            """
        ).map { String($0.dropFirst().dropLast()) }
    }

    private func edits(_ shop: Workshop) throws -> [String] {
        var told: [String] = []
        try EditReader(store: shop.open(.reading)).edits(pipelines: nil, entity: nil) { edit in
            told += edit.fields.filter { $0.name == "mail" }.map { "\($0.name) \($0.local ?? "-")" }
        }
        return told
    }
}

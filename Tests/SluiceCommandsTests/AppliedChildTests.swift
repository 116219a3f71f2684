import SluiceSQLite
import Testing

/// A child that somebody deleted after the plan goes with its record, as in a run: nothing of it is an edit any more.
@Suite struct AppliedChildTests {
    @Test(arguments: ["apply", "run"]) func aDeletedChildGoesWithItsRecord(_ command: String) throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Order:
                table: orders
                primary_key: id
                fields: {id: int, status: string}
                children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
              Line: {table: lines, fields: {no: int, qty: int}}
            streams:
              - {name: orders, entity: Order, path: o.json, delete_missing: {mode: hard, max_delete: 100%}}
            """, to: "shop.yaml")
        let kept = #"{"id":2,"status":"new"}"#
        try shop.write(#"[{"id":1,"status":"new","lines":[{"no":1,"qty":5},{"no":2,"qty":6}]},\#(kept)]"#, to: "o.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        try shop.write("[\(kept)]", to: "o.json")
        let plan = shop.folder + "/orders.plan"
        #expect(shop.sluice("plan", shop.pipeline, "--save", plan).code == 0)
        try shop.sql("DELETE FROM lines WHERE no = 2")
        let done = shop.sluice(command, command == "apply" ? plan : shop.pipeline)
        #expect(!done.output.contains("not as the plan found it"), "\(done.output)\(done.errors)")
        #expect(
            try shop.value("SELECT (SELECT count(*) FROM orders) * 10 + (SELECT count(*) FROM lines)") == .integer(10))
        let edits = shop.sluice("edits").output
        #expect(edits.contains("Nothing was changed here"), "\(edits)")
    }
}

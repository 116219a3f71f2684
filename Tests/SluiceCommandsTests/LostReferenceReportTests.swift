import Testing

/// A row that loses a reference changes, though its source says nothing new of it: whoever approves a plan sees it.
@Suite struct LostReferenceReportTests {
    @Test(arguments: ["defer", "set_null"]) func itIsAmongTheChangesInEveryForm(_ rule: String) throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Person: {table: people, primary_key: [id], fields: {id: int}}
              Order: {table: orders, primary_key: [id], fields: {id: int, buyer: {ref: Person, on_dangling: \(rule)}}}
            streams:
              - {name: people, entity: Person, path: people.json, delete_missing: {mode: hard, max_delete: 100%}}
              - {name: orders, entity: Order, path: orders.json}
            """, to: "shop.yaml")
        let file = "\(shop.folder)/shop.yaml"
        try shop.write(#"[{"id":3},{"id":4}]"#, to: "people.json")
        try shop.write(#"[{"id":1,"buyer":4},{"id":2,"buyer":3}]"#, to: "orders.json")
        try #require(shop.run(["run", file, "-q"]).code == 0)
        try shop.write(#"[{"id":3}]"#, to: "people.json")
        try shop.write(#"[{"id":1,"buyer":4},{"id":2,"buyer":3},{"id":5,"buyer":77}]"#, to: "orders.json")

        let end = rule == "defer" ? "null until its record is there" : "null for good"
        let text = shop.run(["plan", file]).output
        #expect(
            text.contains(
                "1 to lose a reference in orders: the record that it leads to goes or is not there\n~ Order 1\n"))
        #expect(text.contains("buyer") && text.contains("4 → null") && text.contains(end), "\(text)")
        #expect(text.contains("1 reference of `orders.buyer` loses its record: it led to `4`, and"), "\(text)")
        #expect(
            text.contains("1 reference of `orders.buyer` leads to a record that is not there (`77`), and"), "\(text)")
        let markdown = shop.run(["plan", file, "--format", "markdown"]).output
        #expect(markdown.contains("1 to lose a reference in orders") && markdown.contains("| `4` |"), "\(markdown)")
        let json = shop.run(["plan", file, "--format", "json"]).output
        let fieldClass = rule == "defer" ? "waiting" : "emptied"
        #expect(
            json.contains(
                #""key":{"id":1},"action":"update","kind":"unlink","fields":[{"field":"buyer","class":"\#(fieldClass)","local":4,"result":null}]"#
            ), "\(json)")
        #expect(json.contains(#""summary":{"insert":1,"update":0,"delete":1,"unchanged":3"#), "\(json)")
        #expect(json.contains(#""unlinked":1,"#), "\(json)")
        #expect(
            text.hasPrefix("Plan for shop: 1 to insert, 1 to delete, 3 unchanged, 1 to lose a reference\n"), "\(text)")
        #expect(shop.run(["plan", file, "--detailed-exitcode"]).code == 2)
        let run = shop.run(["run", file]).output
        #expect(run.contains("1 lost a reference in orders") && run.contains("4 → null"), "\(run)")
        // All that tell of the run count alike.
        let counts = "1 inserted, 1 deleted, 3 unchanged, 1 lost a reference"
        #expect(run.hasPrefix("Run 2 of shop: \(counts)  ("), "\(run)")
        for command in [["status", file], ["history", file], ["history", "2", file]] {
            let told = shop.run(command).output
            #expect(told.contains(counts), "\(told)")
        }
        let history = shop.run(["history", "2", file, "--format", "json"]).output
        #expect(history.contains(#""unlinked":1,"#), "\(history)")
        let review = shop.run(["history", "2", file, "--format", "markdown"]).output
        #expect(review.contains("1 lost a reference in orders") && !review.contains("updated in orders"), "\(review)")
        // Once lost, it is not told again.
        #expect(!shop.run(["run", file]).output.contains("reference in orders"))
    }
}

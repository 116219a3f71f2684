import Testing

/// What is said of a record that a rule of its table refuses, by where it stands.
@Suite struct RefusedElementTests {
    @Test(arguments: [
        (
            #"[{"id":1,"lines":[{"no":1,"qty":-1},{"no":2,"qty":5}]}]"#,
            "leave such elements out of their list with `records: {jq: …}`"
        ),
        (#"[{"id":-1,"lines":[]}]"#, "leave such records out with `filter`"),
    ])
    func theRemedyFitsTheRecord(_ document: String, _ remedy: String) throws {
        let shop = try Workshop()
        try shop.make(
            """
            CREATE TABLE orders (id INTEGER PRIMARY KEY CHECK (id > 0));
            CREATE TABLE line (
                order_id INTEGER NOT NULL REFERENCES orders (id), no INTEGER NOT NULL, qty INTEGER CHECK (qty > 0),
                PRIMARY KEY (order_id, no));
            """)
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Order:
                table: orders
                primary_key: [id]
                fields: {id: int}
                children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
              Line: {table: line, fields: {no: int, qty: int}}
            streams:
              - {name: orders, entity: Order, path: orders.json}
            """, to: "shop.yaml")
        try shop.write(document, to: "orders.json")
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.output.contains("1 not written"), "\(run.output)\(run.errors)")
        let list = shop.sluice("quarantine", "show", "1").output
        #expect(list.contains(remedy), "\(list)")
    }
}

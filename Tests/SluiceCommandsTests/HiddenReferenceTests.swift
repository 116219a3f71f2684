import Testing

/// A reference to a row that is not there waits, whatever else becomes right in the same run: SQLite counts what is wrong,
/// and takes what was wrong before off that count.
@Suite struct HiddenReferenceTests {
    /// Customers and orders before, what somebody deletes, and both afterwards.
    typealias Case = (orders: String, customersAfter: String, ordersAfter: String, rows: [[String]])

    static let cases: [Case] = [
        // One customer goes with its order, an order of a row that is gone moves, and another one comes.
        (
            #"{"id":1,"c":1},{"id":2,"c":2}"#, #"{"id":1,"name":"a"},{"id":3,"name":"c"}"#,
            #"{"id":1,"c":3},{"id":3,"c":1}"#, [["1", "3"], ["3", "-"]]
        ),
        // Two orders change places, of which one referred to the row that is gone.
        (
            #"{"id":1,"c":3},{"id":2,"c":1}"#, #"{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3,"name":"c"}"#,
            #"{"id":1,"c":1},{"id":2,"c":3}"#, [["1", "-"], ["2", "3"]]
        ),
    ]

    @Test(arguments: cases) func noReferenceLeadsNowhere(_ story: Case) throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Customer: {table: customers, primary_key: id, fields: {id: int, name: string}}
              Order: {table: orders, primary_key: id, fields: {id: int, customer: {ref: Customer, from: c}}}
            streams:
              - {name: customers, entity: Customer, path: c.json, delete_missing: {mode: hard, max_delete: 100%}}
              - {name: orders, entity: Order, path: o.json, delete_missing: {mode: hard, max_delete: 100%}}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3,"name":"c"}]"#, to: "c.json")
        try shop.write("[\(story.orders)]", to: "o.json")
        let first = shop.sluice("run", shop.pipeline)
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        // As the shell of SQLite does it, which watches over no foreign key.
        try shop.sql("PRAGMA foreign_keys = OFF; DELETE FROM customers WHERE id = 1")
        try shop.write("[\(story.customersAfter)]", to: "c.json")
        try shop.write("[\(story.ordersAfter)]", to: "o.json")
        let second = shop.sluice("run", shop.pipeline)
        #expect(second.code == 0 && second.output.contains("`orders.customer`"), "\(second.output)\(second.errors)")
        let rows = try shop.rows(
            "SELECT CAST(id AS TEXT), coalesce(CAST(customer_id AS TEXT), '-') FROM orders ORDER BY id")
        #expect(rows == story.rows)
        #expect(try shop.rows("PRAGMA foreign_key_check").isEmpty)
        let check = shop.sluice("store", "check")
        #expect(check.code == 0, "\(check.output)\(check.errors)")
    }
}

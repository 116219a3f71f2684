import SluiceSQLite
import Testing

/// A record comes back with what it belongs to, or stays away: undo does the rest, and its plan says the same.
@Suite struct UndoOwnerTests {
    private func shop() throws -> Workshop {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Customer: {table: customers, primary_key: id, fields: {id: int, name: string}}
              Order:
                table: orders
                primary_key: id
                fields: {id: int, status: string}
                children: {lines: {entity: Line, from: "lines[*]", key: [sku]}}
              Line: {table: lines, fields: {sku: string, qty: int}}
            streams:
              - {name: customers, entity: Customer, path: c.json}
              - {name: orders, entity: Order, path: o.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"name":"Ann"}]"#, to: "c.json")
        try shop.write(
            #"[{"id":1,"status":"new","lines":[{"sku":"A","qty":1}]},{"id":2,"status":"new"}]"#, to: "o.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        return shop
    }

    private func drop(in shop: Workshop) throws {
        try shop.write(#"[{"id":1,"name":"Anna"}]"#, to: "c.json")
        try shop.write(#"[{"id":2,"status":"new"}]"#, to: "o.json")
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try shop.value("SELECT count(*) FROM lines") == .integer(0))
    }

    @Test(arguments: [["--plan"], []]) func whatBelongsToNothingStaysAway(_ options: [String]) throws {
        let shop = try shop()
        // The shell of SQLite leaves the line behind.
        try shop.sql("PRAGMA foreign_keys = OFF; DELETE FROM orders WHERE id = 1")
        try drop(in: shop)
        let undo = shop.sluice(["undo", "2"] + options)
        #expect(undo.code == 1 && undo.output.contains("1 stays"), "\(undo.output)\(undo.errors)")
        #expect(undo.output.contains("what it belongs to was deleted since: it stays deleted"), "\(undo.output)")
        let isDone = options.isEmpty
        #expect(try shop.rows("SELECT name FROM customers") == [[isDone ? "Ann" : "Anna"]])
        #expect(try shop.rows("PRAGMA foreign_key_check").isEmpty)
    }

    /// Both went with the run, so both come back.
    @Test func whatComesBackWithItsRecordComesBack() throws {
        let shop = try shop()
        try drop(in: shop)
        let undo = shop.sluice("undo", "2")
        #expect(undo.code == 0, "\(undo.output)\(undo.errors)")
        #expect(try shop.rows("SELECT sku FROM lines JOIN orders ON id = order_id") == [["A"]])
    }

    /// A run that changed a row within a record and then deleted it with its record, as another stream states, gives back the row
    /// of before the run: the deletion comes back first, once there is the record that the row belongs to, and then the change.
    @Test(arguments: ["ordered: true", "key: [k]"], [["--plan"], []])
    func whatWasChangedAndThenDeletedIsAsBefore(_ list: String, _ options: [String]) throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              B: {table: b, primary_key: id, fields: {id: int, t: string}, children: {cs: {entity: C, \(list)}}}
              C: {table: c, fields: {k: string, v: int}, children: {ds: {entity: D, \(list)}}}
              D: {table: d, fields: {k: string, v: int}}
            streams:
              - {name: said, entity: B, path: said.json}
              - {name: gone, entity: B, path: gone.json, deleted_when: "true"}
            merge: {precedence: [said, gone]}
            """, to: "shop.yaml")
        func say(_ text: String, _ value: Int) throws {
            try shop.write(
                #"[{"id":2,"t":"\#(text)","cs":[{"k":"k","v":\#(value),"ds":[{"k":"k","v":\#(value)}]}]}]"#,
                to: "said.json")
        }
        try say("old", 1)
        try shop.write("[]", to: "gone.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        func rows() throws -> [[String]] {
            try ["SELECT t FROM b", "SELECT v FROM c", "SELECT v FROM d"].map { sql in
                try shop.rows(sql).map { "\($0)" }
            }
        }
        let before = try rows()
        try say("new", 9)
        try shop.write(#"[{"id":2}]"#, to: "gone.json")
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try rows() == [[], [], []])
        let undo = shop.sluice(["undo", "2"] + options)
        #expect(undo.code == 0, "\(undo.output)\(undo.errors)")
        #expect(!undo.output.contains("deleted since"), "\(undo.output)")
        #expect(try rows() == (options.isEmpty ? before : [[], [], []]))
        let edits = shop.sluice("edits", shop.pipeline)
        #expect(edits.output.contains("Nothing was changed here") || !options.isEmpty, "\(edits.output)")
    }
}

import SluiceReport
import SluiceStore
import TestSupport
import Testing

/// One of the fields of an identifier gets another name: what refers to it by all of them follows.
@Suite("The name of a part of an identifier")
struct KeyPartRenameTests {
    enum Store: String, CaseIterable, Sendable { case file, schema }

    struct Names: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The columns of the references.
        let columns: String
        var id = "id: int"
        var key = "id"
        var item = "item"
        var keys = ""

        var text: String {
            """
            entities:
              Item:
                table: items
                primary_key: [\(key), code]
                fields: {\(id), code: string}
                children: {parts: {entity: Part, from: "parts[*]", key: [pid]}}
              Part: {table: part, fields: {pid: int, sku: string}}
              Order:
                table: orders
                primary_key: oid
                fields:
                  oid: int
                  \(item): {ref: Item, from: item, upsert: false\(keys)}
                  all: {refs: Item, from: "all[*]", upsert: false}
            streams:
              - {name: items, entity: Item, path: items.json}
              - {name: orders, entity: Order, path: orders.json}
            """
        }
    }

    static let cases = [
        Names(
            testDescription: "the part", columns: "item_nr, item_code",
            id: "nr: {type: int, from: id, renamed_from: id}",
            key: "nr"),
        Names(
            testDescription: "the part and the reference", columns: "thing_nr, thing_code",
            id: "nr: {type: int, from: id, renamed_from: id}", key: "nr", item: "thing", keys: ", renamed_from: item"),
        Names(
            testDescription: "the reference alone", columns: "thing_id, thing_code", item: "thing",
            keys: ", renamed_from: item"),
    ]

    @Test(arguments: Seeds.pairs(cases, in: Store.allCases))
    func follows(_ names: Names, _ store: Store) throws {
        let shop = try Workshop()
        if store == .schema { shop.database = try WorkshopSchema() }
        let items = ["1", "2"].map { #"{"id":\#($0),"code":"c\#($0)"}"# }
        try shop.put(
            "[\(items[0]),\(items[1].dropLast()),\"parts\":[{\"pid\":5,\"sku\":\"s\"}]}]", as: "items.json")
        try shop.put(
            #"[{"oid":1,"item":\#(items[0]),"all":[\#(items[1])]},{"oid":2,"item":\#(items[1])}]"#, as: "orders.json")
        try shop.define("shop", Names(testDescription: "before", columns: "").text)
        #expect(try shop.syncPlanned().0.status == .succeeded)
        try shop.sql("UPDATE orders SET item_id = 1, item_code = 'c1' WHERE oid = 2")
        try shop.define("shop", names.text)
        let (report, _) = try shop.syncPlanned()
        #expect(report.status == .succeeded && report.summary.conflict == 0, "\(report.summary.text)")
        #expect(report.schemaChanges.filter { $0.kind == .addColumn || $0.kind == .leaveColumn } == [])
        #expect(try shop.rows("SELECT oid, \(names.columns) FROM orders ORDER BY 1") == ["1|1|'c1'", "2|1|'c1'"])
        #expect(try shop.rows("SELECT item_\(names.key), item_code, sku FROM part") == ["2|'c2'|'s'"])
        #expect(try shop.rows("SELECT order_oid, item_\(names.key) FROM orders_all") == ["1|2"])
        #expect(shop.sync(.plan).report.edits?.values == 2)
        #expect(try shop.quietRun(renewing: true).written == [])
    }
}

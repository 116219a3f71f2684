import Foundation
import SluicePostgres
import SluiceSQLite
import TestSupport
import Testing

/// Identifiers of every type, on both kinds of databases: a base keeps some of them otherwise than the database writes them.
@Suite struct KeyTypeTests {
    struct Key: Sendable, CustomTestStringConvertible {
        let type: String
        /// Two values in JSON.
        let values: [String]
        var testDescription: String { type }
    }

    static let keys = [
        Key(type: "int", values: ["1", "2"]),
        Key(type: "string", values: ["\"a\"", "\"B\""]),
        Key(type: "{type: enum, values: [a, b]}", values: ["\"a\"", "\"b\""]),
        Key(type: "url", values: ["\"https://a.example/1\"", "\"https://a.example/2\""]),
        Key(type: "bool", values: ["true", "false"]),
        Key(
            type: "uuid",
            values: ["\"6ba7b810-9dad-11d1-80b4-00c04fd430c8\"", "\"6ba7b811-9dad-11d1-80b4-00c04fd430c8\""]),
        Key(type: "date", values: ["\"2024-01-07\"", "\"2024-02-29\""]),
        Key(type: "datetime", values: ["\"2024-01-07T00:00:00Z\"", "\"2024-01-07T12:00:00.250+01:00\""]),
        Key(type: "decimal", values: ["\"1.5\"", "\"20.250\""]),
    ]

    /// A row that people deleted stays deleted, also where another record refers to it, and `store check` knows of it.
    @Test(arguments: keys, ["sqlite", "postgres"])
    func aRowThatWasDeletedIsKnown(_ key: Key, _ kind: String) throws {
        let folder = try TemporaryDirectory()
        let schema = kind == "postgres" ? try StoreSchema() : nil
        let store = schema?.store ?? "sqlite:\(folder.file("shop.db"))"
        func sluice(_ arguments: String...) throws -> Program.Result {
            try Program.start(arguments + ["--store", store], in: folder.path).wait()
        }
        func write(_ name: String, _ text: String) throws {
            try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
        }
        func execute(_ sql: String) throws {
            if let schema { return try schema.connection.execute(sql) }
            try Connection(path: folder.file("shop.db"), mode: .existing).execute(sql)
        }
        func count(_ table: String) throws -> Int64? {
            if let schema { return try schema.connection.integer("SELECT count(*) FROM \(table)") }
            return try Connection(path: folder.file("shop.db"), mode: .readOnly).integer(
                "SELECT count(*) FROM \(table)")
        }
        try write(
            "shop.yaml",
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Item: {table: items, primary_key: [id], fields: {id: \(key.type), name: string}}
              Order:
                table: orders
                primary_key: [id]
                fields: {id: int, item: {ref: Item, on_dangling: stub}}
            streams:
              - {name: items, entity: Item, path: items.json}
              - {name: orders, entity: Order, path: orders.json}
            """)
        try write(
            "items.json", #"[{"id":\#(key.values[0]),"name":"first"},{"id":\#(key.values[1]),"name":"second"}]"#)
        func order(_ id: Int) -> String { #"{"id":\#(id),"item":\#(key.values[0])}"# }
        try write("orders.json", "[\(order(1))]")
        let first = try sluice("run", "shop.yaml")
        #expect(first.code == 0, "\(first)")
        let sound = try sluice("store", "check")
        #expect(sound.code == 0 && sound.output.hasSuffix("Nothing is wrong.\n"), "\(sound)")

        try execute("UPDATE orders SET item_id = NULL; DELETE FROM items WHERE name = 'first'")
        try write("orders.json", "[\(order(1)),\(order(2))]")
        let second = try sluice("run", "shop.yaml", "--format", "json")
        #expect(second.output.contains(#""insert":1"#), "\(second)")
        #expect(try count("items") == 1, "no row is made for what people deleted")
        let told = try sluice("store", "check")
        #expect(told.code == 0 && told.output.contains("1 row of `items` was deleted here"), "\(told)")
    }
}

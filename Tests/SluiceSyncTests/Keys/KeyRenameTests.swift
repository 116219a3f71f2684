import SluiceModel
import SluiceReport
import SluiceReview
import SluiceStore
import TestSupport
import Testing

/// What identifies gets another name and another type in one run: that is the same as the one after the other.
@Suite("Names and types of identifiers in one run")
struct KeyRenameTests {
    enum Store: String, CaseIterable, Sendable { case file, schema }

    /// How the pipeline is written.
    struct Names: Sendable {
        var item = "Item"
        var itemKeys = "table: items"
        var id = "id"
        var idKeys = ""
        var type = "int"
        var stream = "items"
        var streamKeys = ""
        var pid = "pid"
        var pidKeys = ""
        var pidType = "int"

        var text: String {
            """
            entities:
              \(item):
                \(itemKeys.replacing("; ", with: "\n    "))
                primary_key: [\(id)]
                fields:
                  \(id): {type: \(type), from: id\(idKeys)}
                  n: string
                  tags: {refs: Tag, from: "tags[*]", upsert: false}
                children: {parts: {entity: Part, from: "parts[*]", key: [\(pid)]}}
              Part: {table: part, fields: {\(pid): {type: \(pidType), from: pid\(pidKeys)}, sku: string}}
              Tag: {table: tags, primary_key: [id], fields: {id: int}}
              Order: {table: orders, primary_key: oid, fields: {oid: int, item: {ref: \(item), upsert: false}}}
            streams:
              - {name: \(stream), entity: \(item), path: items.json\(streamKeys)}
              - {name: orders, entity: Order, path: orders.json}
              - {name: tags, entity: Tag, path: tags.json}
            """
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The names of now, with the types of before.
        var names = Names()
        /// The types of now.
        let retype: @Sendable (inout Names) -> Void
    }

    private static let itemType: @Sendable (inout Names) -> Void = { $0.type = "string" }
    private static let partType: @Sendable (inout Names) -> Void = { $0.pidType = "string" }

    static let cases = [
        Case(
            testDescription: "a field that identifies", names: Names(id: "nr", idKeys: ", renamed_from: id"),
            retype: itemType),
        Case(
            testDescription: "a field that identifies within records",
            names: Names(pid: "number", pidKeys: ", renamed_from: pid"), retype: partType),
        Case(
            testDescription: "the one within records, and the other type of what they stand in",
            names: Names(pid: "number", pidKeys: ", renamed_from: pid"), retype: itemType),
        Case(
            testDescription: "the entity", names: Names(item: "Thing", itemKeys: "renamed_from: Item"), retype: itemType
        ),
        Case(
            testDescription: "the table", names: Names(itemKeys: "table: things; table_renamed_from: items"),
            retype: itemType),
        Case(
            testDescription: "the stream", names: Names(stream: "things", streamKeys: ", renamed_from: items"),
            retype: itemType),
        Case(
            testDescription: "all of it",
            names: Names(
                item: "Thing", itemKeys: "renamed_from: Item", id: "nr", idKeys: ", renamed_from: id", stream: "things",
                streamKeys: ", renamed_from: items", pid: "number", pidKeys: ", renamed_from: pid"),
            retype: {
                $0.type = "string"
                $0.pidType = "string"
            }),
    ]

    /// A shop with an edit, an open conflict and a row that somebody deleted.
    private func shop(_ store: Store) throws -> Workshop {
        let shop = try Workshop()
        if store == .schema { shop.database = try WorkshopSchema() }
        func items(_ title: String) -> String {
            #"""
            [{"id":"1","n":"x","tags":[1],"parts":[{"pid":"1","sku":"a"}]},
             {"id":"2","n":"\#(title)","tags":[1,2],"parts":[{"pid":"1","sku":"b"},{"pid":"2","sku":"c"}]},
             {"id":"3","n":"z","tags":[],"parts":[]}]
            """#
        }
        try shop.put(#"[{"oid":5,"item":"1"},{"oid":6,"item":"2"}]"#, as: "orders.json")
        try shop.put(#"[{"id":1},{"id":2}]"#, as: "tags.json")
        try shop.put(items("y"), as: "items.json")
        try run(shop, Names(), isPlanned: false)
        try shop.sql("UPDATE items SET n = 'mine' WHERE id IN (1, 2)")
        try shop.sql("UPDATE part SET sku = 'mine' WHERE item_id = 2 AND pid = 2")
        try shop.sql("DELETE FROM items WHERE id = 3")
        try shop.put(items("yy"), as: "items.json")
        try run(shop, Names(), isPlanned: false)
        return shop
    }

    /// Runs the pipeline; what comes before the change is planned by other tests.
    private func run(_ shop: Workshop, _ names: Names, isPlanned: Bool = true) throws {
        try shop.define("shop", names.text)
        let report = isPlanned ? try shop.syncPlanned().0 : shop.sync().report
        try #require([.succeeded, .partial].contains(report.status), "\(report.problems)")
    }

    /// The rows of people, and what is kept of records beside them.
    private func state(_ shop: Workshop) throws -> [String] {
        var lines = try shop.database.shape().map(nameless) + shop.ownRows()
        lines += try shop.rows(
            "SELECT entity, key, field, base, local, remote, status FROM _sluice_conflicts ORDER BY id")
        try EditReader(store: shop.open(.reading)).edits(pipelines: nil, entity: nil) { edit in
            lines.append("\(edit.mapping.entity) \(edit.key) \(edit.kind) \(edit.fields)")
        }
        return lines.map { $0.replacing(/stage_\w+\./, with: "") }.sorted()
    }

    /// What a table is, without the name of an index: it may be made of names of before.
    private func nameless(_ line: String) -> String {
        if !line.hasPrefix("'index'|") { return line }
        var parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        if parts.count > 3 { parts.remove(at: 2) }
        return parts.joined(separator: "|").replacing(/INDEX \w+ ON/, with: "INDEX ON")
    }

    /// PostgreSQL does the same: some of them are enough there.
    private static let places =
        cases.map { ($0, Store.file) } + Seeds.some(of: cases, oneOf: 6).map { ($0, .schema) }

    @Test(arguments: places)
    func asInTwoRuns(_ test: Case, _ store: Store) throws {
        var last = test.names
        test.retype(&last)
        let (one, two) = (try shop(store), try shop(store))
        try run(two, test.names)
        let named = try state(two)
        try run(two, last)
        try run(one, last)
        let changed = try state(one)
        #expect(try changed == state(two))
        #expect(changed != named)
        try run(one, last)
        #expect(try state(one) == changed)
        // The types are taken back, and the names stay.
        let undone = one.undo(3).report
        #expect(undone.status == .succeeded, "\(undone.problems)")
        #expect(try state(one) == named)
        try run(one, test.names)
        #expect(try state(one) == named)
    }
}

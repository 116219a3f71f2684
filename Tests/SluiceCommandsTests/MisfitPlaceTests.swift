import Foundation
import Testing

/// Where in a record a value stands that does not fit: a JSON pointer that leads to it, and the value.
@Suite struct MisfitPlaceTests {
    private static let pipeline = """
        version: 1
        name: shop
        source: {base_url: "file:."}
        entities:
          Tag: {table: tags, primary_key: id, fields: {id: int, name: string}}
          Line:
            table: lines
            fields: {sku: string, n: int, marks: {refs: Tag, from: "marks[*]"}}
          Order:
            table: orders
            primary_key: id
            fields:
              id: int
              tags: {refs: Tag, from: "tags[*]"}
              labels: {refs: Tag, from: "labels[*].id"}
              marks: {refs: Tag, from: "marks.list[*].tag.id"}
            children: {lines: {entity: Line, from: "lines[*]", key: [sku]}}
        streams: [{name: orders, entity: Order, path: orders.json}]
        """

    @Test(arguments: [
        (#""tags":[2,"gift"]"#, #"/tags/1  "gift"  Expected a whole number"#),
        (#""tags":[2,null]"#, "/tags/1  null  `tags` needs records or their keys"),
        (#""tags":[{"name":"x"}]"#, #"/tags/0  {"name":"x"}  The object for `tags` has no `id`"#),
        (#""tags":"gift""#, #"/tags  "gift"  Expected the records for `tags`"#),
        (#""labels":{"id":1}"#, #"/labels  {"id":1}  Expected the records for `labels`"#),
        (#""labels":[{"id":1},7]"#, "/labels/1  7  Expected objects with `id`"),
        (
            #""labels":[{"id":1},{"slug":"x"}]"#,
            #"/labels/1  {"slug":"x"}  The object in the list for `labels` has no `id`"#
        ),
        (#""labels":[{}]"#, "/labels/0  {}  The object in the list for `labels` has no `id`"),
        (#""marks":{"list":[{}]}"#, "/marks/list/0  {}  The object in the list for `marks` has no `tag.id`"),
        (
            #""marks":{"list":[{"tag":{}}]}"#,
            #"/marks/list/0  {"tag":{}}  The object in the list for `marks` has no `tag.id`"#
        ),
        (
            #""marks":{"list":[{"tag":null}]}"#,
            #"/marks/list/0  {"tag":null}  The object in the list for `marks` has no `tag.id`"#
        ),
        (#""labels":[{"id":1},{"id":"x"}]"#, #"/labels/*/id  "x"  Expected a whole number"#),
        (#""lines":"none""#, #"/lines  "none"  Expected the records of `Line` in a list"#),
        (#""lines":[3]"#, "/lines/0  3  Expected an object"),
        (#""lines":[{"sku":"a","n":"x"}]"#, #"/lines/0/n  "x"  Expected a whole number"#),
        (#""lines":[{"sku":"a"},{"sku":"b","marks":[1,"x"]}]"#, #"/lines/1/marks/1  "x"  Expected a whole number"#),
        (#""lines":[{"sku":"a","marks":"x"}]"#, #"/lines/0/marks  "x"  Expected the records for `marks`"#),
    ])
    func itIsNamed(members: String, told: String) throws {
        let shop = try Workshop()
        try shop.write(Self.pipeline, to: "shop.yaml")
        try shop.write("[{\"id\":1,\(members)}]", to: "orders.json")
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.output.contains("\n    \(told)"), "\(run.output)\(run.errors)")
        let list = shop.sluice("quarantine", "list").output
        #expect(list.contains("\n    \(told)"), "\(list)")
    }

    /// Records that are kept as one, since key and reason are the same, count as one: the others are duplicates.
    @Test(arguments: [
        ("one key", #"{"id":1,"tags":["x"]},{"id":1,"tags":["y"]},{"id":2,"tags":["x"]}"#, 2, 1),
        ("no key, and the same", #"{"tags":[1]},{"tags":[1]},{"tags":[2]}"#, 2, 1),
        ("one key, two reasons", #"{"id":1,"tags":["x"]},{"id":1,"lines":[3]}"#, 2, 0),
        ("different keys", #"{"id":1,"tags":["x"]},{"id":2,"tags":["x"]}"#, 2, 0),
    ])
    func whatIsKeptAsOneCountsOnce(name: String, records: String, kept: Int, duplicates: Int) throws {
        let shop = try Workshop()
        try shop.write(Self.pipeline, to: "shop.yaml")
        try shop.write("[\(records)]", to: "orders.json")
        let run = shop.sluice("run", shop.pipeline).output
        let more = duplicates == 0 ? "" : ", \(duplicates) duplicate"
        #expect(run.hasPrefix("Run 1 of shop: \(kept) not written\(more)  ("), "\(name): \(run)")
        #expect(run.components(separatedBy: " is not written (quarantine ").count == kept + 1, "\(name): \(run)")
        let list = shop.sluice("quarantine", "list").output
        #expect(list.components(separatedBy: "(shop/orders; ").count == kept + 1, "\(name): \(list)")
        #expect(shop.sluice("status").output.contains("\(kept) records in quarantine"))
    }
}

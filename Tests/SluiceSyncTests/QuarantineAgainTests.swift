import SluiceReport
import SluiceSync
import Testing

/// A record in quarantine is read again by every run, whatever the run passes over, so that it is taken once it fits although its
/// source says nothing new.
@Suite("A record in quarantine and what a run passes over")
struct QuarantineAgainTests {
    /// A way in which a run passes over what it knows.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The pipeline behind its `source`.
        let pipeline: String
        /// What the source says at first, and then: a record `no`, which the table refuses.
        let first: [String: String]
        let then: [String: String]
        /// The table of that record.
        var table = "items"
        /// What is read when the record is met.
        var meeting = Workshop.Overrides()
        /// What is read behind that, nil for what every run reads.
        var missing: Workshop.Overrides?
    }

    private static let deletes = "delete_missing: {mode: hard, max_delete: 100%, min_records: 0}"
    private static let plain = """
        entities:
          Item: {table: items, primary_key: id, fields: {id: int, t: string}}
        streams:
          - {name: items, entity: Item, path: items.json, \(deletes)}
        """
    private static let within = """
        entities:
          Item: {table: orders, primary_key: id, fields: {id: int}, children: {lines: {entity: Line, key: [id]}}}
          Line: {table: items, fields: {id: int, t: string}}
        streams:
          - {name: items, entity: Item, path: items.json, \(deletes)}
        """
    private static let cursor = """
        entities:
          Item: {table: items, primary_key: id, fields: {id: int, t: string, at: datetime}}
        streams:
          - {name: items, entity: Item, path: items.json, incremental: {cursor_field: at, client_side: true}}
        """
    private static let cursorWithin = """
        entities:
          Item:
            {table: orders, primary_key: id, fields: {id: int, at: datetime}, children: {lines: {entity: Line, key: [id]}}}
          Line: {table: items, fields: {id: int, t: string}}
        streams:
          - {name: items, entity: Item, path: items.json, incremental: {cursor_field: at, client_side: true}}
        """
    private static func parent(_ only: String, _ issue: String = "t: string", _ stream: String = deletes) -> String {
        """
        entities:
          Repo: {table: repos, primary_key: id, fields: {id: int, name: string}}
          Item:
            table: items
            primary_key: [repo, id]
            fields: {repo: {value: "{{ parent.id }}", type: int}, id: int, \(issue)}
        streams:
          - {name: repos, entity: Repo, path: repos.json, \(deletes)}
          - {name: items, entity: Item, path: "items-{{ parent.id }}.json", parent: {stream: repos\(only)}, \(stream)}
        """
    }
    private static let partitionCursor = parent(
        "", "t: string, at: datetime", "incremental: {cursor_field: at, client_side: true}")
    private static let linesWithin = """
        entities:
          Repo: {table: repos, primary_key: id, fields: {id: int, name: string}}
          Issue:
            table: issues
            primary_key: [repo, id]
            fields: {repo: {value: "{{ parent.id }}", type: int}, id: int}
            children: {lines: {entity: Line, key: [id]}}
          Line: {table: items, fields: {id: int, t: string}}
        streams:
          - {name: repos, entity: Repo, path: repos.json, \(deletes)}
          - {name: items, entity: Issue, path: "items-{{ parent.id }}.json", parent: {stream: repos, only: changed}, \(deletes)}
        """

    private static func item(_ id: Int, _ text: String, _ day: Int? = nil) -> String {
        let at = day.map { #","at":"2024-01-\#($0 + 10)T00:00:00Z""# } ?? ""
        return #"{"id":\#(id),"t":"\#(text)"\#(at)}"#
    }

    private static func order(_ id: Int, _ texts: [String], _ day: Int? = nil) -> String {
        let at = day.map { #","at":"2024-01-\#($0 + 10)T00:00:00Z""# } ?? ""
        let lines = texts.enumerated().map { item($0.offset + 1, $0.element) }.joined(separator: ",")
        return #"{"id":\#(id)\#(at),"lines":[\#(lines)]}"#
    }

    private static func items(_ records: String...) -> [String: String] {
        ["items.json": "[\(records.joined(separator: ","))]"]
    }

    private static func lists(_ records: String...) -> [String: String] {
        var files = ["repos.json": #"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#]
        for (number, record) in records.enumerated() { files["items-\(number + 1).json"] = "[\(record)]" }
        return files
    }

    static let ways: [Way] =
        [
            Way(
                testDescription: "a record is known by its text", pipeline: plain,
                first: items(item(1, "a"), item(2, "b")), then: items(item(1, "no"), item(2, "b"))),
            Way(
                testDescription: "others are known by their texts, and it is new", pipeline: plain,
                first: items(item(1, "a"), item(2, "b")), then: items(item(1, "a"), item(2, "b"), item(3, "no"))),
            Way(
                testDescription: "it stands within a record that is known by its text", pipeline: within,
                first: items(order(1, ["a", "b"]), order(2, ["c"])),
                then: items(order(1, ["a", "no"]), order(2, ["c"]))),
            Way(
                testDescription: "a cursor", pipeline: cursor, first: items(item(1, "a", 1), item(2, "b", 3)),
                then: items(item(1, "no", 5), item(2, "c", 7))),
            Way(
                testDescription: "a cursor, and it stands within a record", pipeline: cursorWithin,
                first: items(order(1, ["a"], 1), order(2, ["b"], 3)),
                then: items(order(1, ["no"], 5), order(2, ["c"], 7))),
            Way(
                testDescription: "a cursor, and a run with --full met it before the cursor", pipeline: cursor,
                first: items(item(1, "a", 1), item(2, "b", 3)), then: items(item(1, "no", 1), item(2, "b", 3)),
                meeting: Workshop.Overrides(isFull: true)),
            Way(
                testDescription: "a cursor, and a run with --from met it before the cursor", pipeline: cursor,
                first: items(item(1, "a", 1), item(2, "b", 3)), then: items(item(1, "no", 1), item(2, "b", 3)),
                meeting: Workshop.Overrides(from: "2024-01-02T00:00:00Z")),
            Way(
                testDescription: "the cursors of partitions", pipeline: partitionCursor,
                first: lists(item(1, "a", 1), item(1, "b", 1)),
                then: lists([item(1, "no", 2), item(2, "c", 4)].joined(separator: ","), item(1, "d", 5))),
            Way(
                testDescription: "the cursors of partitions, and a run with --full met it before the cursor",
                pipeline: partitionCursor, first: lists(item(1, "a", 1), item(1, "b", 1)),
                then: lists(item(1, "no", 1), item(1, "b", 1)), meeting: Workshop.Overrides(isFull: true)),
            Way(
                testDescription: "only changed parents are asked for", pipeline: parent(", only: changed"),
                first: lists(item(1, "no"), item(1, "b")), then: [:]),
            Way(
                testDescription: "only changed parents are asked for, and it stands within a record",
                pipeline: linesWithin,
                first: lists(order(1, ["no"]), order(1, ["b"])), then: [:]),
        ] + changedSince

    /// Only changed parents are asked for, and of them what changed: the record need not be met by each run that asks.
    private static let changedSince: [Way] = [
        (
            "it says which parent it is of",
            parent(", only: changed", since, "incremental: {cursor_field: at, client_side: true}")
        ),
        (
            "its key does not say which parent it is of",
            parent(", only: changed", since, "incremental: {cursor_field: at, client_side: true}")
                .replacing("primary_key: [repo, id]", with: "primary_key: [id]")
        ),
    ].flatMap { name, pipeline in
        [nil, Workshop.Overrides(from: "2024-01-16T00:00:00Z")].map { missing in
            Way(
                testDescription:
                    "changes of changed parents, \(name), \(missing == nil ? "met" : "not met") in between",
                pipeline: pipeline, first: lists(item(1, "a", 1), item(2, "b", 1)),
                then: lists([item(1, "no", 2), item(3, "c", 4)].joined(separator: ","), item(2, "b", 1)).merging(
                    ["repos.json": #"[{"id":1,"name":"new"},{"id":2,"name":"b"}]"#]) { $1 }, missing: missing)
        }
    }
    private static let since = "t: string, at: datetime"

    private func shop(_ way: Way) throws -> Workshop {
        let shop = try Workshop()
        try shop.define("shop", way.pipeline)
        // The tables are there before there is anything to refuse.
        for name in way.first.keys { try shop.put("[]", as: name) }
        _ = shop.sync()
        try shop.refuse(in: [way.table])
        try shop.sql("INSERT INTO refused VALUES ('no')")
        for files in [way.first, way.then] where !files.isEmpty {
            for (name, json) in files { try shop.put(json, as: name) }
            if files == way.then || way.then.isEmpty { shop.overrides = way.meeting }
            let report = shop.sync().report
            #expect(report.status == .succeeded, "\(report.problems)")
        }
        if let missing = way.missing {
            shop.overrides = missing
            #expect(shop.sync().report.status == .succeeded)
        }
        shop.overrides = Workshop.Overrides()
        return shop
    }

    @Test(arguments: ways)
    func aRunLeavesWhatOneWithFullLeaves(way: Way) throws {
        let shops = try [shop(way), shop(way)]
        for shop in shops {
            #expect(try shop.rows("SELECT count(*) FROM items WHERE t = 'no'") == ["0"])
            #expect(try shop.rows("SELECT reason, status FROM _sluice_quarantine") == ["'constraint'|'open'"])
            // While it does not fit it stays in quarantine, run after run.
            #expect(shop.sync().report.status == .succeeded)
            #expect(try shop.rows("SELECT reason, status FROM _sluice_quarantine") == ["'constraint'|'open'"])
            try shop.sql("DELETE FROM refused")
        }
        shops[1].overrides.isFull = true
        for shop in shops { #expect(shop.sync().report.status == .succeeded) }
        #expect(try shops[0].rows("SELECT count(*) FROM items WHERE t = 'no'") == ["1"])
        #expect(try shops[0].kept() == shops[1].kept())
        shops[0].overrides.isFull = false
        #expect(try shops[0].quietRun(renewing: true).written == [])
    }

    /// A conflict that people settle in the table ends, although nothing of its record's parent changes.
    @Test(arguments: [("as the source says", "theirs"), ("as it was", "a")])
    func aConflictThatIsOverInTheTableEnds(name: String, text: String) throws {
        let shops = try (0..<2).map { _ in try Workshop() }
        for shop in shops {
            try shop.define("shop", Self.parent(", only: changed"))
            for (name, json) in Self.lists(Self.item(1, "a"), Self.item(1, "b")) { try shop.put(json, as: name) }
            _ = shop.sync()
            try shop.sql("UPDATE items SET t = 'mine' WHERE repo = 1")
            try shop.put(#"[{"id":1,"name":"new"},{"id":2,"name":"b"}]"#, as: "repos.json")
            try shop.put("[\(Self.item(1, "theirs"))]", as: "items-1.json")
            #expect(shop.sync().report.total.conflict == 1)
            #expect(shop.sync().report.total.conflict == 1, "it is asked for while the conflict is open")
            try shop.sql("UPDATE items SET t = '\(text)' WHERE repo = 1")
        }
        shops[1].overrides.isFull = true
        for shop in shops { #expect(shop.sync().report.status == .succeeded) }
        #expect(try shops[0].rows("SELECT t FROM items ORDER BY repo") == ["'theirs'", "'b'"])
        #expect(try shops[0].kept() == shops[1].kept())
        // From then on the parent is passed over.
        let report = shops[0].sync().report
        #expect(report.streams.first { $0.stream == "items" }?.partitions?.asked == 0)
    }
}

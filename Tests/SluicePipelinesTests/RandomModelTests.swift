import Foundation
import Sluice
import SluicePipelines
import TestSupport
import Testing

/// Whatever fields a pipeline has, in whatever order and spelling: fetching all records and saving them is no edit.
struct RandomModelTests {
    /// A field of the pipeline, and values as a source may spell them.
    private struct Choice {
        let name: String
        let yaml: String
        let values: [String]
    }

    private static let choices = [
        Choice(name: "text", yaml: "string", values: [#""""#, #""Zoe\u0308""#, #""null""#, #""  x ""#]),
        Choice(name: "small", yaml: "int", values: ["0", "-32768", "32767", "\"12\""]),
        Choice(name: "tiny", yaml: "int", values: ["0", "255", "7"]),
        Choice(name: "real", yaml: "double", values: ["0.1", "1e3", "-0.0", "3.141592653589793", "5"]),
        Choice(name: "single", yaml: "double", values: ["0.1", "16777217", "1e-40", "0.5"]),
        Choice(name: "flag", yaml: "bool", values: ["true", "false"]),
        Choice(name: "amount", yaml: "decimal", values: [#""1.10""#, "1.1", #""-0.00""#, "12345678901234567890.123"]),
        Choice(
            name: "at", yaml: "datetime",
            values: [
                #""2026-01-02T03:04:05Z""#, #""2026-01-02T05:04:05.120+02:00""#, #""1969-12-31T23:59:59.5Z""#,
                #""2026-01-02T03:04:05.123456789Z""#,
            ]),
        Choice(name: "day", yaml: "date", values: [#""2026-01-02""#, #""1582-10-04""#]),
        Choice(name: "token", yaml: "uuid", values: [#""6F9619FF-8B86-D011-B42D-00C04FC964FF""#]),
        Choice(name: "page", yaml: "url", values: [#""https://EXAMPLE.org/a?b=c#d""#, #""urn:isbn:1""#]),
        Choice(name: "bytes", yaml: "bytes", values: [#""""#, #""AAEC""#, #""/+8=""#]),
        Choice(name: "data", yaml: "bytes", values: [#""AAEC""#]),
        Choice(name: "more", yaml: "json", values: ["[1, 2.0]", #"{"b": 1,"a": null}"#, "1e2", #""x""#]),
        Choice(name: "address", yaml: "url", values: [#""https://example.org/ä""#]),
        Choice(name: "mood", yaml: "{type: enum, values: [calm, wild]}", values: [#""calm""#, #""wild""#]),
        Choice(name: "level", yaml: "int", values: ["1", "2"]),
        Choice(name: "settings", yaml: "json", values: [#"{ "retries" : 3, "other": [1, 2.0] }"#, #"{"retries":0}"#]),
        Choice(name: "spot_lat", yaml: "double", values: ["1", "0.3"]),
        Choice(name: "spot_name", yaml: "string", values: [#""a""#, #""""#]),
        Choice(name: "owner", yaml: "{ref: Owner, from: owner}", values: ["1", "2", "3"]),
        Choice(
            name: "tags", yaml: #"{refs: Tag, from: "tags[*]", via: assorted_tags}"#,
            values: ["[]", #"["b", "a"]"#, #"["a"]"#]),
    ]

    @Test(arguments: 0..<16) func savingAllIsNoEdit(_ round: Int) async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("RandomModelTests.savingAllIsNoEdit: seed \(seed)")
        var chance = SeededGenerator(seed: seed)
        let chosen = Self.choices.filter { _ in chance.chance(60) }.shuffled(using: &chance)
        let folder = try TemporaryDirectory()
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
        }
        try write(
            "assorted.yaml",
            """
            version: 1
            name: random
            source: {base_url: "file:."}
            entities:
              Owner: {table: owners, primary_key: [id], fields: {id: int}}
              Tag: {table: tags, primary_key: [word], fields: {word: string}}
              Assorted:
                table: assorted
                primary_key: [id]
                fields:
                  id: int
            \(chosen.map { "      \($0.name): \($0.yaml)" }.joined(separator: "\n"))
            streams:
              - {name: owners, entity: Owner, path: owners.json}
              - {name: tags, entity: Tag, path: tags.json}
              - {name: assorted, entity: Assorted, path: assorted.json}
            """)
        try write("owners.json", #"[{"id":1},{"id":2},{"id":3}]"#)
        try write("tags.json", #"[{"word":"a"},{"word":"b"}]"#)
        let records = (1...15).map { id in
            let members = chosen.compactMap { choice -> String? in
                if chance.chance(15) { return nil }
                let isList = choice.name == "tags"
                return "\"\(choice.name)\":" + (!isList && chance.chance(15) ? "null" : chance.pick(choice.values))
            }
            return "{" + (["\"id\":\(id)"] + members).joined(separator: ", ") + "}"
        }
        try write("assorted.json", "[\(records.joined(separator: ",\n"))]")

        let store = try Store(folder.path + "/shop.db", models: Assorted.self)
        let pipeline = try Pipeline(contentsOf: folder.path + "/assorted.yaml", models: Assorted.self)
        let report = try await store.run(pipeline)
        try #require(report.summary == SyncSummary(insert: 20), "seed \(seed): \(report.problems)")
        let before = try await dump(store)
        for query in [Assorted.all, Assorted.all.withoutOrigin(), Assorted.all.including(\.owner, \.tags)] {
            var all = try await store.fetch(query)
            #expect(all.count == 15)
            try await store.save(&all)
            #expect(try await dump(store) == before, "seed \(seed)")
        }
        #expect(try await store.plan(pipeline).summary == SyncSummary(unchanged: 20), "seed \(seed)")
        // One property that is changed is one edit, and the rest of its record is none.
        try await store.update(Assorted.self, 7) { $0.own = 1 }
        #expect(try await store.run(pipeline).summary == SyncSummary(unchanged: 20), "seed \(seed)")
    }

    private func dump(_ store: Store) async throws -> [[[BoxedValue]]] {
        [
            try await store.rows("SELECT * FROM assorted ORDER BY id").map(\.values),
            try await store.rows("SELECT * FROM assorted_tags ORDER BY 1, 2").map(\.values),
        ]
    }
}

private enum Mood: String { case calm, wild }

private enum Level: Int, StoredValue { case low = 1, high }

private struct Retries: Codable { var retries: Int }

@Composition private struct Spot {
    var lat: Double?
    var name: String?
}

@PersistentModel(table: "owners") private struct Owner { let id: Int }

@PersistentModel(table: "tags") private struct Tag {
    @Attribute(.identifier) let word: String
    @Relationship(inverse: "tags", deleteRule: .nullify) var assorted: Refs<Assorted>
}

@PersistentModel(table: "assorted") private struct Assorted {
    let id: Int
    var text: String?
    var small: Int16?
    var tiny: UInt8?
    var real: Double?
    var single: Float?
    var flag: Bool?
    var amount: Decimal?
    var at: Date?
    var day: Day?
    var token: UUID?
    var page: URL?
    var bytes: [UInt8]?
    var data: Data?
    var more: JSONText?
    var address: String?
    @Attribute(storageMethod: .raw) var mood: Mood?
    var level: Level?
    @Attribute(storageMethod: .codable) var settings: Retries?
    @Attribute(storageMethod: .composition) var spot: Spot?
    /// No pipeline fills it.
    var own: Int?
    @Relationship(inverse: .none, deleteRule: .nullify) var owner: Ref<Owner>?
    @Relationship(inverse: "assorted", deleteRule: .nullify, via: "assorted_tags") var tags: Refs<Tag>
    var origin = Origin()
}

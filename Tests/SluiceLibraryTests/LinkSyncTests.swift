import Foundation
import Sluice
import Testing

/// Lists of keys in JSON, which lead to several records.
struct LinkSyncTests {
    private let options = SyncOptions(source: "shop")

    private func store() async throws -> Store {
        let store = try Store.temporary(Story.self)
        try await store.write { tx in
            for word in ["sf", "classic", "desert", "worms"] {
                var topic = Topic(word: word, stories: [])
                try tx.save(&topic)
            }
        }
        return store
    }

    private func json(_ topics: String) -> String { #"[{"id": 1, "title": "Dune"\#(topics)}]"# }

    private func words(_ store: Store) async throws -> [String] {
        try await store.read { try $0.find(Story.self, 1).topics.load(in: $0).map(\.word) }
    }

    static let lists: [(name: String, topics: String, words: [String])] = [
        ("keys", #", "topics": ["sf", "classic"]"#, ["classic", "sf"]),
        ("objects with keys", #", "topics": [{"word": "sf"}, {"word": "desert"}]"#, ["desert", "sf"]),
        ("each once", #", "topics": ["sf", "sf"]"#, ["sf"]),
        ("none", #", "topics": []"#, []), ("no list", "", []),
        ("what is not there waits", #", "topics": ["sf", "later"]"#, ["sf"]),
    ]

    @Test(arguments: lists.indices) func leadsToTheRecordsOfAList(_ index: Int) async throws {
        let row = Self.lists[index]
        let store = try await store()
        let result = try await store.sync(Story.self, from: json(row.topics), options)
        #expect(result.summary == SyncSummary(insert: 1), "\(row.name): \(result.summary)")
        #expect(try await words(store) == row.words, "\(row.name)")
        #expect(try await store.sync(Story.self, from: json(row.topics), options).summary == SyncSummary(unchanged: 1))
    }

    /// What either side adds is there, and what either side takes away is not.
    @Test func bringsBothSidesTogether() async throws {
        let store = try await store()
        try await store.sync(Story.self, from: json(#", "topics": ["sf", "classic"]"#), options)
        try await store.update(Story.self, 1) {
            $0.topics.insert("desert")
            $0.topics.remove("classic")
        }
        let result = try await store.sync(Story.self, from: json(#", "topics": ["sf", "classic", "worms"]"#), options)
        #expect(result.summary.conflict == 0 && result.summary.quarantined == 0)
        #expect(try await words(store) == ["desert", "sf", "worms"])
        // A list that is absent says nothing, and an empty one takes away what it brought.
        try await store.sync(Story.self, from: json(""), options)
        #expect(try await words(store) == ["desert", "sf", "worms"])
        try await store.sync(Story.self, from: json(#", "topics": []"#), options)
        #expect(try await words(store) == ["desert"])
    }

    /// A list that the model does not name is none of its business.
    @Test func leavesListsAloneThatAreNotNamed() async throws {
        let store = try await store()
        try await store.sync(Topic.self, from: #"[{"word": "sf", "stories": ["x"]}]"#, options)
        #expect(try await store.quarantine(of: Topic.self).isEmpty)
    }

    /// What a condition of a path says is judged when a store is opened; what else is wrong with paths, the macro says.
    @Test func refusesPathsThatAreNone() {
        let error = #expect(throws: SluiceError.self) { try Schema(Astray.self) }
        #expect(error?.problems == ["the path `json` of `Astray.topics` is none; write it as in `labels[*]`"])
    }

    /// Values of a program's own client say nothing of links.
    @Test func leavesLinksAloneWhereValuesCome() async throws {
        let store = try await store()
        try await store.sync(Story.self, from: json(#", "topics": ["sf"]"#), options)
        let values = [Story(id: 1, title: "Dune 2", topics: []), Story(id: 2, title: "Emma", topics: [])]
        #expect(try await store.sync(values, options).summary == SyncSummary(insert: 1, update: 1))
        #expect(try await words(store) == ["sf"])
    }

    /// A program that looks at each record leaves its links to the source.
    @Test func takesLinksThroughATypedStage() async throws {
        let store = try await store()
        for (list, expected) in [
            (#", "topics": ["sf", {"word": "worms"}]"#, ["sf", "worms"]), ("", ["sf", "worms"]),
            (#", "topics": []"#, []),
        ] {
            try await store.sync(Story.self, from: json(list), options) { story in
                story.title = "Dune 3"
                return .keep
            }
            #expect(try await words(store) == expected)
        }
        #expect(try await store.find(Story.self, 1).title == "Dune 3")
    }

    @Test func leadsToWhatComesLater() async throws {
        let store = try await store()
        try await store.sync(Story.self, from: json(#", "topics": ["later"]"#), options)
        try await store.sync(Topic.self, from: #"[{"word": "later"}]"#, options)
        #expect(try await words(store) == ["later"])
    }

    /// An undo takes links back.
    @Test func isTakenBack() async throws {
        let store = try await store()
        try await store.sync(Story.self, from: json(#", "topics": ["sf"]"#), options)
        let result = try await store.sync(Story.self, from: json(#", "topics": ["sf", "worms"]"#), options)
        try await store.undo(run: try #require(result.run))
        #expect(try await words(store) == ["sf"])
    }

    /// Links to what a source deletes wait for it: an undo brings both back, and so does the source.
    @Test(arguments: ["undo", "the source"]) func comesBackWithItsRecord(_ way: String) async throws {
        let store = try await store()
        let all = SyncOptions(source: "shop", missing: .hard(maximum: .percent(100)))
        try await store.sync(Topic.self, from: #"[{"word": "sf"}, {"word": "classic"}]"#, all)
        try await store.sync(Story.self, from: json(#", "topics": ["sf", "classic"]"#), options)
        let result = try await store.sync(Topic.self, from: #"[{"word": "classic"}]"#, all)
        #expect(result.summary.delete == 1 && result.problems.map(\.code) == ["dangling"], "\(result.problems)")
        #expect(try await words(store) == ["classic"])
        #expect(
            try await store.sync(Story.self, from: json(#", "topics": ["sf", "classic"]"#), options).summary.unchanged
                == 1)
        if way == "undo" {
            #expect(try await store.undo(run: try #require(result.run)).left == 0)
        } else {
            try await store.sync(Topic.self, from: #"[{"word": "sf"}, {"word": "classic"}]"#, all)
        }
        #expect(try await words(store) == ["classic", "sf"])
        // It is no edit of somebody's: the source decides about it as before.
        try await store.sync(Story.self, from: json(#", "topics": ["sf"]"#), options)
        #expect(try await words(store) == ["sf"])
        try await store.sync(Story.self, from: json(#", "topics": []"#), options)
        #expect(try await words(store) == [])
    }
}

/// Lists of JSON that a sync does not take are no secret.
struct PassedOverListTests {
    private let options = SyncOptions(source: "town")

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let json: String
        var messages: [String] = []
    }

    static let shops = [
        Case(
            testDescription: "a list of keys", json: #"[{"id":1,"name":"a","employees":[1]}]"#,
            messages: ["`Employee.shop`"]),
        Case(
            testDescription: "in a later record",
            json: #"[{"id":1,"name":"a"},{"id":2,"name":"b","employees":[{"id":1}]}]"#,
            messages: ["Sync the records of `Employee`"]),
        Case(testDescription: "nothing in it", json: #"[{"id":1,"name":"a","employees":[]}]"#),
        Case(testDescription: "no list", json: #"[{"id":1,"name":"a","employees":null}]"#),
        Case(testDescription: "another key", json: #"[{"id":1,"name":"a","staff":[1]}]"#),
    ]

    @Test(arguments: shops) func ofRecordsThatLeadBack(_ item: Case) async throws {
        let store = try Store.temporary(Shop.self)
        let result = try await store.sync(Shop.self, from: item.json, options)
        #expect(result.problems.map(\.code) == item.messages.map { _ in "list_passed_over" })
        for (problem, message) in zip(result.problems, item.messages) { #expect(problem.message.contains(message)) }
        let looked = try await store.sync(Shop.self, from: item.json, options) { _ in .keep }
        #expect(looked.problems.map(\.code) == item.messages.map { _ in "list_passed_over" })
    }

    @Test func ofValues() async throws {
        let store = try Store.temporary(Box.self)
        for (box, codes) in [
            (Box(id: 1, allThings: Refs([1]), others: Refs([Int]())), ["list_passed_over"]),
            (Box(id: 2, allThings: Refs([Int]()), others: Refs([Int]())), []),
        ] {
            let result = try await store.sync([box], options)
            #expect(result.problems.map(\.code) == codes && result.summary.insert == 1, "\(result.problems)")
            if codes.isEmpty { continue }
            #expect(result.problems.first?.message.contains("`Box.allThings` has records") == true)
        }
    }

    /// Records of a list that no key in JSON tells apart are taken in no way, and each way says so.
    @Test(arguments: ["json", "plan", "stage", "values", "Upsert", "units", "within", "nothing in it"])
    func ofRecordsWithoutKeysInJSON(_ way: String) async throws {
        let store = try Store.temporary(Shelf.self, Bag.self)
        let json = #"[{"id": 1, "lines": [{"text": "a"}], "notes": [{"text": "b"}]}]"#
        let value = Bag(id: 1, lines: [BagLine(text: "a")], notes: [])
        let problems: [String]
        func said<M>(_ result: SyncResult<M>) -> [String] {
            #expect(result.summary.insert == 1 && result.summary.quarantined == 0, "\(way): \(result.summary)")
            return result.problems.filter { $0.code == "list_passed_over" }.map(\.message)
        }
        switch way {
        case "json": problems = said(try await store.sync(Bag.self, from: json, options))
        case "plan": problems = said(try await store.plan(Bag.self, from: json, options))
        case "stage": problems = said(try await store.sync(Bag.self, from: json, options) { _ in .keep })
        case "values": problems = said(try await store.sync([value], options))
        case "Upsert": problems = said(try await store.sync(Upsert(value, present: [\.notes]), options))
        case "units":
            let units = SyncOptions(source: "town", commit: .every(1))
            problems = said(try await store.sync(Bag.self, from: json, units))
        case "within":
            problems = said(try await store.sync(Shelf.self, from: #"[{"id": 1, "bags": \#(json)}]"#, options))
        default: problems = said(try await store.sync(Bag.self, from: #"{"id": 1, "lines": []}"#, options))
        }
        let expected = ["`Bag.lines`", "`Bag.notes`"]
        #expect(problems.count == expected.count, "\(way): \(problems)")
        for (problem, name) in zip(problems, expected) {
            #expect(problem.hasPrefix("\(name) says where JSON has its records, and a sync takes none"), "\(problem)")
        }
        #expect(problems.first?.contains("all values of a `BagLine` together identify it") == true)
        #expect(problems.last?.contains("`BagNote.key`, which identifies them, is a reference") == true)
        #expect(try await store.count(BagLine.all) == 0)
    }

    /// A single one is kept aside with its owner.
    @Test func ofARecordWithoutAKeyInJSON() async throws {
        let store = try Store.temporary(Sack.self)
        let json = #"[{"id": 1, "line": {"text": "a"}}, {"id": 2, "line": null}]"#
        let result = try await store.sync(Sack.self, from: json, options)
        #expect(result.summary == SyncSummary(insert: 1, quarantined: 1))
        #expect(
            result.quarantined.map(\.message) == [
                "The object for `line` is a record that all its values together identify, which a sync does not take from within another one. Let a property that stands in its JSON identify it, or save the value."
            ])
        #expect(result.quarantined.map(\.pointer) == ["/line"])
        let values = try await store.sync([Sack(id: 3, line: BagLine(text: "b"))], options)
        #expect(values.summary == SyncSummary(quarantined: 1))
        #expect(values.quarantined.map(\.message) == result.quarantined.map(\.message))
    }

    @Test func ofPairs() async throws {
        let store = try Store.temporary(Box.self)
        let json = #"[{"id":1,"all_things":[1,2],"others":[1]}]"#
        let problems = try await store.sync(Box.self, from: json, options).problems.filter {
            $0.code == "list_passed_over"
        }
        #expect(
            problems.count == 1 && problems.first?.message.contains(#"`json: "all_things"`"#) == true, "\(problems)")
    }
}

@PersistentModel(names: .snakeCase) private struct Box {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var allThings: Refs<Thing>
    @Relationship(inverse: .none, deleteRule: .nullify, json: "others") var others: Refs<Thing>
}

@PersistentModel private struct Shelf {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade, json: "bags") var bags: [Bag]
}

@PersistentModel private struct Bag {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade, json: "lines") var lines: [BagLine]
    @Relationship(inverse: .none, deleteRule: .nullify, json: "notes") var notes: Refs<BagNote>
}

@PersistentModel private struct Sack {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var line: BagLine?
}

@PersistentModel(table: "bag_line_rows", identifier: .content) private struct BagLine {
    let text: String
}

@PersistentModel(table: "bag_note_rows") private struct BagNote {
    @Attribute(.identifier) @Relationship(inverse: .none, deleteRule: .nullify) var key: Ref<Thing>
    var text: String
}

@PersistentModel private struct Thing {
    let id: Int
}

@PersistentModel private struct Story: Codable {
    let id: Int
    var title: String
    @Relationship(inverse: "stories", deleteRule: .nullify, via: "story_topics", json: "topics") var topics: Refs<Topic>
    var origin = Origin()
}

@PersistentModel private struct Topic: Codable {
    @Attribute(.identifier) let word: String
    @Relationship(inverse: "topics", deleteRule: .nullify) var stories: Refs<Story>
}

@PersistentModel private struct Astray {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify, json: "a[?]") var topics: Refs<Topic>
}

import Foundation
import Sluice
import TestSupport
import Testing

/// Models that were renamed, with their properties, after a store was filled.
struct RenamedModelTests {
    private let folder: TemporaryDirectory
    private var path: String { folder.path + "/shop.db" }
    private let options = SyncOptions(source: "shop")

    init() throws { folder = try TemporaryDirectory() }

    private func json(_ first: String, pages: Int = 1) -> String {
        #"[{"id": 1, "title": "\#(first)", "pages": \#(pages)}, {"id": 2, "title": "Emma", "pages": 2}]"#
    }

    @Test func renamesTablesColumnsAndPairs() async throws {
        do {
            let store = try Store(path, models: Volume.self)
            try await store.write { tx in
                var (writer, label) = (Scribe(id: 7, name: "Herbert", volumes: []), Sign(word: "sf"))
                try tx.save(&writer)
                try tx.save(&label)
                var volume = Volume(id: 1, title: "Dune", pages: 1, writer: Ref(7), labels: ["sf"])
                try tx.save(&volume)
            }
            await store.close()
        }
        let store = try Store(path, models: Novel.self)
        #expect(
            store.schemaChanges == [
                #"ALTER TABLE "volume" RENAME TO "novel""#,
                #"ALTER TABLE "novel" RENAME COLUMN "title" TO "name""#,
                #"ALTER TABLE "novel" RENAME COLUMN "writer_id" TO "author_id""#,
                #"ALTER TABLE "volume_labels" RENAME TO "novel_words""#,
                #"ALTER TABLE "novel_words" RENAME COLUMN "volume_id" TO "novel_id""#,
                #"DROP INDEX IF EXISTS "volume_labels_sign_word""#,
            ])
        try await store.read { reader in
            let novel = try reader.find(Novel.self, 1)
            #expect(novel.name == "Dune" && novel.pages == 1)
            #expect(try novel.author?.load(in: reader)?.name == "Herbert")
            #expect(try novel.words.load(in: reader).map(\.word) == ["sf"])
            #expect(try reader.find(LaterScribe.self, 7).novels.count(in: reader) == 1)
        }
        await store.close()
        #expect(try Store(path, models: Novel.self).schemaChanges.isEmpty)
    }

    @Test func passesBaseAndEditsOn() async throws {
        do {
            let store = try Store(path, models: Volume.self)
            try await store.sync(Volume.self, from: json("Dune"), options)
            try await store.update(Volume.self, 1) { $0.title = "Dune (1965)" }
            _ = try await store.write { try $0.delete(Volume.self, 2) }
            await store.close()
        }
        let store = try Store(path, models: Novel.self)
        // What people changed is an edit still, and what they deleted stays deleted.
        let same = try await store.sync(Novel.self, from: json("Dune", pages: 9), options)
        #expect(same.summary.insert == 0 && same.summary.conflict == 0, "\(same)")
        let novel = try await store.find(Novel.self, 1)
        #expect(novel.name == "Dune (1965)" && novel.pages == 9)
        #expect(try await store.count(Novel.all) == 1)
        let changed = try await store.sync(Novel.self, from: json("Dune, a novel", pages: 9), options)
        #expect(changed.summary.conflict == 1)
        let sides = try changed.conflicts.first?.sides(\.name)
        #expect(sides?.base == "Dune" && sides?.local == "Dune (1965)" && sides?.remote == "Dune, a novel")
    }

    /// What a program wrote of its own before the change of names, and had kept, is taken back after it: of changed, new and deleted
    /// records, and where more was kept since.
    @Test(arguments: [false, true]) func takesBackWhatWasKeptBefore(_ isKeptSince: Bool) async throws {
        do {
            let store = try Store(path, models: Volume.self)
            var volumes = [
                Volume(id: 1, title: "A", pages: 1, labels: []), Volume(id: 2, title: "B", pages: 2, labels: []),
            ]
            try await store.save(&volumes)
            try await store.write(recording: .by("ann")) { tx in
                try tx.update(Volume.self, 1) {
                    $0.title = "A!"
                    $0.pages = 11
                }
                _ = try tx.delete(Volume.self, 2)
                var third = Volume(id: 3, title: "C", pages: 3, labels: [])
                try tx.insert(&third)
            }
            await store.close()
        }
        let store = try Store(path, models: Novel.self)
        let run = try #require(try await store.history().first { $0.command == "edit" }).id
        if isKeptSince {
            try await store.write(recording: .by("bob")) { try $0.update(Novel.self, 1) { $0.pages = 12 } }
        }
        let undone = try await store.undo(run: run)
        #expect(undone.left == (isKeptSince ? 1 : 0))
        let novels = try await store.fetch(Novel.order(by: \.id))
        #expect(novels.map(\.name) == ["A", "B"] && novels.map(\.pages) == [isKeptSince ? 12 : 1, 2])
    }

    /// What was kept of lists and links before the change of names is taken back after it, and what a sync brought as well.
    @Test(arguments: [false, true]) func takesListsBack(_ isSynced: Bool) async throws {
        let options = SyncOptions(source: "shop")
        let run: Int?
        do {
            let store = try Store(path, models: Basket.self)
            var tags = ["x", "y", "z"].map { BasketTag(word: $0) }
            try await store.save(&tags)
            let json = #"[{"id": 1, "items": [{"id": 1}, {"id": 2}], "tags": ["x", "y"]}]"#
            try await store.sync(Basket.self, from: json, options)
            if isSynced {
                let news = #"[{"id": 1, "items": [{"id": 2}, {"id": 3}], "tags": ["y", "z"]}]"#
                run = try await store.sync(Basket.self, from: news, options).run
            } else {
                run = try await store.write(recording: .by("ann")) { tx in
                    try tx.update(Basket.self, 1) { basket in
                        basket.items.remove(at: 0)
                        basket.items.append(Item0(id: 3))
                        basket.tags.remove("x")
                        basket.tags.insert("z")
                    }
                    return tx.recordedRun
                }
            }
            await store.close()
        }
        func lists(_ store: Store) async throws -> [String] {
            try await store.read { reader in
                let hamper = try reader.find(Hamper.self, 1)
                // What comes back has no place of its own.
                return hamper.goods.map { "\($0.number)" }.sorted()
                    + (try hamper.labels.load(in: reader).map(\.word).sorted())
            }
        }
        let store = try Store(path, models: Hamper.self)
        let before = try await lists(store)
        #expect(before == ["2", "3", "y", "z"])
        let undone = try await store.undo(run: try #require(run))
        #expect(undone.left == 0)
        let after = try await lists(store)
        #expect(after == ["1", "2", "x", "y"])
    }

    /// A conflict of before the change of names is found, shown and decided under the new ones, with no sync between.
    @Test func passesConflictsOn() async throws {
        do {
            let store = try Store(path, models: Volume.self)
            try await store.sync(Volume.self, from: json("Dune"), options)
            try await store.update(Volume.self, 1) { $0.title = "Dune (1965)" }
            let result = try await store.sync(Volume.self, from: json("Dune, a novel"), options)
            #expect(result.summary.conflict == 1)
            await store.close()
        }
        let store = try Store(path, models: Novel.self)
        let conflict = try #require(try await store.conflicts(of: Novel.self).first)
        #expect(conflict.property == "name")
        #expect(try conflict.sides(\.name)?.remote == "Dune, a novel")
        #expect(try await store.resolve(conflict, .set(\.name, "Dune, by Herbert")) == .resolved)
        #expect(try await store.find(Novel.self, 1).name == "Dune, by Herbert")
        #expect(try await store.conflicts(of: Novel.self).isEmpty)
    }

    /// A name of before that another model has today is left to that one.
    @Test func takesNothingFromOthers() async throws {
        do {
            let store = try Store(path, models: Sign.self)
            var label = Sign(word: "sf")
            try await store.save(&label)
            await store.close()
        }
        let store = try Store(path, models: Word.self, Sign.self)
        #expect(try await store.count(Sign.all) == 1)
        #expect(try await store.count(Word.all) == 0)
    }
}

@PersistentModel private struct Volume {
    let id: Int
    var title: String
    var pages: Int
    @Relationship(inverse: "volumes", deleteRule: .nullify) var writer: Ref<Scribe>?
    @Relationship(inverse: .none, deleteRule: .nullify) var labels: Refs<Sign>
}

@PersistentModel private struct Scribe {
    let id: Int
    var name: String
    @Relationship(inverse: "writer", deleteRule: .nullify) var volumes: Refs<Volume>
}

@PersistentModel private struct Sign {
    @Attribute(.identifier) let word: String
}

@PersistentModel(renamedFrom: "Volume") private struct Novel {
    let id: Int
    @Attribute(renamedFrom: "title", json: "title") var name: String
    var pages: Int
    @Relationship(renamedFrom: "writer", inverse: "novels", deleteRule: .nullify) var author: Ref<LaterScribe>?
    @Relationship(renamedFrom: "labels", inverse: .none, deleteRule: .nullify) var words: Refs<Sign>
}

@PersistentModel(entity: "Scribe") private struct LaterScribe {
    let id: Int
    var name: String
    @Relationship(renamedFrom: "volumes", inverse: "author", deleteRule: .nullify) var novels: Refs<Novel>
}

@PersistentModel(renamedFrom: "Sign") private struct Word {
    @Attribute(.identifier) let word: String
}

@PersistentModel private struct Basket {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade, json: "items") var items: [Item0]
    @Relationship(inverse: .none, deleteRule: .nullify, json: "tags") var tags: Refs<BasketTag>
    var origin = Origin()
}

@PersistentModel private struct Item0 {
    let id: Int
    var origin = Origin()
}

@PersistentModel private struct BasketTag {
    @Attribute(.identifier) let word: String
}

@PersistentModel(renamedFrom: "Basket") private struct Hamper {
    let id: Int
    @Relationship(renamedFrom: "items", inverse: .none, deleteRule: .cascade, json: "items") var goods: [Good0]
    @Relationship(renamedFrom: "tags", inverse: .none, deleteRule: .nullify, json: "tags") var labels: Refs<BasketTag>
    var origin = Origin()
}

@PersistentModel(renamedFrom: "Item0") private struct Good0 {
    @Attribute(.identifier, renamedFrom: "id", json: "id") let number: Int
    var origin = Origin()
}

import Foundation
import Sluice
import TestSupport
import Testing

extension Shop {
    fileprivate var withA: Fetched<Employee> {
        Fetched(Employee.where { $0.shop == id && $0.name.hasPrefix("A") })
    }
}

struct RelationshipTests {
    private struct Back: Error {}

    /// What a struct of pairs filled, `Refs` in its place read, where the entities' names and keys are those of its columns.
    @Test func refsTakeThePlaceOfAStructOfPairs() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/pairs.db"
        let before = try Store(path, models: PairRow.self)
        try await before.write { tx in
            var works = [PairWork(id: 1), PairWork(id: 2)]
            try tx.insert(&works)
            var word = PairWord(id: 7)
            try tx.insert(&word)
            var row = PairRow(work: Ref(1), word: Ref(7))
            try tx.insert(&row)
        }
        await before.close()
        let store = try Store(path, models: LinkedWork.self)
        let words = try await store.read { reader in
            try reader.fetch(LinkedWork.order(by: \.id)).map { try $0.words.load(in: reader).map(\.id) }
        }
        #expect(words == [[7], []])
    }

    private func carpets() async throws -> Store {
        let store = try Store.temporary(Shop.self)
        try await store.write { tx in
            var shop = Shop(id: 1, name: "Carpets", employees: [])
            var ann = Employee(id: 1, name: "Ann", shop: Ref(1), boss: Ref(2), reports: [])
            var bob = Employee(id: 2, name: "Bob", shop: Ref(1), boss: Ref(1), reports: [])
            try tx.save(&shop)
            try tx.save(&ann)
            try tx.save(&bob)
            #expect(try shop.employees.load(in: tx).map(\.name) == ["Ann", "Bob"])
        }
        return store
    }

    @Test func followsCycles() async throws {
        let store = try await carpets()
        try await store.read { reader throws in
            let ann = try reader.find(Employee.self, 1)
            #expect(try ann.shop?.load(in: reader)?.employees.count(in: reader) == 2)
            #expect(try ann.boss?.load(in: reader)?.boss?.load(in: reader)?.name == "Ann")
            #expect(try ann.reports.load(in: reader).map(\.id) == [2])
            #expect(try ann.reportsCount(in: reader) == 1)
            #expect(try ann.reports.contains(2, in: reader) && !ann.reports.contains(1, in: reader))
            #expect(try reader.fetch(Employee.where { $0.boss.boss.name == "Ann" }).map(\.id) == [1])
            #expect(try reader.fetch(Employee.where { $0.boss == 1 }).map(\.id) == [2])
            #expect(try reader.fetch(Shop.where { $0.employees.any { $0.boss.name == "Bob" } }).map(\.id) == [1])
            #expect(try reader.fetch(Shop.where { $0.employees.none { $0.name == "Cy" } }).map(\.id) == [1])
            #expect(try reader.fetch(Shop.where { $0.employees.all { $0.name == "Ann" } }).isEmpty)
            #expect(try reader.fetch(Shop.where { $0.employees.count > 1 }).map(\.id) == [1])
        }
    }

    @Test func deletesByTheRules() async throws {
        let store = try await carpets()
        try await store.write { tx in
            var ann = try tx.find(Employee.self, 1)
            let error = #expect(throws: SluiceError.self) { try tx.delete(&ann) }
            #expect(error?.code == .denied && error?.identifier == "1" && error?.field == "reports")
            #expect(try tx.count(Employee.all) == 2)
            // Both go: what is denied is looked at as it would remain.
            #expect(throws: Back.self) {
                try tx.part {
                    #expect(try tx.delete(Shop.self, 1))
                    #expect(try tx.count(Employee.all) == 0)
                    throw Back()
                }
            }
            try tx.update(Employee.self, 2) { $0.boss = nil }
            #expect(try tx.delete(Employee.self, 1))
            #expect(try tx.find(Employee.self, 2).shop?.key == 1)
        }
    }

    @Test func keepsPairs() async throws {
        let store = try Store.temporary(Article.self)
        try await store.write { tx in
            var tags = ["new", "old"].map { Tag(word: $0, articles: []) }
            try tx.save(&tags)
            var article = Article(id: 1, title: "A", tags: ["new", "old"])
            try tx.save(&article)
            #expect(try article.tags.load(in: tx).map(\.word) == ["new", "old"])
            article.tags.remove("old")
            try tx.save(&article)
            #expect(try article.tagsCount(in: tx) == 1)
            try article.addToTags(tags[1], in: tx)
            try article.removeFromTags([tags[0]], in: tx)
            #expect(try article.tags.load(in: tx).map(\.word) == ["old"])
            #expect(try tx.find(Tag.self, "old").articles.load(in: tx).map(\.title) == ["A"])
            #expect(try tx.fetch(Article.where { $0.tags.any { $0.word.hasPrefix("o") } }).map(\.id) == [1])
            try tx.delete(Tag.self, "old")
            #expect(try article.tagsCount(in: tx) == 0)
        }
        #expect(try await store.rows("SELECT * FROM article_tags").isEmpty)
    }

    /// Of nothing, none and all are true, and any is not.
    @Test func asksOfNothing() async throws {
        let store = try Store.temporary(Shop.self, Article.self)
        try await store.write { tx in
            var shop = Shop(id: 1, name: "Carpets", employees: [])
            try tx.save(&shop)
            var article = Article(id: 1, title: "A", tags: [])
            try tx.save(&article)
            #expect(try !tx.exists(Shop.where { $0.employees.any { $0.id > 0 } }))
            #expect(try tx.exists(Shop.where { $0.employees.none { $0.id > 0 } }))
            #expect(try tx.exists(Shop.where { $0.employees.all { $0.id > 0 } }))
            #expect(try tx.exists(Shop.where { $0.employees.count == 0 }))
            #expect(try !tx.exists(Article.where { $0.tags.any { $0.word == "a" } }))
            #expect(try tx.exists(Article.where { $0.tags.none { $0.word == "a" } }))
            #expect(try tx.exists(Article.where { $0.tags.all { $0.word == "a" } }))
        }
    }

    @Test func refusesWhatLeadsNowhere() async throws {
        let store = try Store.temporary(Shop.self)
        let error = await #expect(throws: SluiceError.self) {
            try await store.write { tx in
                var ann = Employee(id: 1, name: "Ann", shop: Ref(7), boss: nil, reports: [])
                try tx.save(&ann)
            }
        }
        #expect(error?.code == .dangling)
        #expect(error?.entity == "Employee" && error?.identifier == "1" && error?.field == "shop", "\(error!)")
        #expect(error?.message.contains("property `shop` leads to Shop 7, which is not there") == true)
        #expect(try await store.count(Employee.all) == 0)
        #expect(throws: SluiceError.self) {
            try Employee(id: 1, name: "", shop: nil, boss: nil, reports: []).reports.query()
        }
    }

    /// A reference of all records of a query is set by a key, another reference or nil.
    @Test func setsReferences() async throws {
        let store = try Store.temporary(Plant.self, Vase.self, Cutting.self)
        var pots = [Pot(code: "a"), Pot(code: "b")]
        try await store.save(&pots)
        var plants = [Plant(id: 1, pot: Ref("a"), spare: nil), Plant(id: 2, pot: Ref("a"), spare: Ref("a"))]
        try await store.save(&plants)
        let sets: [(assignment: Assignment<Plant>, pot: String, spare: String?)] = [
            (Plant.path.pot.set("b"), "b", "a"), (Plant.path.pot.set(Ref("a")), "a", "a"),
            (Plant.path.spare.set("b"), "a", "b"), (Plant.path.spare.set(nil), "a", nil),
        ]
        for (assignment, pot, spare) in sets {
            let count = try await store.write { try $0.update(Plant.where { $0.id == 2 }, assignment) }
            let plant = try await store.find(Plant.self, 2)
            #expect(count == 1 && plant.pot.key == pot && plant.spare?.key == spare, "\(plant.pot.key)")
        }
        let refusals: [(assignment: Assignment<Plant>, code: SluiceError.Code, field: String?, says: String)] = [
            (
                Plant.path.pot.set(nil), .refused, "pot",
                "Plant, property `pot` is not optional, so it cannot be nil."
            ),
            (
                Plant.path.spare.set("z"), .dangling, "spare",
                "Plant 1, property `spare` leads to Pot z, which is not there."
            ),
        ]
        for (assignment, code, field, says) in refusals {
            let error = await #expect(throws: SluiceError.self) {
                _ = try await store.write { try $0.update(Plant.all, assignment) }
            }
            #expect(error?.code == code && error?.field == field, "\(error!)")
            #expect(error?.message.hasPrefix(says) == true, "\(error!)")
        }
        let byValue = await #expect(throws: SluiceError.self) {
            _ = try await store.write { try $0.update(Vase.all, Vase.path.pot.set("a")) }
        }
        #expect(byValue?.code == .refused && byValue?.field == "pot", "\(byValue!)")
        let ledTo = await #expect(throws: SluiceError.self) {
            _ = try await store.write { try $0.update(Cutting.all, Cutting.path.plant.pot.set("a")) }
        }
        #expect(ledTo?.code == .invalidSQL, "\(ledTo!)")
        #expect(try await store.find(Plant.self, 1).spare == nil)
    }

    /// What is said where a record is deleted to which others lead, and nothing says what becomes of them.
    @Test func saysWhatStandsAgainstADeletion() async throws {
        let store = try Store.temporary(Pot.self, Plant.self)
        var pots = [Pot(code: "a"), Pot(code: "b"), Pot(code: "c")]
        try await store.save(&pots)
        var plants = [Plant(id: 1, pot: Ref("a"), spare: nil), Plant(id: 2, pot: Ref("b"), spare: Ref("c"))]
        try await store.save(&plants)
        let rows: [(pot: String, plant: String, field: String, says: String)] = [
            (
                "a", "1", "pot",
                "Pot a is not deleted: Plant 1 leads to it by `pot`. Delete that record as well, or let the property lead elsewhere, in the same transaction. Where both sides name each other by `inverse:`, the delete rule of Pot says it for all of them."
            ),
            (
                "c", "2", "spare",
                "Pot c is not deleted: Plant 2 leads to it by `spare`. Delete that record as well, or let the property be nil or lead elsewhere, in the same transaction. Where both sides name each other by `inverse:`, the delete rule of Pot says it for all of them."
            ),
        ]
        for row in rows {
            let error = await #expect(throws: SluiceError.self) { try await store.delete(Pot.self, row.pot) }
            #expect(error?.code == .dangling && error?.message == row.says, "\(error?.message ?? "")")
            #expect(error?.entity == "Plant" && error?.identifier == row.plant && error?.field == row.field)
        }
        #expect(try await store.count(Pot.all) == 3)
        // What it says helps.
        try await store.write { tx in
            try tx.delete(Pot.self, "a")
            try tx.update(Plant.self, 1) { $0.pot = Ref("b") }
        }
        try await store.write { tx in
            try tx.deleteAll(Pot.all)
            try tx.deleteAll(Plant.all)
        }
        #expect(try await store.count(Pot.all) == 0)
        // One that was never there is another matter.
        let error = await #expect(throws: SluiceError.self) {
            var plant = Plant(id: 3, pot: Ref("z"), spare: nil)
            try await store.save(&plant)
        }
        #expect(error?.message.contains("leads to Pot z, which is not there") == true)
    }

    @Test(.timeLimit(.minutes(1))) func asksForWhatAPropertyMeans() async throws {
        let store = try Store.temporary(Shop.self)
        try await store.write { tx in
            var shop = Shop(id: 1, name: "Carpets", employees: [])
            try tx.save(&shop)
            for (id, name) in [(1, "Ann"), (2, "Bob"), (3, "Ada")] {
                var employee = Employee(id: id, name: name, shop: Ref(1), boss: nil, reports: [])
                try tx.save(&employee)
            }
        }
        let shop = try await store.find(Shop.self, 1)
        #expect(try await store.read { try shop.withA.load(in: $0) }.map(\.name) == ["Ann", "Ada"])
        #expect(try await store.read { try shop.withA.count(in: $0) } == 2)
        var seen = shop.withA.values(in: store).makeAsyncIterator()
        #expect(try await seen.next()?.count == 2)
        try await store.update(Employee.self, 2) { $0.name = "Abe" }
        #expect(try await seen.next()?.count == 3)
    }

    @Test func codesKeys() throws {
        let employee = Employee(id: 1, name: "Ann", shop: Ref(7), boss: nil, reports: [])
        let json = try JSONEncoder().encode(employee)
        #expect(try JSONDecoder().decode(Employee.self, from: json) == employee)
        let bare = try JSONDecoder().decode(Employee.self, from: Data(#"{"id":1,"name":"Ann"}"#.utf8))
        #expect(bare.reports.added.isEmpty && bare.shop == nil)
    }

    /// What is known of links is what they lead to once they are saved: what was brought along, and what changes.
    @Test func codesTheKeysThatItKnows() async throws {
        let store = try Store.temporary(Employee.self)
        try await store.write { tx in
            for id in 1...4 {
                var employee = Employee(id: id, name: "\(id)", shop: nil, boss: id == 1 ? nil : Ref(1), reports: [])
                try tx.save(&employee)
            }
        }
        #expect(try await store.read { try $0.find(Employee.self, 1).reports.keys(in: $0) } == [2, 3, 4])
        func coded(_ links: Refs<Employee>) throws -> Set<Int> {
            Set(try JSONDecoder().decode([Int].self, from: try JSONEncoder().encode(links)))
        }
        var boss = try #require(try await store.fetch(Employee.where { $0.id == 1 }.including(\.reports)).first)
        #expect(try coded(boss.reports) == [2, 3, 4])
        boss.reports.remove(3)
        boss.reports.insert(4)
        boss.reports.insert(9)
        #expect(try coded(boss.reports) == [2, 4, 9])
        #expect(try coded(try await store.find(Employee.self, 1).reports) == [])
    }

    @Test("What leads to records says what it leads to, and what the next save does")
    func description() {
        var articles = Refs<Article>([3])
        articles.remove(1)
        #expect("\(articles)" == "Refs<Article>(+ 3, - 1)")
        #expect("\(Refs<Article>([]))" == "Refs<Article>()")
        #expect("\(Ref<Article>(7))" == "Ref<Article>(7)")
        #expect("\(OrderedRefs<Article>([2, 1]))" == "OrderedRefs<Article>(1 change)")
        #expect("\(Origin())" == "Origin()")
    }
}

@PersistentModel(entity: "Work", table: "works") private struct PairWork { let id: Int }

@PersistentModel(entity: "Word", table: "words") private struct PairWord { let id: Int }

@PersistentModel(entity: "WorkWords", table: "work_words") private struct PairRow {
    @Attribute(.identifier) @Relationship(inverse: .none, deleteRule: .nullify) let work: Ref<PairWork>
    @Attribute(.identifier) @Relationship(inverse: .none, deleteRule: .nullify) let word: Ref<PairWord>
}

@PersistentModel(entity: "Work", table: "works") private struct LinkedWork {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify, via: "work_words") var words: Refs<PairWord>
}

@PersistentModel private struct Pot {
    @Attribute(.identifier) let code: String
}

@PersistentModel private struct Plant {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var pot: Ref<Pot>
    @Relationship(inverse: .none, deleteRule: .nullify) var spare: Ref<Pot>?
}

@PersistentModel private struct Vase {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var pot: Pot?
}

@PersistentModel private struct Cutting {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var plant: Ref<Plant>?
}

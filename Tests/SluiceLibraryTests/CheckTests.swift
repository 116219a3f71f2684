import Foundation
import Sluice
import Testing

/// What `@Attribute(check:)` refuses, when values are saved and when sources send them.
struct CheckTests {
    private static func rating(_ change: (inout Rating) -> Void = { _ in }) -> Rating {
        var rating = Rating(id: 1, title: "Dune", stars: 3, weight: 1, price: 5, code: "AB-1", state: "open", level: 1)
        change(&rating)
        return rating
    }

    /// What is done to a value that passes, and what is said of it; nil where it passes still.
    static let changes: [(name: String, change: @Sendable (inout Rating) -> Void, problem: String?)] = [
        ("as it is", { _ in }, nil),
        ("the shortest text", { $0.title = "D" }, nil),
        ("a text of one character that has several scalars", { $0.title = "👩‍👩‍👧" }, nil),
        ("no text", { $0.title = "" }, "`title` has 0 characters, not 1...5."),
        ("a long text", { $0.title = "Dune 2" }, "`title` has 6 characters, not 1...5."),
        ("null is for the type to refuse", { $0.stars = nil }, nil),
        ("the lower bound", { $0.stars = 1 }, nil), ("the upper bound", { $0.stars = 5 }, nil),
        ("below", { $0.stars = 0 }, "`stars` is not within 1...5."),
        ("above", { $0.stars = 6 }, "`stars` is not within 1...5."),
        ("right below an open bound", { $0.weight = 9.49 }, nil),
        ("an open bound", { $0.weight = 9.5 }, "`weight` is not within 0..<9.5."),
        ("more than all numbers", { $0.weight = .infinity }, "`weight` is not within 0..<9.5."),
        ("a decimal, exactly", { $0.price = Decimal(string: "0.01") }, nil),
        ("a decimal that is a little less", { $0.price = Decimal(string: "0.0099") }, "`price` is not within 0.01...."),
        ("a part that matches", { $0.code = "xAB-1" }, "`code` does not match the pattern `[A-Z]{2}-\\d+`."),
        ("one of some texts", { $0.state = "closed" }, nil),
        ("none of them", { $0.state = "Open" }, "`state` is none of the values that it may have."),
        ("one of some numbers", { $0.level = 10 }, nil),
        ("none of these", { $0.level = 2 }, "`level` is none of the values that it may have."),
        ("the second of two checks", { $0.title = "none" }, "`title` does not match the pattern `[^n].*`."),
    ]

    @Test(arguments: changes.indices) func refusesToSave(_ index: Int) async throws {
        let row = Self.changes[index]
        let store = try Store.temporary(Rating.self)
        var value = Self.rating(row.change)
        guard let problem = row.problem else { return try await store.save(&value) }
        let error = await #expect(throws: SluiceError.self, "\(row.name)") { try await store.save(&value) }
        #expect(error?.code == .check && error?.message == "Rating 1 cannot be stored: \(problem)", "\(row.name)")
        #expect(try await store.count(Rating.all) == 0)
    }

    /// What a table holds already is read, and other properties of it may be changed.
    @Test func leavesAloneWhatStandsInTheTable() async throws {
        let store = try Store.temporary(Rating.self)
        var value = Self.rating()
        try await store.save(&value)
        try await store.write { try $0.execute("UPDATE rating SET stars = 9") }
        try await store.update(Rating.self, 1) { $0.title = "Emma" }
        let error = await #expect(throws: SluiceError.self) {
            try await store.update(Rating.self, 1) { $0.stars = 8 }
        }
        #expect(error?.field == "stars")
        #expect(try await store.find(Rating.self, 1).stars == 9)
    }

    @Test func refusesToChangeAllRecordsOfAQuery() async throws {
        let store = try Store.temporary(Rating.self)
        var value = Self.rating()
        try await store.save(&value)
        let error = await #expect(throws: SluiceError.self) {
            _ = try await store.write { try $0.update(Rating.all, Rating.path.stars.set(7)) }
        }
        #expect(error?.code == .check && error?.message == "Rating cannot be stored: `stars` is not within 1...5.")
        #expect(try await store.find(Rating.self, 1).stars == 3)
    }

    private func json(_ id: Int, _ stars: String) -> String {
        #"{"id": \#(id), "title": "Dune"\#(stars), "weight": 1, "code": "AB-1", "state": "open", "level": 1}"#
    }

    /// A record that breaks a check waits aside; the others go on, and it comes in once it is mended.
    @Test func keepsRecordsOfSourcesAside() async throws {
        let store = try Store.temporary(Rating.self)
        let options = SyncOptions(source: "shop")
        let text = "[\(json(1, #", "stars": 9"#)), \(json(2, #", "stars": 2"#)), \(json(3, ""))]"
        let result = try await store.sync(Rating.self, from: text, options)
        #expect(result.summary == SyncSummary(insert: 2, quarantined: 1))
        let entry = try #require(result.quarantined.first)
        #expect(entry.reason == "not_allowed" && entry.pointer == "/stars")
        #expect(entry.message.contains("`stars` is not within 1...5."), "\(entry.message)")
        #expect(try await store.fetch(Rating.order(by: \.id)).map(\.id) == [2, 3])
        let mended = try await store.sync(Rating.self, from: "[\(json(1, #", "stars": 4"#))]", options)
        #expect(mended.summary == SyncSummary(insert: 1))
        #expect(try await store.quarantine(of: Rating.self).isEmpty)
        // A row whose record breaks a check now stays as it is.
        let worse = try await store.sync(Rating.self, from: "[\(json(1, #", "stars": 0"#))]", options)
        #expect(worse.summary == SyncSummary(quarantined: 1))
        #expect(try await store.find(Rating.self, 1).stars == 4)
    }

    @Test func endsASyncThatIsToEnd() async throws {
        let store = try Store.temporary(Rating.self)
        let error = await #expect(throws: SluiceError.self) {
            try await store.sync(
                Rating.self, from: "[\(json(2, "")), \(json(1, #", "stars": 9"#))]", .init(mismatch: .throw))
        }
        #expect(error?.code == .mismatch && error?.message.contains("`stars` is not within 1...5.") == true)
        #expect(try await store.count(Rating.all) == 0)
    }

    /// Values of a program's own client are those of a source as well.
    @Test func keepsValuesOfSourcesAside() async throws {
        let store = try Store.temporary(Rating.self)
        let result = try await store.sync([Self.rating { $0.stars = 9 }], SyncOptions(source: "client"))
        #expect(result.summary == SyncSummary(quarantined: 1))
    }

    @Test func refusesDecisions() async throws {
        let store = try Store.temporary(Rating.self)
        let options = SyncOptions(source: "shop")
        try await store.sync(Rating.self, from: "[\(json(1, #", "stars": 1"#))]", options)
        try await store.update(Rating.self, 1) { $0.stars = 2 }
        let result = try await store.sync(Rating.self, from: "[\(json(1, #", "stars": 3"#))]", options)
        let conflict = try #require(result.conflicts.first)
        let error = await #expect(throws: SluiceError.self) { try await store.resolve(conflict, .set(\.stars, 9)) }
        #expect(error?.code == .check)
        #expect(try await store.resolve(conflict, .set(\.stars, 5)) == .resolved)
    }

    @Test func refusesChecksThatCheckNothing() {
        let error = #expect(throws: SluiceError.self) { try Schema(Unchecked.self) }
        #expect(
            error?.problems == [
                "`Unchecked.kind`: `.range` does not check what a column of the type `string` holds"
            ])
    }
}

@PersistentModel struct Rating {
    let id: Int
    @Attribute(check: .length(1...5), .pattern("[^n].*")) var title: String
    @Attribute(check: .range(1...5)) var stars: Int?
    @Attribute(check: .range(0..<9.5)) var weight: Double
    @Attribute(check: .range(0.01...)) var price: Decimal?
    @Attribute(check: .pattern(#"[A-Z]{2}-\d+"#)) var code: String
    @Attribute(check: .values("open", "closed")) var state: String
    @Attribute(check: .values(1, 10)) var level: Int
}

@PersistentModel private struct Unchecked {
    let id: Int
    @Attribute(check: .range(1...2)) var kind: Kind
}

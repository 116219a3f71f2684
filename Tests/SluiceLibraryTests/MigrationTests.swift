import Foundation
import Sluice
import TestSupport
import Testing

/// What is done once to a store of an earlier version of a program.
struct MigrationTests {
    private let folder: TemporaryDirectory
    private var path: String { folder.path + "/shop.db" }

    init() throws { folder = try TemporaryDirectory() }

    private func options(_ migrations: [Migration], _ change: (inout StoreOptions) -> Void = { _ in }) -> StoreOptions {
        var options = StoreOptions()
        options.migrations = migrations
        change(&options)
        return options
    }

    private func fill() async throws {
        let store = try Store(path, models: OldCup.self)
        var cup = OldCup(id: 1, hue: " red ")
        try await store.save(&cup)
        await store.close()
    }

    private static let rename = Migration("1 hue is a color") { tx in
        try tx.execute("ALTER TABLE cup RENAME COLUMN hue TO color")
    }
    private static let trim = Migration("2 colors without blanks") { tx in
        try tx.execute("UPDATE cup SET color = trim(color)")
    }

    @Test func areRunOnceAndInOrder() async throws {
        try await fill()
        let all = [Self.rename, Self.trim]
        let store = try Store(path, models: Cup.self, options: options(all))
        #expect(store.migrations == ["1 hue is a color", "2 colors without blanks"])
        #expect(try await store.find(Cup.self, 1).color == "red")
        await store.close()
        let again = try Store(path, models: Cup.self, options: options(all))
        #expect(again.migrations.isEmpty)
        // One that is added later is run alone.
        await again.close()
        let more = all + [Migration("3 loud") { try $0.execute("UPDATE cup SET color = upper(color)") }]
        let later = try Store(path, models: Cup.self, options: options(more))
        #expect(later.migrations == ["3 loud"])
        #expect(try await later.find(Cup.self, 1).color == "RED")
    }

    /// The tables of a new store are made as the models are today.
    @Test func aNewStoreNeedsNone() async throws {
        let all = [Self.rename, Self.trim]
        let store = try Store(path, models: Cup.self, options: options(all))
        #expect(store.migrations.isEmpty)
        var cup = Cup(id: 1, color: " red ")
        try await store.save(&cup)
        await store.close()
        let again = try Store(path, models: Cup.self, options: options(all))
        #expect(again.migrations.isEmpty)
        #expect(try await again.find(Cup.self, 1).color == " red ")
    }

    @Test func whatFailsIsTakenBack() async throws {
        try await fill()
        struct Stop: Error {}
        let broken = Migration("2 broken") { tx in
            try tx.execute("DELETE FROM cup")
            throw Stop()
        }
        let error = #expect(throws: SluiceError.self) {
            try Store(path, models: Cup.self, options: options([Self.rename, broken]))
        }
        #expect(error?.code == .migration && error?.message.contains("`2 broken`") == true)
        #expect(error?.underlying is Stop)
        let store = try Store(path, models: Cup.self, options: options([Self.rename, Self.trim]))
        #expect(store.migrations == ["2 colors without blanks"])
        #expect(try await store.find(Cup.self, 1).color == "red")
    }

    @Test func whoOnlyLooksIsToldWhatIsMissing() async throws {
        try await fill()
        let looks: [(inout StoreOptions) -> Void] = [{ $0.access = .read }, { $0.schemaChanges = .verify }]
        for look in looks {
            let error = #expect(throws: SluiceError.self) {
                try Store(path, models: Cup.self, options: options([Self.rename], look))
            }
            #expect(error?.code == .migration && error?.problems == ["1 hue is a color"])
        }
        let asItIs = try Store(
            path, models: OldCup.self, options: options([Self.rename]) { $0.schemaChanges = .ignore })
        #expect(try await asItIs.find(OldCup.self, 1).hue == " red ")
        await asItIs.close()
        await (try Store(path, models: Cup.self, options: options([Self.rename]))).close()
        for look in looks { _ = try Store(path, models: Cup.self, options: options([Self.rename], look)) }
    }

    @Test(arguments: [["a", "a"], [""]]) func needNamesOfTheirOwn(_ names: [String]) {
        let error = #expect(throws: SluiceError.self) {
            try Store(path, models: Cup.self, options: options(names.map { Migration($0) { _ in } }))
        }
        #expect(error?.code == .migration)
    }

    /// What a migration changes of rows is an edit, as what a person changes is.
    @Test func whatTheyChangeIsAnEdit() async throws {
        let json = #"[{"id": 1, "color": "red"}]"#
        let store = try Store(path, models: Cup.self)
        try await store.sync(Cup.self, from: json, .init(source: "shop"))
        await store.close()
        let loud = Migration("loud") { try $0.execute("UPDATE cup SET color = upper(color)") }
        let migrated = try Store(path, models: Cup.self, options: options([loud]))
        let result = try await migrated.sync(Cup.self, from: json, .init(source: "shop"))
        #expect(result.summary.update == 0)
        #expect(try await migrated.find(Cup.self, 1).color == "RED")
    }
}

@PersistentModel(entity: "Cup") private struct OldCup {
    let id: Int
    var hue: String
}

@PersistentModel private struct Cup {
    let id: Int
    var color: String
}

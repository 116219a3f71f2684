import Foundation
import Sluice
import TestSupport
import Testing

/// What is wrong with a store, by code, in words of programs.
struct StoreErrorTests {
    private let folder: TemporaryDirectory
    private var path: String { folder.path + "/cups.db" }

    init() throws { folder = try TemporaryDirectory() }

    private func fill() async throws {
        let store = try Store(path, models: Cup.self)
        let json = #"[{"id":1,"color":"red","size":"x"},{"id":2,"color":"red","size":"x"}]"#
        try await store.sync(Cup.self, from: json, SyncOptions(source: "shop"))
        await store.close()
    }

    /// What was done to the file, and what opening it and reading all says.
    private static let damages:
        [(name: String, code: SluiceError.Code, damage: @Sendable (String) async throws -> Void)] = [
            (
                "a text", .damaged,
                { try Data(String(repeating: "no store\n", count: 200).utf8).write(to: URL(fileURLWithPath: $0)) }
            ),
            (
                "pages that were overwritten", .damaged,
                { path in
                    let file = URL(fileURLWithPath: path)
                    var bytes = try Data(contentsOf: file)
                    for page in stride(from: 8192, to: bytes.count - 100, by: 4096) {
                        bytes.replaceSubrange(page..<page + 100, with: repeatElement(0xEE, count: 100))
                    }
                    try bytes.write(to: file)
                }
            ),
            (
                "a format to come", .newerFormat,
                { path in
                    let store = try Store(path, models: Cup.self)
                    try await store.write {
                        try $0.execute("UPDATE _sluice_schema SET value = '999' WHERE kind = 'format'")
                    }
                    await store.close()
                }
            ),
            (
                "no folder", .ioFailed,
                { try FileManager.default.removeItem(atPath: ($0 as NSString).deletingLastPathComponent) }
            ),
        ]

    @Test(arguments: damages.indices) func saysWhatIsWrongWithAFile(_ index: Int) async throws {
        let row = Self.damages[index]
        try await fill()
        try await row.damage(path)
        let error = await #expect(throws: SluiceError.self, "\(row.name)") {
            let store = try Store(path, models: Cup.self)
            _ = try await store.fetch(Cup.all)
        }
        #expect(
            error?.code == row.code && error?.message.contains("--") == false, "\(row.name): \(error?.message ?? "")")
    }

    /// Models that do not fit a table that is there: the way out is one that a program has.
    @Test(arguments: [NumberedCup.self, KeyedCup.self, ContentCup.self, UniqueCup.self] as [any PersistentModel.Type])
    func saysWhatDoesNotFit(_ model: any PersistentModel.Type) async throws {
        try await fill()
        let error = #expect(throws: SluiceError.self) { try Store(path, try Schema([model])) }
        let message = error?.message ?? ""
        #expect(error?.code == .schemaMismatch && message.contains("`cup`"), "\(message)")
        for word in ["--", "primary_key", "next run", "{from:"] { #expect(!message.contains(word), "\(message)") }
    }

    @Test func saysThatATableRefusesARecord() async throws {
        let store = try Store.temporary(Cup.self)
        var cup = Cup(id: 1, color: "red", size: nil)
        try await store.save(&cup)
        try await store.write {
            try $0.execute("CREATE TRIGGER no BEFORE UPDATE ON cup BEGIN SELECT RAISE(ABORT, 'not on Sundays'); END")
        }
        let error = await #expect(throws: SluiceError.self) {
            try await store.update(Cup.self, 1) { $0.color = "blue" }
        }
        #expect(error?.code == .constraint && error?.entity == "Cup" && error?.identifier == "1")
        #expect(error?.message.contains("not on Sundays") == true)
    }

    @Test func saysThatTheDiskIsFull() async throws {
        try await fill()
        let store = try Store(path, models: Cup.self)
        let error = await #expect(throws: SluiceError.self) {
            try await store.write { tx in
                _ = try tx.rows("PRAGMA max_page_count = 1")
                for id in 10...2_000 {
                    var cup = Cup(id: id, color: String(repeating: "x", count: 500), size: nil)
                    try tx.insert(&cup)
                }
            }
        }
        #expect(error?.code == .full)
        #expect(try await store.count(Cup.all) == 2)
    }
}

@PersistentModel(entity: "Cup", table: "cup") private struct Cup {
    let id: Int
    var color: String
    var size: String?
}

@PersistentModel(entity: "Cup", table: "cup") private struct NumberedCup {
    let id: Int
    var color: Int
    var size: String?
}

@PersistentModel(entity: "Cup", table: "cup") private struct KeyedCup {
    @Attribute(.identifier) let color: String
    var size: String?
}

@PersistentModel(entity: "Cup", table: "cup", identifier: .content) private struct ContentCup {
    let color: String
    var size: String?
}

@PersistentModel(entity: "Cup", table: "cup") private struct UniqueCup {
    let id: Int
    var color: String
    @Attribute(.unique) var size: String?
}

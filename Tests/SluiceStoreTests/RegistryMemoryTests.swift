import SluiceModel
import SluiceSQLite
import SluiceSQLiteStore
import TestSupport
import Testing

@testable import SluiceSQLStore

/// What a transaction remembers of the registry is what the database says.
@Suite struct RegistryMemoryTests {
    private let kinds = ["mapping", "slot", "view", "kept_base"]
    private let names = ["a/b/C", "a/b/C/x", "a/b/C/y", "a/b/C/é", "a/b/C/e\u{301}", "a/b/Ca", "a/b/", "z", "Z", ""]

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func answersAsTheDatabaseDoes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let connection = try Connection(path: ":memory:", mode: .temporary)
        try connection.execute(
            "CREATE TABLE _sluice_schema (kind TEXT, name TEXT, value TEXT, PRIMARY KEY (kind, name))")
        let kept = SQLiteDatabase(connection, path: "kept")
        let read = SQLiteDatabase(connection, path: "read")
        kept.registryMemory.begin()
        for step in 0..<120 {
            let (kind, name) = (kinds.randomElement(using: &random)!, names.randomElement(using: &random)!)
            let registry = EntityRegistry(database: kept)
            switch Int.random(in: 0..<8, using: &random) {
            case 0...3: try registry.put(kind, name, "\(step)")
            case 4: try registry.remove(kind, name)
            case 5: try registry.rename(kind, name, to: names.randomElement(using: &random)!)
            case 6:
                try connection.execute("SAVEPOINT s")
                try registry.put(kind, name, "taken back")
                try connection.execute("ROLLBACK TO s; RELEASE s")
                kept.registryMemory.forget()
            default:
                kept.registryMemory.end()
                try EntityRegistry(database: read).put(kind, name, "by another one")
                kept.registryMemory.begin()
            }
            for kind in kinds {
                for prefix in ["", "a/b/C/", "a/b/C", "z", "none"] {
                    let (left, right) = (
                        try registry.entries(kind, prefix: prefix),
                        try EntityRegistry(database: read).entries(kind, prefix: prefix)
                    )
                    let place: Comment = "seed \(seed), step \(step), \(kind) \(prefix)"
                    #expect(left.map { ExactText($0.name) } == right.map { ExactText($0.name) }, place)
                    #expect(left.map(\.value) == right.map(\.value), place)
                }
                for name in names {
                    let (left, right) = (
                        try registry.entry(kind, name), try EntityRegistry(database: read).entry(kind, name)
                    )
                    #expect(left == right, "seed \(seed), step \(step), \(kind) \(name)")
                }
            }
        }
    }
}

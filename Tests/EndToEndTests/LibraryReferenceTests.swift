import Sluice
import SluiceSQLite
import TestSupport
import Testing

@PersistentModel(table: "crew")
struct Sailor {
    let id: Int
    var name: String
    @Relationship(inverse: .none, deleteRule: .nullify) var captain: Ref<Sailor>?
    var origin = Origin()
}

/// What a program writes leads to records that are there, whatever led nowhere before and is mended along with it.
@Suite struct LibraryReferenceTests {
    /// A sailor that a transaction saves.
    struct Saved: Sendable {
        let id: Int
        let captain: Int?
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let saved: [Saved]
        /// Whether it is refused.
        let isRefused: Bool
    }

    /// Sailor 2 leads to 1, which is not there; sailor 3 leads to none.
    static let cases = [
        Case(
            testDescription: "a row that mends, and leads nowhere itself", saved: [Saved(id: 1, captain: 9)],
            isRefused: true),
        Case(
            testDescription: "a new row that leads nowhere, and then one that mends",
            saved: [Saved(id: 4, captain: 9), Saved(id: 1, captain: nil)], isRefused: true),
        Case(
            testDescription: "a row that comes to lead nowhere, and then one that mends",
            saved: [Saved(id: 3, captain: 9), Saved(id: 1, captain: nil)], isRefused: true),
        Case(
            testDescription: "a row that leads to one that comes later",
            saved: [Saved(id: 1, captain: 9), Saved(id: 9, captain: nil)], isRefused: false),
        Case(
            testDescription: "a row that leads nowhere, and nowhere no more",
            saved: [Saved(id: 1, captain: 9), Saved(id: 1, captain: 3)], isRefused: false),
        Case(testDescription: "a row that mends", saved: [Saved(id: 1, captain: nil)], isRefused: false),
        Case(testDescription: "a row that leads to itself", saved: [Saved(id: 1, captain: 1)], isRefused: false),
    ]

    @Test(arguments: cases)
    func mended(_ test: Case) async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("crew.db")
        let store = try Store(path, models: Sailor.self)
        try await store.write { tx in
            for id in [2, 3] {
                var sailor = Sailor(id: id, name: "\(id)", captain: nil)
                try tx.save(&sailor)
            }
        }
        // Another program, whose foreign keys are not watched.
        let other = try Connection(path: path, mode: .existing)
        let column = try other.rows("SELECT \"from\" FROM pragma_foreign_key_list('crew')").first?.first
        guard case .text(let bytes)? = column else { throw Missing() }
        try other.execute("UPDATE crew SET \(String(decoding: bytes, as: UTF8.self)) = 1 WHERE id = 2")
        let before = try other.rows("SELECT * FROM crew ORDER BY id")
        do {
            try await store.write { tx in
                for saved in test.saved {
                    var sailor =
                        try tx.first(Sailor.self, saved.id) ?? Sailor(id: saved.id, name: "new", captain: nil)
                    sailor.captain = saved.captain.map { Ref($0) }
                    try tx.save(&sailor)
                }
            }
            #expect(!test.isRefused)
            #expect(try other.rows("PRAGMA foreign_key_check").isEmpty)
        } catch let error as SluiceError {
            #expect(test.isRefused && error.code == .dangling, "\(error)")
            #expect(try other.rows("SELECT * FROM crew ORDER BY id") == before)
        }
    }

    private struct Missing: Error {}
}

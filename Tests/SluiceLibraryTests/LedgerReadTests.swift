import Dispatch
import Sluice
import TestSupport
import Testing

/// Looks at conflicts, records in quarantine and runs, which wait for nobody.
struct LedgerReadTests {
    private static func options(_ rule: StoreOptions.SchemaRule = .extend) -> StoreOptions {
        var options = StoreOptions()
        options.busyTimeout = .milliseconds(100)
        options.schemaChanges = rule
        return options
    }

    private static func look(_ store: Store) async throws -> [Int] {
        [
            try await store.conflicts().count, try await store.conflicts(of: Note.self).count,
            try await store.quarantine(of: Note.self).count, try await store.history().count,
            try await store.life(of: Note.self, 1).count,
        ]
    }

    /// Neither a transaction of the same store nor one of another program keeps them waiting.
    @Test(.timeLimit(.minutes(5)), arguments: [true, false])
    func goesOnBesideAWriter(_ isOfSameStore: Bool) async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/notes.db"
        let store = try Store(path, models: Note.self, options: Self.options())
        try await store.sync(
            Note.self, from: #"[{"id":1,"text":"a"},{"id":"x","text":"b"}]"#, SyncOptions(source: "s"))
        try await store.update(Note.self, 1) { $0.text = "ours" }
        try await store.sync(Note.self, from: #"[{"id":1,"text":"theirs"}]"#, SyncOptions(source: "s"))
        let before = try await Self.look(store)
        // The second list is no proof that the record without a key is gone.
        #expect(before == [1, 1, 1, 2, 1])

        let other = isOfSameStore ? store : try Store(path, models: Note.self)
        let (began, tell) = AsyncStream.makeStream(of: Void.self)
        let end = DispatchSemaphore(value: 0)
        let writing = Task {
            defer { tell.finish() }
            try await other.write { tx in
                try tx.execute("UPDATE note SET text = 'changed'")
                tell.finish()
                end.wait()
            }
        }
        for await _ in began {}
        var seen: [Int] = []
        var failure: (any Error)?
        do { seen = try await Self.look(store) } catch { failure = error }
        end.signal()
        try await writing.value
        #expect(failure == nil && seen == before, "\(String(describing: failure))")
    }

    /// Also a store whose tables are read as they are has them, once somebody looks.
    @Test func areMadeWhereNobodyMadeThem() async throws {
        let folder = try TemporaryDirectory()
        let store = try Store(folder.path + "/notes.db", models: Note.self, options: Self.options(.ignore))
        for _ in 0..<2 {
            #expect(try await store.history().isEmpty)
            #expect(try await store.conflicts().isEmpty)
        }
    }
}

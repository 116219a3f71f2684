import Sluice
import TestSupport
import Testing

/// Syncs that are kept in units.
@Suite struct UnitSyncTests {
    private static func options(_ count: Int, _ missing: SyncOptions.MissingRule = .ignore) -> SyncOptions {
        SyncOptions(source: "shop", missing: missing, commit: .every(count))
    }

    private static func json(_ ids: some Sequence<Int>, _ name: String = "a") -> String {
        "[" + ids.map { "{\"id\": \($0),\n \"name\": \"\(name)\"}" }.joined(separator: ", ") + "]"
    }

    /// However many are kept at once, it comes to the same.
    @Test(arguments: [0, 1, 2, 3, 7, 100]) func comesToTheSame(_ count: Int) async throws {
        let (one, other) = (try Store.temporary(Item.self), try Store.temporary(Item.self))
        let missing = SyncOptions.MissingRule.hard(maximum: .percent(100))
        for json in [
            Self.json(1...7), Self.json(1...7, "b"), Self.json([2, 4, 6]), "[]",
            #"[{"id": 1}, {"id": "x", "name": "c"}]"#,
        ] {
            for store in [one, other] {
                try await store.write { try $0.execute("UPDATE item SET name = 'ours' WHERE id = 4") }
            }
            let whole = try await one.sync(Item.self, from: json, SyncOptions(source: "shop", missing: missing))
            let units = try await other.sync(Item.self, from: json, Self.options(count, missing))
            #expect(units.summary == whole.summary, "\(json)")
            #expect(units.conflicts.map(\.record) == whole.conflicts.map(\.record))
            #expect(units.quarantined.map(\.json) == whole.quarantined.map(\.json))
            let rows: [[[String?]]] = [
                try await one.rows("SELECT * FROM item ORDER BY id").map(\.texts),
                try await other.rows("SELECT * FROM item ORDER BY id").map(\.texts),
            ]
            #expect(rows[0] == rows[1], "\(json)")
        }
        // It is one run all the same.
        #expect(try await other.history().count == one.history().count)
    }

    @Test func isTakenBackAsOneRun() async throws {
        let store = try Store.temporary(Item.self)
        let result = try await store.sync(Item.self, from: Self.json(1...7), Self.options(2))
        #expect(result.summary.insert == 7)
        try await store.undo(run: try #require(result.run))
        #expect(try await store.count(Item.all) == 0)
    }

    @Test func theUnitsBeforeAFailureStay() async throws {
        let store = try Store.temporary(Item.self)
        var options = Self.options(2)
        options.mismatch = .throw
        let json = #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 3, "name": "c"}, {"id": 4}]"#
        let error = await #expect(throws: SluiceError.self) { try await store.sync(Item.self, from: json, options) }
        #expect(error?.code == .mismatch)
        #expect(error?.message.hasPrefix("Record 4 does not fit: ") == true, "\(error?.message ?? "")")
        #expect(error?.message.hasSuffix("The units before were kept: 2 records.") == true)
        #expect(try await store.fetch(Item.all).map(\.id) == [1, 2])
        let run = try #require(try await store.history().first)
        #expect(run.status == "failed" && run.summary.insert == 2)
        // What is kept can be taken back, and the next sync goes on.
        try await store.undo(run: run.id)
        #expect(try await store.count(Item.all) == 0)
        #expect(try await store.sync(Item.self, from: Self.json(1...4), options).summary.insert == 4)
    }

    @Test func namesOfMembersComeAlong() async throws {
        let store = try Store.temporary(Item.self)
        var options = Self.options(2)
        (options.entries, options.records) = ("id", "data")
        let json = #"{"data": {"1": {"name": "a"}, "2": {"name": "b\n"}, "3": {"name": "c"}}}"#
        #expect(try await store.sync(Item.self, from: json, options).summary.insert == 3)
        #expect(try await store.fetch(Item.all).map(\.name) == ["a", "b\n", "c"])
    }

    @Test func aStageAndValuesAreKeptInUnitsToo() async throws {
        let store = try Store.temporary(Item.self)
        let result = try await store.sync(Item.self, from: Self.json(1...5), Self.options(2)) { item in
            if item.id == 2 { return .skip }
            if item.id == 3 { return .quarantine("no") }
            item.name += "!"
            return .keep
        }
        #expect(result.summary.insert == 3 && result.summary.quarantined == 1 && result.skipped == 1)
        #expect(try await store.fetch(Item.all).map(\.name) == ["a!", "a!", "a!"])
        let values = try await store.sync((6...9).map { Item(id: $0, name: "v") }, Self.options(3))
        #expect(values.summary.insert == 4)
    }

    @Test func oneThatNeedsAllIsRefused() async throws {
        let store = try Store.temporary(Item.self)
        var options = Self.options(2)
        options.onDuplicate = .fail
        await #expect { try await store.sync(Item.self, from: Self.json(1...3), options) } throws: {
            ($0 as? SluiceError)?.code == .refused
        }
        #expect(try await store.history().isEmpty)
    }

    @Test func othersWriteInBetween() async throws {
        let folder = try TemporaryDirectory()
        let store = try Store(folder.path + "/shop.db", models: Item.self)
        let changes = store.changes(Item.self)
        try await store.sync(Item.self, from: Self.json(1...6), Self.options(2))
        for try await change in changes {
            #expect(change.keys(of: Item.self)?.isEmpty == false)
            break
        }
        // The source is free again.
        #expect(try await store.sync(Item.self, from: Self.json(1...6), Self.options(2)).summary.unchanged == 6)
    }
}

@PersistentModel private struct Item {
    let id: Int
    var name: String
}

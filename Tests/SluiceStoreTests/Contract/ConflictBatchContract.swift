import SluiceModel
import SluiceStore
import Testing

@Suite("Any store: conflicts in batches")
struct ConflictBatchContract {
    /// More than any store asks for at a time.
    private static let count = 1_201

    private func key(_ id: Int) -> String { "{\"id\":\(id)}" }

    private func samples(_ ids: some Sequence<Int>) -> [ConflictEntry] { ids.map { .sample(key: key($0)) } }

    private func all(_ scene: StoreScene) throws -> [ConflictEntry] {
        try scene.read { try $0.conflicts.list(includingClosed: true) }
    }

    private func changes(_ scene: StoreScene, run: Int64) throws -> [RecordedEntry] {
        try scene.read { try $0.changes.entries(run: run, order: .newestFirst, beyond: nil, limit: 5_000) }
    }

    @Test(arguments: StoreUnderTest.all)
    func newOnesAreNumberedInTheirOrder(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let entries = samples(1...Self.count)
        let ids = try scene.transaction(recording: 7) { try $0.conflicts.write(entries) }
        #expect(Set(ids).count == Self.count && ids == ids.sorted())
        let kept = try all(scene)
        #expect(kept.map(\.id) == ids && kept.map(\.key) == entries.map(\.key))
        try scene.read { store throws in
            let found = try store.conflicts.entries(ids: ids.reversed() + [0])
            #expect(found == kept.reversed() + [nil])
            let open = try store.conflicts.open(of: .items, keys: entries.map(\.key) + [key(0), key(1)])
            #expect(open.count == Self.count && open[ExactText(key(7))] == [kept[6]])
            #expect(try store.conflicts.open(of: .items, keys: []).isEmpty)
            #expect(try store.conflicts.entries(ids: []).isEmpty && store.conflicts.write([]).isEmpty)
        }
        let told = try changes(scene, run: 7)
        #expect(told.map(\.entry) == ids.reversed() && Set(told.map(\.action)) == ["opened"])
    }

    @Test(arguments: StoreUnderTest.all)
    func newAndKnownOnesAreWrittenTogetherAndTheSameOneTwice(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let ids = try scene.transaction { try $0.conflicts.write(samples(1...3)) }
        var first = try all(scene)[0]
        (first.status, first.lastRun, first.note) = (.resolved, 8, "it's \"so\" \\ ü\n")
        (first.firstRun, first.key, first.base) = (99, "another", nil)
        var second = try all(scene)[1]
        (second.seen, second.firstRun) = (2, 99)
        var again = second
        again.seen = 3
        let written = try scene.transaction(recording: 8) { store throws in
            try store.conflicts.write([first, .sample(key: key(1)), second, again])
        }
        #expect(written[0] == ids[0] && written[1] > ids[2] && written[2...] == [ids[1], ids[1]])
        let kept = try all(scene)
        // Who opened it stays, and so does what it is about.
        (first.firstRun, first.key) = (1, key(1))
        #expect(kept[0] == first)
        #expect(kept.map(\.seen) == [1, 3, 1, 1] && kept.map(\.firstRun) == [1, 1, 1, 1])
        #expect(try changes(scene, run: 8).reversed().map(\.action) == ["closed", "opened", "changed", "changed"])
        #expect(try changes(scene, run: 8).allSatisfy { $0.key?.hasPrefix("{") == true })
    }

    @Test(arguments: StoreUnderTest.all)
    func changesAreTakenBackTogether(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.transaction { store throws in _ = try store.conflicts.write(samples(1...Self.count)) }
        let before = try all(scene)
        try scene.transaction(recording: 7) { store throws in
            let closed = before.map { entry in
                var entry = entry
                (entry.status, entry.lastRun) = (.auto, 7)
                return entry
            }
            _ = try store.conflicts.write(closed)
            // Each has a successor over the same field.
            _ = try store.conflicts.write(samples(1...Self.count))
        }
        let changes = try changes(scene, run: 7)
        #expect(changes.count == 2 * Self.count)
        let areBack = try scene.transaction(recording: 8) { try $0.conflicts.revert(changes) }
        #expect(areBack.allSatisfy { $0 })
        #expect(try all(scene) == before)
        let undone = try self.changes(scene, run: 8)
        #expect(undone.map(\.action).prefix(1) == ["reopened"] && undone.map(\.action).suffix(1) == ["withdrawn"])
        // And all of that can be taken back.
        #expect(try scene.transaction(recording: 9) { try $0.conflicts.revert(undone) }.allSatisfy { $0 })
        let now = try all(scene)
        #expect(now.count == 2 * Self.count && now.count { $0.status == .open } == Self.count)
        let next = try scene.transaction { try $0.conflicts.write(samples([0])) }
        #expect(next[0] > now.compactMap(\.id).max() ?? 0)
    }

    @Test(arguments: StoreUnderTest.all)
    func ofChangesTogetherThoseStayThatAreNotAsTheyWereLeft(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.transaction(recording: 7) { store throws in _ = try store.conflicts.write(samples(1...3)) }
        try scene.transaction(recording: 8) { store throws in
            var second = try #require(try store.conflicts.open(of: .items, key: key(2)).first)
            second.remote = "\"other\""
            _ = try store.conflicts.write([second])
        }
        let changes = try changes(scene, run: 7)
        #expect(try scene.transaction(recording: 9) { try $0.conflicts.revert(changes) } == [true, false, true])
        #expect(try all(scene).map(\.key) == [key(2)])
    }
}

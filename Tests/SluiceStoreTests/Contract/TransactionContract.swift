import SluiceModel
import SluiceStore
import Testing

@Suite("Any store: transactions")
struct TransactionContract {
    private static let schema = RecordSchema.items()
    private static let other = RecordSchema.test([("id", .int)], table: "others", stream: "others")

    /// All that a store and its table tell of the cases below.
    private func dump(_ scene: StoreScene) throws -> [String] {
        var lines = try scene.items()
        try scene.read { store throws in
            lines += try store.conflicts.list(includingClosed: true).map { "\($0)" }
            lines += try store.quarantine.list(includingClosed: true).map { "\($0)" }
            lines += try store.runs.list(pipeline: nil, limit: 99).map { "\($0)" }
            lines += try store.state.names("", pipeline: "test", stream: "items")
            lines.append("\(try store.scans.unfinished(pipeline: "test", stream: "items") as Any)")
            lines += try store.changes.records(run: 7, order: .oldestFirst, beyond: nil, limit: 99).map { "\($0)" }
            lines += try store.changes.entries(run: 7, order: .oldestFirst, beyond: nil, limit: 99).map { "\($0)" }
            lines += try store.mappings(pipeline: nil, entity: nil).map { "\($0)" }
            let table = try #require(try store.knownTable(pipeline: "test", stream: "items", entity: "Item"))
            for id in 1...4 as ClosedRange<Int64> {
                lines.append("\(try table.baseImage(key(.integer(id))) as Any)")
            }
        }
        return lines
    }

    /// Writes something of every kind.
    private func write(_ store: any RecordStore) throws {
        let table = try store.openTable(Self.schema).table
        try table.write(.update(1, [1], [.text("x")], base: Self.schema.base([.integer(1), .text("x"), .text("n")])))
        try table.insert(Self.schema.batch([[.integer(4), .text("d"), nil]]), records: [0], run: 7)
        try table.write(RecordWrite(key: key(.integer(2)), row: .delete, base: nil))
        _ = try store.openTable(Self.other)
        _ = try store.conflicts.insert(.sample())
        _ = try store.quarantine.put(.sample())
        try store.runs.record(.sample(7))
        try store.state.set("5", pipeline: "test", stream: "items", name: "cursor")
        try store.scans.keep(
            UnfinishedScan(run: 7, pages: 1, state: "s"), page: ScannedPage(request: 1, keys: [2], quarantined: [3]),
            pipeline: "test", stream: "items")
    }

    @Test(arguments: StoreUnderTest.all)
    func whatIsCommittedIsThereForWhoeverOpensTheStoreNext(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a")
        #expect(try scene.items() == ["1 a n"])
        try scene.table(Self.schema) { table throws in
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), .text("a"), .text("n")])
            #expect(
                try table.baseRow(key(.integer(1)))
                    == Self.schema.base([.integer(1), .text("a"), .text("n")], run: 1))
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func whatIsRolledBackLeavesNothing(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "abc")
        let before = try dump(scene)
        let store = try scene.place.open()
        try store.begin()
        store.startRecording(run: 7, naming: StoreScene.name)
        try write(store)
        store.rollback()
        #expect(try dump(scene) == before)
        // The store can be used again, and knows nothing of what it had prepared.
        try store.begin()
        #expect(try store.openTable(Self.other).changes.map(\.kind) == [.createTable])
        try write(store)
        try store.commit()
        #expect(try dump(scene) != before)
        #expect(try scene.items() == ["1 x n", "3 c n", "4 d -"])
    }

    /// A store has a name of its own from its first transaction on, and no other store has it.
    @Test(arguments: StoreUnderTest.all)
    func aStoreIsToldFromOthers(_ kind: StoreUnderTest) throws {
        let (scene, other) = (try StoreScene.items(kind, "a"), try StoreScene.items(kind, "a"))
        let identity = try #require(try scene.read { try $0.identity() })
        #expect(try other.read { try $0.identity() } != identity)
        try scene.insert(Self.schema, [[.integer(2), .text("b"), .text("n")]])
        #expect(try scene.read { try $0.identity() } == identity)
    }

    @Test(arguments: StoreUnderTest.all)
    func aRollbackWithoutATransactionDoesNothing(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a")
        let store = try scene.place.open()
        store.rollback()
        try store.begin()
        try store.openTable(Self.schema).table.write(.update(1, [1], [.text("b")]))
        try store.commit()
        store.rollback()
        #expect(try scene.items() == ["1 b n"])
    }

    @Test(arguments: StoreUnderTest.all)
    func nobodyElseSeesATransactionThatIsOpen(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a")
        let store = try scene.place.open()
        try store.begin()
        try store.openTable(Self.schema).table.write(.update(1, [1], [.text("b")]))
        #expect(try scene.items() == ["1 a n"])
        try store.commit()
        #expect(try scene.items() == ["1 b n"])
    }

    @Test(arguments: StoreUnderTest.all)
    func aSecondWriterIsRefusedAsLocked(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a")
        let (first, second) = (try scene.place.open(), try scene.place.open())
        try first.begin()
        let error = try #require(throws: StoreError.self) { try second.begin() }
        #expect(error.code == .locked)
        try first.commit()
        try second.begin()
        try second.commit()
    }

    // MARK: Savepoints

    @Test(arguments: StoreUnderTest.all)
    func aPartIsTakenBackAlone(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "abc")
        try scene.transaction { store throws in
            let table = try store.openTable(Self.schema).table
            try table.write(.update(1, [1], [.text("x")]))
            try store.beginSavepoint()
            try write(store)
            try table.write(.update(3, [1], [.text("z")]))
            try store.rollBackToSavepoint()
            #expect(try store.knownTable(pipeline: "test", stream: "others", entity: "Item") == nil)
            #expect(try store.conflicts.list(includingClosed: true) == [])
            // What is opened again goes on with what was there before the part.
            let again = try store.openTable(Self.schema).table
            #expect(try again.localRow(key(.integer(1)))?[1] == .text("x"))
            try again.write(.update(2, [1], [.text("y")]))
        }
        #expect(try scene.items() == ["1 x n", "2 y n", "3 c n"])
    }

    @Test(arguments: StoreUnderTest.all)
    func aPartThatEndsBelongsToTheTransaction(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab")
        try scene.transaction { store throws in
            let table = try store.openTable(Self.schema).table
            try store.beginSavepoint()
            try table.write(.update(1, [1], [.text("x")]))
            try store.releaseSavepoint()
            try store.beginSavepoint()
            try table.write(.update(2, [1], [.text("y")]))
            try store.rollBackToSavepoint()
        }
        #expect(try scene.items() == ["1 x n", "2 b n"])
        let store = try scene.place.open()
        try store.begin()
        try store.beginSavepoint()
        try store.openTable(Self.schema).table.write(.update(2, [1], [.text("z")]))
        try store.releaseSavepoint()
        store.rollback()
        #expect(try scene.items() == ["1 x n", "2 b n"])
    }
}

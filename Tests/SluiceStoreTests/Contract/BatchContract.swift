import SluiceModel
import SluiceStore
import Testing

@Suite("Any store: batches")
struct BatchContract {
    private static let items = RecordSchema.items(unique: [["code"]])
    /// Issues by repository and number.
    private static let issues = RecordSchema.test([("repo", .string), ("number", .int)], key: ["repo", "number"])

    /// Keys of items that are there and of some that are not, one of them twice, and in no order.
    private static let mixed: [RecordKey] = [4, 9, 1, 3, 1, -7, 2].map { key(.integer($0)) }

    /// What a batch says stands in the order of its keys, and is what each key alone would be answered.
    private func expectSame<Value: Equatable>(
        _ keys: [RecordKey], _ batch: ([RecordKey]) throws -> [Value], _ one: (RecordKey) throws -> Value
    ) throws {
        #expect(try batch(keys) == keys.map(one))
        #expect(try batch(keys.reversed()) == keys.reversed().map(one))
        #expect(try batch([]).isEmpty)
    }

    /// Four items: the row of the second is gone, the base of the third as well as its row.
    private func scene(_ kind: StoreUnderTest) throws -> StoreScene {
        let scene = try StoreScene.items(kind, "abcd", Self.items)
        try scene.table(Self.items) { table throws in
            var removal = RecordWrite(key: key(.integer(3)), row: .delete, base: nil)
            removal.keptBase = .remove
            try table.write([RecordWrite(key: key(.integer(2)), row: .delete, base: nil), removal])
        }
        return scene
    }

    @Test(arguments: StoreUnderTest.all)
    func answersStandInTheOrderOfTheKeys(_ kind: StoreUnderTest) throws {
        try scene(kind).table(Self.items) { table throws in
            try expectSame(Self.mixed, table.baseRows, table.baseRow)
            try expectSame(Self.mixed, table.localRows, table.localRow)
            try expectSame(Self.mixed, table.baseImages, table.baseImage)
            try expectSame(Self.mixed, table.wholeRows, table.wholeRow)
            #expect(try table.baseRows(Self.mixed).map { $0 != nil } == [true, false, true, false, true, false, true])
            #expect(
                try table.localRows(Self.mixed).map { $0?[1] }
                    == [.text("d"), nil, .text("a"), nil, .text("a"), nil, nil])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func keysBelowOwnersAreGivenToEachOwner(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.insert(Self.issues, [("b", 2), ("a", 1), ("b", 1), ("ab", 7)].map { [.text($0), .integer($1)] })
        try scene.table(Self.issues) { table throws in
            try table.write([RecordWrite(key: key(.text("b"), .integer(2)), row: .delete, base: nil)])
            let owners = ["b", "", "ab", "a", "b"].map { key(.text($0)) }
            try expectSame(owners, table.liveKeys(under:), table.liveKeys(under:))
            try expectSame(owners, table.rowKeys(under:), table.rowKeys(under:))
            try expectSame(owners, table.hasRows(under:), table.hasRows(under:))
            #expect(try table.liveKeys(under: owners).map(\.count) == [2, 0, 1, 1, 2])
            #expect(try table.rowKeys(under: owners).map(\.count) == [1, 0, 1, 1, 1])
            #expect(try table.hasRows(under: owners) == [true, false, true, true, true])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func writesAreDoneInTheirOrder(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab", Self.items)
        try scene.table(Self.items) { table throws in
            let waiting = try table.write([
                .update(1, [1], [.text("x")]), .update(1, [1], [.text("y")]),
                RecordWrite(key: key(.integer(2)), row: .delete, base: nil),
                // What the write before it made free is there for the next one.
                .update(1, [1], [.text("b")]),
            ])
            #expect(waiting.isEmpty)
            #expect(try table.localRows([key(.integer(1)), key(.integer(2))]).map { $0?[1] } == [.text("b"), nil])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func whatATableDoesNotTakeWaitsAlone(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "abc", Self.items)
        try scene.table(Self.items) { table throws in
            let waiting = try table.write([
                .update(1, [2], [.text("first")]), .update(2, [1], [.text("c")]), .update(3, [2], [.text("third")]),
            ])
            #expect(waiting == [1])
            #expect(
                try table.localRows([1, 2, 3].map { key(.integer($0)) })
                    == [
                        [.integer(1), .text("a"), .text("first")], [.integer(2), .text("b"), .text("n")],
                        [.integer(3), .text("c"), .text("third")],
                    ])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func openConflictsAreGivenByTheKeysOfTheirRecords(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        var closed = ConflictEntry.sample(field: "code", key: #"{"id":2}"#)
        closed.status = .resolved
        let open = [
            ConflictEntry.sample(), .sample(field: "code"), .sample(key: #"{"id":2}"#), .sample(key: #"{"id":3}"#),
        ]
        try scene.transaction { store throws in
            for entry in open + [closed] { _ = try store.conflicts.insert(entry) }
            let keys = [#"{"id":3}"#, #"{"id":9}"#, #"{"id":1}"#, #"{"id":2}"#]
            let found = try store.conflicts.open(of: .items, keys: keys)
            for key in keys {
                #expect(try found[ExactText(key)] ?? [] == store.conflicts.open(of: .items, key: key))
            }
            #expect(keys.map { found[ExactText($0)]?.count ?? 0 } == [1, 0, 2, 1])
            #expect(try store.conflicts.open(of: .items, keys: []).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func whatIsOpenIsCountedByRecords(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.transaction { store throws in
            for entry in [ConflictEntry.sample(), .sample(field: "code"), .sample(key: #"{"id":2}"#)] {
                _ = try store.conflicts.insert(entry)
            }
            for entry in [
                QuarantineEntry.sample(), .sample(reason: "missing"), .sample(key: nil, hash: 6),
                .sample(key: nil, hash: 7),
            ] {
                _ = try store.quarantine.put(entry)
            }
            // A value of a column that took another type is no record.
            for reason in ["type_changed:name", "type_changed:code"] {
                _ = try store.quarantine.put(.sample(key: #"{"id":9}"#, reason: reason))
            }
            var other = ConflictEntry.sample()
            other.stream = "more"
            _ = try store.conflicts.insert(other)
            let conflicts = { (entities: Set<String>, streams: Set<String>, pipeline: String) in
                try store.conflicts.openRecords(of: entities, streams: streams, pipeline: pipeline)
            }
            // A record in conflict for several streams is one record.
            #expect(try conflicts(["Item", "None"], ["items", "more"], "test") == 2)
            #expect(try conflicts(["Item"], ["more"], "test") == 1)
            #expect(try store.quarantine.openRecords(ofStreams: ["items"], pipeline: "test") == 3)
            #expect(try store.quarantine.openTypeChanges(ofStreams: ["items", "none"], pipeline: "test") == 2)
            for (streams, pipeline) in [(Set(["none"]), "test"), ([], "test"), (["items"], "other")] {
                #expect(try conflicts(["Item"], streams, pipeline) == 0)
                #expect(try store.quarantine.openRecords(ofStreams: streams, pipeline: pipeline) == 0)
                #expect(try store.quarantine.openTypeChanges(ofStreams: streams, pipeline: pipeline) == 0)
            }
            #expect(try conflicts(["Other"], ["items"], "test") == 0)
        }
    }
}

import SluiceMerge
import SluiceModel
import SluiceStore
import Testing

@Suite("Any store: what runs changed")
struct HistoryContract {
    private static let schema = RecordSchema.items()

    private static func column(
        _ name: String, _ old: FieldValue, _ new: FieldValue, isField: Bool = true, _ fieldClass: FieldClass? = nil
    ) -> RecordedChange.Column {
        RecordedChange.Column(name: name, isField: isField, fieldClass: fieldClass?.rawValue, old: old, new: new)
    }

    /// What a body changes as run 7, as the history tells it.
    private func record(
        _ scene: StoreScene, _ schema: RecordSchema = schema, run: Int64 = 7, _ body: (any RecordTable) throws -> Void
    ) throws -> [RecordedChange] {
        try scene.table(schema, recording: run, body)
        return try scene.read { try $0.changes.records(run: run, order: .oldestFirst, beyond: nil, limit: 100) }
    }

    @Test(arguments: StoreUnderTest.all)
    func anUpdateKeepsBothValuesAndBothBases(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a")
        let base = Self.schema.base([.integer(1), .text("b"), .text("n")], run: 7)
        let changes = try record(scene) { table throws in
            var write = RecordWrite.update(1, [2, 1], [.text("n"), .text("b")], base: base)
            write.kind = .merge
            write.classes = [.converged, .remoteUpdate]
            try table.write(write)
        }
        let change = try #require(changes.first)
        #expect(changes.count == 1)
        #expect(change.action == .update && change.kind == "merge" && change.run == 7)
        #expect(change.key == #"{"id":1}"# && change.mapping == .items)
        #expect(change.columns == [Self.column("code", .text("a"), .text("b"), .remoteUpdate)])
        #expect(change.row == nil)
        #expect(change.baseBefore?.lastRun == 1 && change.baseAfter?.lastRun == 7)
        #expect(change.baseAfter?.rowHash == base.rowHash)
    }

    @Test(arguments: StoreUnderTest.all)
    func aDeleteKeepsTheWholeRow(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a")
        try scene.place.addColumn("remark", to: "items")
        try scene.place.update("items", set: ["remark": .text("mine")], where: "id", is: .integer(1))
        let gone = Self.schema.base([.integer(1), .text("a"), .text("n")], state: .remoteTombstone, run: 7)
        let changes = try record(scene) { table throws in
            try table.write(RecordWrite(key: key(.integer(1)), row: .delete, base: gone))
        }
        let row = try #require(changes.first?.row)
        #expect(changes.map(\.action) == [.delete])
        #expect(row["code"] == .text("a") && row["remark"] == .text("mine"))
        #expect(changes.first?.baseBefore?.state == .live && changes.first?.baseAfter?.state == .remoteTombstone)
        // And it can be put back as it was.
        let before = try #require(changes.first?.baseBefore)
        let restored = try record(scene, run: 8) { table throws in
            var write = RecordWrite(key: key(.integer(1)), row: .restore(row), base: nil)
            write.keptBase = .restore(before)
            try table.write(write)
            #expect(try table.wholeRow(key(.integer(1))) == row)
        }
        #expect(restored.map(\.action) == [.insert] && restored.first?.row == row)
        #expect(restored.first?.baseAfter == before)
    }

    @Test(arguments: StoreUnderTest.all)
    func insertsAreToldByTheirBases(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a")
        var own = Self.schema.base([.integer(3), .text("c"), .null], run: 7)
        own.firstRun = 7
        let changes = try record(scene) { table throws in
            try table.insert(Self.schema.batch([[.integer(2), .text("b"), .null]]), records: [0], run: 7)
            try table.write(
                RecordWrite(key: key(.integer(3)), row: .insert([.integer(3), .text("c"), .null]), base: own))
        }
        #expect(changes == [])
        try scene.table(Self.schema) { table throws in
            #expect(try table.keys(firstWrittenBy: 7, after: nil, limit: 9) == [key(.integer(2)), key(.integer(3))])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func anEntityMayWantItsInsertsKept(_ kind: StoreUnderTest) throws {
        var schema = Self.schema
        schema.auditsInserts = true
        let changes = try record(try StoreScene.items(kind, "a"), schema) { table throws in
            try table.insert(schema.batch([[.integer(2), .text("b"), .null]]), records: [0], run: 7)
        }
        #expect(changes.map(\.action) == [.insert])
        #expect(
            changes.first?.columns
                == [Self.column("id", .null, .integer(2)), Self.column("code", .null, .text("b"))])
        #expect(changes.first?.baseBefore == nil && changes.first?.baseAfter?.firstRun == 7)
    }

    @Test(arguments: StoreUnderTest.all)
    func aRowThatWasThereBeforeItsBaseIsTold(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a")
        try scene.place.insert(["id": .integer(2), "code": .text("x")], into: "items")
        var base = Self.schema.base([.integer(2), .text("x"), .null], run: 7)
        base.firstRun = 7
        let changes = try record(scene) { table throws in
            try table.write(RecordWrite(key: key(.integer(2)), row: .none, base: base))
        }
        #expect(changes.map(\.action) == [.base])
        #expect(changes.first?.baseBefore == nil && changes.first?.baseAfter != nil)
    }

    @Test(arguments: StoreUnderTest.all)
    func nothingIsToldWhereNothingChangesOrNobodyRecords(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a")
        let changes = try record(scene) { table throws in
            try table.write(.update(1, [1], [.text("a")], base: try table.baseRow(key(.integer(1)))))
        }
        #expect(changes == [])
        try scene.table(Self.schema) { try $0.write(.update(1, [1], [.text("z")])) }
        #expect(try scene.read { try $0.changes.records(.items, key: #"{"id":1}"#) } == [])
    }

    @Test(arguments: StoreUnderTest.all)
    func valuesThatSwapAreToldOnceEach(_ kind: StoreUnderTest) throws {
        let schema = RecordSchema.items(unique: [["code"]])
        let scene = try StoreScene.items(kind, "abc", schema)
        let changes = try record(scene, schema) { table throws in
            for (id, code) in [(1, "b"), (2, "a"), (3, "a")] as [(Int64, String)] {
                try table.write(
                    .update(id, [1], [.text(code)], base: schema.base([.integer(id), .text(code), .null], run: 7)))
            }
            #expect(try table.finish().map(\.write.key) == [key(.integer(3))])
        }
        #expect(
            Set(changes.map { "\($0.key) \($0.columns.map { "\($0.old.words)\($0.new.words)" })" })
                == [#"{"id":1} ["ab"]"#, #"{"id":2} ["ba"]"#])
    }

    @Test(arguments: StoreUnderTest.all)
    func redactedValuesAreNotTold(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a")
        var schema = Self.schema
        schema.fields[2].redaction = .mask
        let changes = try record(scene, schema) { try $0.write(.update(1, [2], [.text("secret")])) }
        #expect(changes.count == 1)
        #expect(changes.first?.columns == [Self.column("name", .text("***"), .text("***"))])
        #expect(changes.first?.baseBefore?.slots[2] == .value(.text("***")))
    }

    @Test(arguments: StoreUnderTest.all)
    func changesComeInEitherOrderAFewAtATime(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "abcde")
        _ = try record(scene) { table throws in
            for id in 1...5 as ClosedRange<Int64> {
                try table.write(.update(id, [1, 2], [.text("x"), .text("y")]))
            }
        }
        try scene.read { store throws in
            for (order, expected) in [(ChangeOrder.oldestFirst, [1, 2, 3, 4, 5]), (.newestFirst, [5, 4, 3, 2, 1])] {
                var found: [String] = []
                var last: Int64?
                while true {
                    let some = try store.changes.records(run: 7, order: order, beyond: last, limit: 2)
                    guard let newest = some.last else { break }
                    #expect(some.count <= 2 && some.allSatisfy { $0.columns.count == 2 })
                    found += some.map(\.key)
                    last = newest.id
                }
                #expect(found == expected.map { "{\"id\":\($0)}" })
            }
            #expect(try store.changes.records(run: 6, order: .oldestFirst, beyond: nil, limit: 9) == [])
            #expect(try store.changes.records(.items, key: #"{"id":3}"#).map(\.run) == [7])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func whatIsOlderIsForgottenOfOnePipelineAFewAtATime(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        // Runs 1 to 3 of two pipelines, a day apart, with three changes each.
        for id in 1...6 as ClosedRange<Int64> {
            try scene.transaction(recording: id) { store throws in
                var run = RunEntry.sample(id, pipeline: id > 3 ? "other" : "test")
                run.changes = .kept
                run.finishedAt = "2026-01-0\((id - 1) % 3 + 1)T00:00:00Z"
                try store.runs.record(run)
                for field in ["a", "b", "c"] {
                    _ = try store.conflicts.insert(.sample(field: field, key: "{\"id\":\(id)}"))
                }
            }
        }
        func prune(before day: Int, limit: Int) throws -> [String] {
            try scene.transaction { store throws in
                try store.changes.prune(pipeline: "test", endedBefore: "2026-01-0\(day)T00:00:00Z", limit: limit)
            }
            return try scene.read { store throws in
                try (1...6 as ClosedRange<Int64>).map { id in
                    let count = try store.changes.entries(run: id, order: .oldestFirst, beyond: nil, limit: 9).count
                    return "\(try store.runs.entry(id: id)?.changes?.rawValue ?? "-") \(count)"
                }
            }
        }
        let others = Array(repeating: "kept 3", count: 3)
        #expect(try prune(before: 1, limit: 100) == ["kept 3", "kept 3", "kept 3"] + others)
        #expect(try prune(before: 3, limit: 4) == ["pruned 0", "pruning 2", "kept 3"] + others)
        #expect(try prune(before: 3, limit: 100) == ["pruned 0", "pruned 0", "kept 3"] + others)
    }

    // MARK: Taking entries back

    private func entries(_ scene: StoreScene, run: Int64) throws -> [RecordedEntry] {
        try scene.read { try $0.changes.entries(run: run, order: .newestFirst, beyond: nil, limit: 9) }
    }

    @Test(arguments: StoreUnderTest.all)
    func whatHappensToAConflictCanBeTakenBack(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        func all() throws -> [ConflictEntry] { try scene.read { try $0.conflicts.list(includingClosed: true) } }
        func takeBack(_ change: RecordedEntry, run: Int64) throws -> Bool {
            try scene.transaction(recording: run) { try $0.conflicts.revert(change) }
        }
        try scene.transaction(recording: 7) { _ = try $0.conflicts.insert(.sample()) }
        let opened = try all()
        try scene.transaction(recording: 8) { store throws in
            var entry = try #require(try store.conflicts.list(includingClosed: false).first)
            (entry.status, entry.resolution, entry.who, entry.lastRun) = (.resolved, "remote", "ada \"l\"", 8)
            try store.conflicts.update(entry)
            // A change that changes nothing is none.
            try store.conflicts.update(entry)
        }
        let closed = try all()
        let (first, second) = (try entries(scene, run: 7), try entries(scene, run: 8))
        #expect((first + second).map(\.action) == ["opened", "closed"])
        #expect(first[0].subject == .conflict && first[0].field == "name" && first[0].entry == opened[0].id)
        #expect(first[0].mapping == .items && first[0].key == #"{"id":1}"# && first[0].kind == "edit_edit")
        // It was resolved since.
        #expect(try !takeBack(first[0], run: 9))
        #expect(try all() == closed)
        #expect(try takeBack(second[0], run: 10))
        #expect(try all() == opened)
        #expect(try takeBack(first[0], run: 11))
        #expect(try all() == [])
        // And what was taken back can be taken back.
        for (run, expected) in [(11, opened), (10, closed)] as [(Int64, [ConflictEntry])] {
            let undone = try entries(scene, run: run)
            #expect(undone.map(\.action) == [run == 11 ? "withdrawn" : "reopened"])
            #expect(try takeBack(undone[0], run: run + 10))
            #expect(try all() == expected)
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func theNumberOfAConflictIsNeverGivenAgain(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let first = try scene.transaction(recording: 7) { try $0.conflicts.insert(.sample()) }
        try scene.transaction(recording: 8) { store throws in
            let change = try #require(
                try store.changes.entries(run: 7, order: .newestFirst, beyond: nil, limit: 1).first)
            #expect(try store.conflicts.revert(change))
        }
        let second = try scene.transaction(recording: 9) { try $0.conflicts.insert(.sample()) }
        #expect(second != first)
    }

    @Test(arguments: StoreUnderTest.all)
    func aConflictIsNotOpenedAgainBesideItsSuccessor(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.transaction(recording: 7) { store throws in
            var entry = ConflictEntry.sample()
            entry.id = try store.conflicts.insert(entry)
            entry.status = .obsolete
            try store.conflicts.update(entry)
        }
        try scene.transaction(recording: 8) { _ = try $0.conflicts.insert(.sample()) }
        let changes = try entries(scene, run: 7)
        try scene.transaction(recording: 9) { store throws in
            for change in changes { #expect(try !store.conflicts.revert(change)) }
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func whatHappensToTheQuarantineCanBeTakenBack(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let id = try scene.transaction(recording: 7) { try $0.quarantine.put(.sample()) }
        try scene.transaction(recording: 8) { try $0.quarantine.close([id], run: 8) }
        let steps: [(Int64, QuarantineStatus)] = [(8, .open), (7, .closed), (17, .open), (18, .closed)]
        for (run, expected) in steps {
            let changes = try entries(scene, run: run)
            #expect(changes.count == 1)
            try scene.transaction(recording: run + 10) { store throws in
                for change in changes { #expect(try store.quarantine.revert(change)) }
            }
            #expect(try scene.read { try $0.quarantine.entry(id: id)?.status } == expected, "run \(run)")
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func whatIsRememberedOfAStreamCanBeTakenBack(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        func set(_ value: String?, run: Int64) throws {
            try scene.transaction(recording: run) {
                try $0.state.set(value, pipeline: "test", stream: "items", name: "cursor")
            }
        }
        func value() throws -> String? {
            try scene.read { try $0.state.value(pipeline: "test", stream: "items", name: "cursor") }
        }
        try set("1", run: 7)
        try set("2", run: 8)
        // The same again changes nothing.
        try set("2", run: 9)
        try scene.transaction(recording: 10) {
            try $0.state.remember("x", pipeline: "test", stream: "items", name: "other")
        }
        let (first, second) = (try entries(scene, run: 7), try entries(scene, run: 8))
        #expect(first.map(\.subject) == [.state] && first.map(\.kind) == ["cursor"])
        #expect(second.map(\.old) == ["1"] && second.map(\.new) == ["2"])
        #expect(try entries(scene, run: 9) == [] && entries(scene, run: 10) == [])
        try scene.transaction(recording: 11) { store throws in
            // It moved on since.
            #expect(try !store.state.revert(first[0]))
            #expect(try store.state.revert(second[0]))
            // It is there already.
            #expect(try store.state.revert(second[0]))
        }
        #expect(try value() == "1")
        try scene.transaction(recording: 12) { store throws in #expect(try store.state.revert(first[0])) }
        #expect(try value() == nil)
    }
}

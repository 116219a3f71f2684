import SluiceModel
import SluiceStore
import Testing

@Suite("Any store: work on whole tables")
struct TableWorkContract {
    /// A change of tables, from what items and orders are.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var codes = "12"
        /// What it goes through.
        let steps: Set<TableWork.Step>
        /// Does it.
        let change: @Sendable (any RecordStore) throws -> Void
    }

    private static let before = RecordSchema.items()

    /// Orders that refer to items.
    private static func orders(_ type: FieldType, by column: String = "id") -> RecordSchema {
        var schema = RecordSchema.test([("id", .int), ("item", type)], table: "orders", stream: "orders")
        schema.entity = "Order"
        schema.fields[1].column = "item_\(column)"
        schema.references = [RecordReference(name: "item", fields: [1], target: "items", targetColumns: [column])]
        schema.references[0].targetTypes = [type]
        return schema
    }

    static let cases = [
        Case(
            testDescription: "another type of an identifier, with what refers to it",
            steps: [.rows, .bases, .conflicts, .quarantine, .history, .rebuild]
        ) { store in
            let items = RecordSchema.test([("id", .string), ("code", .string), ("name", .string)])
            _ = try store.changeKeys([items, orders(.string)], by: SchemaContract.conversion())
        },
        Case(
            testDescription: "another identifier, with what refers to it",
            steps: [.bases, .conflicts, .quarantine, .history, .rebuild]
        ) { store in
            let items = RecordSchema.test([("id", .int), ("code", .string), ("name", .string)], key: ["code"])
            _ = try store.changeKeys([items, orders(.string, by: "code")], by: SchemaContract.conversion())
        },
        Case(
            testDescription: "another type of a column", steps: [.rows, .bases, .conflicts, .history, .rebuild]
        ) { store in
            let items = RecordSchema.test([("id", .int), ("code", .int), ("name", .string)])
            _ = try store.convertStored([items], by: SchemaContract.conversion())
        },
        Case(
            testDescription: "another type of a column, with values that go to the quarantine", codes: "1x",
            steps: [.rows, .bases, .quarantine, .conflicts, .history]
        ) { store in
            let items = RecordSchema.test([("id", .int), ("code", .int), ("name", .string)])
            _ = try store.convertStored([items], by: SchemaContract.conversion(.quarantine))
        },
        Case(testDescription: "fewer values of an enumeration", codes: "1x", steps: [.rows]) { store in
            var items = RecordSchema.items()
            items.fields[1].allowed = [Array("1".utf8)]
            items.fields[1].type = .enumeration
            _ = try store.convertStored([items], by: SchemaContract.conversion(.quarantine))
        },
        Case(testDescription: "a field that is redacted", steps: [.bases, .conflicts, .quarantine, .history]) { store in
            var items = RecordSchema.items()
            items.fields[2].redaction = .mask
            _ = try store.redactStored([items], isSame: { value, entry, _ in entry.value == value }) { record, _, _ in
                RedactedQuarantine(record: record, value: "", message: "")
            }
        },
    ]

    struct Stop: Error {}

    /// Items, orders, a conflict, a record in quarantine and a history.
    private func scene(_ kind: StoreUnderTest, _ test: Case) throws -> StoreScene {
        let scene = try StoreScene(kind)
        let records: [[FieldValue?]] = test.codes.enumerated().map {
            [.integer(Int64($0 + 1)), .text(String($1)), .text("n")]
        }
        try scene.table(Self.before, recording: 1) { table throws in
            try table.insert(Self.before.batch(records), records: Array(records.indices), run: 1)
        }
        try scene.insert(Self.orders(.int), [[.integer(1), .integer(2)]])
        try scene.transaction(recording: 2) { store throws in
            _ = try store.conflicts.insert(.sample(key: #"{"id":2}"#))
            _ = try store.quarantine.put(.sample(key: #"{"id":1}"#))
        }
        return scene
    }

    /// All that is there, as texts.
    private func content(_ scene: StoreScene) throws -> [String] {
        let orders = try scene.place.rows(of: "orders", ["id", "item_id"]).map {
            $0.map(\.words).joined(separator: " ")
        }
        let kept = try scene.read { store throws in
            try store.conflicts.list(includingClosed: true).map { "\($0)" }
                + store.quarantine.list(includingClosed: true).map { "\($0)" }
        }
        return try scene.items() + orders + kept
    }

    /// It says what it goes through, and whoever follows it may end it at each of these moments: nothing of it is kept then.
    @Test(arguments: StoreUnderTest.all, cases)
    func whoFollowsItMayEndIt(_ kind: StoreUnderTest, test: Case) throws {
        let scene = try scene(kind, test)
        let before = try content(scene)
        var steps: Set<TableWork.Step> = []
        var stops = 0
        var isDone = false
        while !isDone {
            let store = try scene.place.open()
            var checks = 0
            store.tableWork = TableWorkObserver {
                checks += 1
                if checks > stops { throw Stop() }
            } progress: {
                steps.insert($0.step)
            }
            try store.begin()
            store.startRecording(run: 3, naming: StoreScene.name)
            do {
                try test.change(store)
                isDone = true
            } catch is Stop { stops += 1 }
            store.rollback()
            if isDone { break }
            #expect(try content(scene) == before, "after \(stops) moments")
            let changes = try scene.transaction {
                try $0.openTable(Self.before).changes + $0.openTable(Self.orders(.int)).changes
            }
            #expect(changes == [], "after \(stops) moments")
        }
        #expect(steps.isSuperset(of: test.steps), "\(steps)")
        #expect(stops > test.steps.count)
    }

    /// A step tells how much there is, and ends with all of it.
    @Test(arguments: StoreUnderTest.all)
    func aStepEndsWithAllThatThereIs(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, String(repeating: "7", count: 1_203))
        var told: [TableWork] = []
        let store = try scene.place.open()
        store.tableWork = TableWorkObserver(check: {}) { told.append($0) }
        try store.begin()
        let items = RecordSchema.test([("id", .int), ("code", .int), ("name", .string)])
        _ = try store.convertStored([items], by: SchemaContract.conversion())
        store.rollback()
        let rows = told.filter { $0.step == .rows }
        #expect(rows.map(\.count) == [0, 500, 1_000, 1_203], "\(rows)")
        #expect(rows.allSatisfy { $0.total == 1_203 && $0.table == "items" })
        #expect(told.last { $0.step == .bases }?.count == 1_203)
    }
}

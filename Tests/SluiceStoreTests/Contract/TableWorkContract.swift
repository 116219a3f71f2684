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
        /// What is told, with words of its statements.
        let told: SchemaChange.Kind
        let words: [String]
        /// Does it.
        let change: @Sendable (any RecordStore) throws -> [SchemaChange]
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
            steps: [.rows, .bases, .conflicts, .quarantine, .history, .rebuild], told: .changeKey,
            words: [
                "ADD COLUMN \"_sluice_id\"", "-- for each row, with values that Sluice makes:\nUPDATE ",
                "SET \"_sluice_id\" = ?1 WHERE \"id\" = ?2", "PRIMARY KEY (\"id\")",
            ]
        ) { store in
            let items = RecordSchema.test([("id", .string), ("code", .string), ("name", .string)])
            return try store.changeKeys([items, orders(.string)], by: SchemaContract.conversion())
        },
        Case(
            testDescription: "another identifier, with what refers to it",
            steps: [.bases, .conflicts, .quarantine, .history, .rebuild], told: .changeReference,
            words: ["ADD COLUMN \"item_code\"", "SET \"item_code\" = (SELECT"]
        ) { store in
            let items = RecordSchema.test([("id", .int), ("code", .string), ("name", .string)], key: ["code"])
            return try store.changeKeys([items, orders(.string, by: "code")], by: SchemaContract.conversion())
        },
        Case(
            testDescription: "another type of a column", steps: [.rows, .bases, .conflicts, .history, .rebuild],
            told: .changeType,
            words: [
                "ADD COLUMN \"_sluice_code\"", "SET \"_sluice_code\" = ?1", "DROP COLUMN \"code\"",
                "RENAME COLUMN \"_sluice_code\" TO \"code\"",
            ]
        ) { store in
            let items = RecordSchema.test([("id", .int), ("code", .int), ("name", .string)])
            return try store.convertStored([items], by: SchemaContract.conversion())
        },
        Case(
            testDescription: "another type of a column, with values that go to the quarantine", codes: "1x",
            steps: [.rows, .bases, .quarantine, .conflicts, .history], told: .changeType,
            words: ["DROP COLUMN \"code\""]
        ) { store in
            let items = RecordSchema.test([("id", .int), ("code", .int), ("name", .string)])
            return try store.convertStored([items], by: SchemaContract.conversion(.quarantine))
        },
        Case(
            testDescription: "fewer values of an enumeration", codes: "1x", steps: [.rows], told: .changeType,
            words: ["SET \"code\" = ?1"]
        ) { store in
            var items = RecordSchema.items()
            items.fields[1].allowed = [Array("1".utf8)]
            items.fields[1].type = .enumeration
            return try store.convertStored([items], by: SchemaContract.conversion(.quarantine))
        },
        Case(
            testDescription: "a field that is redacted", steps: [.bases, .conflicts, .quarantine, .history],
            told: .redactValues, words: ["SET \"name\" = ?1"]
        ) { store in
            var items = RecordSchema.items()
            items.fields[2].redaction = .mask
            return try store.redactStored([items], isSame: { value, entry, _ in entry.value == value }) {
                record, _, _ in
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
                _ = try test.change(store)
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

    // MARK: Statements

    /// What a change runs on tables of people is told with it, and nothing of what the store keeps of them.
    @Test(arguments: StoreUnderTest.all, cases)
    func aChangeTellsItsStatements(_ kind: StoreUnderTest, test: Case) throws {
        let scene = try scene(kind, test)
        let store = try scene.place.open()
        try store.begin()
        store.startRecording(run: 3, naming: StoreScene.name)
        let changes = try test.change(store)
        store.rollback()
        #expect(!changes.isEmpty)
        for change in changes {
            let statements = try #require(change.statements, "\(change)")
            #expect(
                statements.allSatisfy { !$0.contains("_sluice_base") && !$0.contains("_sluice_changes") }, "\(change)")
        }
        let first = try #require(changes.first { test.told == $0.kind })
        let statements = try #require(first.statements)
        for words in test.words {
            #expect(statements.contains { $0.contains(words) }, "\(words) in \(statements)")
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func columnsAndIndexesTellTheirRows(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab", .items(unique: [["code"]]))
        var more = RecordSchema.test([("id", .int), ("code", .string), ("name", .string), ("more", .string)])
        more.fields[2] = RecordSchema.Field(name: "title", column: "title", type: .string)
        more.fields[2].formerNames = ["name"]
        let changes = try scene.transaction { store throws in
            try store.followNames(of: more) + store.openTable(more).changes
        }
        #expect(Set(changes.map(\.kind)) == [.renameColumn, .addColumn, .dropIndex], "\(changes)")
        #expect(changes.allSatisfy { $0.rows == 2 && $0.statements?.count == 1 }, "\(changes)")
        #expect(changes.filter { $0.kind != .dropIndex }.allSatisfy { $0.statements == [$0.sql] }, "\(changes)")
    }
}

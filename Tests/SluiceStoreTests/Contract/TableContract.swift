import SluiceModel
import SluiceStore
import Testing

@Suite("Any store: tables and what fills them")
struct TableContract {
    private static let schema = RecordSchema.items()

    @Test(arguments: StoreUnderTest.all)
    func aTableIsMadeOnce(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let first = try scene.transaction { try $0.openTable(Self.schema).changes }
        #expect(first.map(\.kind) == [.createTable] && first.map(\.table) == ["items"])
        #expect(try scene.transaction { try $0.openTable(Self.schema).changes } == [])
        try scene.transaction { store throws in
            let (table, changes) = try store.openTable(Self.schema)
            #expect(changes == [] && table.schema.source == .items)
            // The same again within a transaction.
            #expect(try store.openTable(Self.schema).changes == [])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func aTableCanBePreparedWithoutBeingOpened(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        #expect(try scene.transaction { try $0.prepareTable(Self.schema) }.map(\.kind) == [.createTable])
        #expect(try scene.transaction { try $0.prepareTable(Self.schema) } == [])
        #expect(try scene.transaction { try $0.openTable(Self.schema).changes } == [])
    }

    @Test(arguments: StoreUnderTest.all)
    func aTargetIsMadeWhereItIsMissingAndIsNoSource(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = RecordSchema.test([("id", .int)], table: "people", stream: "people")
        #expect(try scene.transaction { try $0.prepareTarget(schema) }.map(\.kind) == [.createTable])
        #expect(try scene.transaction { try $0.prepareTarget(schema) } == [])
        try scene.place.insert(["id": .integer(1)], into: "people")
        #expect(try scene.read { try $0.mappings(pipeline: nil, entity: nil) } == [])
    }

    @Test(arguments: StoreUnderTest.all)
    func aFieldThatIsNewGetsAColumnAndWasNotAskedFor(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a")
        let wider = RecordSchema.test([("id", .int), ("code", .string), ("name", .string), ("price", .double)])
        let changes = try scene.transaction { try $0.openTable(wider).changes }
        #expect(changes.map(\.kind) == [.addColumn])
        try scene.table(wider) { table throws in
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), .text("a"), .text("n"), .null])
            let base = try #require(try table.baseRow(key(.integer(1))))
            #expect(base.unasked == [3] && base.entries[3] == .none)
            try table.write(
                RecordWrite(
                    key: key(.integer(1)), row: .none,
                    base: wider.base([.integer(1), .text("a"), .text("n"), .null])))
            #expect(try table.baseRow(key(.integer(1)))?.unasked == [])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func aTableThatDoesNotFitIsAnErrorAndChangesNothing(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a")
        let other = RecordSchema.test([("id", .int), ("code", .int), ("name", .string), ("new", .int)])
        let store = try scene.place.open()
        try store.begin()
        let error = try #require(throws: StoreError.self) { try store.openTable(other) }
        #expect(error.code == .mismatch)
        #expect(error.message.contains("items") && error.message.contains("code"))
        store.rollback()
        #expect(try scene.transaction { try $0.openTable(Self.schema).changes } == [])
        #expect(try scene.items() == ["1 a n"])
    }

    // MARK: What the store itself knows

    @Test(arguments: StoreUnderTest.all)
    func aTableIsKnownWithoutItsPipeline(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a", .items(unique: [["code"]]))
        try scene.read { store throws in
            let table = try #require(try store.knownTable(pipeline: "test", stream: "items", entity: "Item"))
            let schema = table.schema
            #expect(schema.source == .items && schema.table == "items")
            #expect(schema.fields.map(\.name) == ["id", "code", "name"])
            #expect(schema.fields.map(\.column) == ["id", "code", "name"])
            #expect(schema.fields.map(\.type) == [.int, .string, .string])
            #expect(schema.keyFields == [0] && schema.unique == [[1]])
            #expect(!schema.deletesSoftly && schema.references.isEmpty)
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), .text("a"), .text("n")])
            for (pipeline, stream, entity) in [("x", "items", "Item"), ("test", "x", "Item"), ("test", "items", "X")] {
                #expect(try store.knownTable(pipeline: pipeline, stream: stream, entity: entity) == nil)
            }
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func mappingsAreKnownByPipelineEntityAndTable(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        var second = Self.schema
        (second.pipeline, second.stream) = ("other", "list")
        var third = RecordSchema.test([("id", .int)], table: "people", stream: "people")
        third.entity = "Person"
        try scene.transaction { store throws in
            for schema in [Self.schema, second, third] { _ = try store.openTable(schema) }
        }
        try scene.read { store throws in
            func sources(_ pipeline: String?, _ entity: String?) throws -> Set<String> {
                Set(try store.mappings(pipeline: pipeline, entity: entity).map { "\($0.path) \($0.entity)" })
            }
            #expect(try sources(nil, nil) == ["other/list Item", "test/items Item", "test/people Person"])
            #expect(try sources("test", nil) == ["test/items Item", "test/people Person"])
            #expect(try sources(nil, "Item") == ["other/list Item", "test/items Item"])
            #expect(try sources("other", "Person") == [])
            #expect(try store.sources(of: "items").map(\.path) == ["other/list", "test/items"])
            #expect(try store.sources(of: "nowhere") == [])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func eachSourceOfATableHasABaseOfItsOwn(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a")
        var other = Self.schema
        other.stream = "more"
        try scene.table(other) { table throws in
            #expect(try table.baseRow(key(.integer(1))) == nil)
            #expect(try table.localRow(key(.integer(1)))?[1] == .text("a"))
            try table.write(
                RecordWrite(key: key(.integer(1)), row: .none, base: other.base([.integer(1), .text("z"), nil])))
        }
        try scene.table(Self.schema) { table throws in
            #expect(try table.baseRow(key(.integer(1)))?.entries[1] == .value(.text("a")))
        }
    }

    // MARK: What a pipeline no longer has

    private func orphans(_ scene: StoreScene, _ schemas: [RecordSchema]) throws -> [Orphan] {
        try scene.transaction { store throws in
            try store.orphans(of: "test", schemas) { value, entry, _ in entry.value == value }
        }
    }

    @Test(arguments: StoreUnderTest.all, [false, true])
    func aFieldThatIsGoneIsFoundAndGivenUp(_ kind: StoreUnderTest, _ isEdited: Bool) throws {
        let scene = try StoreScene.items(kind, "ab")
        let narrower = RecordSchema.test([("id", .int), ("code", .string)])
        #expect(try orphans(scene, [Self.schema]) == [])
        if isEdited { try scene.place.update("items", set: ["name": .text("x")], where: "id", is: .integer(2)) }
        let orphan = Orphan(
            subject: .field("name", column: "name", hasMoved: false), source: .items, table: "items",
            isEdited: isEdited)
        #expect(try orphans(scene, [narrower]) == [orphan])
        #expect(try scene.transaction { try $0.giveUp(orphan) }.map(\.kind) == [.leaveColumn])
        #expect(try orphans(scene, [narrower]) == [])
        // The column stays, for people.
        #expect(try scene.items() == ["1 a n", isEdited ? "2 b x" : "2 b n"])
        try scene.table(narrower) { table throws in
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), .text("a")])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func aSourceThatIsGoneIsFoundAndGivenUp(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab")
        var other = Self.schema
        other.pipeline = "other"
        try scene.insert(other, [[.integer(7), nil, nil]])
        try scene.transaction { store throws in
            _ = try store.conflicts.insert(.sample())
            _ = try store.quarantine.put(.sample())
            try store.state.set("5", pipeline: "test", stream: "items", name: "cursor")
            try store.scans.keep(
                UnfinishedScan(run: 1, pages: 1, state: ""), page: ScannedPage(request: 1, keys: [], quarantined: []),
                pipeline: "test", stream: "items")
        }
        let found = try orphans(scene, [])
        #expect(found == [Orphan(subject: .source(records: 2), source: .items, table: "items", isEdited: true)])
        #expect(try scene.transaction { try $0.giveUp(found[0]) }.map(\.kind) == [.forgetSource, .closeConflicts])
        #expect(try orphans(scene, []) == [])
        try scene.read { store throws in
            #expect(try store.knownTable(pipeline: "test", stream: "items", entity: "Item") == nil)
            #expect(try store.conflicts.list(includingClosed: true).map(\.status) == [.obsolete])
            #expect(try store.quarantine.list(includingClosed: true).map(\.status) == [.closed])
            #expect(try store.state.value(pipeline: "test", stream: "items", name: "cursor") == nil)
            #expect(try store.scans.unfinished(pipeline: "test", stream: "items") == nil)
        }
        // The rows stay, and the source may come again.
        #expect(try scene.items() == ["1 a n", "2 b n", "7 - -"])
        try scene.table(Self.schema) { table throws in #expect(try !table.wasEmpty && table.liveCount() == 0) }
    }

    // MARK: Fields that are redacted from now on

    private func redact(
        _ scene: StoreScene, _ schema: RecordSchema, recording run: Int64? = nil
    ) throws -> [SchemaChange] {
        try scene.transaction(recording: run) { store throws in
            try store.redactStored(
                [schema], isSame: { value, entry, _ in entry.value == value },
                redactor: { _, entity, stream in
                    RedactedQuarantine(record: Array("{}".utf8), value: "\"***\"", message: "\(entity) of \(stream)")
                })
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func whatIsStoredInClearIsReplacedOnce(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab")
        try scene.place.update("items", set: ["name": .text("person")], where: "id", is: .integer(2))
        try scene.table(Self.schema, recording: 7) { table throws in
            let values: [FieldValue?] = [.integer(1), .text("z"), .text("clear")]
            try table.write(.update(1, [1, 2], [.text("z"), .text("clear")], base: Self.schema.base(values, run: 7)))
        }
        try scene.transaction { store throws in
            _ = try store.conflicts.insert(.sample())
            _ = try store.conflicts.insert(.sample(field: "code"))
            _ = try store.quarantine.put(.sample(record: #"{"name":"clear"}"#))
        }
        var redacted = Self.schema
        redacted.fields[2].redaction = .mask
        let changes = try redact(scene, redacted, recording: 8)
        #expect(changes.map(\.kind) == [.redactValues] && changes.map(\.table) == ["items"])
        let counts = try #require(changes.first?.redacted)
        #expect(counts.rows == 1 && counts.edited == 1 && counts.bases == 2)
        #expect(counts.conflicts == 1 && counts.quarantine == 1 && counts.history > 0)
        // The history tells it as the run did.
        var told = changes[0]
        told.statements = nil
        #expect(try scene.read { try $0.changes.tableChanges(run: 8) } == [told])
        // What a person wrote stays.
        #expect(try scene.items() == ["1 z ***", "2 b person"])
        try scene.read { store throws in
            #expect(try store.conflicts.list(includingClosed: true).map(\.local) == ["\"***\"", "\"l\""])
            let entry = try #require(try store.quarantine.list(includingClosed: true).first)
            #expect(entry.record == Array("{}".utf8) && entry.value == "\"***\"" && entry.message == "Item of items")
            let history = try store.changes.records(run: 7, order: .oldestFirst, beyond: nil, limit: 9)
            #expect(!"\(history)".contains("\(Array("clear".utf8))"))
            #expect(history.first?.columns.map(\.name) == ["code", "name"])
        }
        try scene.table(redacted) { table throws in
            #expect(try table.baseRow(key(.integer(1)))?.entries[2] == .value(.text("***")))
        }
        #expect(try redact(scene, redacted) == [])
    }
}

import SluiceModel
import SluiceStore
import Testing

@Suite("Any store: columns that get another type")
struct TypeContract {
    private static let numbers = RecordSchema.test([("id", .int), ("code", .int), ("name", .string)])

    @Test(arguments: StoreUnderTest.all)
    func valuesThatCannotPassGoToTheQuarantineAndComeBack(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "1x")
        let store = try scene.place.open()
        try store.begin()
        let error = try #require(throws: StoreError.self) {
            try store.convertStored([Self.numbers], by: SchemaContract.conversion())
        }
        store.rollback()
        #expect(
            error.message.contains(#""x" in {"id":2}"#) && error.key == PipelineKey(.type(field: "code"), of: "Item"))
        let changes = try scene.transaction(recording: 7) {
            try $0.convertStored([Self.numbers], by: SchemaContract.conversion(.quarantine))
        }
        #expect(changes.map(\.kind) == [.changeType, .quarantineValues] && changes.map(\.rows) == [2, 1])
        try scene.table(Self.numbers) { table throws in
            #expect(try table.localRow(key(.integer(1)))?[1] == .integer(1))
            // The column is null, and the row counts as holding what waits, as its source said it.
            #expect(try table.localRow(key(.integer(2)))?[1] == .text("x"))
            #expect(try table.baseRow(key(.integer(2)))?.entries[1] == .value(.text("x")))
        }
        #expect(try scene.items() == ["1 1 n", "2 - n"])
        try scene.read { store throws in
            let entry = try #require(try store.quarantine.list(includingClosed: false).first)
            #expect(entry.key == #"{"id":2}"# && entry.value == #""x""# && entry.changedField == "code")
            #expect(entry.record == Array(#"{"id":2,"code":"x","name":"n"}"#.utf8) && entry.firstRun == 7)
            #expect(try store.quarantine.openKeys(of: .items).isEmpty)
        }
        _ = try scene.transaction { try $0.revertSchema(of: 7, by: SchemaContract.conversion()) }
        #expect(try scene.items() == ["1 1 n", "2 x n"])
        #expect(try scene.read { try $0.quarantine.list(includingClosed: false) } == [])
    }

    // MARK: Values of enumerations

    private static func choices(_ values: String, code: String = "code") -> RecordSchema {
        var schema = RecordSchema.test([("id", .int), (code, .enumeration), ("name", .string)])
        schema.fields[1].allowed = Set(values.map { Array(String($0).utf8) })
        return schema
    }

    @Test(arguments: StoreUnderTest.all)
    func valuesThatAnEnumLosesAreFoundAndComeBack(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "abb", Self.choices("ab"))
        try scene.place.update("items", set: ["code": .text("a")], where: "id", is: .integer(3))
        func change(_ schema: RecordSchema, run: Int64, _ misfits: FieldConversion.Misfits) throws -> [SchemaChange] {
            try scene.transaction(recording: run) {
                try $0.convertStored([schema], by: SchemaContract.conversion(misfits))
            }
        }
        #expect(try change(Self.choices("abc"), run: 5, .refuse) == [])
        #expect(try change(Self.choices("ab"), run: 6, .refuse) == [])
        let store = try scene.place.open()
        try store.begin()
        let error = try #require(throws: StoreError.self) {
            try store.convertStored([Self.choices("ac")], by: SchemaContract.conversion())
        }
        store.rollback()
        #expect(error.message.contains(#"1 row of `items` holds what is no value now: "b" in {"id":2}"#), "\(error)")
        #expect(error.key == PipelineKey(.type(field: "code"), of: "Item"))
        let changes = try change(Self.choices("ac"), run: 7, .quarantine)
        #expect(changes.map(\.kind) == [.changeType, .quarantineValues] && changes.map(\.rows) == [1, 1])
        #expect(changes[0].sql == #""code" without "b", with "c" (UPDATE)"#)
        #expect(try scene.items() == ["1 a n", "2 - n", "3 a n"])
        try scene.table(Self.choices("ac")) { table throws in
            // What a source said and what an edit is an edit of is still known.
            #expect(try table.baseRow(key(.integer(2)))?.entries[1] == .value(.text("b")))
            #expect(try table.baseRow(key(.integer(3)))?.entries[1] == .value(.text("b")))
        }
        try scene.read { store throws in
            let entry = try #require(try store.quarantine.list(includingClosed: false).first)
            #expect(entry.key == #"{"id":2}"# && entry.value == #""b""# && entry.changedField == "code")
        }
        #expect(try change(Self.choices("ac"), run: 8, .refuse) == [])
        _ = try scene.transaction { try $0.revertSchema(of: 7, by: SchemaContract.conversion()) }
        #expect(try scene.items() == ["1 a n", "2 b n", "3 a n"])
        try scene.table(Self.choices("ab")) { table throws in
            #expect(try table.baseRow(key(.integer(2)))?.entries[1] == .value(.text("b")))
        }
        #expect(try scene.read { try $0.quarantine.list(includingClosed: false) } == [])
        // A value that is put back brings back what was kept.
        _ = try change(Self.choices("a"), run: 9, .quarantine)
        #expect(try scene.items()[1] == "2 - n")
        #expect(try change(Self.choices("ab"), run: 10, .refuse).map(\.rows) == [1, 1])
        #expect(try scene.items()[1] == "2 b n")
        try scene.table(Self.choices("ab")) { table throws in
            #expect(try table.baseRow(key(.integer(2)))?.entries[1] == .value(.text("b")))
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func valuesComeBackToAColumnThatStays(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ax")
        func change(_ schema: RecordSchema, run: Int64, _ misfits: FieldConversion.Misfits) throws -> [SchemaChange] {
            try scene.transaction(recording: run) {
                try $0.convertStored([schema], by: SchemaContract.conversion(misfits))
            }
        }
        func undo(_ run: Int64) throws -> [SchemaChange] {
            try scene.transaction { try $0.revertSchema(of: run, by: SchemaContract.conversion()) }
        }
        func open() throws -> [QuarantineEntry] {
            try scene.read { try $0.quarantine.list(includingClosed: false) }
        }
        #expect(
            try change(Self.choices("a"), run: 7, .quarantine).map(\.kind) == [.changeType, .quarantineValues])
        #expect(try scene.items() == ["1 a n", "2 - n"])
        let undone = try undo(7)
        #expect(undone.map(\.kind) == [.changeType, .restoreValues] && undone.map(\.rows) == [0, 1])
        #expect(try scene.items() == ["1 a n", "2 x n"])
        #expect(try open() == [])
        // The pipeline that says the type of before does the same.
        _ = try change(Self.choices("a"), run: 8, .quarantine)
        #expect(try change(RecordSchema.items(), run: 9, .refuse).map(\.kind) == [.changeType, .restoreValues])
        #expect(try scene.items() == ["1 a n", "2 x n"])
        // What somebody wrote since stays, and so does what was kept.
        _ = try change(Self.choices("a"), run: 10, .quarantine)
        try scene.place.update("items", set: ["code": .text("a")], where: "id", is: .integer(2))
        #expect(try undo(10).map(\.kind) == [.changeType])
        #expect(try scene.items() == ["1 a n", "2 a n"])
        let kept = try scene.read { store throws in
            try store.changes.entries(run: 10, order: .newestFirst, beyond: nil, limit: 9)
        }.filter { $0.subject == .quarantine }
        #expect(kept.map(\.action) == ["opened"])
        for entry in kept { #expect(try !scene.transaction { try $0.quarantine.revert(entry) }) }
        #expect(try open().map(\.value) == [#""x""#])
    }

    @Test(arguments: StoreUnderTest.all, [true, false])
    func whatWasKeptOfAFieldGoesByItsNewName(_ kind: StoreUnderTest, _ isUndone: Bool) throws {
        let scene = try StoreScene.items(kind, "1x")
        _ = try scene.transaction(recording: 7) {
            try $0.convertStored([Self.numbers], by: SchemaContract.conversion(.quarantine))
        }
        func renamed(_ type: FieldType) -> RecordSchema {
            var schema = RecordSchema.test([("id", .int), ("number", type), ("name", .string)])
            schema.fields[1].formerNames = ["code"]
            return schema
        }
        _ = try scene.transaction(recording: 8) { try $0.followNames(of: renamed(.int)) }
        let entry = try #require(try scene.read { try $0.quarantine.list(includingClosed: false) }.first)
        #expect(entry.reason == "type_changed:number" && entry.pointer == "/number")
        #expect(entry.message.hasPrefix("`number` is int now"), "\(entry.message)")
        let changes = try scene.transaction(recording: 9) { store throws in
            isUndone
                ? try store.revertSchema(of: 7, by: SchemaContract.conversion())
                : try store.convertStored([renamed(.string)], by: SchemaContract.conversion())
        }
        #expect(changes.map(\.kind) == [.changeType, .restoreValues])
        #expect(try scene.place.rows(of: "items", ["number"]).map { $0[0] } == [.text("1"), .text("x")])
        #expect(try scene.read { try $0.quarantine.list(includingClosed: false) } == [])
    }

    @Test(arguments: StoreUnderTest.all)
    func aFieldGetsANameAndATypeAtOnce(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "12")
        var renamed = RecordSchema.test([("id", .int), ("number", .int), ("name", .string)])
        renamed.fields[1].formerNames = ["code"]
        let changes = try scene.transaction(recording: 7) { store throws in
            try store.followNames(of: renamed) + store.convertStored([renamed], by: SchemaContract.conversion())
        }
        #expect(changes.map(\.kind) == [.renameColumn, .changeType])
        #expect(
            try scene.place.rows(of: "items", ["id", "number"]).map { $0.map(\.words) } == [["1", "1"], ["2", "2"]])
        try scene.table(renamed) { table throws in
            #expect(try table.localRow(key(.integer(1)))?[1] == .integer(1))
            #expect(try table.baseRow(key(.integer(1)))?.entries[1] == .value(.integer(1)))
        }
        // The name stays, the type goes back.
        _ = try scene.transaction { try $0.revertSchema(of: 7, by: SchemaContract.conversion()) }
        #expect(try scene.place.rows(of: "items", ["number"]).map { $0[0] } == [.text("1"), .text("2")])
    }
}

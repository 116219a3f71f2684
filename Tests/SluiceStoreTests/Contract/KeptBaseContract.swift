import SluiceModel
import SluiceStore
import TestSupport
import Testing

@Suite("Any store: what a source said last of values that a change of type keeps")
struct KeptBaseContract {
    private static let texts = RecordSchema.items()
    private static let numbers = RecordSchema.test([("id", .int), ("code", .int), ("name", .string)])

    /// Changes the type of `code` to a number, of which `x` is none.
    private func change(_ scene: StoreScene, run: Int64) throws {
        _ = try scene.transaction(recording: run) {
            try $0.convertStored([Self.numbers], by: SchemaContract.conversion(.quarantine))
        }
    }

    /// Gives `code` its type of before back.
    private func changeBack(_ scene: StoreScene, run: Int64, isUndone: Bool) throws {
        _ = try scene.transaction(recording: run + 1) { store throws in
            isUndone
                ? try store.revertSchema(of: run, by: SchemaContract.conversion())
                : try store.convertStored([Self.texts], by: SchemaContract.conversion())
        }
    }

    private func base(_ id: Int64, _ scene: StoreScene, _ schema: RecordSchema) throws -> BaseEntry? {
        var found: BaseEntry?
        try scene.table(schema) { table throws in found = try table.baseRow(key(.integer(id)))?.entries[1] }
        return found
    }

    @Test("It comes back with the value, and an edit is an edit still", arguments: StoreUnderTest.all, [true, false])
    func comesBack(_ kind: StoreUnderTest, _ isUndone: Bool) throws {
        for local in ["x", "y"] {
            let scene = try StoreScene.items(kind, "1x")
            if local != "x" {
                try scene.place.update("items", set: ["code": .text(local)], where: "id", is: .integer(2))
            }
            // A connection of PostgreSQL reads a table only once by one statement whose types change.
            let isFile = kind.testDescription == StoreUnderTest.sqlite.testDescription
            for run: Int64 in isFile ? [7, 9] : [7] {
                try change(scene, run: run)
                if isFile { #expect(try scene.items() == ["1 1 n", "2 - n"]) }
                // What the source said is said as before, and what an edit is an edit of.
                #expect(try base(2, scene, Self.numbers) == .value(.text("x")))
                try changeBack(scene, run: run, isUndone: isUndone)
                #expect(try scene.items() == ["1 1 n", "2 \(local) n"])
                #expect(try base(2, scene, Self.texts) == .value(.text("x")))
                #expect(try base(1, scene, Self.texts) == .value(.text("1")))
            }
        }
    }

    @Test("What the source said since is what it said last", arguments: StoreUnderTest.all)
    func whatWasSaidSinceStays(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "1x")
        try change(scene, run: 7)
        try scene.table(Self.numbers) { table throws in
            let said = Self.numbers.base([.integer(2), .null, .text("n")])
            try table.write(RecordWrite(key: key(.integer(2)), row: .none, base: said))
        }
        try changeBack(scene, run: 7, isUndone: false)
        #expect(try scene.items() == ["1 1 n", "2 - n"])
        #expect(try base(2, scene, Self.texts) == .null)
    }

    @Test("Where a type goes and comes back, records are looked at again", arguments: StoreUnderTest.all)
    func recordsAreLookedAtAgain(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "12")
        try change(scene, run: 7)
        try changeBack(scene, run: 7, isUndone: false)
        try scene.table(Self.texts) { table throws in
            var lookup = BaseLookup()
            let records: [[FieldValue?]] = ["1", "2"].enumerated().map { index, code in
                [.integer(Int64(index + 1)), .text(code), .text("n")]
            }
            try table.lookUp(Self.texts.batch(records), into: &lookup)
            #expect(lookup.findings == [.other, .other])
        }
    }
}

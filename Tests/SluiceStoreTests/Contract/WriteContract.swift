import SluiceModel
import SluiceStore
import Testing

@Suite("Any store: writing records")
struct WriteContract {
    private static let schema = RecordSchema.items()

    struct Value: Sendable, CustomTestStringConvertible {
        let type: FieldType
        let value: FieldValue
        let testDescription: String

        init(_ type: FieldType, _ value: FieldValue, _ name: String) {
            (self.type, self.value, testDescription) = (type, value, name)
        }
    }

    static let values: [Value] = [
        Value(.string, .null, "null"), Value(.string, .text(""), "an empty text"),
        Value(.string, .text("Düne 🏜️"), "a text"), Value(.string, .text("007"), "digits"),
        Value(.string, .text("e\u{301}"), "a text that is not composed"),
        Value(.string, .text("' \" \\ % _ ; -- \n\t"), "a text of signs"),
        Value(.string, .text(.init(repeating: 0x61, count: 100_000)), "a long text"),
        Value(.int, .integer(.min), "least"), Value(.int, .integer(.max), "greatest"),
        Value(.double, .real(0.1), "a tenth"), Value(.double, .real(.leastNonzeroMagnitude), "tiny"),
        Value(.double, .real(3), "an integral double"),
        Value(.decimal, .text("12345678901234567890.10"), "a decimal"), Value(.bool, .integer(1), "true"),
        Value(.bytes, .blob([]), "an empty blob"), Value(.bytes, .blob([0, 255, 0]), "a blob"),
        Value(.json, .text(#"{"a":[1,null]}"#), "json"),
        Value(.datetime, .text("2026-01-02T03:04:05Z"), "a time"), Value(.date, .text("2026-01-02"), "a date"),
        Value(.uuid, .text("0a1b2c3d-0000-4000-8000-000000000000"), "a UUID"),
    ]

    @Test(arguments: StoreUnderTest.all, values)
    func whatIsWrittenIsThere(_ kind: StoreUnderTest, _ value: Value) throws {
        let scene = try StoreScene(kind)
        let schema = RecordSchema.test([("id", .int), ("v", value.type)])
        let value = value.value
        try scene.insert(schema, [[.integer(1), value]])
        try scene.table(schema) { table throws in
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), value])
            // The same by another way.
            try table.write(
                RecordWrite(
                    key: key(.integer(2)), row: .insert([.integer(2), value]), base: schema.base([.integer(2), value])))
            #expect(try table.localRow(key(.integer(2))) == [.integer(2), value])
            #expect(try table.baseRow(key(.integer(2))) == schema.base([.integer(2), value]))
            try table.write(.update(1, [1], [.null]))
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), .null])
            try table.write(.update(1, [1], [value]))
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), value])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func rowAndBaseAreWrittenEachByItself(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab")
        try scene.table(Self.schema) { table throws in
            #expect(try table.write(RecordWrite(key: key(.integer(1)), row: .delete, base: nil)))
            #expect(try table.localRow(key(.integer(1))) == nil)
            #expect(try table.baseRow(key(.integer(1)))?.state == .live)
            let base = Self.schema.base([.integer(2), .text("z"), nil], state: .localTombstone, isOpen: true, run: 9)
            #expect(try table.write(RecordWrite(key: key(.integer(2)), row: .none, base: base)))
            #expect(try table.localRow(key(.integer(2))) == [.integer(2), .text("b"), .text("n")])
            #expect(try table.baseRow(key(.integer(2))) == base)
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func anUpdateLeavesTheOtherColumnsAsTheyAre(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a")
        try scene.place.addColumn("remark", to: "items")
        try scene.place.update(
            "items", set: ["name": .text("edited"), "remark": .text("mine")], where: "id", is: .integer(1))
        try scene.table(Self.schema) { try $0.write(.update(1, [1], [.text("b")])) }
        #expect(
            try scene.place.rows(of: "items", ["id", "code", "name", "remark"])
                == [[.integer(1), .text("b"), .text("edited"), .text("mine")]])
    }

    @Test(arguments: StoreUnderTest.all)
    func everyCombinationOfFieldsCanBeUpdated(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = RecordSchema.test([("id", .int)] + (0..<8).map { ("f\($0)", .int) })
        try scene.insert(schema, [[.integer(1)] + (0..<8).map { _ in .integer(-1) }])
        try scene.table(schema) { table throws in
            for mask in 1..<256 {
                let fields = (0..<8).filter { mask & (1 << $0) != 0 }.map { $0 + 1 }
                try table.write(.update(1, fields, fields.map { _ in .integer(Int64(mask)) }))
                let row = try #require(try table.localRow(key(.integer(1))))
                #expect(fields.allSatisfy { row[$0] == .integer(Int64(mask)) })
            }
        }
        #expect(
            try scene.place.rows(of: "items", ["f0", "f1", "f7"]) == [[.integer(255), .integer(255), .integer(255)]])
    }

    @Test(arguments: StoreUnderTest.all)
    func columnsThatNoFieldFillsCanBeSet(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a")
        try scene.place.addColumn("remark", to: "items")
        try scene.table(Self.schema) { table throws in
            let columns = [
                RowImage.Column(name: "remark", value: .text("back")), RowImage.Column(name: "code", value: .text("z")),
            ]
            #expect(try table.write(RecordWrite(key: key(.integer(1)), row: .set(columns), base: nil)))
        }
        #expect(
            try scene.place.rows(of: "items", ["id", "code", "name", "remark"])
                == [[.integer(1), .text("z"), .text("n"), .text("back")]])
    }

    @Test(arguments: StoreUnderTest.all)
    func aRowThatWasDeletedIsPutBackWithItsBase(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a")
        try scene.place.addColumn("remark", to: "items")
        try scene.place.update("items", set: ["remark": .text("mine")], where: "id", is: .integer(1))
        let one = key(.integer(1))
        let (row, base) = try scene.table(Self.schema) { table throws in
            let found = (try #require(try table.wholeRow(one)), try #require(try table.baseImage(one)))
            var gone = RecordWrite(key: one, row: .delete, base: nil)
            gone.keptBase = .remove
            try table.write(gone)
            #expect(try table.baseImage(one) == nil && table.wholeRow(one) == nil)
            return found
        }
        #expect(try scene.items() == [])
        try scene.table(Self.schema) { table throws in
            var write = RecordWrite(key: one, row: .restore(row), base: nil)
            write.keptBase = .restore(base)
            #expect(try table.write(write))
            #expect(try table.wholeRow(one) == row && table.baseImage(one) == base)
        }
    }

    // MARK: Inserting

    @Test(arguments: StoreUnderTest.all)
    func onlyTheNamedRecordsOfABatchAreInserted(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.table(Self.schema) { table throws in
            let batch = Self.schema.batch((1...5).map { [.integer($0), .text("c\($0)"), nil] })
            #expect(try table.insert(batch, records: [3, 1], run: 1) == [])
            #expect(try table.liveKeys(after: nil, limit: 9) == [key(.integer(2)), key(.integer(4))])
            #expect(
                try table.baseRow(key(.integer(2)))
                    == Self.schema.base([.integer(2), .text("c2"), nil], run: 1))
        }
        #expect(try scene.items() == ["2 c2 -", "4 c4 -"])
    }

    @Test(arguments: StoreUnderTest.all)
    func aBaseOfAPlanHasNoRuns(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.table(Self.schema) { table throws in
            try table.insert(Self.schema.batch([[.integer(1), nil, nil]]), records: [0], run: nil)
            let base = try #require(try table.baseRow(key(.integer(1))))
            #expect(base.firstRun == nil && base.lastRun == nil)
        }
    }

    // MARK: Rows that the table refuses

    @Test(arguments: StoreUnderTest.all)
    func aKeyThatIsThereIsRefused(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.table(Self.schema) { _ in }
        try scene.place.insert(["id": .integer(1), "code": .text("mine")], into: "items")
        do {
            let outcome = try scene.table(Self.schema) { table throws in
                #expect(
                    try table.insert(Self.schema.batch([[.integer(1), .text("x"), .null]]), records: [0], run: 1)
                        == [0])
                return try table.finishHolding()
            }
            #expect(Set(outcome.refused.keys) == [key(.integer(1))] && outcome.collisions.isEmpty)
        } catch let error as StoreError where error.mayRepeat {
            // Where others may have inserted it meanwhile, all is to be planned again.
        }
        #expect(try scene.items() == ["1 mine -"])
        try scene.table(Self.schema) { table throws in #expect(try table.baseRow(key(.integer(1))) == nil) }
    }

    @Test(arguments: StoreUnderTest.all)
    func aRowThatTheTableRefusesIsRefusedAlone(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab")
        try scene.place.addRule(refusing: .text("bad"), in: "code", of: "items")
        let outcome = try scene.table(Self.schema) { table throws in
            #expect(table.mayRefuse)
            let batch = Self.schema.batch([[.integer(3), .text("bad"), nil], [.integer(4), .text("d"), nil]])
            #expect(try table.insert(batch, records: [0, 1], run: 2) == [0])
            let base = Self.schema.base([.integer(1), .text("bad"), .text("new")])
            #expect(try !table.write(.update(1, [1, 2], [.text("bad"), .text("new")], base: base)))
            #expect(try table.write(.update(2, [2], [.text("new")])))
            return try table.finishHolding()
        }
        #expect(Set(outcome.refused.keys) == [key(.integer(1)), key(.integer(3))])
        #expect(outcome.refused.values.allSatisfy { !$0.rule.isEmpty && !$0.remedy.isEmpty })
        #expect(outcome.collisions.isEmpty)
        #expect(try scene.items() == ["1 a n", "2 b new", "4 d -"])
        try scene.table(Self.schema) { table throws in
            // Nothing of what was refused is written, the base neither.
            #expect(
                try table.baseRow(key(.integer(1)))
                    == Self.schema.base([.integer(1), .text("a"), .text("n")], run: 1))
            #expect(try table.baseRow(key(.integer(3))) == nil)
        }
    }

    // MARK: Soft deletes

    private static var soft: RecordSchema {
        var schema = schema
        schema.deletesSoftly = true
        return schema
    }

    private func markDeleted(_ scene: StoreScene, _ id: Int64) throws {
        try scene.table(Self.soft) { table throws in
            let row = RecordWrite.Row.markDeleted(at: "2026-01-02T03:04:05Z", run: 2)
            let base = Self.soft.base([.integer(id), .null, .null], state: .remoteTombstone)
            #expect(try table.write(RecordWrite(key: key(.integer(id)), row: row, base: base)))
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func aRowThatIsMarkedAsDeletedStaysAndCountsAsGone(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab", Self.soft)
        try markDeleted(scene, 1)
        #expect(try scene.items() == ["1 a n", "2 b n"])
        try scene.table(Self.soft) { table throws in
            #expect(try table.localRow(key(.integer(1))) == nil)
            #expect(try table.wholeRow(key(.integer(1)))?["code"] == .text("a"))
            #expect(try table.rowKeys(under: key(.integer(1))) == [])
            #expect(try table.hasRows(under: key(.integer(1))))
            #expect(!table.wasEmpty)
            let compared = try table.comparedRows(after: nil, limit: 9, leavingOut: .all)
            #expect(compared.rows.map(\.key) == [key(.integer(1))] && compared.rows.first?.values == nil)
        }
        let known = try scene.read { try $0.knownTable(pipeline: "test", stream: "items", entity: "Item") }
        #expect(try known?.localRow(key(.integer(1))) == nil)
        #expect(known?.schema.deletesSoftly == true)
    }

    @Test(arguments: StoreUnderTest.all)
    func anInsertBringsAMarkedRowBack(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab", Self.soft)
        try scene.place.addColumn("remark", to: "items")
        try scene.place.update("items", set: ["remark": .text("mine")], where: "id", is: .integer(1))
        try markDeleted(scene, 1)
        try scene.table(Self.soft) { table throws in
            let values: [FieldValue] = [.integer(1), .text("z"), .null]
            #expect(
                try table.write(
                    RecordWrite(key: key(.integer(1)), row: .insert(values), base: Self.soft.base(values))))
            #expect(try table.localRow(key(.integer(1))) == values)
        }
        #expect(
            try scene.place.rows(of: "items", ["id", "code", "name", "remark"])
                == [
                    [.integer(1), .text("z"), .null, .text("mine")], [.integer(2), .text("b"), .text("n"), .null],
                ])
    }
}

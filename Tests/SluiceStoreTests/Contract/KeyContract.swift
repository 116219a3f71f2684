import SluiceModel
import SluiceStore
import Testing

@Suite("Any store: keys in their order")
struct KeyContract {
    static let texts: [String] = [
        "", "a", "A", "b", "aa", "e\u{301}", "\u{E9}", "👩‍👩‍👧", "👩👩👧", "👩", "\u{200D}", "ß", "ss", "ﬁ", "fi", "日本",
        "\u{10FFFF}", "10", "9", " a",
    ]
    static let integers: [Int64] = [.min, -1, 0, 1, 9, 10, 1 << 53, .max]

    private func pages(limit: Int, _ page: (_ last: RecordKey?) throws -> [RecordKey]) rethrows -> [RecordKey] {
        var keys: [RecordKey] = []
        while true {
            let some = try page(keys.last)
            #expect(some.count <= limit)
            keys += some
            if some.count < limit || keys.count > 10_000 { return keys }
        }
    }

    /// The keys of all records, each with its row, as both are compared.
    private func comparedKeys(_ table: any RecordTable, limit: Int) throws -> [RecordKey] {
        try pages(limit: limit) { last in
            try table.comparedRows(after: last, limit: limit, leavingOut: .none).rows.map { row in
                #expect(row.values != nil)
                return row.key
            }
        }
    }

    @Test(arguments: StoreUnderTest.all, [1, 3, 20, 100])
    func textsComeInTheOrderOfTheirBytes(_ kind: StoreUnderTest, _ limit: Int) throws {
        let scene = try StoreScene(kind)
        let schema = RecordSchema.test([("id", .string)])
        try scene.insert(schema, Self.texts.map { [.text($0)] })
        try scene.table(schema) { table throws in
            let expected = Self.texts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
            #expect(
                try pages(limit: limit) { try table.liveKeys(after: $0, limit: limit) }
                    == expected.map { RecordKey([.text($0)]) })
            #expect(try comparedKeys(table, limit: limit) == expected.map { RecordKey([.text($0)]) })
            for text in expected {
                #expect(try table.localRow(key(.text(text))) == [.text(text)])
                #expect(try table.baseRow(key(.text(text))) != nil)
            }
            #expect(try table.baseRow(key(.text("e\u{301}\u{301}"))) == nil)
        }
    }

    @Test(arguments: StoreUnderTest.all, [1, 3, 8, 9])
    func integersComeInTheirOrder(_ kind: StoreUnderTest, _ limit: Int) throws {
        let scene = try StoreScene(kind)
        let schema = RecordSchema.test([("id", .int)])
        try scene.insert(schema, Self.integers.reversed().map { [.integer($0)] })
        try scene.table(schema) { table throws in
            #expect(
                try pages(limit: limit) { try table.liveKeys(after: $0, limit: limit) }
                    == Self.integers.map { key(.integer($0)) })
            #expect(try comparedKeys(table, limit: limit) == Self.integers.map { key(.integer($0)) })
        }
    }

    @Test(arguments: StoreUnderTest.all, [FieldType.bytes, .double, .bool, .uuid, .date, .decimal, .datetime])
    func valuesOfOtherTypesComeInTheirOrder(_ kind: StoreUnderTest, _ type: FieldType) throws {
        let scene = try StoreScene(kind)
        let schema = RecordSchema.test([("id", type)])
        let values: [FieldValue] =
            switch type {
            case .bytes: [.blob([]), .blob([0]), .blob([0, 1]), .blob([255])]
            case .double: [.real(-1.5), .real(0), .real(1e300)]
            case .bool: [.integer(0), .integer(1)]
            case .date: [.text("1969-12-31"), .text("2026-01-02"), .text("2026-01-10")]
            // Of these the texts count.
            case .decimal: [.text("-1"), .text("10"), .text("9.5")]
            case .datetime: [.text("2026-01-02T03:04:05.25Z"), .text("2026-01-02T03:04:05Z")]
            default:
                [.text("0a1b2c3d-0000-4000-8000-000000000000"), .text("1a1b2c3d-0000-4000-8000-000000000000")]
            }
        try scene.insert(schema, values.reversed().map { [$0] })
        try scene.table(schema) { table throws in
            #expect(try pages(limit: 1) { try table.liveKeys(after: $0, limit: 1) } == values.map { key($0) })
            #expect(try comparedKeys(table, limit: 1) == values.map { key($0) })
            #expect(try comparedKeys(table, limit: 9) == values.map { key($0) })
        }
    }

    // MARK: Several fields

    /// Issues by repository and number; the key is in another order than the fields.
    private static let issues = RecordSchema.test(
        [("number", .int), ("x", .string), ("repo", .string)], key: ["repo", "number"])

    @Test(arguments: StoreUnderTest.all, [1, 2, 5, 1_000])
    func severalFieldsComeInTheOrderOfTheKey(_ kind: StoreUnderTest, _ limit: Int) throws {
        let scene = try StoreScene(kind)
        let repos = ["a", "aa", "b", "👩‍👩‍👧", "👩"]
        try scene.insert(
            Self.issues, repos.flatMap { repo in Self.integers.map { [.integer($0), .null, .text(repo)] } })
        try scene.table(Self.issues) { table throws in
            let sorted = repos.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            let expected = sorted.flatMap { repo in Self.integers.map { key(.text(repo), .integer($0)) } }
            #expect(try pages(limit: limit) { try table.liveKeys(after: $0, limit: limit) } == expected)
            #expect(
                try pages(limit: limit) { try table.keys(firstWrittenBy: 1, after: $0, limit: limit) } == expected)
            #expect(try comparedKeys(table, limit: limit) == expected)
            #expect(try table.localRow(key(.text("👩"), .integer(9))) == [.integer(9), .null, .text("👩")])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func keysUnderAnOwnerBeginWithItsKey(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let (a, b) = (key(.text("a")), key(.text("b")))
        try scene.insert(
            Self.issues,
            [3, 1, 2].map { [.integer($0), .null, .text("a")] } + [[.integer(1), .null, .text("aa")]])
        try scene.place.insert(["repo": .text("a"), "number": .integer(9)], into: "items")
        try scene.table(Self.issues) { table throws in
            let two = key(.text("a"), .integer(2))
            try table.write(
                RecordWrite(
                    key: two, row: .delete,
                    base: Self.issues.base([.integer(2), .null, .text("a")], state: .remoteTombstone)))
            #expect(try table.liveKeys(under: a) == [key(.text("a"), .integer(1)), key(.text("a"), .integer(3))])
            #expect(
                try table.rowKeys(under: a) == [1, 3, 9].map { key(.text("a"), .integer($0)) })
            #expect(try table.hasRows(under: a) && !table.hasRows(under: b))
            #expect(try table.liveKeys(under: b) == [] && table.rowKeys(under: b) == [])
            // A whole key is one that begins with itself.
            #expect(try table.rowKeys(under: key(.text("a"), .integer(3))) == [key(.text("a"), .integer(3))])
        }
    }

    // MARK: States

    @Test(arguments: StoreUnderTest.all)
    func keysOfRecordsThatTheSourceHasLostAreLeftOut(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = RecordSchema.test([("id", .int)])
        try scene.insert(schema, (1...6).map { [.integer($0)] })
        let states: [(Int64, BaseState)] = [
            (2, .remoteTombstone), (3, .localTombstone), (4, .statedTombstone), (5, .overruled),
        ]
        try scene.table(schema) { table throws in
            for (id, state) in states {
                try table.write(
                    RecordWrite(
                        key: key(.integer(id)), row: .delete, base: schema.base([.integer(id)], state: state)))
            }
            #expect(try table.liveKeys(after: nil, limit: 9) == [1, 3, 4, 5, 6].map { key(.integer($0)) })
            #expect(try table.liveCount() == 5)
            #expect(try table.count(of: .live) == 2)
            for (_, state) in states { #expect(try table.count(of: state) == 1) }
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func keysAreThoseThatARunWroteFirst(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab")
        let schema = RecordSchema.items()
        try scene.insert(schema, [[.integer(3), nil, nil], [.integer(4), nil, nil]], run: 7)
        try scene.table(schema) { table throws in
            // Another run changes one; who wrote it first stays.
            try table.write(
                RecordWrite(key: key(.integer(1)), row: .none, base: schema.base([.integer(1), nil, nil], run: 7)))
            #expect(try table.keys(firstWrittenBy: 7, after: nil, limit: 9) == [3, 4].map { key(.integer($0)) })
            #expect(try table.keys(firstWrittenBy: 7, after: key(.integer(3)), limit: 9) == [key(.integer(4))])
            #expect(try table.keys(firstWrittenBy: 1, after: nil, limit: 1) == [key(.integer(1))])
            #expect(try table.keys(firstWrittenBy: 5, after: nil, limit: 9) == [])
        }
    }

    // MARK: Comparison

    /// The records that differ from their bases, and how often the store was asked.
    private func compared(_ table: any RecordTable, limit: Int) throws -> [ComparedRow] {
        var found: [ComparedRow] = []
        var last: RecordKey?
        var rounds = 0
        repeat {
            let page = try table.comparedRows(after: last, limit: limit, leavingOut: .same(RowHasher(table.schema)))
            #expect(page.rows.count <= limit)
            found += page.rows
            (last, rounds) = (page.last, rounds + 1)
        } while last != nil && rounds < 1_000
        return found
    }

    /// How many rows have a base, and how many there are; nil where the store does not count them.
    private func counted(_ table: any RecordTable, limit: Int) throws -> (based: Int, all: Int)? {
        var count: Int? = 0
        var last: RecordKey?
        var rounds = 0
        repeat {
            let page = try table.comparedRows(after: last, limit: limit, leavingOut: .all)
            count = count.flatMap { count in page.rowCount.map { count + $0 } }
            (last, rounds) = (page.last, rounds + 1)
        } while last != nil && rounds < 1_000
        guard let count, let all = try table.rowCount() else { return nil }
        return (count, all)
    }

    @Test(arguments: StoreUnderTest.all, [1, 3, 100])
    func asManyRowsAsBasesMeansThatNoneIsWithoutBase(_ kind: StoreUnderTest, _ limit: Int) throws {
        let scene = try StoreScene.items(kind, "abcd")
        try scene.place.delete(from: "items", where: "id", is: .integer(2))
        try scene.table(.items()) { table throws in
            if let counted = try counted(table, limit: limit) { #expect(counted == (3, 3)) }
        }
        // As many rows as bases, one of them without one.
        try scene.place.insert(["id": .integer(9)], into: "items")
        try scene.table(.items()) { table throws in
            if let counted = try counted(table, limit: limit) { #expect(counted == (3, 4)) }
            #expect(try table.keysWithoutBase(after: nil, limit: 9).keys == [key(.integer(9))])
        }
    }

    @Test(arguments: StoreUnderTest.all, [1, 2, 100])
    func recordsThatTheirSourceListedAreToldWithTheirRows(_ kind: StoreUnderTest, _ limit: Int) throws {
        let scene = try StoreScene.items(kind, "abcd")
        let schema = RecordSchema.items()
        try scene.place.delete(from: "items", where: "id", is: .integer(2))
        try scene.place.insert(["id": .integer(9)], into: "items")
        try scene.table(schema) { table throws in
            let gone = schema.base([.integer(3), .text("c"), .text("n")], state: .remoteTombstone)
            try table.write(RecordWrite(key: key(.integer(3)), row: .none, base: gone))
            var told: [Int64]? = []
            var last: RecordKey?
            repeat {
                let page = try table.comparedRows(after: last, limit: limit, leavingOut: .all)
                told = told.flatMap { told in page.listed.map { told + $0 } }
                last = page.last
            } while last != nil
            guard let told else { return }
            #expect(told == [1, 2, 4])
            #expect(try table.liveKeys(after: nil, limit: 9) { _ in false }.keys == told.map { key(.integer($0)) })
        }
    }

    @Test(arguments: StoreUnderTest.all, [1, 2, 3, 100])
    func rowsAreComparedWithTheirBases(_ kind: StoreUnderTest, _ limit: Int) throws {
        let scene = try StoreScene.items(kind, "abcdef")
        let schema = RecordSchema.items()
        let place = scene.place
        try place.update("items", set: ["name": .text("edited")], where: "id", is: .integer(2))
        try place.delete(from: "items", where: "id", is: .integer(4))
        try place.insert(["id": .integer(9), "code": .text("mine")], into: "items")
        try scene.table(schema) { table throws in
            // A record that the source no longer has is told although its row is as it was.
            let values: [FieldValue?] = [.integer(5), .text("e"), .text("n")]
            try table.write(
                RecordWrite(key: key(.integer(5)), row: .none, base: schema.base(values, state: .remoteTombstone)))
            let found = try compared(table, limit: limit)
            #expect(found.map(\.key) == [2, 4, 5].map { key(.integer($0)) })
            #expect(
                found.map(\.values) == [[.integer(2), .text("b"), .text("edited")], nil, values.map { $0 ?? .null }])
            #expect(found.map(\.base.state) == [.live, .live, .remoteTombstone])
            #expect(found.first?.base == schema.base([.integer(2), .text("b"), .text("n")], run: 1))
        }
    }

    @Test(arguments: StoreUnderTest.all, [1, 2, 100])
    func rowsOfWhichNoSourceSpokeAreFound(_ kind: StoreUnderTest, _ limit: Int) throws {
        let scene = try StoreScene.items(kind, "abc")
        for id in [7, -3, 5] as [Int64] { try scene.place.insert(["id": .integer(id)], into: "items") }
        try scene.table(.items()) { table throws in
            var keys: [RecordKey] = []
            var last: RecordKey?
            repeat {
                let page = try table.keysWithoutBase(after: last, limit: limit)
                #expect(page.keys.count <= limit)
                keys += page.keys
                last = page.last
            } while last != nil && keys.count < 100
            #expect(keys == [-3, 5, 7].map { key(.integer($0)) })
        }
    }
}

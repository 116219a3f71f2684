import SluiceModel
import SluiceStore
import TestSupport
import Testing

@Suite("Any store: a batch against the base")
struct LookUpContract {
    private static let schema = RecordSchema.items()

    private func record(_ id: Int64, _ name: String = "n") -> [FieldValue?] {
        [.integer(id), .text("c\(id)"), .text(name)]
    }

    @Test(arguments: StoreUnderTest.all)
    func saysWhatIsNewUnchangedAndOther(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = Self.schema
        try scene.insert(schema, (1...9).map { record($0) })
        var missed = schema.base(record(6))
        missed.missedScans = 2
        let bases: [(Int64, BaseRow)] = [
            (3, schema.base(record(3), isOpen: true)), (4, schema.base(record(4), state: .remoteTombstone)),
            (5, schema.base(record(5), state: .localTombstone)), (6, missed),
            (7, schema.base(record(7), state: .statedTombstone)), (8, schema.base(record(8), state: .overruled)),
        ]
        try scene.table(schema) { table throws in
            for (id, base) in bases {
                try table.write(RecordWrite(key: key(.integer(id)), row: .none, base: base))
            }
        }
        try scene.table(schema) { table throws in
            var lookup = BaseLookup()
            lookup.rows = [99: schema.base(record(9))]
            lookup.liveCount = 42
            var records = (1...8 as ClosedRange<Int64>).map { record($0) }
            records[1] = record(2, "changed")
            try table.lookUp(schema.batch(records + [record(10)]), into: &lookup)
            #expect(
                lookup.findings == [.unchanged, .other, .other, .other, .other, .other, .other, .other, .new])
            // All but the one that its source no longer has.
            #expect(lookup.liveCount == 7)
            #expect(Set(lookup.rows.keys) == [1, 2, 3, 4, 5, 6, 7])
            #expect(lookup.rows[1] == schema.base(record(2), run: 1))
            for (id, base) in bases { #expect(lookup.rows[Int(id) - 1] == base, "\(id)") }
            #expect(try table.liveCount() == 8)
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func anAbsentKeyIsNotANull(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.insert(Self.schema, [[.integer(1), nil, .null]])
        try scene.table(Self.schema) { table throws in
            #expect(try table.baseRow(key(.integer(1)))?.entries == [.value(.integer(1)), .none, .null])
            var lookup = BaseLookup()
            try table.lookUp(Self.schema.batch([[.integer(1), nil, .null]]), into: &lookup)
            #expect(lookup.findings == [.unchanged])
            try table.lookUp(Self.schema.batch([[.integer(1), .null, .null]]), into: &lookup)
            #expect(lookup.findings == [.other])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func rowsThatNoSourceSpokeOfAreNew(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.table(Self.schema) { _ in }
        try scene.place.insert(["id": .integer(1), "code": .text("mine")], into: "items")
        try scene.table(Self.schema) { table throws in
            #expect(!table.wasEmpty && !table.isNew)
            var lookup = BaseLookup()
            try table.lookUp(Self.schema.batch([record(1), record(2)]), into: &lookup)
            #expect(lookup.findings == [.new, .new])
            #expect(lookup.liveCount == 0)
            #expect(try table.baseRow(key(.integer(1))) == nil)
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), .text("mine"), .null])
            #expect(try table.localRow(key(.integer(2))) == nil)
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func whetherRowAndBaseWereEmptyIsSaidAsOfTheOpening(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.table(Self.schema) { table throws in
            #expect(table.wasEmpty && table.isNew)
            try table.insert(Self.schema.batch([record(1)]), records: [0], run: 1)
            #expect(table.wasEmpty && table.isNew)
        }
        try scene.table(Self.schema) { table throws in #expect(!table.wasEmpty && !table.isNew) }
        try scene.place.delete(from: "items", where: "id", is: .integer(1))
        try scene.table(Self.schema) { table throws in #expect(table.wasEmpty && !table.isNew) }
    }

    @Test(arguments: StoreUnderTest.all)
    func aLongValueIsKeptAsItsDigest(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let long = FieldValue.text([UInt8](repeating: 0x61, count: 2_000))
        try scene.insert(Self.schema, [[.integer(1), .text("c"), long]])
        try scene.table(Self.schema) { table throws in
            #expect(try table.localRow(key(.integer(1)))?[2] == long)
            #expect(
                try table.baseRow(key(.integer(1)))?.entries
                    == [.value(.integer(1)), .value(.text("c")), .digest(KeyHash.valueHash(long))])
            var lookup = BaseLookup()
            try table.lookUp(Self.schema.batch([[.integer(1), .text("c"), long]]), into: &lookup)
            #expect(lookup.findings == [.unchanged])
        }
    }

    // MARK: Images

    @Test(arguments: StoreUnderTest.all)
    func aBaseIsGivenAsItIsKept(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        var base = Self.schema.base([.integer(1), nil, .null], state: .localTombstone, isOpen: true, run: 9)
        base.missedScans = 3
        try scene.table(Self.schema) { table throws in
            try table.write(RecordWrite(key: key(.integer(1)), row: .none, base: base))
            #expect(try table.baseRow(key(.integer(1))) == base)
            let image = try #require(try table.baseImage(key(.integer(1))))
            #expect(image.state == .localTombstone && image.isOpen && image.missedScans == 3)
            #expect(image.firstRun == 1 && image.lastRun == 9 && image.rowHash == base.rowHash)
            #expect(table.fieldOfSlot.enumerated().map { image.entry($0.offset) } == base.entries)
            #expect(try table.baseImage(key(.integer(2))) == nil)
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func aWholeRowHasTheColumnsThatNoFieldFills(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a")
        try scene.place.addColumn("remark", to: "items")
        try scene.place.update("items", set: ["remark": .text("mine")], where: "id", is: .integer(1))
        try scene.table(Self.schema) { table throws in
            let row = try #require(try table.wholeRow(key(.integer(1))))
            #expect(row["id"] == .integer(1) && row["code"] == .text("a") && row["REMARK"] == .text("mine"))
            #expect(row.columns.count == 4)
            #expect(try table.wholeRow(key(.integer(2))) == nil)
        }
    }

    // MARK: Texts

    /// A batch of which the store only reads keys and marks.
    private func texts(_ marks: [(id: Int64, hash: UInt64)], within: [UInt8] = []) -> RecordBatch {
        var batch = Self.schema.batch(marks.map { record($0.id) })
        for mark in marks { batch.textFingerprints.append(hash: mark.hash, within: within) }
        return batch
    }

    private func lookUp(_ table: any RecordTable, _ marks: [(id: Int64, hash: UInt64)]) throws -> TextLookup {
        var lookup = TextLookup()
        (lookup.others, lookup.within) = ([77], [77: [1]])
        try table.lookUpTexts(texts(marks), into: &lookup)
        return lookup
    }

    @Test(arguments: StoreUnderTest.all)
    func aTextIsKnownWhileNothingOfItsRecordIsLeftToSettle(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.table(Self.schema) { table throws in
            try table.insert(
                texts([(1, 11), (2, .max), (3, 13), (4, 14), (5, 15)], within: [1, 2]), records: [0, 1, 2, 3, 4],
                run: 1)
        }
        try scene.table(Self.schema) { table throws in
            let lookup = try lookUp(table, [(1, 11), (2, .max), (3, 99), (9, 11)])
            #expect(lookup.others == [2, 3])
            #expect(lookup.within == [0: [1, 2], 1: [1, 2]])
            var open = Self.schema.base(record(1), isOpen: true)
            open.textFingerprint = TextFingerprint(hash: 11)
            var gone = Self.schema.base(record(2), state: .remoteTombstone)
            gone.textFingerprint = TextFingerprint(hash: .max)
            var missed = Self.schema.base(record(3))
            (missed.textFingerprint, missed.missedScans) = (TextFingerprint(hash: 13), 1)
            for (id, base) in [(1, open), (2, gone), (3, missed), (4, Self.schema.base(record(4)))] {
                try table.write(RecordWrite(key: key(.integer(Int64(id))), row: .none, base: base))
            }
            #expect(try lookUp(table, [(1, 11), (2, .max), (3, 13), (4, 14), (5, 15)]).others == [0, 1, 2, 3])
            // Who goes through the records in their order finds the same.
            guard let marked = try markedKeys(table, limit: 10, kind) else { return }
            #expect(marked.listed == [1, 3, 4, 5] && marked.last == nil)
            #expect(marked.marks.keys == [5] && marked.marks.hashes == [15] && marked.marks.within == [0: [1, 2]])
        }
    }

    /// Marks in the order of keys; nil for the kind of store that keeps none in it.
    private func markedKeys(
        _ table: any RecordTable, after last: RecordKey? = nil, limit: Int, _ kind: StoreUnderTest
    ) throws -> MarkedKeys? {
        let found = try table.markedKeys(after: last, limit: limit)
        #expect((found == nil) == (kind.testDescription == StoreUnderTest.postgres.testDescription))
        return found
    }

    @Test(arguments: StoreUnderTest.all, [1, 3, 100])
    func marksAreReadInTheOrderOfKeys(_ kind: StoreUnderTest, limit: Int) throws {
        let scene = try StoreScene(kind)
        try scene.table(Self.schema) { table throws in
            try table.insert(texts([(3, 13), (-1, 9), (7, 17), (2, 12)]), records: [0, 1, 2, 3], run: 1)
        }
        try scene.table(Self.schema) { table throws in
            var (listed, keys, hashes): ([Int64], [Int64], [UInt64]) = ([], [], [])
            var last: RecordKey?
            repeat {
                guard let found = try markedKeys(table, after: last, limit: limit, kind) else { return }
                listed += found.listed
                keys += found.marks.keys
                hashes += found.marks.hashes
                last = found.last
            } while last != nil
            #expect(listed == [-1, 2, 3, 7] && keys == listed && hashes == [9, 12, 13, 17])
            let compared = try table.comparedRows(after: nil, limit: 9, leavingOut: .all, withMarks: true)
            #expect(compared.marks.map(\.keys) == keys)
            #expect(try table.comparedRows(after: nil, limit: 9, leavingOut: .all).marks == nil)
        }
    }

    /// Keys in ascending, descending and random order, dense and sparse, with some that come twice and some that are not there.
    @Test(arguments: StoreUnderTest.all, UInt64(1)...4)
    func textsAreKnownInWhateverOrderTheyCome(_ kind: StoreUnderTest, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let scene = try StoreScene(kind)
        let kept = (Int64(0)..<200).filter { _ in Bool.random(using: &generator) }.map {
            (id: $0 * 2 - 60, hash: UInt64($0))
        }
        try scene.table(Self.schema) { table throws in
            try table.insert(texts(kept), records: Array(kept.indices), run: 1)
        }
        let known = Dictionary(uniqueKeysWithValues: kept.map { ($0.id, $0.hash) })
        try scene.table(Self.schema) { table throws in
            for round in 0..<12 {
                var ids = (Int64(-70)..<350).filter { _ in Int.random(in: 0..<40, using: &generator) < 1 + round * 3 }
                switch round % 3 {
                case 0: break
                case 1: ids.reverse()
                default: ids = (ids + ids.prefix(3)).shuffled(using: &generator)
                }
                let marks = ids.map { id in
                    (id: id, hash: Int.random(in: 0..<4, using: &generator) == 0 ? 7_777 : known[id] ?? 5)
                }
                let expected = marks.indices.filter { known[marks[$0].id] != marks[$0].hash }
                #expect(try lookUp(table, marks).others == expected, "seed \(seed), round \(round)")
            }
        }
    }

    @Test(arguments: StoreUnderTest.all, [1, 3, 100])
    func liveKeysAreGivenButForThoseLeftOut(_ kind: StoreUnderTest, limit: Int) throws {
        let scene = try StoreScene.items(kind, "abcdefg")
        try scene.table(Self.schema) { table throws in
            let gone = Self.schema.base(record(4), state: .remoteTombstone)
            try table.write(RecordWrite(key: key(.integer(4)), row: .none, base: gone))
            var (found, looked): ([RecordKey], [UInt64]) = ([], [])
            var last: RecordKey?
            repeat {
                let page = try table.liveKeys(after: last, limit: limit) {
                    looked.append($0)
                    return $0 % 2 == 0
                }
                found += page.keys
                last = page.last
            } while last != nil
            #expect(found == [1, 3, 5, 7].map { key(.integer($0)) })
            #expect(looked == [1, 2, 3, 5, 6, 7])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func aMarkIsNotedOfARecordThatHasABase(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab")
        try scene.table(Self.schema) { table throws in
            #expect(try lookUp(table, [(1, 11), (2, 12)]).others == [0, 1])
            try table.record([(key(.integer(1)), TextFingerprint(hash: 11, within: [7]))])
            try table.record([(key(.integer(2)), TextFingerprint(hash: 12))])
            try table.record([(key(.integer(3)), TextFingerprint(hash: 13))])
        }
        try scene.table(Self.schema) { table throws in
            let lookup = try lookUp(table, [(1, 11), (2, 12), (3, 13)])
            #expect(lookup.others == [2])
            #expect(lookup.within == [0: [7]])
            #expect(try table.baseRow(key(.integer(3))) == nil)
            try table.record([(key(.integer(1)), nil)])
            #expect(try lookUp(table, [(1, 11), (2, 12)]).others == [0])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func settledRecordsAreVisitedWithTheirHashes(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "abcd")
        let values: [FieldValue?] = [.integer(2), .text("b"), .text("n")]
        try scene.table(Self.schema) { table throws in
            for (id, base) in [
                (2, Self.schema.base(values, isOpen: true)), (3, Self.schema.base(values, state: .remoteTombstone)),
            ] as [(Int64, BaseRow)] {
                try table.write(RecordWrite(key: key(.integer(id)), row: .none, base: base))
            }
            var settled: [RecordKey: UInt64] = [:]
            try table.eachSettled { settled[$0] = $1 }
            let hashes = Self.schema.batch([
                [.integer(1), .text("a"), .text("n")], [.integer(4), .text("d"), .text("n")],
            ]).rowHashes
            #expect(settled == [key(.integer(1)): hashes[0], key(.integer(4)): hashes[1]])
        }
    }
}

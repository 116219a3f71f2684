import SluiceModel
import SluiceStore
import Testing

/// A foreign key of people's own may let go of references in silence, by `ON DELETE CASCADE` and `ON DELETE SET NULL`. A
/// deletion of the store's keeps them as it keeps those that dangle.
@Suite("Any store: references that foreign keys let go of")
struct ReleasedReferenceContract: ReferenceSuite {
    /// Books without their reference.
    private static var plain: RecordSchema {
        RecordSchema.test([("id", .int), ("title", .string)], table: "books", stream: "books")
    }

    private func delete(_ table: any RecordTable, _ ids: [Int64]) throws {
        let writes = ids.map { id in
            var write = RecordWrite(key: key(.integer(id)), row: .delete, base: nil)
            write.keptBase = .remove
            return write
        }
        #expect(try table.write(writes).isEmpty)
    }

    private func changes(_ scene: StoreScene, run: Int64) throws -> [RecordedChange] {
        try scene.read { try $0.changes.records(run: run, order: .oldestFirst, beyond: nil, limit: 99) }
    }

    private static func waiting(_ name: String, _ value: FieldValue) -> RecordedChange.Column {
        RecordedChange.Column(
            name: name, isField: true, fieldClass: RecordedChange.waitingClass, old: value, new: .null)
    }

    @Test(arguments: StoreUnderTest.all)
    func pairsWaitForTheirRecords(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try run(scene, Self.plain) { _, _ in }
        try scene.place.makePairs("book_labels", ("book_id", "books"), ("label_id", "people"))
        try run(scene, Self.labelled) { labels, books throws in
            for id in [1, 2, 3] as [Int64] { try insertPerson(labels, id) }
            try insertBook(books, 1, by: .text("[1,2,3]"))
            try insertBook(books, 2, by: .text("[3]"))
        }
        let gone = try run(scene, Self.labelled, run: 8) { labels, _ in try delete(labels, [1, 2]) }
        #expect(try links(scene) == ["1 3", "2 3"])
        #expect(gone.deferred.mapValues(\.count) == ["books.labels": 2] && gone.cascaded.isEmpty)
        let unlinks = try changes(scene, run: 8).filter(\.isUnlink)
        #expect(unlinks.allSatisfy { $0.key == #"{"id":1}"# })
        // One store writes records one by one, and another one together.
        let columns = unlinks.flatMap(\.columns)
        #expect(
            columns == [Self.waiting("labels", .text("[1,2]"))]
                || columns == [Self.waiting("labels", .text("[1]")), Self.waiting("labels", .text("[2]"))])
        let back = try run(scene, Self.labelled, run: 9) { labels, books throws in
            #expect(
                try books.waitingTargets(key(.integer(1))) == ["labels": [key(.integer(1)), key(.integer(2))]])
            try insertPerson(labels, 2)
        }
        #expect(back.linkedCount == 1)
        #expect(try links(scene) == ["1 2", "1 3", "2 3"])
    }

    /// What is deleted and comes again within one transaction leads to its records as before, and is not told.
    @Test(arguments: StoreUnderTest.all)
    func pairsOfWhatComesAgainAtOnceStay(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try run(scene, Self.plain) { _, _ in }
        try scene.place.makePairs("book_labels", ("book_id", "books"), ("label_id", "people"))
        try run(scene, Self.labelled) { labels, books throws in
            try insertPerson(labels, 1)
            try insertBook(books, 1, by: .text("[1]"))
        }
        let outcome = try run(scene, Self.labelled, run: 8) { labels, _ throws in
            try delete(labels, [1])
            try insertPerson(labels, 1)
        }
        #expect(outcome.remaining.deferred.values.allSatisfy { $0.count == 0 })
        #expect(try links(scene) == ["1 1"])
    }

    /// A row whose reference may be null does not go along with its record either.
    @Test(arguments: StoreUnderTest.all, ["SET NULL", "CASCADE"])
    func columnsWaitForTheirRecords(_ kind: StoreUnderTest, onDelete: String) throws {
        let scene = try StoreScene(kind)
        try run(scene, Self.plain) { _, _ in }
        try scene.place.addReference("author", to: "people", in: "books", onDelete: onDelete)
        let schema = Self.books(.defer)
        try run(scene, schema) { people, books throws in
            try insertPerson(people, 9)
            try insertBook(books, 1, by: .integer(9))
        }
        let gone = try run(scene, schema, run: 8) { people, _ in try delete(people, [9]) }
        var lost = Self.one
        lost.targets = ["[9]"]
        #expect(gone.deferred == ["books.author": lost] && gone.cascaded.isEmpty)
        #expect(try authors(scene) == ["1 -"])
        #expect(try changes(scene, run: 8).filter(\.isUnlink).map(\.columns) == [[Self.waiting("author", .integer(9))]])
        let back = try run(scene, schema, run: 9) { people, books throws in
            #expect(try books.waitingTargets(key(.integer(1))) == ["author": [key(.integer(9))]])
            try insertPerson(people, 9)
        }
        #expect(back.linkedCount == 1)
        #expect(try authors(scene) == ["1 9"])
    }
}

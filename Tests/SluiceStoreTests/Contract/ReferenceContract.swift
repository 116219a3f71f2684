import SluiceModel
import SluiceStore
import Testing

@Suite("Any store: references")
struct ReferenceContract: ReferenceSuite {
    // MARK: One record

    @Test(arguments: StoreUnderTest.all)
    func aTargetMayComeLaterInTheTransaction(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let outcome = try run(scene, Self.books(.fail)) { people, books throws in
            try insertBook(books, 1, by: .integer(9))
            try insertPerson(people, 9)
        }
        #expect(outcome == ReferenceOutcome())
        #expect(try authors(scene) == ["1 9"])
    }

    @Test(arguments: StoreUnderTest.all)
    func aReferenceWaitsAndIsLinkedOnceItsRecordComes(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = Self.books(.defer)
        let first = try run(scene, schema) { _, books in try insertBook(books, 1, by: .integer(9)) }
        #expect(first.deferred.keys.sorted() == ["books.author"] && first.hasWritten)
        #expect(first.deferred["books.author"]?.count == 1)
        #expect(first.deferred["books.author"]?.keys == [#"{"id":1}"#])
        #expect(first.deferred["books.author"]?.entity == "Item")
        #expect(try authors(scene) == ["1 -"])
        func waiting(for key: Int64) throws -> [String] {
            try scene.read { try $0.waiting(for: RecordKey([.integer(key)]), of: Self.people) }
                .map { "\($0.mapping.stream) \($0.key) \($0.field)" }
        }
        #expect(try waiting(for: 9) == [#"books {"id":1} author"#])
        #expect(try waiting(for: 8) == [])
        let second = try run(scene, schema) { people, books throws in
            // The row holds what was written of it.
            #expect(try books.localRow(key(.integer(1)))?[2] == .integer(9))
            #expect(try books.wholeRow(key(.integer(1)))?["author"] == .integer(9))
            #expect(try books.waitingTargets(key(.integer(1))) == ["author": [key(.integer(9))]])
            try insertPerson(people, 9)
        }
        #expect(second.linked == ["books.author": Self.one] && second.deferred.isEmpty)
        #expect(try authors(scene) == ["1 9"])
        #expect(try waiting(for: 9) == [])
        let third = try run(scene, schema) { _, books throws in
            #expect(try books.waitingTargets(key(.integer(1))) == [:])
        }
        #expect(third == ReferenceOutcome())
    }

    /// A table that is taken back with its part awaits no target any more.
    @Test(arguments: StoreUnderTest.all)
    func aPartThatIsTakenBackLeavesNoReferences(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try scene.transaction { store throws in
            try store.beginSavepoint()
            _ = try store.prepareTable(Self.books(.fail))
            try store.rollBackToSavepoint()
            _ = try store.prepareTable(Self.people)
            #expect(try store.mappings(pipeline: nil, entity: nil).map(\.stream) == ["people"])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func theCommitSettlesToo(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = Self.books(.defer)
        try scene.transaction { store throws in
            for schema in [Self.people, schema] { _ = try store.prepareTable(schema) }
            try insertBook(try store.openTable(schema).table, 1, by: .integer(9))
        }
        #expect(try authors(scene) == ["1 -"])
    }

    @Test(arguments: StoreUnderTest.all)
    func whatAnEditorWritesInItsPlaceIsWhatTheRowHolds(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = Self.books(.defer)
        try run(scene, schema) { people, books throws in
            try insertBook(books, 1, by: .integer(9))
            try insertPerson(people, 5)
        }
        try scene.place.update("books", set: ["author": .integer(5)], where: "id", is: .integer(1))
        try run(scene, schema) { people, books throws in
            #expect(try books.localRow(key(.integer(1)))?[2] == .integer(5))
            try insertPerson(people, 9)
        }
        #expect(try authors(scene) == ["1 5"])
    }

    @Test(arguments: StoreUnderTest.all, [RecordReference.DanglingRule.defer, .setNull])
    func whatAnEditorWroteTakesThePlaceOfWhatWaited(_ kind: StoreUnderTest, rule: RecordReference.DanglingRule) throws {
        let scene = try StoreScene(kind)
        let schema = Self.books(rule)
        try run(scene, schema) { people, books throws in
            try insertBook(books, 1, by: .integer(9))
            try insertPerson(people, 5)
        }
        try scene.place.update("books", set: ["author": .integer(5)], where: "id", is: .integer(1))
        // Its target goes too.
        try run(scene, schema, run: 8) { people, _ throws in
            var write = RecordWrite(key: key(.integer(5)), row: .delete, base: nil)
            write.keptBase = .remove
            try people.write(write)
        }
        #expect(try authors(scene) == ["1 -"])
        try run(scene, schema, run: 9) { people, books throws in
            let one = key(.integer(1))
            let waits = try rule == .defer ? books.waitingTargets(one) : books.emptiedTargets(one)
            #expect(waits == ["author": [key(.integer(5))]])
            #expect(try books.localRow(one)?[2] == .integer(5))
            try insertPerson(people, 9)
        }
        #expect(try authors(scene) == ["1 -"])
        try run(scene, schema, run: 10) { people, _ in try insertPerson(people, 5) }
        #expect(try authors(scene) == [rule == .defer ? "1 5" : "1 -"])
    }

    @Test(arguments: StoreUnderTest.all)
    func whatAnEditorClearedAfterwardsIsNotLinked(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = Self.books(.defer)
        try run(scene, schema) { people, books throws in
            try insertBook(books, 1, by: .integer(9))
            try insertPerson(people, 5)
        }
        try scene.place.update("books", set: ["author": .integer(5)], where: "id", is: .integer(1))
        try run(scene, schema, run: 8) { people, _ in try insertPerson(people, 6) }
        try scene.place.update("books", set: ["author": .null], where: "id", is: .integer(1))
        try run(scene, schema, run: 9) { people, books throws in
            #expect(try books.waitingTargets(key(.integer(1))) == [:])
            try insertPerson(people, 9)
        }
        #expect(try authors(scene) == ["1 -"])
    }

    @Test(arguments: StoreUnderTest.all)
    func whatIsWrittenAnewNoLongerWaits(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = Self.books(.defer)
        try run(scene, schema) { _, books in try insertBook(books, 1, by: .integer(9)) }
        try run(scene, schema) { people, books throws in
            try books.write(.update(1, [2], [.null]))
            #expect(try books.localRow(key(.integer(1)))?[2] == .null)
            #expect(try books.waitingTargets(key(.integer(1))) == [:])
            try insertPerson(people, 9)
        }
        #expect(try authors(scene) == ["1 -"])
    }

    @Test(arguments: StoreUnderTest.all)
    func aReferenceMayBeNullForGood(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = Self.books(.setNull)
        let first = try run(scene, schema) { _, books in try insertBook(books, 1, by: .integer(9)) }
        #expect(first.cleared["books.author"]?.count == 1 && first.deferred.isEmpty)
        let second = try run(scene, schema) { people, _ in try insertPerson(people, 9) }
        #expect(second.linked.isEmpty)
        #expect(try authors(scene) == ["1 -"])
    }

    @Test(arguments: StoreUnderTest.all)
    func aReferenceMayFailTheRun(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let error = try #require(throws: StoreError.self) {
            try run(scene, Self.books(.fail)) { _, books in try insertBook(books, 1, by: .integer(9)) }
        }
        #expect(error.code == .rejected)
        #expect(error.message.contains("author") && error.message.contains("books"))
    }

    @Test(arguments: StoreUnderTest.all)
    func whatLosesItsTargetDanglesAsWell(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = Self.books(.defer)
        try run(scene, schema) { people, books throws in
            try insertPerson(people, 9)
            try insertBook(books, 1, by: .integer(9))
        }
        var row: RowImage?
        let lost = try run(scene, schema) { people, _ throws in
            row = try people.wholeRow(key(.integer(9)))
            try people.write(RecordWrite(key: key(.integer(9)), row: .delete, base: nil))
        }
        #expect(lost.deferred["books.author"]?.count == 1)
        #expect(try authors(scene) == ["1 -"])
        // And leads to it again where it is put back.
        let back = try #require(row)
        let returned = try run(scene, schema) { people, _ throws in
            try people.write(RecordWrite(key: key(.integer(9)), row: .restore(back), base: nil))
        }
        #expect(returned.linked == ["books.author": Self.one])
        #expect(try authors(scene) == ["1 9"])
    }

    // MARK: Owners

    @Test(arguments: StoreUnderTest.all)
    func whatBelongsToARecordCannotBeWithoutIt(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let books = RecordSchema.test([("id", .int), ("title", .string)], table: "books", stream: "books")
        try scene.transaction { store throws in
            for schema in [books, Self.comments] { _ = try store.prepareTable(schema) }
            try store.openTable(books).table.insert(books.batch([[.integer(1), nil]]), records: [0], run: 1)
            try store.openTable(Self.comments).table.insert(
                Self.comments.batch([[.integer(1), .integer(1), nil]]), records: [0], run: 1)
            #expect(try store.children(of: books.source) == [Self.comments.source])
            #expect(try store.children(of: Self.comments.source) == [])
        }
        let store = try scene.place.open()
        try store.begin()
        // A row that goes while its base says that the source has it was deleted by people, and that before.
        let gone = books.base([.integer(1), nil], state: .remoteTombstone)
        try store.openTable(books).table.write(RecordWrite(key: key(.integer(1)), row: .delete, base: gone))
        let outcome = try store.settleReferences()
        #expect(outcome.unmet.map(\.target) == ["books"] && outcome.unmet.map(\.targetKey) == [key(.integer(1))])
        let error = try #require(throws: StoreError.self) { _ = try outcome.requireUnbroken() }
        #expect(error.code == .rejected)
        store.rollback()
        #expect(try scene.place.rows(of: "books", ["id"]) == [[.integer(1)]])
    }

    // MARK: Several records

    @Test(arguments: StoreUnderTest.all)
    func aSetOfRecordsStandsInATableOfItsOwn(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let outcome = try run(scene, Self.labelled) { labels, books throws in
            for id in [1, 2, 3] as [Int64] { try insertPerson(labels, id) }
            try insertBook(books, 1, by: .text("[1,3]"))
            try books.write(
                RecordWrite(
                    key: key(.integer(2)), row: .insert([.integer(2), .null, .text("[2]")]), base: nil))
            #expect(try books.localRow(key(.integer(1))) == [.integer(1), .text("t"), .text("[1,3]")])
        }
        #expect(outcome == ReferenceOutcome())
        #expect(try links(scene) == ["1 1", "1 3", "2 2"])
        try run(scene, Self.labelled) { _, books throws in
            try books.write(.update(1, [2], [.text("[2,3]")]))
            try books.write(RecordWrite(key: key(.integer(2)), row: .delete, base: nil))
        }
        #expect(try links(scene) == ["1 2", "1 3"])
        try scene.place.delete(from: "book_labels", where: "label_id", is: .integer(3))
        try run(scene, Self.labelled) { _, books throws in
            #expect(try books.localRow(key(.integer(1)))?[2] == .text("[2]"))
            try books.write(.update(1, [2], [.text("[]")]))
            #expect(try books.localRow(key(.integer(1)))?[2] == .text("[]"))
        }
        #expect(try links(scene) == [])
    }

    @Test(arguments: StoreUnderTest.all, [1, 2, 9])
    func setsAreReadBesideBases(_ kind: StoreUnderTest, _ limit: Int) throws {
        let scene = try StoreScene(kind)
        // Books are not in the order of their keys, one has no labels, and one of several has gone with its labels left.
        let sets: [(id: Int64, set: String)] = [(5, "[1,3]"), (-2, "[2]"), (3, "[]"), (.max, "[1,2,3]"), (4, "[3]")]
        try run(scene, Self.labelled) { labels, books throws in
            for id in [1, 2, 3] as [Int64] { try insertPerson(labels, id) }
            for book in sets { try insertBook(books, book.id, by: .text(Array(book.set.utf8))) }
        }
        // A row that no source gave has labels as well.
        try scene.place.insert(["id": .integer(1)], into: "books")
        try scene.place.insert(["book_id": .integer(1), "label_id": .integer(2)], into: "book_labels")
        try scene.place.delete(from: "books", where: "id", is: .integer(4))
        try scene.place.insert(["book_id": .integer(5), "label_id": .integer(2)], into: "book_labels")
        try run(scene, Self.labelled) { _, books throws in
            var found: [FieldValue?] = []
            var last: RecordKey?
            repeat {
                let page = try books.comparedRows(after: last, limit: limit, leavingOut: .none)
                found += page.rows.map { $0.values?[2] }
                last = page.last
            } while last != nil && found.count < 100
            #expect(found == [.text("[2]"), .text("[]"), nil, .text("[1,2,3]"), .text("[1,2,3]")])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func aMemberMayWaitForItsRecord(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let first = try run(scene, Self.labelled) { labels, books throws in
            try insertPerson(labels, 2)
            try insertBook(books, 1, by: .text("[1,2]"))
        }
        #expect(first.deferred["books.labels"]?.count == 1 && first.deferred["books.labels"]?.areLinks == true)
        #expect(try links(scene) == ["1 2"])
        let waiting = try scene.read { try $0.waiting(for: key(.integer(1)), of: Self.people) }
        #expect(waiting.map(\.field) == ["labels"] && waiting.map(\.key) == [#"{"id":1}"#])
        let second = try run(scene, Self.labelled) { labels, books throws in
            #expect(try books.localRow(key(.integer(1)))?[2] == .text("[1,2]"))
            #expect(try books.waitingTargets(key(.integer(1))) == ["labels": [key(.integer(1))]])
            let compared = try books.comparedRows(after: nil, limit: 9, leavingOut: .none)
            #expect(compared.rows.map { $0.values?[2] } == [.text("[1,2]")])
            try insertPerson(labels, 1)
        }
        #expect(second.linked == ["books.labels": Self.one])
        #expect(try links(scene) == ["1 1", "1 2"])
    }
}

import SluiceModel
import SluiceStore
import Testing

@Suite("Any store: references that are taken back")
struct ReferenceUndoContract: ReferenceSuite {
    /// The links that a run made, taken back as run 9.
    private func takeBack(_ scene: StoreScene, run: Int64) throws -> [LinkUndoing] {
        try scene.transaction(recording: 9) { store throws in
            let links = try store.changes.records(run: run, order: .newestFirst, beyond: nil, limit: 9).filter(\.isLink)
            let undone = try links.map { try store.revert($0, of: key(.integer(1))) }
            #expect(try store.settleReferences().linked.isEmpty)
            return undone
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func whatARunLinkedWaitsAgainOnceThatIsTakenBack(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = Self.books(.defer)
        try run(scene, schema) { _, books in try insertBook(books, 1, by: .integer(9)) }
        try run(scene, schema, run: 8) { people, _ in try insertPerson(people, 9) }
        let links = try scene.read {
            try $0.changes.records(run: 8, order: .oldestFirst, beyond: nil, limit: 9).filter(\.isLink)
        }
        #expect(links.map(\.key) == [#"{"id":1}"#] && links.map(\.mapping) == [schema.source])
        let column = RecordedChange.Column(
            name: "author", isField: true, fieldClass: RecordedChange.linkClass, old: .null, new: .integer(9))
        #expect(links.first?.columns == [column])
        // It is no insert, and nothing that was there when its source came.
        #expect(try scene.read { try $0.changes.keptInserts(run: 8, of: schema.source, keys: [#"{"id":1}"#]) } == [])
        #expect(try scene.read { try $0.changes.writes(run: 8, of: schema.source, keys: [#"{"id":1}"#]) } == [:])
        let undone = try takeBack(scene, run: 8)
        #expect(
            undone == [
                .back([
                    RecordedChange.Column(
                        name: "author", isField: true, fieldClass: RecordedChange.waitingClass, old: .integer(9),
                        new: .null)
                ])
            ])
        #expect(try authors(scene) == ["1 -"])
        let next = try run(scene, schema, run: 10) { _, books throws in
            #expect(try books.waitingTargets(key(.integer(1))) == ["author": [key(.integer(9))]])
        }
        #expect(next.linkedCount == 1)
        #expect(try authors(scene) == ["1 9"])
        // What leads elsewhere stays so.
        try scene.place.insert(["id": .integer(5)], into: "people")
        try scene.place.update("books", set: ["author": .integer(5)], where: "id", is: .integer(1))
        #expect(try takeBack(scene, run: 10) == [.edited([.integer(5)])])
        #expect(try authors(scene) == ["1 5"])
        try scene.place.update("books", set: ["author": .null], where: "id", is: .integer(1))
        #expect(try takeBack(scene, run: 10) == [.gone])
    }

    @Test(arguments: StoreUnderTest.all)
    func membersThatARunLinkedWaitAgain(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        try run(scene, Self.labelled) { labels, books throws in
            try insertPerson(labels, 2)
            try insertBook(books, 1, by: .text("[1,2,3]"))
        }
        try run(scene, Self.labelled, run: 8) { labels, _ throws in
            for id in [1, 3] as [Int64] { try insertPerson(labels, id) }
        }
        #expect(try links(scene) == ["1 1", "1 2", "1 3"])
        try scene.place.delete(from: "book_labels", where: "label_id", is: .integer(3))
        let undone = try takeBack(scene, run: 8)
        #expect(
            undone == [
                .back([
                    RecordedChange.Column(
                        name: "labels", isField: true, fieldClass: RecordedChange.waitingClass, old: .text("[1]"),
                        new: .null)
                ])
            ])
        #expect(try links(scene) == ["1 2"])
        #expect(try run(scene, Self.labelled, run: 10) { _, _ in }.linkedCount == 1)
        #expect(try links(scene) == ["1 1", "1 2"])
    }

    @Test(arguments: StoreUnderTest.all)
    func whatIsNullForGoodIsKeptAndPutBack(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = Self.books(.setNull)
        func changes(_ run: Int64) throws -> [RecordedChange] {
            try scene.read { try $0.changes.records(run: run, order: .oldestFirst, beyond: nil, limit: 9) }
        }
        func delete(_ table: any RecordTable) throws {
            var write = RecordWrite(key: key(.integer(9)), row: .delete, base: nil)
            write.keptBase = .remove
            try table.write(write)
        }
        try run(scene, schema) { people, books throws in
            try insertPerson(people, 9)
            try insertBook(books, 1, by: .integer(9))
        }
        try run(scene, schema, run: 8) { people, _ in try delete(people) }
        let gone = RecordedChange.Column(
            name: "author", isField: true, fieldClass: RecordedChange.emptiedClass, old: .integer(9), new: .null)
        let unlinks = try changes(8).filter(\.isUnlink)
        #expect(unlinks.map(\.columns) == [[gone]] && unlinks.map(\.emptied) == [[]])
        // It is so when the record comes back, and a run that writes the field has it as what was there.
        try run(scene, schema, run: 9) { people, books throws in
            try insertPerson(people, 9)
            #expect(try books.emptiedTargets(key(.integer(1))) == ["author": [key(.integer(9))]])
            #expect(try books.waitingTargets(key(.integer(1))) == [:])
        }
        #expect(try authors(scene) == ["1 -"])
        try run(scene, schema, run: 10) { _, books in try books.write(.update(1, [2], [.null])) }
        #expect(try changes(10).map(\.emptied) == [[gone]])
        try run(scene, schema, run: 11) { _, books in try books.write(.update(1, [2], [.integer(9)])) }
        #expect(try authors(scene) == ["1 9"])
        let emptied = try scene.transaction(recording: 12) { store throws in
            try store.empty([gone], of: key(.integer(1)), schema.source)
        }
        #expect(emptied == [gone])
        #expect(try changes(12).filter(\.isUnlink).map(\.columns) == [[gone]])
        #expect(try authors(scene) == ["1 -"])
        // What a run took leads there again where that is taken back.
        let linked = try scene.transaction(recording: 13) { store throws in
            for unlink in unlinks { try store.linkAgain(unlink, of: key(.integer(1))) }
            return try store.settleReferences()
        }
        #expect(linked.linkedCount == 1)
        #expect(try authors(scene) == ["1 9"])
        // Where the record is not there it is null for good as before.
        try run(scene, schema, run: 14) { people, _ in try delete(people) }
        try scene.transaction(recording: 15) { store throws in
            for unlink in unlinks { try store.linkAgain(unlink, of: key(.integer(1))) }
            #expect(try store.settleReferences().linkedCount == 0)
        }
        try run(scene, schema, run: 16) { people, _ in try insertPerson(people, 9) }
        #expect(try authors(scene) == ["1 -"])
    }

    // MARK: Stubs

    @Test(arguments: StoreUnderTest.all)
    func aRowMayStandForARecordThatIsNotThere(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = Self.books(.stub)
        let outcome = try run(scene, schema) { _, books throws in
            try insertBook(books, 1, by: .integer(9))
            try insertBook(books, 2, by: .integer(9))
        }
        #expect(outcome.stubs.keys.sorted() == ["people"] && outcome.deferred.isEmpty)
        #expect(outcome.stubs["people"]?.count == 1 && outcome.stubs["people"]?.keys == [#"{"id":9}"#])
        #expect(try scene.place.rows(of: "people", ["id", "name"]) == [[.integer(9), .null]])
        #expect(try authors(scene) == ["1 9", "2 9"])
        try scene.table(Self.people) { table throws in
            // No source spoke of it.
            #expect(try table.baseRow(key(.integer(9))) == nil)
        }
        // While something leads to it, it is not taken back.
        #expect(try scene.transaction { try $0.revertStubs(of: 7) } == 0)
        try scene.place.delete(from: "books", where: "author", is: .integer(9))
        #expect(try scene.transaction { try $0.revertStubs(of: 8) } == 0)
        #expect(try scene.transaction { try $0.revertStubs(of: 7) } == 1)
        #expect(try scene.place.rows(of: "people", ["id"]) == [])
    }

    @Test(arguments: StoreUnderTest.all)
    func aStubThatSomebodyFilledStays(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = Self.books(.stub)
        try run(scene, schema) { _, books in try insertBook(books, 1, by: .integer(9)) }
        try scene.place.delete(from: "books", where: "id", is: .integer(1))
        try scene.place.update("people", set: ["name": .text("Ada")], where: "id", is: .integer(9))
        #expect(try scene.transaction { try $0.revertStubs(of: 7) } == 0)
        #expect(try scene.place.rows(of: "people", ["id", "name"]) == [[.integer(9), .text("Ada")]])
    }
}

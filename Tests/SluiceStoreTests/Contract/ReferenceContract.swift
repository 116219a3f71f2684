import SluiceModel
import SluiceStore
import Testing

@Suite("Any store: references")
struct ReferenceContract {
    private static let people = RecordSchema.test(
        [("id", .int), ("name", .string)], table: "people", stream: "people")

    /// Books with an author.
    private static func books(_ rule: RecordReference.DanglingRule) -> RecordSchema {
        var schema = RecordSchema.test(
            [("id", .int), ("title", .string), ("author", .int)], table: "books", stream: "books")
        var reference = RecordReference(
            name: "author", fields: [2], target: "people", targetColumns: ["id"], onDangling: rule)
        reference.targetTypes = [.int]
        schema.references = [reference]
        return schema
    }

    /// Books with labels in a table of their own.
    private static var labelled: RecordSchema {
        var schema = RecordSchema.test(
            [("id", .int), ("title", .string), ("labels", .json)], table: "books", stream: "books")
        schema.fields[2].isLink = true
        var reference = RecordReference(
            name: "labels", fields: [2], target: "people", targetColumns: ["id"],
            link: RecordLink(table: "book_labels", ownerColumns: ["book_id"], targetColumns: ["label_id"]))
        reference.targetTypes = [.int]
        schema.references = [reference]
        return schema
    }

    /// Book 1.
    private static let one = ReferenceOutcome.Rows(count: 1, entity: "Item", keys: [#"{"id":1}"#])

    /// Prepares people and books, and runs a body with both tables as run 7, which is recorded; settles and commits.
    @discardableResult
    private func run(
        _ scene: StoreScene, _ books: RecordSchema, run: Int64 = 7,
        _ body: (_ people: any RecordTable, _ books: any RecordTable) throws -> Void
    ) throws -> ReferenceOutcome {
        try scene.transaction(recording: run) { store throws in
            for schema in [Self.people, books] { _ = try store.prepareTable(schema) }
            try body(try store.openTable(Self.people).table, try store.openTable(books).table)
            return try store.settleReferences()
        }
    }

    private func insertBook(_ books: any RecordTable, _ id: Int64, by author: FieldValue) throws {
        try books.insert(
            books.schema.batch([[.integer(id), .text("t"), author]]), records: [0], run: 7)
    }

    private func insertPerson(_ people: any RecordTable, _ id: Int64) throws {
        try people.insert(people.schema.batch([[.integer(id), .text("p")]]), records: [0], run: 7)
    }

    /// The authors of all books, as an editor sees them.
    private func authors(_ scene: StoreScene) throws -> [String] {
        try scene.place.rows(of: "books", ["id", "author"]).map { $0.map(\.words).joined(separator: " ") }
    }

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
        let second = try run(scene, schema) { people, books throws in
            // The row holds what was written of it.
            #expect(try books.localRow(key(.integer(1)))?[2] == .integer(9))
            #expect(try books.wholeRow(key(.integer(1)))?["author"] == .integer(9))
            #expect(try books.waitingTargets(key(.integer(1))) == ["author": [key(.integer(9))]])
            try insertPerson(people, 9)
        }
        #expect(second.linked == ["books.author": Self.one] && second.deferred.isEmpty)
        #expect(try authors(scene) == ["1 9"])
        let third = try run(scene, schema) { _, books throws in
            #expect(try books.waitingTargets(key(.integer(1))) == [:])
        }
        #expect(third == ReferenceOutcome())
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

    // MARK: Taking back

    /// The links that a run made, taken back as run 9.
    private func takeBack(_ scene: StoreScene, run: Int64) throws -> [LinkUndoing] {
        try scene.transaction(recording: 9) { store throws in
            let links = try store.changes.records(run: run, order: .newestFirst, beyond: nil, limit: 9).filter(\.isLink)
            let undone = try links.map { try store.takeBack($0, of: key(.integer(1))) }
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

    // MARK: Renaming

    /// Reactions to comments, whose key begins with that of a book's comment.
    private static var reactions: RecordSchema {
        var schema = RecordSchema.test(
            [("comment_book", .int), ("comment_position", .int), ("id", .int), ("kind", .string)],
            key: ["comment_book", "comment_position", "id"], table: "reactions", stream: "books")
        schema.entity = "Reaction"
        var reference = RecordReference(
            name: "comment", fields: [0, 1], target: "comments", targetColumns: ["book", "position"],
            onDangling: .owner)
        reference.targetTypes = [.int, .int]
        schema.references = [reference]
        return schema
    }

    /// The same entities under other names, each of which says what it was.
    private static var renamed: [RecordSchema] {
        func field(_ schema: inout RecordSchema, _ index: Int, _ name: String) {
            let old = schema.fields[index]
            schema.fields[index] = RecordSchema.Field(name: name, column: name, type: old.type)
            schema.fields[index].formerNames = [old.name]
        }
        var people = people
        (people.entity, people.formerly.entity, people.table) = ("Human", "Item", "humans")
        var books = books(.defer)
        (books.entity, books.formerly.entity, books.table) = ("Volume", "Item", "volumes")
        books.references[0].target = "humans"
        var comments = comments
        field(&comments, 0, "volume")
        comments.references[0].target = "volumes"
        var reactions = reactions
        field(&reactions, 0, "comment_volume")
        reactions.references[0].targetColumns = ["volume", "position"]
        return [books, comments, reactions, people]
    }

    @Test(arguments: StoreUnderTest.all)
    func whatRefersAndWhatStandsWithinFollowsANewName(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let old = [Self.people, Self.books(.defer), Self.comments, Self.reactions]
        try scene.transaction(recording: 7) { store throws in
            for schema in old { _ = try store.prepareTable(schema) }
            try insertPerson(try store.openTable(Self.people).table, 9)
            let books = try store.openTable(Self.books(.defer)).table
            try insertBook(books, 1, by: .integer(9))
            try insertBook(books, 2, by: .integer(8))
            try store.openTable(Self.comments).table.insert(
                Self.comments.batch([[.integer(1), .integer(4), .text("c")]]), records: [0], run: 7)
            try store.openTable(Self.reactions).table.insert(
                Self.reactions.batch([[.integer(1), .integer(4), .integer(6), .text("r")]]), records: [0], run: 7)
        }
        try scene.transaction(recording: 8) { store throws in
            for schema in Self.renamed { _ = try store.followNames(of: schema) }
            for schema in Self.renamed { #expect(try store.prepareTable(schema) == []) }
            let tables = try Self.renamed.map { try store.openTable($0).table }
            #expect(try tables[0].localRow(key(.integer(1))) == [.integer(1), .text("t"), .integer(9)])
            #expect(try tables[0].waitingTargets(key(.integer(2))) == ["author": [key(.integer(8))]])
            #expect(try tables[0].baseRow(key(.integer(1)))?.firstRun == 7)
            #expect(try tables[1].baseRow(key(.integer(1), .integer(4)))?.firstRun == 7)
            #expect(try tables[2].baseRow(key(.integer(1), .integer(4), .integer(6)))?.firstRun == 7)
            #expect(try tables[2].localRow(key(.integer(1), .integer(4), .integer(6)))?[3] == .text("r"))
            #expect(try store.children(of: Self.renamed[0].source) == [Self.renamed[1].source])
            try insertPerson(tables[3], 8)
            #expect(try store.settleReferences().linked.keys.sorted() == ["volumes.author"])
        }
        #expect(
            try scene.place.rows(of: "volumes", ["id", "author"]).map { $0.map(\.words) } == [["1", "9"], ["2", "8"]])
        #expect(try scene.place.rows(of: "comments", ["volume", "position"]) == [[.integer(1), .integer(4)]])
        // What belongs to a record still cannot be without it.
        let store = try scene.place.open()
        try store.begin()
        try store.openTable(Self.renamed[0]).table.write(RecordWrite(key: key(.integer(1)), row: .delete, base: nil))
        #expect(throws: StoreError.self) { _ = try store.settleReferences() }
        store.rollback()
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
        #expect(try scene.transaction { try $0.takeBackStubs(of: 7) } == 0)
        try scene.place.delete(from: "books", where: "author", is: .integer(9))
        #expect(try scene.transaction { try $0.takeBackStubs(of: 8) } == 0)
        #expect(try scene.transaction { try $0.takeBackStubs(of: 7) } == 1)
        #expect(try scene.place.rows(of: "people", ["id"]) == [])
    }

    @Test(arguments: StoreUnderTest.all)
    func aStubThatSomebodyFilledStays(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = Self.books(.stub)
        try run(scene, schema) { _, books in try insertBook(books, 1, by: .integer(9)) }
        try scene.place.delete(from: "books", where: "id", is: .integer(1))
        try scene.place.update("people", set: ["name": .text("Ada")], where: "id", is: .integer(9))
        #expect(try scene.transaction { try $0.takeBackStubs(of: 7) } == 0)
        #expect(try scene.place.rows(of: "people", ["id", "name"]) == [[.integer(9), .text("Ada")]])
    }

    // MARK: Owners

    /// Comments that belong to books.
    private static var comments: RecordSchema {
        var schema = RecordSchema.test(
            [("book", .int), ("position", .int), ("text", .string)], key: ["book", "position"], table: "comments",
            stream: "books")
        schema.entity = "Comment"
        var reference = RecordReference(
            name: "book", fields: [0], target: "books", targetColumns: ["id"], onDangling: .owner)
        reference.targetTypes = [.int]
        schema.references = [reference]
        return schema
    }

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
        try store.openTable(books).table.write(RecordWrite(key: key(.integer(1)), row: .delete, base: nil))
        let error = try #require(throws: StoreError.self) { _ = try store.settleReferences() }
        #expect(error.code == .rejected)
        store.rollback()
        #expect(try scene.place.rows(of: "books", ["id"]) == [[.integer(1)]])
    }

    // MARK: Several records

    private func links(_ scene: StoreScene) throws -> [String] {
        try scene.place.rows(of: "book_labels", ["book_id", "label_id"]).map {
            $0.map(\.words).joined(separator: " ")
        }
    }

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

    @Test(arguments: StoreUnderTest.all)
    func aMemberMayWaitForItsRecord(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let first = try run(scene, Self.labelled) { labels, books throws in
            try insertPerson(labels, 2)
            try insertBook(books, 1, by: .text("[1,2]"))
        }
        #expect(first.deferred["books.labels"]?.count == 1)
        #expect(try links(scene) == ["1 2"])
        let second = try run(scene, Self.labelled) { labels, books throws in
            #expect(try books.localRow(key(.integer(1)))?[2] == .text("[1,2]"))
            #expect(try books.waitingTargets(key(.integer(1))) == ["labels": [key(.integer(1))]])
            let compared = try books.comparedRows(after: nil, limit: 9) { _, row in
                row.values[2] == .text("[1,2]")
            }
            #expect(compared.rows.isEmpty)
            try insertPerson(labels, 1)
        }
        #expect(second.linked == ["books.labels": Self.one])
        #expect(try links(scene) == ["1 1", "1 2"])
    }
}

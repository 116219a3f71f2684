import SluiceModel
import SluiceStore
import Testing

@Suite("Any store: references and new names")
struct ReferenceRenameContract: ReferenceSuite {
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
        let gone = Self.renamed[0].base([.integer(1), .text("t"), .integer(9)], state: .remoteTombstone)
        try store.openTable(Self.renamed[0]).table.write(RecordWrite(key: key(.integer(1)), row: .delete, base: gone))
        #expect(throws: StoreError.self) { _ = try store.settleReferences().requireUnbroken() }
        store.rollback()
    }
}

import SluiceModel
import SluiceStore
import Testing

/// What the suites of references have in common: books with an author or labels, and comments that belong to them.
protocol ReferenceSuite {}

extension ReferenceSuite {
    static var people: RecordSchema {
        RecordSchema.test([("id", .int), ("name", .string)], table: "people", stream: "people")
    }

    /// Books with an author.
    static func books(_ rule: RecordReference.DanglingRule) -> RecordSchema {
        var schema = RecordSchema.test(
            [("id", .int), ("title", .string), ("author", .int)], table: "books", stream: "books")
        var reference = RecordReference(
            name: "author", fields: [2], target: "people", targetColumns: ["id"], onDangling: rule)
        reference.targetTypes = [.int]
        schema.references = [reference]
        return schema
    }

    /// Books with labels in a table of their own.
    static var labelled: RecordSchema {
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
    static var one: ReferenceOutcome.Rows { ReferenceOutcome.Rows(count: 1, entity: "Item", keys: [#"{"id":1}"#]) }

    /// Prepares people and books, and runs a body with both tables as run 7, which is recorded; settles and commits.
    @discardableResult
    func run(
        _ scene: StoreScene, _ books: RecordSchema, run: Int64 = 7,
        _ body: (_ people: any RecordTable, _ books: any RecordTable) throws -> Void
    ) throws -> ReferenceOutcome {
        try scene.transaction(recording: run) { store throws in
            for schema in [Self.people, books] { _ = try store.prepareTable(schema) }
            try body(try store.openTable(Self.people).table, try store.openTable(books).table)
            return try store.settleReferences()
        }
    }

    func insertBook(_ books: any RecordTable, _ id: Int64, by author: FieldValue) throws {
        try books.insert(
            books.schema.batch([[.integer(id), .text("t"), author]]), records: [0], run: 7)
    }

    func insertPerson(_ people: any RecordTable, _ id: Int64) throws {
        try people.insert(people.schema.batch([[.integer(id), .text("p")]]), records: [0], run: 7)
    }

    /// The authors of all books, as an editor sees them.
    func authors(_ scene: StoreScene) throws -> [String] {
        try scene.place.rows(of: "books", ["id", "author"]).map { $0.map(\.words).joined(separator: " ") }
    }

    /// Comments that belong to books.
    static var comments: RecordSchema {
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

    func links(_ scene: StoreScene) throws -> [String] {
        try scene.place.rows(of: "book_labels", ["book_id", "label_id"]).map {
            $0.map(\.words).joined(separator: " ")
        }
    }
}

import Foundation
import TestSupport
import Testing

/// What is renamed, and the key that says so.
struct Rename: Sendable, CustomTestStringConvertible {
    let name: String
    /// Texts of the file and what stands in their place.
    let changes: [(String, String)]
    /// Where the key goes: behind this text.
    let place: String
    let key: String
    /// What a plan says of it.
    let shown: String
    var table = "books"
    var column = "title"
    /// What the refusal names.
    var refusal: [String]
    var testDescription: String { name }

    static let all: [Rename] = [
        Rename(
            name: "a field", changes: [("title: string", "headline: {from: title}")], place: "headline: {from: title",
            key: ", renamed_from: title", shown: "rename_column", column: "headline",
            refusal: ["column `title` of `books`", "renamed_from: title"]),
        Rename(
            name: "a field that keeps its column",
            changes: [("title: string", "headline: {from: title, column: title}")], place: "headline: {from: title",
            key: "", shown: "", refusal: []),
        Rename(
            name: "a stream", changes: [("- name: books", "- name: volumes")], place: "- name: volumes",
            key: "\n    renamed_from: books", shown: "rename_source",
            refusal: ["the stream `books` said of 4 records", "renamed_from: books"]),
        Rename(
            name: "an entity", changes: [("Book:", "Volume:"), ("entity: Book", "entity: Volume")], place: "Volume:",
            key: "\n    renamed_from: Book", shown: "rename_source",
            refusal: ["4 records of `Book`", "renamed_from: Book"]),
        Rename(
            name: "an entity with its table",
            changes: [("Book:", "Volume:"), ("entity: Book", "entity: Volume"), ("table: books", "table: volumes")],
            place: "Volume:", key: "\n    renamed_from: Book", shown: "rename_table", table: "volumes",
            refusal: ["4 records of `Book`", "renamed_from: Book"]),
        Rename(
            name: "a table", changes: [("table: books", "table: volumes")], place: "table: volumes",
            key: "\n    table_renamed_from: books", shown: "rename_table", table: "volumes",
            refusal: ["rows of the table `books`", "table_renamed_from: books"]),
        Rename(
            name: "the pipeline", changes: [("name: books\nstore", "name: shop\nstore")], place: "name: shop",
            key: "\nrenamed_from: books", shown: "rename_source", refusal: []),
        Rename(
            name: "a stream of a pipeline that is renamed",
            changes: [
                ("name: books\nstore", "name: shop\nrenamed_from: books\nstore"), ("- name: books", "- name: volumes"),
            ], place: "- name: volumes", key: "\n    renamed_from: books", shown: "rename_source",
            refusal: ["the stream `books` said of 4 records", "renamed_from: books"]),
        Rename(
            name: "everything",
            changes: [
                ("name: books\nstore", "name: shop\nrenamed_from: books\nstore"),
                ("- name: books", "- name: volumes\n    renamed_from: books"),
                ("Book:", "Volume:\n    renamed_from: Book"), ("entity: Book", "entity: Volume"),
                ("table: books", "table: volumes"), ("title: string", "headline: {from: title, renamed_from: title}"),
            ], place: "name: shop", key: "", shown: "rename_table", table: "volumes", column: "headline", refusal: []),
    ]
}

/// What the suites of names have in common: a pipeline of books, of which people have corrected and deleted some.
protocol RenameSuite {}

extension RenameSuite {
    static func pipeline() -> String {
        """
        version: 1
        name: books
        store: sqlite:shop.db
        source: {base_url: "file:."}
        entities:
          Book:
            table: books
            primary_key: [id]
            fields: {id: int, title: string, price: {type: decimal, required: true}}
        streams:
          - name: books
            entity: Book
            path: books.json
            delete_missing: {mode: hard, max_delete: 100%}
        """
    }

    static func records(_ titles: [String]) -> String {
        let texts = titles.enumerated().map { #"{"id": \#($0 + 1), "title": "\#($1)", "price": "9.50"}"# }
        return "[" + (texts + [#"{"id": 9, "title": "broken"}"#]).joined(separator: ",") + "]"
    }

    /// A store in which people changed one title, deleted one record, and have to decide over another.
    func scene() throws -> Scene {
        let scene = try Scene()
        try scene.write("books.yaml", Self.pipeline())
        try scene.write("books.json", Self.records(["one", "two", "three", "four"]))
        #expect(try run(scene, "run").code == 0)
        try scene.execute("UPDATE books SET title = 'mine' WHERE id = 1; DELETE FROM books WHERE id = 2")
        try scene.execute("UPDATE books SET title = 'ours' WHERE id = 3")
        try scene.write("books.json", Self.records(["one", "two", "new", "four"]))
        #expect(try run(scene, "run").code == 0)
        return scene
    }

    func run(_ scene: Scene, _ arguments: String...) throws -> Program.Result {
        try Program.start([arguments[0], "books.yaml"] + arguments.dropFirst(), in: scene.path).wait()
    }

    func rename(_ scene: Scene, _ rename: Rename, says: Bool) throws {
        var text = Self.pipeline()
        for (old, new) in rename.changes { text = text.replacingOccurrences(of: old, with: new) }
        if says { text = text.replacingOccurrences(of: rename.place, with: rename.place + rename.key) }
        try scene.write("books.yaml", text)
    }
}

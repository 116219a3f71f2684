import SluiceReview
import Testing

/// What people changed of a list that is one value and in conflict stands beside what the source's list has there.
@Suite("Edits of lists in conflict")
struct ContestedListEditTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let edit: String
        /// What the source's list has by now.
        var words = ["a", "z"]
        let told: [String]
    }

    static let cases = [
        Case(
            testDescription: "a value", edit: "UPDATE words SET word = 'own' WHERE position = 1",
            told: [#"edit 1 word="own" "z" (1)"#]),
        Case(
            testDescription: "a value that the source's list no longer has",
            edit: "UPDATE words SET word = 'own' WHERE position = 1", words: ["z"], told: [#"edit 1 word="own" - (1)"#]),
        Case(
            testDescription: "an element that was deleted", edit: "DELETE FROM words WHERE position = 1",
            told: [#"delete 1 {"book_id":1,"position":1,"word":"z"} (1)"#]),
        Case(
            testDescription: "an element that was added", edit: "INSERT INTO words VALUES (1, 2, 'own')",
            told: [#"add 2 - (1)"#]),
    ]

    @Test(arguments: cases)
    func edits(_ test: Case) throws {
        let shop = try Workshop()
        try shop.define(
            "shop",
            """
            entities:
              Book:
                table: books
                primary_key: id
                fields: {id: int}
                children: {words: {entity: Word, from: "words[*]", ordered: true}}
              Word: {table: words, fields: {word: {from: $}}}
            streams: [{name: books, entity: Book, path: remote.json}]
            """)
        func run(_ words: [String]) throws {
            let list = words.map { "\"\($0)\"" }.joined(separator: ",")
            _ = try shop.syncPlanned(#"[{"id":1,"words":[\#(list)]}]"#)
        }
        try run(["a", "b"])
        try shop.sql(test.edit)
        try run(test.words)
        var told: [String] = []
        try EditReader(store: shop.open(.reading)).edits(pipelines: nil, entity: nil) { edit in
            func words(_ conflict: RecordEdit.Conflict?) -> String {
                conflict.map { "\($0.remote ?? "-") (\($0.number))" } ?? "none"
            }
            let place = edit.key.filter(\.isNumber).dropFirst()
            let fields = edit.fields.map { "\($0.name)=\($0.local ?? "-") \(words($0.conflict ?? edit.conflict))" }
            let whole = edit.kind == .edit ? fields.joined(separator: ", ") : words(edit.conflict)
            told.append("\(edit.kind) \(place) \(whole)")
        }
        #expect(told == test.told)
    }
}

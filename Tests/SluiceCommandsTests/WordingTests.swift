import SluiceDiagnostics
import Testing

/// What the program says where other words had misled people: each case has a sentence that it says and one that it does
/// not say. Sources over HTTP, and users without rights, have theirs in `ConditionalTests` and `BadStoreTests`; what stands
/// in the place of a base that cannot be shown has its own in `BaseWordsTests`.
@Suite struct WordingTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        /// The rest of the entity, such as its fields.
        var book = "fields: {id: int, title: string}"
        /// More keys of the stream, behind a comma.
        var stream = ""
        /// What the table is before the first run, as SQL.
        var before = ""
        /// What the source says, in one run after the other.
        let source: [String]
        /// What people do before the last command, as SQL.
        var edit = ""
        /// The last command; without one, the run itself.
        var command: [String] = []
        let words: [String]
        let notSaid: String

        var testDescription: String { name }
    }

    private static let cases = [
        Case(
            name: "a whole number that a double changes", book: "fields: {id: int, price: double}",
            source: [#"[{"id":1,"price":9007199254740993}]"#],
            words: ["9007199254740993 cannot be stored exactly as a double; use int or decimal."],
            notSaid: "which a double cannot hold"),
        Case(
            name: "a key that no field takes",
            source: [#"[{"id":1,"title":"One"}]"#, #"[{"id":1,"title":"One","n":1}]"#],
            words: ["1 key is not mapped: `n`. Add a field for it"], notSaid: "did not send before"),
        Case(
            name: "two keys that no field takes",
            source: [#"[{"id":1,"title":"One"}]"#, #"[{"id":1,"title":"One","n":1,"m":2}]"#],
            words: ["2 keys are not mapped: `n`, `m`. Add fields for them"], notSaid: "1 key"),
        Case(
            name: "the quarantine once more", book: "fields: {id: int, title: {type: string, required: true}}",
            source: [#"[{"id":1}]"#], command: ["quarantine", "retry", "--all", "shop.yaml"],
            words: ["Run 2: retry of quarantined records of shop: ", "0 records left the quarantine, 1 stays."],
            notSaid: "of the quarantine of"),
        Case(
            name: "an import that is only planned", source: [#"[{"id":1}]"#],
            command: ["import", "books.json", "--plan", "--table", "others"],
            words: ["Nothing was written yet. Run again without `--plan` to do it.", "It is not listed; list it with"],
            notSaid: "this is done"),
        Case(
            name: "records that share an identifier",
            source: [#"[{"id":1,"a":1},{"id":1,"a":2},{"id":2,"a":3},{"id":3,"a":4},{"id":4,"a":5}]"#],
            command: ["import", "books.json", "--plan", "--table", "others", "--key", "id"],
            words: ["2 of 5 records share an id; the last is kept."], notSaid: "1 have"),
        Case(
            name: "a sure identifier",
            source: ["[" + (1...15).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"],
            command: ["import", "books.json", "--plan", "--table", "others"],
            words: ["present and unique in all 15 records"], notSaid: "never twice"),
        Case(
            name: "no field is named as identifiers are",
            source: [#"[{"color":"red"},{"color":"blue"}]"#],
            command: ["import", "books.json", "--plan", "--table", "others"],
            words: ["No unique field looks like an identifier."], notSaid: "never twice is named"),
        Case(
            name: "a trigger",
            before: """
                CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT) STRICT;
                CREATE TRIGGER no_emma BEFORE INSERT ON books WHEN NEW.title = 'Emma'
                BEGIN SELECT RAISE(ABORT, 'no Emma here'); END
                """,
            source: [#"[{"id":1,"title":"Emma"}]"#],
            words: ["A trigger of `books` refused it: no Emma here.", "\n1 not written to books: kept in quarantine."],
            notSaid: "not valid"),
        Case(
            name: "a cursor that waits for a record",
            book: "fields: {id: int, title: {type: string, required: true}, at: date}",
            stream: "incremental: {cursor_field: at, client_side: true}",
            source: [
                #"[{"id":1,"title":"One","at":"2026-09-28"},{"id":2,"at":"2026-09-29"},{"id":3,"title":"Three","at":"2026-09-30"}]"#
            ],
            words: ["The cursor of `books` goes no further than 2026-09-28, because 1 record could not be written."],
            notSaid: "stays at"),
        Case(
            name: "an edit that left the time as it was",
            book: "newest: {field: at}, on_conflict: newest_wins, fields: {id: int, title: string, at: date}",
            source: [
                #"[{"id":1,"title":"One","at":"2026-09-28"}]"#, #"[{"id":1,"title":"Uno","at":"2026-09-29"}]"#,
            ],
            edit: "UPDATE books SET title = 'Eins'",
            words: ["newest_wins cannot tell: the edit left `at` as it was"], notSaid: "newest_wins, "),
        Case(
            name: "a store that is not there", source: [#"[{"id":1}]"#],
            command: ["status", "--store", "sqlite:none.db"],
            words: ["Name it with `--store sqlite:FILE` or `SLUICE_STORE`, or name a pipeline file that fills it."],
            notSaid: "unable to open"),
        Case(
            name: "records within a list of lists", source: [#"[{"id":1,"lines":[{"no":1}]}]"#],
            command: ["import", "books.json", "--plan", "--table", "others", "--records", "$[*].lines"],
            words: ["If its elements are the records, say `--records '$[*].lines[*]'`."],
            notSaid: "where the records are"),
    ]

    @Test(arguments: cases) func theProgramSaysIt(_ story: Case) throws {
        let shop = try Workshop()
        if !story.before.isEmpty { try shop.make(story.before) }
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: [id], \(story.book)}
            streams:
              - {name: books, entity: Book, path: books.json\(story.stream.isEmpty ? "" : ", \(story.stream)")}
            """, to: "shop.yaml")
        var outcome: Workshop.Outcome?
        for (index, text) in story.source.enumerated() {
            let isLast = index == story.source.count - 1
            if isLast && !story.edit.isEmpty { try shop.sql(story.edit) }
            try shop.write(text, to: "books.json")
            if !isLast || story.command.first != "import" { outcome = shop.sluice("run", shop.pipeline) }
        }
        if !story.command.isEmpty {
            let names = ["books.json", "shop.yaml"]
            let command = story.command.map { names.contains($0) ? "\(shop.folder)/\($0)" : $0 }
            outcome = command.contains("--store") ? shop.run(command) : shop.sluice(command)
        }
        let said = try #require(outcome.map { $0.output + $0.errors })
        for words in story.words { #expect(said.contains(words), "\(said)") }
        #expect(!said.contains(story.notSaid), "\(said)")
    }

    /// One rule for all numbers of things.
    @Test(arguments: [
        (0, "0 entries are"), (1, "1 entry is"), (2, "2 entries are"), (1_234_567, "1,234,567 entries are"),
    ])
    func wordsAgreeWithTheirNumber(_ number: Int, _ words: String) {
        #expect("\(Plural.of(number, "entry", "entries")) \(Plural.word(number, "is", "are"))" == words)
    }
}

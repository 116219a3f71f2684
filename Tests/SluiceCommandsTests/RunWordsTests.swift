import Testing

/// What a run came to is told in the same words by its report, by `history` and by `status`, however little that was.
@Suite("Words of what a run came to")
struct RunWordsTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Keys of the stream.
        let stream: String
        let before: String
        let after: String
        let words: String
        /// What the history for programs says besides its counts.
        let json: String
    }

    static let cases = [
        Case(
            testDescription: "all older than the cursor",
            stream: "incremental: {client_side: true, cursor_field: at}",
            before: #"[{"id":1,"at":"2026-05-01T00:00:00Z"},{"id":2,"at":"2026-05-02T00:00:00Z"}]"#,
            after: #"[{"id":1,"at":"2026-04-01T00:00:00Z"},{"id":2,"at":"2026-04-02T00:00:00Z"}]"#,
            words: "no records, 2 filtered out", json: #""filtered":2,"summary""#),
        Case(
            testDescription: "left out by a filter", stream: "filter: .id < 2",
            before: #"[{"id":1},{"id":2}]"#, after: #"[{"id":1},{"id":2},{"id":3}]"#,
            words: "1 unchanged, 2 filtered out", json: #""filtered":2,"summary""#),
        Case(
            testDescription: "missing, to be confirmed",
            stream: "delete_missing: {mode: hard, max_delete: 100%, confirm: 2}",
            before: #"[{"id":1},{"id":2}]"#, after: #"[{"id":1}]"#, words: "1 unchanged, 1 missing",
            json: #""suspected":1,"summary""#),
    ]

    @Test(arguments: cases) func areTheSame(_ test: Case) throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, at: datetime}}
            streams:
              - {name: books, entity: Book, path: books.json, \(test.stream)}
            """, to: "shop.yaml")
        try shop.write(test.before, to: "books.json")
        let first = shop.sluice("run", shop.pipeline)
        #expect(first.code == 0, "\(first.errors)")
        try shop.write(test.after, to: "books.json")
        let second = shop.sluice("run", shop.pipeline)
        #expect(second.code == 0 && second.output.contains(test.words), "\(second.output)\(second.errors)")
        let list = shop.sluice("history").output
        let line = try #require(list.split(separator: "\n").first)
        #expect(line.hasSuffix("  " + test.words), "\(list)")
        #expect(shop.sluice("status").output.contains(" \(test.words)\n"))
        let run = shop.sluice("history", "2").output
        #expect(run.contains("\n  \(test.words)\n"), "\(run)")
        // The list and the run itself name one moment.
        let moment = try #require(line.split(separator: " ").first { $0.hasSuffix("Z") })
        #expect(run.contains("at \(moment)"), "\(list)\(run)")
        #expect(shop.sluice("history", "2", "--format", "markdown").output.contains(test.words))
        for arguments in [["history"], ["status"]] {
            let json = shop.run(arguments + ["--store", "sqlite:\(shop.store)", "--format", "json"]).output
            #expect(json.contains(test.json), "\(json)")
        }
    }
}

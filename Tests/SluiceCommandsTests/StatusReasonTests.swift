import Testing

/// `status` says why a run was not whole, until a later one is.
@Suite struct StatusReasonTests {
    private static let pipeline = """
        version: 1
        name: shop
        source: {base_url: "file:."}
        entities:
          Book: {table: books, primary_key: [id], fields: {id: int, title: string}}
          Author: {table: authors, primary_key: [id], fields: {id: int}}
        streams:
          - {name: books, entity: Book, path: books.json, delete_missing: {mode: hard, max_delete: 1}}
          - {name: authors, entity: Author, path: authors.json}
        """

    private func shop() throws -> Workshop {
        let shop = try Workshop()
        try shop.write(Self.pipeline, to: "shop.yaml")
        try shop.write("[]", to: "authors.json")
        try shop.write(#"[{"id":1},{"id":2},{"id":3}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        return shop
    }

    @Test(arguments: [
        // Runs after the refused one, and whether `status` still says why that was refused.
        (["missing"], true), (["authors"], true), (["authors", "missing"], true), (["books"], true), (["whole"], false),
        (["authors", "whole"], false), (["whole", "missing"], false), (["allowed"], false),
        (["allowed", "authors"], false),
    ])
    func theReasonStaysUntilALaterRunIsWhole(later: [String], stays: Bool) throws {
        let shop = try shop()
        try shop.write(#"[{"id":3}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline).code == 4)
        #expect(shop.sluice("status").output.contains("are gone from the source"))
        for step in later {
            switch step {
            case "missing":
                try shop.write("{", to: "authors.json")
                #expect(shop.sluice("run", shop.pipeline).code == 1)
                try shop.write("[]", to: "authors.json")
            case "whole":
                try shop.write(#"[{"id":1},{"id":2},{"id":3}]"#, to: "books.json")
                #expect(shop.sluice("run", shop.pipeline).code == 0)
            case "allowed": #expect(shop.sluice("run", shop.pipeline, "--allow-deletes", "2").code == 0)
            default: _ = shop.sluice("run", shop.pipeline, "--stream", step)
            }
        }
        let text = shop.sluice("status").output
        #expect(text.contains("are gone from the source") == stays, "\(text)")
        let json = shop.sluice("status", "--format", "json").output
        #expect(json.contains("are gone from the source") == stays, "\(json)")
        #expect(json.contains(#""unfinished_run":{"run":2"#) == stays, "\(json)")
    }

    @Test func recordsThatShareAKeyAndDifferAreNamed() throws {
        let shop = try shop()
        let records = (1...5).flatMap { [#"{"id":\#($0),"title":"a"}"#, #"{"id":\#($0),"title":"b"}"#] }
        try shop.write("[" + records.joined(separator: ",") + "]", to: "books.json")
        let run = shop.sluice("run", shop.pipeline, "--quiet")
        #expect(run.errors.contains("warning: shop/books: 10 of 10 records of `books` share a key"), "\(run.errors)")
        let text = shop.sluice("status").output
        #expect(text.contains("  - Book 1\n") && text.contains("  - Book 3\n"), "\(text)")
        #expect(text.contains("… and 2 more"), "\(text)")
        let json = shop.sluice("status", "--format", "json").output
        #expect(json.contains(#""entity":"Book","keys":["#) && json.contains(#"{"id":5}"#), "\(json)")
    }
}

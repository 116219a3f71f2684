import SluiceSQLite
import Testing

/// What goes along with a decision is shown before it is made, as the decision itself does it.
@Suite struct DecisionPreviewTests {
    /// An article with lines and its author, edited here and gone from the source.
    private func shop() throws -> Workshop {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Author: {table: authors, primary_key: id, fields: {id: int, name: string}}
              Article:
                table: articles
                primary_key: id
                fields: {id: int, title: string, author: {ref: Author}}
                children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
              Line: {table: lines, fields: {no: int, text: string}}
            streams:
              - {name: authors, entity: Author, path: a.json, delete_missing: {mode: hard, max_delete: 100%}}
              - {name: articles, entity: Article, path: books.json, delete_missing: {mode: hard, max_delete: 100%}}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"name":"Ann"},{"id":2,"name":"Bob"}]"#, to: "a.json")
        let kept = #"{"id":8,"title":"Two","author":1}"#
        try shop.write(
            #"[{"id":7,"title":"One","author":2,"lines":[{"no":1,"text":"a"},{"no":2,"text":"b"}]},\#(kept)]"#,
            to: "books.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        try shop.sql("UPDATE authors SET name = 'Anna' WHERE id = 1; UPDATE articles SET title = 'Uno' WHERE id = 7")
        try shop.write(#"[{"id":2,"name":"Bob"}]"#, to: "a.json")
        try shop.write("[\(kept)]", to: "books.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        return shop
    }

    @Test func whatGoesAlongIsShownAndNotDone() throws {
        let shop = try shop()
        let before = try shop.rows("SELECT name FROM sqlite_schema ORDER BY 1")
        let author = shop.sluice("conflicts", "show", "1").output
        let warning =
            "1 reference of `articles.author` loses its record: it led to `1`, and is null until its record arrives."
        #expect(author.contains("With `--take remote`:\nwarning: \(warning)\n  - Article 8\n"), "\(author)")
        #expect(!author.contains("With `--take local`"), "\(author)")
        let article = shop.sluice("conflicts", "show", "2").output
        #expect(article.contains("--take remote  deletes the row; Line: 2 deleted\n"), "\(article)")
        let json = shop.sluice("conflicts", "show", "2", "--format", "json").output
        #expect(json.contains(#""decisions":["#) && json.contains(#"{"take":"local"}"#), "\(json)")
        #expect(json.contains(#"{"take":"remote","entities":{"Line":{"insert":0,"#), "\(json)")
        // Nothing of it is done.
        #expect(try shop.rows("SELECT name FROM sqlite_schema ORDER BY 1") == before)
        #expect(try shop.value("SELECT count(*) FROM lines") == .integer(2))
        #expect(try shop.value("SELECT count(*) FROM _sluice_runs") == .integer(2))
        let decided = shop.sluice("conflicts", "resolve", "1", "2", "--take", "remote")
        #expect(decided.output.contains(warning), "\(decided.output)")
        #expect(try shop.value("SELECT count(*) FROM lines") == .integer(0))
        #expect(!shop.sluice("conflicts", "show", "1", "--format", "json").output.contains("decisions"))
    }

    /// What a decision cannot do is said where it is offered.
    @Test func whatWouldBeRefusedSaysWhy() throws {
        let shop = try shop()
        try shop.sql("INSERT INTO lines (article_id, no, text) VALUES (7, 3, 'mine')")
        let stale = shop.sluice("conflicts", "show", "2").output
        #expect(stale.contains("--take remote  deletes the row; it would be asked anew, "), "\(stale)")
        _ = shop.sluice("run", shop.pipeline)
        let article = shop.sluice("conflicts", "show", "2").output
        #expect(article.contains("--take remote  deletes the row; it would be refused: "), "\(article)")
    }
}

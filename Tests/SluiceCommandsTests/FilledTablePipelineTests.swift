import SluiceCommands
import Testing

/// `sluice generate pipeline` says of a table that pipelines fill what the store knows of it.
@Suite struct FilledTablePipelineTests {
    @Test func aTableThatAPipelineFillsIsSaidToBeFilled() throws {
        let shop = try Workshop()
        try shop.writePipeline(deleteMissing: "ignore")
        try shop.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.sql("CREATE TABLE other (id INTEGER PRIMARY KEY)")
        let filled = shop.sluice("generate", "pipeline", "--from-table", "books")
        #expect(filled.code == 0 && filled.output.contains("` fills this table already"), "\(filled)")
        let other = shop.sluice("generate", "pipeline", "--from-table", "other")
        #expect(other.code == 0 && !other.output.contains("fills this table"), "\(other)")
    }

    /// Under the name of a pipeline that the store knows it would be that pipeline, and no other source.
    @Test func thePipelineOfAFilledTableHasANameOfItsOwn() throws {
        let shop = try Workshop()
        try shop.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
        for (name, next) in [("books", "books-2"), ("books-2", "books-3")] {
            try shop.write(
                """
                version: 1
                name: \(name)
                source: {base_url: "file:."}
                entities: {Book: {table: books, primary_key: [id], fields: {id: int, title: string, price: decimal}}}
                streams: [{name: books, entity: Book, path: books.json}]
                """, to: "shop.yaml")
            #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
            let outcome = shop.sluice("generate", "pipeline", "--from-table", "books")
            #expect(outcome.output.contains("\nname: \(next)\n"), "\(outcome)")
        }
        let outcome = shop.sluice("generate", "pipeline", "--from-table", "books")
        #expect(outcome.output.contains("`books-2/books`, `books/books` fill this table already"), "\(outcome)")
    }

    @Test func aColumnThatNoFieldFillsIsSaidToBeSo() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id":1,"title":"One","price":"1"}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.writePipeline(book: "fields: {id: int, title: string}")
        #expect(shop.sluice("run", shop.pipeline, "-q", "--allow-schema", "drop").code == 0)
        try shop.sql("ALTER TABLE books ADD COLUMN shelf TEXT")
        let outcome = shop.sluice("generate", "pipeline", "--from-table", "books")
        for line in [
            "      title: string\n", "      price: decimal  # left by field price, which was given up\n",
            "      shelf: string  # your own column, which nothing fills\n",
        ] {
            #expect(outcome.output.contains(line), "\(line)\(outcome)")
        }
    }

    /// The store knows what the columns of its own tables do not say.
    @Test func aTableThatAPipelineFillsHasItsTypesAndReferences() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: tickets
            source: {base_url: "file:."}
            entities:
              Ticket: {table: tickets, primary_key: id, fields: {id: int, due: datetime, estimate: decimal, reporter: {ref: User, from: reporter_id, on_dangling: set_null}, labels: {refs: Label, from: "labels[*]"}, watchers: {refs: User, from: "watchers[*]", via: watching, target_column: watcher}}}
              User: {table: users, primary_key: id, fields: {id: int, mail: {type: string, redact: hash}}}
              Label: {table: labels, primary_key: name, fields: {name: string}}
            streams:
              - {name: tickets, entity: Ticket, path: tickets.json}
              - {name: users, entity: User, path: users.json}
              - {name: labels, entity: Label, path: labels.json}
            """, to: "shop.yaml")
        try shop.write(
            #"[{"id":1,"due":"2026-12-01T00:00:00Z","estimate":"1.5","reporter_id":7,"labels":["a"],"watchers":[7]}]"#,
            to: "tickets.json")
        try shop.write(#"[{"id":7,"mail":"a@b"}]"#, to: "users.json")
        try shop.write(#"[{"name":"a"}]"#, to: "labels.json")
        let run = shop.sluice("run", shop.pipeline, "-q")
        #expect(run.code == 0, "\(run)")
        func generate(_ tables: String...) -> Workshop.Outcome {
            shop.sluice(["generate", "pipeline", "--url", "file:."] + tables.flatMap { ["--from-table", $0] })
        }
        let outcome = generate("tickets", "labels", "users")
        #expect(outcome.output.contains("for the tables `tickets`, `labels`, `users`."), "\(outcome)")
        for lines in [
            """
              Ticket:

            """,
            """
                  id: int
                  due: datetime
                  estimate: decimal
                  reporter: {from: reporter_id, ref: User, on_dangling: set_null}
                  labels: {from: "$.labels[*]", refs: Label}
                  watchers: {from: "$.watchers[*]", refs: User, via: watching, target_column: watcher}

            """,
            "mail: string  # kept with `redact: hash`, which this field does not have\n",
        ] {
            #expect(outcome.output.contains(lines), "\(lines): \(outcome)")
        }
        try shop.write(outcome.output, to: "shop.yaml")
        let validate = shop.sluice("validate", shop.pipeline)
        #expect(validate.code == 0, "\(validate)")
        let alone = generate("tickets")
        #expect(alone.output.contains("reporter_id: int  # refers to users"), "\(alone)")
        #expect(
            alone.output.contains(
                "# The table `tickets_labels` links it to `labels`; name that table too for a `refs`."),
            "\(alone)")
    }
}

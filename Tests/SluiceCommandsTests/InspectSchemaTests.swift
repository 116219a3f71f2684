import SluiceSQLite
import Testing

@Suite struct InspectSchemaTests {
    @Test func severalSourcesOfATableAreToldApart() throws {
        let shop = try Workshop()
        for (name, title) in [("one", "title: string"), ("two", "name: {type: string, column: title}")] {
            try shop.write(
                """
                version: 1
                name: \(name)
                source: {base_url: "file:."}
                entities:
                  Book: {table: books, primary_key: [id], fields: {id: int, \(title)}}
                streams:
                  - {name: books, entity: Book, path: \(name).json}
                """, to: "\(name).yaml")
            try shop.write(#"[{"id":1}]"#, to: "\(name).json")
            let run = shop.sluice("run", "\(shop.folder)/\(name).yaml")
            #expect(run.code == 0, "\(run.output)\(run.errors)")
        }
        let text = shop.sluice("inspect", "schema").output
        #expect(
            text == """
                books  (Book from one/books, two/books)
                    id     INTEGER  key  field id, int
                    title  TEXT          field title, string from one/books; field name, string from two/books

                """)
        #expect(shop.sluice("inspect", "schema", "--pipeline", "two").output == text)
    }

    /// A stream whose records refer to others gives some where it sends objects, and none where it sends keys.
    @Test(arguments: ["7", #"{"id":7,"name":"Ann"}"#]) func whoNeverGaveARecordFillsNoTable(author: String) throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Author: {table: authors, primary_key: [id], fields: {id: int, name: string}}
              Book: {table: books, primary_key: [id], fields: {id: int, author: {ref: Author}}}
            streams:
              - {name: authors, entity: Author, path: authors.json}
              - {name: books, entity: Book, path: books.json}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":7,"name":"Ann"}]"#, to: "authors.json")
        try shop.write(#"[{"id":1,"author":\#(author)}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        let text = shop.sluice("inspect", "schema").output
        let givers = author == "7" ? "shop/authors" : "shop/authors, shop/books"
        #expect(text.contains("authors  (Author from \(givers))\n"), "\(text)")
        #expect(text.contains("books  (Book from shop/books)\n"), "\(text)")
        #expect(shop.sluice("inspect", "schema", "--pipeline", "shop").output == text)
    }

    /// An `enum` is told with its values, each in quotes: one of them may have a comma. Where redacted, it is told without.
    @Test func anEnumHasItsValues() throws {
        let shop = try Workshop()
        func write(_ state: String) throws {
            try shop.writePipeline(book: "fields: {id: int, state: \(state)}")
        }
        try shop.write(#"[{"id":1,"state":"old"},{"id":2,"state":"lost"}]"#, to: "books.json")
        try write("string")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try write(#"{type: enum, values: [old, "new, unread"]}"#)
        let refused = shop.sluice("run", shop.pipeline)
        let remedy = "`state_2: {from: state, type: enum, values: […]}`"
        #expect(refused.code == 4 && refused.errors.contains(remedy), "\(refused)")
        let run = shop.sluice("run", shop.pipeline, "--allow-schema", "quarantine")
        #expect(run.output.contains(#"Expected one of "old", "new, unread", found "lost"."#), "\(run)")
        let text = shop.sluice("inspect", "schema").output
        #expect(text.contains(#"field state, enum of "new, unread", "old""#), "\(text)")
        let json = shop.sluice("inspect", "schema", "--format", "json").output
        #expect(json.contains(#""type":"enum","values":["new, unread","old"]}"#), "\(json)")
        let diagram = shop.sluice("inspect", "schema", "--format", "mermaid").output
        #expect(diagram.contains("\"field state, enum of 'new, unread', 'old'\""), "\(diagram)")
    }

    @Test func aTableThatIsGoneIsSaidToBe() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql("DROP VIEW IF EXISTS conflicts_books; DROP TABLE books")
        #expect(
            shop.sluice("inspect", "schema").output == """
                books  (Book from shop/books)
                    The table is not there.

                """)
        #expect(
            shop.sluice("inspect", "schema", "--format", "mermaid").output == """
                erDiagram
                    "books"

                """)
    }

    @Test func namesThatADiagramWouldActUponAreReplaced() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql(
            """
            ALTER TABLE books ADD COLUMN "a""} %%{init: <b>~c~" ANY; ALTER TABLE books ADD COLUMN pk TEXT;
            ALTER TABLE books ADD COLUMN "1st\u{202E}" TEXT
            """)
        let text = shop.sluice("inspect", "schema", "--format", "mermaid").output
        #expect(
            text.hasSuffix(
                """
                        ANY a______init___b__c_ "a'} __{init: ‹b›-c-: your own"
                        TEXT _pk "pk: your own"
                        TEXT _1st_ "1st/u{202E}: your own"
                    }

                """), "\(text)")
    }

    @Test func whatFieldsLeftIsToldFromColumnsOfPeople() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id":1,"title":"One","price":"1"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.writePipeline(book: "fields: {id: int, title: string}")
        let run = shop.sluice("run", shop.pipeline, "--allow-schema", "drop")
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        let text = shop.sluice("inspect", "schema").output
        #expect(text.contains("    price  TEXT          left by field price, which was given up\n"), "\(text)")
    }

    @Test(
        arguments: [
            (["--entity", "Bok"], "has no entity `Bok`. Did you mean `Book`?"),
            (["--pipeline", "shp"], "has no pipeline `shp`. Did you mean `shop`?"),
        ])
    func whatIsNotKnownIsTold(_ options: [String], _ message: String) throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write("[]", to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        let outcome = shop.sluice(["inspect", "schema"] + options)
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
}

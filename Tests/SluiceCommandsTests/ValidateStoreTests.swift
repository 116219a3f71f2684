import Testing

/// `validate --store` finds what `plan` and `run` would refuse.
@Suite struct ValidateStoreTests {
    private func pipeline(_ shop: Workshop, fields: String, stream: String = "books") throws {
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: [id], fields: {\(fields)}}
            streams:
              - {name: \(stream), entity: Book, path: books.json}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
    }

    @Test(
        arguments: [
            ("CREATE TABLE books (id INTEGER PRIMARY KEY, title INTEGER)", "title"),
            ("CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, notes TEXT NOT NULL)", "notes"),
            ("CREATE TABLE books (id INTEGER, title TEXT)", "no primary key or unique index covers exactly id"),
            ("CREATE VIEW books AS SELECT 1 AS id, 'One' AS title", "`books` is a view; records need a table."),
        ])
    func aTableThatDoesNotFitIsFound(_ table: String, _ column: String) throws {
        let shop = try Workshop()
        try pipeline(shop, fields: "id: int, title: string")
        try shop.make(table)
        let plan = shop.sluice("plan", shop.pipeline)
        let validate = shop.sluice("validate", shop.pipeline)
        #expect(plan.code != 0, "\(plan.output)")
        #expect(validate.code == 78, "\(validate.output)\(validate.errors)")
        #expect((validate.output + validate.errors).contains(column), "\(validate)")
        #expect(!(try shop.hasTable("_sluice_runs")))
    }

    /// Nobody asked for anything to be written.
    @Test func aTypeThatValuesDoNotTakeIsFoundWithoutWordsOfARun() throws {
        let shop = try Workshop()
        try pipeline(shop, fields: "id: int, title: string")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        try pipeline(shop, fields: "id: int, title: int")
        let (run, validate) = (shop.sluice("run", shop.pipeline), shop.sluice("validate", shop.pipeline))
        #expect(run.code == 4 && (run.output + run.errors).contains("the store is as before"), "\(run)")
        let told = validate.output + validate.errors
        #expect(validate.code == 78 && told.contains("cannot become one without loss"), "\(told)")
        #expect(!told.contains("as before"), "\(told)")
    }

    /// A view has the columns that links need, and takes none.
    @Test func aViewInPlaceOfATableOfLinksIsFound() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, tags: {refs: Tag, from: "tags[*]", via: book_tags}}}
              Tag: {table: tags, primary_key: [id], fields: {id: int}}
            streams:
              - {name: books, entity: Book, path: books.json}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"tags":[1]}]"#, to: "books.json")
        try shop.make("CREATE VIEW book_tags AS SELECT 1 AS book_id, 2 AS tag_id")
        let run = shop.sluice("run", shop.pipeline)
        let validate = shop.sluice("validate", shop.pipeline)
        let words = "`book_tags` is a view; links need a table. Name another with `via:`."
        #expect(run.code == 4 && (run.output + run.errors).contains(words), "\(run)")
        #expect(validate.code == 78 && (validate.output + validate.errors).contains(words), "\(validate)")
    }

    @Test func aStreamThatFilledSeveralTablesIsNamedOnce() throws {
        let shop = try Workshop()
        let text = """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Invoice:
                table: invoices
                primary_key: [id]
                fields: {id: int}
                children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
              Line: {table: lines, fields: {no: int, text: string}}
            streams:
              - {name: invoices, entity: Invoice, path: invoices.json}
            """
        try shop.write(text, to: "shop.yaml")
        try shop.write(#"[{"id":1,"lines":[{"no":1,"text":"a"}]}]"#, to: "invoices.json")
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.code == 0, "\(run)")
        try shop.write(text.replacing("name: invoices", with: "name: bills"), to: "shop.yaml")
        let outcome = shop.sluice("validate", shop.pipeline)
        let told = outcome.output + outcome.errors
        #expect(outcome.code == 78, "\(told)")
        #expect(told.contains("1 record of `Invoice` and 1 record of `Line`"), "\(told)")
        let words = "shop.yaml:12:5: error: Store and pipeline differ: The store keeps what the stream `invoices` said"
        #expect(told.contains(words), "\(told)")
        #expect(told.split(separator: "renamed_from: invoices").count == 2, "\(told)")
    }

    struct Place: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var fields = "id: int, title: string"
        var stream = "books"
        var more = ""
        /// What is done to the store before.
        var sql = "SELECT 1"
        let place: String
    }

    /// What is told stands where it is to be mended, in lines and columns.
    @Test(arguments: [
        Place(testDescription: "another type", fields: "id: int, title: int", place: "9:30"),
        Place(testDescription: "another identifier", fields: "id: int, title: string", more: "title", place: "8:18"),
        Place(testDescription: "another stream", stream: "volumes", place: "11:5"),
        Place(
            testDescription: "a field less", fields: "id: int", sql: "UPDATE books SET title = 'mine'", place: "6:3"),
        Place(
            testDescription: "a column of people", fields: "id: int, title: string, x: int",
            sql: "ALTER TABLE books ADD COLUMN x TEXT NOT NULL DEFAULT ''", place: "9:41"),
    ])
    func aProblemHasItsPlace(_ test: Place) throws {
        let shop = try Workshop()
        func write(_ fields: String, key: String = "id", stream: String = "books") throws {
            try shop.write(
                """
                # A shop.
                version: 1
                name: shop
                source: {base_url: "file:."}
                entities:
                  Book:
                    table: books
                    primary_key: [\(key)]
                    fields: {\(fields)}
                streams:
                  - {name: \(stream), entity: Book, path: books.json}
                """, to: "shop.yaml")
        }
        try write("id: int, title: string")
        try shop.write(#"[{"id":1,"title":"One"},{"id":2,"title":"One"}]"#, to: "books.json")
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.code == 0, "\(run.errors)")
        try shop.make(test.sql)
        try write(test.fields, key: test.more.isEmpty ? "id" : test.more, stream: test.stream)
        let validate = shop.sluice("validate", shop.pipeline)
        let told = validate.output + validate.errors
        #expect(validate.code == 78, "\(told)")
        #expect(told.contains("shop.yaml:\(test.place): error: Store and pipeline differ: "), "\(told)")
    }
}

/// Which pipelines of several files are one, as `validate` sees it.
@Suite struct ValidateNamesTests {
    @Test(arguments: [
        ("sqlite:a.db", "sqlite:b.db", [], true), ("sqlite:a.db", "sqlite:a.db", [], false),
        ("sqlite:a.db", "sqlite:b.db", ["--store", "sqlite:/nowhere/c.db"], false),
    ])
    func oneNameInTwoStoresIsNoDuplicate(_ left: String, _ right: String, _ options: [String], isFine: Bool) throws {
        let shop = try Workshop()
        for (name, store) in [("a", left), ("b", right)] {
            try shop.write(
                """
                version: 1
                name: shop
                store: \(store)
                source: {base_url: "file:."}
                entities:
                  Book: {table: books, primary_key: [id], fields: {id: int}}
                streams:
                  - {name: books, entity: Book, path: books.json}
                """, to: "\(name).yaml")
        }
        let files = ["a", "b"].map { "\(shop.folder)/\($0).yaml" }
        let result = shop.run(["validate"] + files + options)
        #expect((result.output + result.errors).contains("Duplicate pipeline") != isFine, "\(result)")
        #expect(!isFine || result.code == 0, "\(result)")
    }
}

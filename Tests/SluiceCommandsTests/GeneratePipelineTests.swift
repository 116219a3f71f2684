import SluiceCommands
import Testing

/// `sluice generate pipeline` says of a table what adoption takes, and no more.
@Suite struct GeneratePipelineTests {
    /// A table, and what the pipeline says of it.
    struct Table: CustomTestStringConvertible {
        let name: String
        let sql: String
        /// The entity behind its `table`, without indentation.
        let yaml: String
        var table = "items"
        var testDescription: String { name }
    }

    static let tables = [
        Table(
            name: "a table with every type that other programs declare",
            sql: """
                CREATE TABLE items (id INTEGER PRIMARY KEY, a VARCHAR(20), b INT, c BIGINT UNSIGNED, d BOOLEAN, e DATETIME,
                f TIMESTAMP, g DATE, h JSON, i DECIMAL(10,2), j NUMERIC, k UUID, l REAL, m DOUBLE PRECISION, n BLOB,
                o datetime(6), p char(32), q char(36), r)
                """,
            yaml: """
                primary_key: [id]
                fields:
                id: int
                a: string
                b: int
                c: int
                d: bool
                e: datetime
                f: datetime
                g: date
                h: json
                i: decimal
                j: decimal
                k: uuid
                l: double
                m: double
                "n": bytes
                o: datetime
                p: uuid
                q: string
                r: string
                """),
        Table(
            name: "null and defaults",
            sql: """
                CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT NOT NULL DEFAULT 'it''s',
                c BOOL NOT NULL DEFAULT '1', d INT NOT NULL DEFAULT -3, e DECIMAL(5,2) NOT NULL DEFAULT 0.50,
                f DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP, g TEXT DEFAULT 'x', h TEXT NOT NULL DEFAULT '${env:A}',
                i REAL NOT NULL DEFAULT (1 + 1))
                """,
            yaml: """
                primary_key: [id]
                fields:
                id: int
                a: {type: string, required: true}
                b: {type: string, required: true, default: "it's"}
                c: {type: bool, required: true, default: true}
                d: {type: int, required: true, default: -3}
                e: {type: decimal, required: true, default: 0.50}
                f: {type: datetime, required: true}  # DEFAULT CURRENT_TIMESTAMP of the table counts only without this line
                g: string
                h: {type: string, required: true, default: "$${env:A}"}
                i: {type: double, required: true}  # DEFAULT 1 + 1 of the table counts only without this line
                """),
        Table(
            name: "a key of two columns, and unique groups",
            sql: """
                CREATE TABLE items (shop TEXT, number INT, code TEXT UNIQUE, name TEXT, size INT,
                PRIMARY KEY (shop, number), UNIQUE (size, name)) WITHOUT ROWID;
                CREATE UNIQUE INDEX part ON items (name) WHERE size > 3; CREATE UNIQUE INDEX made ON items (lower(name))
                """,
            yaml: """
                # What could identify records instead: [code], [size, name].
                primary_key: [shop, number]
                unique: [[code], [size, name]]
                fields:
                shop: string
                number: int
                code: string
                name: string
                size: int
                """),
        Table(
            name: "no primary key but a unique index",
            sql: "CREATE TABLE items (code TEXT NOT NULL, old INT UNIQUE, name TEXT, UNIQUE (code))",
            yaml: """
                # The table has no primary key that can identify records; the key is a unique index.
                # What could identify records instead: [old].
                primary_key: [code]
                unique: [[old]]
                fields:
                code: string
                old: int
                name: string
                """),
        Table(
            name: "a primary key that takes two keys for one",
            sql: "CREATE TABLE items (id TEXT PRIMARY KEY COLLATE NOCASE, number INT UNIQUE)",
            yaml: """
                # The table has no primary key that can identify records; the key is a unique index. Rows with null there are left alone.
                primary_key: [number]
                fields:
                id: string
                number: int
                """),
        Table(
            name: "a primary key of a type without one form for each value",
            sql: "CREATE TABLE items (id REAL PRIMARY KEY, number INT NOT NULL UNIQUE)",
            yaml: """
                # The table has no primary key that can identify records; the key is a unique index.
                primary_key: [number]
                fields:
                id: double
                number: int
                """),
        Table(
            name: "columns that no field can fill",
            sql: """
                CREATE TABLE items (id INTEGER PRIMARY KEY, a INT, b INT AS (a + 1), c INT AS (a + 2) STORED UNIQUE, d TIME,
                _deleted_at TEXT)
                """,
            yaml: """
                # No field: `b` is generated.
                # No field: `c` is generated.
                # No field: `d` is TIME, which no type of a field fits.
                # No field: `_deleted_at` marks rows that are deleted.
                primary_key: [id]
                fields:
                id: int
                a: int
                """),
        Table(
            name: "odd names",
            sql: #"""
                CREATE TABLE "order items" ("the id" INTEGER PRIMARY KEY, "say ""hi""" TEXT, "select" TEXT, "größe" INT,
                "a.b" TEXT, "1" TEXT, "$[0]" TEXT, "yes" TEXT, content TEXT, "#x: y" TEXT)
                """#,
            yaml: #"""
                primary_key: ["the id"]
                fields:
                "the id": int
                "say \"hi\"": string
                select: string
                "größe": int
                a.b: string
                "1": string
                "$[0]": string
                "yes": string
                content: string
                "#x: y": string
                """#, table: "Order Items"),
        Table(
            name: "values tell what a column without a type holds",
            sql: """
                CREATE TABLE items (id INTEGER PRIMARY KEY, a, b, c, d, e char(32), f char(32));
                INSERT INTO items VALUES (1, 1, 1.5, x'00', 1, '9b2f1f6e8c1e4a3f9f530a4f4e1f6c11', 'short');
                INSERT INTO items VALUES (2, 2, 2.5, x'01', 'x', NULL, NULL)
                """,
            yaml: """
                primary_key: [id]
                fields:
                id: int
                a: int
                b: double
                c: bytes
                d: string
                e: uuid
                f: string
                """),
        Table(
            name: "JSON that a table checks",
            sql:
                #"CREATE TABLE items (id INTEGER PRIMARY KEY, "my data" text CHECK ((JSON_VALID("my data") OR "my data" IS NULL)))"#,
            yaml: """
                primary_key: [id]
                fields:
                id: int
                "my data": json
                """),
        Table(
            name: "a STRICT table",
            sql: "CREATE TABLE items (id TEXT PRIMARY KEY, a INT, b INTEGER, c REAL, d TEXT, e BLOB, f ANY) STRICT",
            yaml: """
                primary_key: [id]
                fields:
                id: string
                a: int
                b: int
                c: double
                d: string
                e: bytes
                f: string
                """),
        Table(
            name: "a reference to a table that is not named",
            sql: """
                CREATE TABLE items (id INTEGER PRIMARY KEY, shop INT REFERENCES shops, maker INT REFERENCES makers (number))
                """,
            yaml: """
                primary_key: [id]
                fields:
                id: int
                shop: int  # refers to shops; name that table too for a `ref`
                maker: int  # refers to makers (number); name that table too for a `ref`
                """),
    ]

    @Test(arguments: tables)
    func aTableIsWhatItsPipelineSays(_ table: Table) throws {
        let shop = try Workshop()
        try shop.make(table.sql)
        let outcome = shop.sluice("generate", "pipeline", "--from-table", table.table)
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        #expect(Self.entities(outcome.output) == [table.yaml.split(separator: "\n").map(String.init)])
        try shop.write(outcome.output, to: "shop.yaml")
        let validate = shop.sluice("validate", shop.pipeline, "--strict")
        #expect(validate.code == 0, "\(validate.output)\(validate.errors)\n\(outcome.output)")
    }

    /// The lines of each entity without its name and table.
    private static func entities(_ yaml: String) -> [[String]] {
        let lines = yaml.split(separator: "\n").map(String.init)
        let inner = lines.drop { $0 != "entities:" }.dropFirst().prefix { $0 != "streams:" }
        var entities: [[String]] = []
        for line in inner {
            let isName = line.hasPrefix("  ") && !line.hasPrefix("   ")
            if isName { entities.append([]) }
            let text = String(line.drop { $0 == " " })
            if isName || text.hasPrefix("table: ") { continue }
            entities[entities.count - 1].append(text)
        }
        return entities
    }

    // MARK: Several tables

    private static let books = """
        CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INT NOT NULL REFERENCES authors (id),
            series INT REFERENCES series, code TEXT REFERENCES authors (code), shop TEXT, number INT,
            follows INT REFERENCES books (id), FOREIGN KEY (shop, number) REFERENCES orders (shop, number));
        CREATE TABLE series (id INTEGER PRIMARY KEY);
        CREATE TABLE orders (shop TEXT, number INT, PRIMARY KEY (shop, number));
        CREATE TABLE tags (id TEXT PRIMARY KEY);
        CREATE TABLE book_tags (book INT REFERENCES books, tag TEXT REFERENCES tags, PRIMARY KEY (book, tag));
        CREATE TABLE authors (id INTEGER PRIMARY KEY, code TEXT UNIQUE)
        """

    @Test func foreignKeysBetweenNamedTablesAreReferences() throws {
        let shop = try Workshop()
        try shop.make(Self.books)
        let names = ["book_tags", "books", "AUTHORS", "orders", "tags", "books"]
        let outcome = shop.sluice(["generate", "pipeline"] + names.flatMap { ["--from-table", $0] })
        #expect(outcome.code == 0, "\(outcome.errors)")
        try shop.write(outcome.output, to: "shop.yaml")
        let validate = shop.sluice("validate", shop.pipeline, "--strict")
        #expect(validate.code == 0, "\(validate.output)\(validate.errors)\n\(outcome.output)")
        #expect(
            outcome.output.contains(
                """
                  Books:
                    table: books
                    primary_key: [id]
                    fields:
                      id: int
                      title: {type: string, required: true}
                      author_id: {ref: Authors, column: author_id, required: true, on_dangling: fail}
                      series: int  # refers to series; name that table too for a `ref`
                      code: string  # refers to authors (code), which does not identify the records there
                      shop: string  # refers with other columns to orders (shop, number); a `ref` has one column here
                      number: int  # refers with other columns to orders (shop, number); a `ref` has one column here
                      follows: {ref: Books, column: follows}
                  Tags:
                    table: tags
                    primary_key: [id]
                    fields:
                      id: string
                  BookTags:
                    table: book_tags
                    primary_key: [book, tag]
                    fields:
                      book: {ref: Books, column: book, on_dangling: fail}
                      tag: {ref: Tags, column: tag, on_dangling: fail}

                """), "\(outcome.output)")
        let order = outcome.output.split(separator: "\n").filter { $0.hasPrefix("  - name: ") }
        #expect(order == ["authors", "books", "tags", "book_tags", "orders"].map { "  - name: \($0)" })
    }

    @Test func aReferenceNeedsAKeyAsTheSourceSendsIt() throws {
        let shop = try Workshop()
        try shop.make(
            """
            CREATE TABLE a (id char(32) PRIMARY KEY); CREATE TABLE b (id INTEGER PRIMARY KEY, a char(32) REFERENCES a);
            CREATE TABLE c (id char(32) PRIMARY KEY, b INT REFERENCES b); CREATE TABLE d (b INTEGER PRIMARY KEY REFERENCES b);
            CREATE TABLE e (id INTEGER PRIMARY KEY, d INT REFERENCES d, b TEXT REFERENCES b)
            """)
        let outcome = shop.sluice(
            ["generate", "pipeline"] + ["a", "b", "c", "d", "e"].flatMap { ["--from-table", $0] })
        #expect(
            Self.entities(outcome.output).flatMap { $0.filter { $0.contains("ref") } } == [
                "a: uuid  # refers to a, which is stored in another form than a source sends",
                "b: int  # refers to b, and the key of this table is stored in another form than a source sends",
                "b: int  # refers to b, and identifies records that others refer to",
                "d: {ref: D, column: d}",
                "b: string  # refers to b, whose key id is of the type int",
            ], "\(outcome.output)")
        try shop.write(outcome.output, to: "shop.yaml")
        let validate = shop.sluice("validate", shop.pipeline)
        #expect(validate.code == 0, "\(validate.output)\(validate.errors)")
    }

    @Test func tablesWhoseNamesAreAlikeHaveEntitiesOfTheirOwn() throws {
        let shop = try Workshop()
        try shop.make(#"CREATE TABLE "a b" (id INTEGER PRIMARY KEY); CREATE TABLE a_b (id INTEGER PRIMARY KEY)"#)
        let outcome = shop.sluice("generate", "pipeline", "--from-table", "a_b", "--from-table", "a b")
        #expect(outcome.output.contains("  AB:\n") && outcome.output.contains("  AB2:\n"), "\(outcome.output)")
        try shop.write(outcome.output, to: "shop.yaml")
        #expect(shop.sluice("validate", shop.pipeline).code == 0)
    }

    // MARK: What cannot be

    @Test(arguments: [
        ("bookz", "has no table `bookz`. Did you mean `books`? It has `a\\nb`, `books`, `lists`, `times`."),
        ("zzz", "has no table `zzz`. It has `a\\nb`, `books`, `lists`, `times`."),
        ("seen", "`seen` is a view, and records need a table of their own."),
        ("words", "`words` is a virtual table, and records need a table of their own."),
        ("words_data", "`words_data` is part of a virtual table"),
        ("sqlite_schema", "is a table of the database or the store itself"),
        (
            "lists",
            #"No pipeline can adopt the table `lists`: nothing can identify its records: it has no primary key and no unique index. Add an index on columns that tell its rows apart, as in `CREATE UNIQUE INDEX … ON "lists" (…)`."#
        ),
        ("a\nb", "the table `a\\nb`: its name holds control characters."),
        ("times", "column `at` is NOT NULL without a default, and no field can fill it: it is TIME, which no type"),
    ])
    func whatNoPipelineCanAdoptIsRefused(_ name: String, _ words: String) throws {
        let shop = try Workshop()
        try shop.make(
            """
            CREATE TABLE books (id INTEGER PRIMARY KEY); CREATE VIEW seen AS SELECT 1 AS id; CREATE TABLE lists (a TEXT);
            CREATE TABLE times (id INTEGER PRIMARY KEY, at TIME NOT NULL); CREATE TABLE "a\nb" (id INTEGER PRIMARY KEY);
            CREATE VIRTUAL TABLE words USING fts5 (word)
            """)
        let outcome = shop.sluice("generate", "pipeline", "--from-table", "books", "--from-table", name)
        #expect(outcome.code == 1 && outcome.output == "", "\(outcome.output)")
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test func withoutATableOrAStoreNothingIsWritten() throws {
        let shop = try Workshop()
        let missing = shop.sluice("generate", "pipeline", "--from-table", "books")
        #expect(missing.code == 1 && missing.errors.contains("does not exist"), "\(missing.errors)")
        #expect(shop.files.isEmpty)
        let unnamed = shop.sluice("generate", "pipeline")
        #expect(unnamed.code == 64 && unnamed.errors.contains("--from-table books"), "\(unnamed.errors)")
    }

    /// A pipeline file names the store of this command as of others; what a secret names is told nowhere.
    @Test(arguments: [false, true])
    func aPipelineFileNamesTheStore(_ isSecret: Bool) throws {
        let shop = try Workshop()
        try shop.make("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)")
        try shop.writePipeline()
        let store = isSecret ? "\"${env:SHOP_STORE}\"" : "sqlite:shop.db"
        try shop.write("\(try shop.read("shop.yaml"))\nstore: \(store)\n", to: "shop.yaml")
        shop.environment["SHOP_STORE"] = "sqlite:\(shop.store)"
        let named = shop.run(["generate", "pipeline", "--from-table", "notes", shop.pipeline])
        #expect(named.code == 0 && named.errors == "", "\(named)")
        let given = shop.sluice("generate", "pipeline", "--from-table", "notes")
        #expect(given.output.contains("\nstore: "), "\(given)")
        if isSecret {
            #expect(named.output.contains("Its `store` is left out") && !named.output.contains("shop.db"), "\(named)")
        } else {
            #expect(named.output == given.output)
        }
        let missing = shop.run(["generate", "pipeline", "--from-table", "words", shop.pipeline])
        #expect(missing.code == 1 && missing.errors.contains("has no table `words`"), "\(missing)")
        #expect(missing.errors.contains("shop.db") != isSecret, "\(missing)")
        try shop.write("name: shop\n", to: "shop.yaml")
        let broken = shop.run(["generate", "pipeline", "--from-table", "notes", shop.pipeline])
        #expect(broken.code == 78 && broken.output == "", "\(broken)")
    }

    // MARK: Where it goes

    @Test func aFileIsWrittenOnce() throws {
        let shop = try Workshop()
        try shop.make("CREATE TABLE books (id INTEGER PRIMARY KEY)")
        let outcome = shop.sluice("generate", "pipeline", "--from-table", "books", "--output", shop.pipeline)
        #expect(outcome.code == 0 && outcome.output == "", "\(outcome.errors)")
        let text = try shop.read("shop.yaml")
        #expect(text.contains("\nstore: \"sqlite:shop.db\"\n"), "\(text)")
        #expect(shop.run(["validate", shop.pipeline]).code == 0)
        try shop.write("mine", to: "shop.yaml")
        let again = shop.sluice("generate", "pipeline", "--from-table", "books", "--output", shop.pipeline)
        #expect(again.code == 1 && again.errors.contains("shop.yaml` exists"), "\(again.errors)")
        #expect(try shop.read("shop.yaml") == "mine")
    }

    @Test func theSourceIsAnExampleOrTheOneThatIsNamed() throws {
        let shop = try Workshop()
        try shop.make(#"CREATE TABLE books (id INTEGER PRIMARY KEY)"#)
        func generate(_ url: String...) -> Workshop.Outcome {
            shop.sluice(["generate", "pipeline", "--from-table", "books"] + url.flatMap { ["--url", $0] })
        }
        #expect(
            generate().output.contains(
                """
                source:
                  # An example: put the base URL of the source here, and the paths into `streams`.
                  base_url: "https://api.example.com"
                """))
        let named = generate("https://books.example/v2").output
        #expect(named.contains("source:\n  base_url: \"https://books.example/v2\"\n"), "\(named)")
        #expect(named.contains("    path: \"/books\"\n"), "\(named)")
        #expect(generate("file:data").output.contains("    path: books.json\n"))
        let wrong = generate("books.example")
        #expect(wrong.code == 1 && wrong.errors.contains("Name another `--url`, or leave it out."), "\(wrong.errors)")
    }
}

import SluiceCommands
import Testing

/// `sluice generate swift` says of an entity what the library takes, and no more.
@Suite struct GenerateSwiftTests {
    /// The keys of an entity, and what the model says of them.
    struct Entity: CustomTestStringConvertible {
        let name: String
        /// The keys of the entity `Book` but for `table`.
        let yaml: String
        /// What stands within the struct, without indentation and without `origin`.
        let swift: String
        /// What is told about it, in its order.
        var notes: [String] = []
        var testDescription: String { name }
    }

    static let entities = [
        Entity(
            name: "every type",
            yaml: """
                primary_key: [id], fields: {id: int, a: string, b: uuid, c: url, d: double, e: decimal, f: bool, g: date,
                h: datetime, i: json, j: bytes}
                """,
            swift: """
                let id: Int
                var a: String?
                var b: UUID?
                var c: URL?
                var d: Double?
                var e: Decimal?
                var f: Bool?
                var g: Day?
                var h: Date?
                var i: JSONText?
                var j: Data?
                """),
        Entity(
            name: "keys, what is required, and defaults",
            yaml: """
                primary_key: [shop, number], fields: {shop: string, number: int, title: {type: string, required: true},
                a: {type: string, default: "x \\"y\\""}, b: {type: int, required: true, default: -1},
                c: {type: bool, required: true, default: true}, d: {type: decimal, default: "1.5"},
                e: {type: date, default: "2024-01-01"}, f: {type: double, default: 2.5}}
                """,
            swift: """
                @Attribute(.identifier) let shop: String
                @Attribute(.identifier) let number: Int
                var title: String
                var a: String? = "x \\"y\\""
                var b: Int = -1
                var c: Bool = true
                var d: Decimal? = 1.5
                var e: Day?
                var f: Double? = 2.5
                """),
        Entity(
            name: "names that Swift does not have",
            yaml: """
                primary_key: [id], fields: {id: int, class: string, "first name": string, "2fa": bool, path: string,
                image_url: url, issue_id: int, HTML: string, isRead: bool, "é": string, "a.b": {type: int, from: "['a.b']"}, "c.d": int}
                """,
            swift: """
                let id: Int
                var `class`: String?
                @Attribute(persistentName: "first name", json: "$['first name']") var firstName: String?
                @Attribute(persistentName: "2fa", json: "2fa") var _2fa: Bool?
                @Attribute(persistentName: "path", json: "path") var pathValue: String?
                var imageURL: URL?
                var issueID: Int?
                @Attribute(persistentName: "HTML", json: "HTML") var html: String?
                @Attribute(persistentName: "isRead", json: "isRead") var isRead: Bool?
                var é: String?
                @Attribute(persistentName: "a.b", json: "['a.b']") var aB: Int?
                @Attribute(persistentName: "c.d", json: "$['c.d']") var cD: Int?
                """),
        Entity(
            name: "an enum of its own",
            yaml: """
                primary_key: [id], fields: {id: int, kind: {type: enum, values: [open, in-progress, "7", default],
                required: true}, color: {type: enum, values: [red], default: red}}
                """,
            swift: """
                enum Kind: String, StoredValue, CaseIterable {
                case open
                case inProgress = "in-progress"
                case value3 = "7"
                case `default`
                }

                enum Color: String, StoredValue, CaseIterable {
                case red
                }

                let id: Int
                var kind: Kind
                var color: Color? = .red
                """),
        Entity(
            name: "columns, places in JSON, owners",
            yaml: """
                primary_key: [id], unique: [[code], [name, year]], fields: {id: int, code: string,
                name: {type: string, column: title, from: info.title}, year: int, votes: {type: int, owner: remote}}
                """,
            swift: """
                let id: Int
                @Attribute(.unique) var code: String?
                @Attribute(column: "title", json: "info.title") var name: String?
                var year: Int?
                @Attribute(owner: .remote) var votes: Int?
                """),
        Entity(
            name: "what the pipeline alone says",
            yaml: """
                primary_key: [id], fields: {id: int, a: {type: int, expr: ".x + 1"}, b: {type: string, map: {y: yes}},
                c: {type: date, format: "%d.%m.%Y"}, d: {type: string, redact: hash}}
                """,
            swift: """
                let id: Int
                var a: Int?
                var b: String?
                var c: Day?
                var d: String?
                """,
            notes: [
                "`Book.a`: A struct does not say its program (`expr`); the pipeline does.",
                "`Book.b`: A struct does not say its `map`; the pipeline does.",
                "`Book.c`: A struct does not say its `format`; the pipeline does.",
                "`Book.d`: A struct does not say its `redact`; the pipeline does.",
            ]),
    ]

    private func pipeline(_ shop: Workshop, _ entities: String, named name: String = "shop") throws {
        try shop.write(
            """
            version: 1
            name: \(name)
            source: {base_url: "file:."}
            entities:
            \(entities)
            streams:
              - {name: books, entity: Book, path: books.json}
            """, to: "\(name).yaml")
    }

    private func book(_ keys: String) -> String {
        "  Book: {table: books, \(keys.replacing("\n", with: " "))}"
    }

    /// The lines within the first struct, without indentation and the origin.
    private func body(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.contains("struct ") }
            .dropFirst()
        let inner = lines.prefix { $0 != "}" }.filter { !$0.hasSuffix("var origin = Origin()") }
        return inner.map { $0.drop { $0 == " " } }.joined(separator: "\n")
    }

    @Test(arguments: entities)
    func anEntityIsAStruct(_ entity: Entity) throws {
        let shop = try Workshop()
        try pipeline(shop, book(entity.yaml))
        let outcome = shop.run(["generate", "swift", shop.pipeline])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(body(outcome.output) == entity.swift)
        let notes = outcome.errors.split(separator: "\n").map(String.init)
        #expect(notes == entity.notes.map { "warning: \(shop.pipeline): \($0)" })
        // What is generated agrees.
        try shop.write(outcome.output, to: "Models.swift")
        let check = shop.run(["validate", shop.pipeline, "--swift", "\(shop.folder)/Models.swift", "--strict"])
        #expect(check.code == 0, "\(check.output)")
    }

    @Test func optionsSayHowModelsAre() throws {
        let shop = try Workshop()
        try pipeline(shop, book("primary_key: [id], fields: {id: int, isRead: bool, kind: {type: enum, values: [a]}}"))
        let outcome = shop.run(
            ["generate", "swift", shop.pipeline, "--access-level", "public", "--initializer", "--no-counts"]
                + ["--no-origin", "--names", "verbatim", "--policy", "default"])
        #expect(
            outcome.output == """
                // sluice:generated from \(shop.pipeline) with --access-level public --initializer --no-counts --no-origin --names verbatim --policy default

                public import Sluice

                /// A record of the table `books`.
                @PersistentModel(table: "books", initializer: true, counts: false)
                public struct Book {
                    public enum Kind: String, StoredValue, CaseIterable {
                        case a
                    }

                    public let id: Int
                    public var isRead: Bool?
                    @Attribute(decodeFailurePolicy: .fallbackToDefaultValue) public var kind: Kind?
                }

                """, "\(outcome.errors)")
    }

    @Test func entitiesWithoutAModelAreTold() throws {
        let shop = try Workshop()
        try pipeline(
            shop,
            """
              Book: {table: books, primary_key: [id], fields: {id: int, set: {ref: Set, from: set}}}
              Set: {primary_key: [a, b], fields: {a: int, b: int}}
              Loose: {primary_key: content, fields: {a: int, sets: {refs: Book, from: "sets[*]"}}}
              Folded: {primary_key: content, fields: {a: {type: string, compare: ci}}}
            """)
        let outcome = shop.run(["generate", "swift", shop.pipeline])
        #expect(outcome.code == 0)
        #expect(body(outcome.output) == "let id: Int\nvar setA: Int?\nvar setB: Int?")
        #expect(
            outcome.output.contains(
                "@PersistentModel(entity: \"Set\", table: \"set\", names: .snakeCase)\nstruct SetRecord {"))
        #expect(!outcome.output.contains("Loose") && !outcome.output.contains("Folded"))
        let reason = "There is no model: its records are identified by a hash of their values, and"
        #expect(
            outcome.errors.contains(
                "`Loose`: \(reason) the records that `sets` leads to are among these, which a struct does not make."))
        #expect(outcome.errors.contains("`Folded`: \(reason) `a` is not compared exactly (`compare`)"))
    }

    /// The hash that a pipeline makes of a record is made of all its fields under their names, and of nothing else.
    @Test func allValuesIdentifyARecord() throws {
        let shop = try Workshop()
        try pipeline(
            shop,
            """
              Book:
                primary_key: content
                fields: {word: {type: string, required: true}, author_id: {ref: Author, from: author}, n: {type: int, default: 1}}
              Author: {primary_key: [id], fields: {id: int}}
            """)
        let outcome = shop.run(["generate", "swift", shop.pipeline])
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(
            outcome.output.contains(
                """
                @PersistentModel(table: "book", identifier: .content, names: .snakeCase)
                struct Book {
                    let word: String
                    @Attribute(json: "author") @Relationship(inverse: .none, deleteRule: .nullify) let authorID: Ref<Author>?
                    var n: Int? = 1
                    var origin = Origin()
                }
                """), "\(outcome.output)")
    }

    /// A table of a store that a pipeline fills so.
    @Test func theColumnOfAHashIsNoProperty() throws {
        let shop = try Workshop()
        try shop.make("CREATE TABLE facts (_key TEXT PRIMARY KEY, word TEXT, n INT)")
        let outcome = shop.run(["generate", "swift", "sqlite:\(shop.store)"])
        #expect(
            outcome.output.contains(
                """
                @PersistentModel(table: "facts", identifier: .content, names: .snakeCase)
                struct Facts {
                    let word: String?
                    let n: Int?
                    var origin = Origin()
                }
                """), "\(outcome.output)")
        #expect(outcome.errors.contains("a pipeline whose fields have other names makes another hash"))
    }

    @Test func pipelinesThatShareATableShareItsModel() throws {
        let shop = try Workshop()
        try pipeline(
            shop,
            book("primary_key: [id], fields: {id: int, a: {type: int, required: true}, b: {type: int, required: true}}")
        )
        try pipeline(
            shop,
            book(
                "primary_key: [id], fields: {id: int, a: {type: int, required: true}, c: {type: int, required: true}}"),
            named: "other")
        let outcome = shop.run(["generate", "swift", shop.pipeline, "\(shop.folder)/other.yaml"])
        #expect(body(outcome.output) == "let id: Int\nvar a: Int\nvar b: Int?\nvar c: Int?", "\(outcome.errors)")
    }

    @Test func aStoreHasModelsOfItsTables() throws {
        let shop = try Workshop()
        try shop.make(
            """
            CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            CREATE TABLE books (isbn TEXT PRIMARY KEY, price DECIMAL(8,2) NOT NULL DEFAULT 0, writer INT REFERENCES authors,
                author_id INT REFERENCES authors, UNIQUE (writer, price))
            """)
        let outcome = shop.run(["generate", "swift", "sqlite:\(shop.store)"])
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(
            outcome.output.contains(
                """
                @PersistentModel(table: "books", unique: [["writer", "price"]], names: .snakeCase)
                struct Books {
                    @Attribute(.identifier) let isbn: String
                    var price: Decimal = 0
                    @Attribute(column: "writer") @Relationship(inverse: .none, deleteRule: .nullify) var writer: Ref<Authors>?
                    @Relationship(inverse: .none, deleteRule: .nullify) var author: Ref<Authors>?
                    var origin = Origin()
                }
                """), "\(outcome.output)")
        #expect(shop.run(["generate", "swift", "sqlite:\(shop.folder)/none.db"]).code == 1)
    }

    // MARK: Files

    private func models(_ shop: Workshop, _ options: String...) -> Workshop.Outcome {
        shop.run(["generate", "swift", shop.pipeline, "--to", shop.folder] + options)
    }

    private func lines(_ shop: Workshop, _ outcome: Workshop.Outcome) -> [String] {
        outcome.output.split(separator: "\n").map { String($0.dropFirst(shop.folder.utf8.count + 1)) }
    }

    private func twoEntities(_ shop: Workshop) throws {
        try pipeline(
            shop, book("primary_key: [id], fields: {id: int}") + "\n  Tag: {primary_key: [id], fields: {id: int}}")
    }

    @Test func eachModelHasAFileAndIsWrittenWhereItChanged() throws {
        let shop = try Workshop()
        try twoEntities(shop)
        let dry = models(shop, "--dry-run", "--stubs")
        #expect(dry.code == 0, "\(dry.errors)")
        #expect(
            lines(shop, dry) == [
                "Book+Extras.swift  (to be written)", "Book.swift  (to be written)",
                "Tag+Extras.swift  (to be written)", "Tag.swift  (to be written)",
            ])
        #expect(shop.files == ["shop.yaml"])
        #expect(lines(shop, models(shop, "--stubs")).allSatisfy { $0.hasSuffix("(written)") })
        try shop.write("extension Book { var mine: Int { 1 } }", to: "Book+Extras.swift")
        try shop.write(try shop.read("Tag.swift") + "// edited\n", to: "Tag.swift")
        #expect(
            lines(shop, models(shop, "--stubs", "--overwrite", "none")) == [
                "Book+Extras.swift  (unchanged)", "Book.swift  (unchanged)", "Tag+Extras.swift  (unchanged)",
                "Tag.swift  (left as it is, although it differs)",
            ])
        #expect(lines(shop, models(shop)) == ["Book.swift  (unchanged)", "Tag.swift  (replaced)"])
        #expect(lines(shop, models(shop, "--overwrite", "all")) == ["Book.swift  (replaced)", "Tag.swift  (replaced)"])
        #expect(try shop.read("Book+Extras.swift") == "extension Book { var mine: Int { 1 } }")
        #expect(try !shop.read("Tag.swift").contains("edited"))
    }

    @Test func whatIsStaleGoesAndWhatIsYoursStays() throws {
        let shop = try Workshop()
        try twoEntities(shop)
        _ = models(shop)
        try shop.write("struct Mine {}\n// sluice:generated is only a word here\n", to: "Mine.swift")
        let single = models(shop, "--single-file", "--clean-stale")
        #expect(
            lines(shop, single) == ["Book.swift  (removed)", "Models.swift  (written)", "Tag.swift  (removed)"],
            "\(single.errors)")
        #expect(shop.files == ["Mine.swift", "Models.swift", "shop.yaml"])
        try shop.write("struct Book {}\n", to: "Book.swift")
        let refused = models(shop, "--clean-stale")
        #expect(refused.code == 1 && refused.output.isEmpty)
        #expect(refused.errors.contains("The file `\(shop.folder)/Book.swift` is in the way"))
        #expect(shop.files == ["Book.swift", "Mine.swift", "Models.swift", "shop.yaml"])
    }

    @Test func aHeaderBeginsEachFile() throws {
        let shop = try Workshop()
        try twoEntities(shop)
        try shop.write("// Shop: {{ file }} of {{ source }}\n", to: "header.txt")
        _ = models(shop, "--header-template", "\(shop.folder)/header.txt")
        let text = try shop.read("Tag.swift")
        #expect(text.hasPrefix("// Shop: Tag.swift of \(shop.pipeline)\n// sluice:generated from \(shop.pipeline)\n"))
        #expect(lines(shop, models(shop)) == ["Book.swift  (replaced)", "Tag.swift  (replaced)"], "it is managed")
        try shop.write("// Shop\nimport Evil\n", to: "header.txt")
        let refused = models(shop, "--header-template", "\(shop.folder)/header.txt")
        #expect(refused.code == 64 && refused.errors.contains("line 2 is no comment"))
    }

    @Test(arguments: [
        ("--single-file --split-by-entity", "exclude each other"), ("--stubs", "name it with `--to`"),
        ("--dry-run", "name it with `--to`"), ("--to x --output y", "exclude each other"),
    ])
    func optionsThatDoNotGoTogetherAreRefused(options: String, message: String) throws {
        let shop = try Workshop()
        try twoEntities(shop)
        let outcome = shop.run(["generate", "swift", shop.pipeline] + options.split(separator: " ").map(String.init))
        #expect(outcome.code == 64 && outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func aFileWithErrorsHasNoModels() throws {
        let shop = try Workshop()
        try shop.write("version: 1\n", to: "shop.yaml")
        let outcome = shop.run(["generate", "swift", shop.pipeline])
        #expect(outcome.code == 78 && outcome.output.isEmpty)
    }
}

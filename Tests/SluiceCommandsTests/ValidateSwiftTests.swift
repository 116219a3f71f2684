import SluiceCommands
import SluiceDiagnostics
import SluiceJSON
import SluiceSystem
import Testing

/// `sluice validate --swift` finds where models and pipelines do not agree, and mends what needs no judgement.
@Suite struct ValidateSwiftTests {
    /// A change of the model, and what is found then.
    struct Drift: CustomTestStringConvertible {
        let name: String
        /// What stands in the place of what.
        let old: String
        let new: String
        /// The place, the severity and the code of each problem.
        let problems: [String]
        /// Whether `--fix` brings back what was there before.
        var isMended = false
        /// What `--fix` leaves, where that is not what was there before.
        var left: String?
        var testDescription: String { name }
    }

    static let yaml = """
        version: 1
        name: shop
        source: {base_url: "file:."}
        entities:
          Book:
            table: books
            primary_key: [id]
            unique: [[isbn]]
            fields:
              id: int
              title: {type: string, required: true}
              isbn: {from: codes.isbn, type: string}
              price: {type: decimal, default: "1.5"}
              votes: {type: int, owner: remote}
              extra: json
              author: {ref: Author, from: author}
              tags: {refs: Tag, from: "tags[*]"}
          Author: {primary_key: [id], fields: {id: int}}
          Tag: {primary_key: [word], fields: {word: string}}
        streams:
          - {name: books, entity: Book, path: books.json}
        """

    static let model = """
        import Foundation
        import Sluice

        @PersistentModel(table: "books", names: .snakeCase)
        struct Book {
            let id: Int
            var title: String
            @Attribute(.unique, json: "codes.isbn") var isbn: String?
            var price: Decimal? = 1.5
            @Attribute(owner: .remote) var votes: Int?
            var extra: JSONText?
            @Relationship(inverse: .none, deleteRule: .nullify) var author: Ref<Author>?
            @Relationship(inverse: "books", deleteRule: .nullify, via: "books_tags") var tags: Refs<Tag>
            var origin = Origin()
        }

        @PersistentModel struct Author { let id: Int; var origin = Origin() }

        @PersistentModel struct Tag {
            @Attribute(.identifier) let word: String
            @Relationship(inverse: "tags", deleteRule: .nullify) var books: Refs<Book>
            var origin = Origin()
        }

        """

    static let drifts = [
        Drift(name: "nothing", old: "import Sluice", new: "import Sluice", problems: []),
        Drift(
            name: "a column is spelled in other cases", old: "var title: String",
            new: "@Attribute(column: \"Title\") var title: String", problems: []),
        Drift(
            name: "a type of one's own is the compiler's business", old: "var title: String", new: "var title: Title",
            problems: []),
        Drift(
            name: "a property is missing", old: "    var extra: JSONText?\n", new: "",
            problems: ["5:8 note swift_field_missing"]),
        Drift(
            name: "a property is the program's own", old: "    var extra", new: "    var mine: Int?\n    var extra",
            problems: ["11:9 note swift_field_extra"]),
        Drift(
            name: "another type", old: "price: Decimal? = 1.5", new: "price: Double? = 1.5",
            problems: ["9:16 error swift_field_type"]),
        Drift(
            name: "JSON in a column of text", old: "var title: String",
            new: "@Attribute(storageMethod: .codable) var title: Title",
            problems: ["7:31 error swift_field_storage"]),
        Drift(
            name: "no null", old: "isbn: String?", new: "isbn: String", problems: ["8:55 error swift_field_optional"],
            isMended: true),
        Drift(
            name: "no null with a default", old: "isbn: String?", new: "isbn: String = \"\"",
            problems: ["8:55 error swift_field_optional"], left: "isbn: String? = \"\""),
        Drift(
            name: "a property of the program's own takes no null", old: "    var extra",
            new: "    var mine = 0\n    var extra", problems: ["11:9 error swift_field_extra"]),
        Drift(
            name: "several in the place of one", old: "Ref<Author>?", new: "Refs<Author>",
            problems: ["12:69 error swift_relationship_shape"]),
        Drift(
            name: "one in the place of several", old: ", via: \"books_tags\") var tags: Refs<Tag>",
            new: ") var tags: Ref<Tag>?",
            problems: ["13:63 note swift_field_extra", "13:69 error swift_relationship_shape"]),
        Drift(
            name: "an order that no run keeps", old: "Refs<Tag>", new: "OrderedRefs<Tag>",
            problems: ["13:88 warning swift_relationship_shape"]),
        Drift(
            name: "links of the program's own", old: "    var extra",
            new: "    @Relationship(inverse: .none, deleteRule: .nullify) var mine: Refs<Author>\n    var extra",
            problems: ["11:61 note swift_field_extra"]),
        Drift(
            name: "an optional key", old: "let id: Int\n    var", new: "let id: Int?\n    var",
            problems: ["6:13 error swift_field_optional"]),
        Drift(
            name: "another key", old: "    let id: Int\n", new: "    @Attribute(.identifier) let number: Int\n",
            problems: ["6:33 note swift_field_extra", "6:33 error swift_field_key"]),
        Drift(
            name: "another name", old: "var title: String", new: "var headline: String",
            problems: ["5:8 note swift_field_missing", "7:9 error swift_field_extra"]),
        Drift(
            name: "another name in the store", old: "var title: String",
            new: "@Attribute(persistentName: \"headline\", json: \"title\") var title: String",
            problems: ["7:32 error swift_field_name"],
            left: "@Attribute(persistentName: \"title\", json: \"title\") var"),
        Drift(
            name: "another column", old: "var title: String", new: "@Attribute(column: \"headline\") var title: String",
            problems: ["7:24 error swift_field_column"], left: "@Attribute(column: \"title\") var title"),
        Drift(
            name: "another place in JSON", old: "json: \"codes.isbn\"", new: "json: \"isbn\"",
            problems: ["8:31 warning swift_field_json"], isMended: true),
        Drift(
            name: "no place in JSON", old: "@Attribute(.unique, json: \"codes.isbn\")", new: "@Attribute(.unique)",
            problems: ["8:29 warning swift_field_json"], isMended: true),
        Drift(
            name: "uniqueness is not said", old: "@Attribute(.unique, json", new: "@Attribute(json",
            problems: ["8:40 warning swift_field_unique"], isMended: true),
        Drift(
            name: "uniqueness of one's own", old: "var title", new: "@Attribute(.unique) var title",
            problems: ["7:29 error swift_field_unique"]),
        Drift(
            name: "the source's field", old: "@Attribute(owner: .remote) var votes", new: "var votes",
            problems: ["10:9 warning swift_field_owner"], isMended: true),
        Drift(
            name: "the people's field", old: "owner: .remote", new: "owner: .local",
            problems: ["10:23 warning swift_field_owner"], isMended: true),
        Drift(
            name: "another policy", old: "var title", new: "@Attribute(onConflict: .localWins) var title",
            problems: ["7:28 error swift_field_rule"]),
        Drift(
            name: "other null", old: "var title", new: "@Attribute(onNull: .keep) var title",
            problems: ["7:24 error swift_field_rule"], left: "@Attribute(onNull: .setNull) var title"),
        Drift(
            name: "another policy of all", old: "(table: \"books\", names",
            new: "(table: \"books\", onConflict: .fail, names",
            problems: ["5:8 error swift_model_rule"]),
        Drift(
            name: "what a person decides", old: "(table: \"books\", names",
            new: "(table: \"books\", onConflict: .manual, names", problems: []),
        Drift(
            name: "another default", old: "= 1.5", new: "= 1.50_0", problems: []),
        Drift(
            name: "another value by default", old: "= 1.5", new: "= 2", problems: ["9:27 warning swift_field_default"],
            isMended: true),
        Drift(
            name: "no default", old: " = 1.5", new: "", problems: ["9:9 warning swift_field_default"], isMended: true),
        Drift(
            name: "an expression by default", old: "= 1.5", new: "= .zero + 1",
            problems: ["9:27 warning swift_field_default"]),
        Drift(
            name: "another delete rule", old: ".nullify) var author", new: ".cascade) var author",
            problems: ["12:47 error swift_relationship_delete_rule"], isMended: true),
        Drift(
            name: "another table of links", old: ", via: \"books_tags\"", new: "",
            problems: ["13:63 error swift_relationship_via"], isMended: true),
        Drift(
            name: "another target", old: "Ref<Author>?", new: "Ref<Tag>?",
            problems: ["12:69 error swift_relationship_target"]),
        Drift(
            name: "an inverse that is not there", old: "inverse: \"books\"", new: "inverse: \"shelves\"",
            problems: ["13:28 error swift_relationship_inverse"]),
        Drift(
            name: "a relationship is missing",
            old: "    @Relationship(inverse: \"tags\", deleteRule: .nullify) var books: Refs<Book>\n",
            new: "",
            problems: ["13:28 error swift_relationship_inverse", "19:25 note swift_relationship_missing"]),
        Drift(
            name: "no origin", old: "\"books_tags\") var tags: Refs<Tag>\n    var origin = Origin()\n",
            new: "\"books_tags\") var tags: Refs<Tag>\n", problems: ["5:8 warning swift_origin_missing"], isMended: true
        ),
        Drift(
            name: "another table", old: "table: \"books\"", new: "table: \"volumes\"",
            problems: ["5:8 error swift_model_unmatched", "21:69 error swift_relationship_target"]),
        Drift(
            name: "another entity", old: "(table: \"books\", names",
            new: "(entity: \"Volume\", table: \"books\", names",
            problems: ["4:26 error swift_model_name"], left: "(entity: \"Book\", table: \"books\", names"),
        Drift(
            name: "two models", old: "@PersistentModel struct Author {",
            new: "@PersistentModel(table: \"books\") struct Author {",
            problems: [
                "12:69 error swift_relationship_target", "17:41 error swift_model_duplicate",
                "shop.yaml warning swift_model_missing",
            ]),
        Drift(
            name: "a model of the program's own", old: "@PersistentModel struct Tag",
            new: "@PersistentModel struct Note { let id: Int }\n@PersistentModel struct Tag",
            problems: ["19:25 note swift_model_unmatched"]),
        Drift(
            name: "a path that is none", old: "json: \"codes.isbn\"", new: "json: \"codes[\"",
            problems: ["8:31 error swift_unreadable", "shop.yaml warning swift_model_missing"]),
        Drift(
            name: "a model that cannot be", old: "@PersistentModel struct Author {",
            new: "@PersistentModel class Author {",
            problems: ["17:24 error swift_unreadable", "shop.yaml warning swift_model_missing"]),
    ]

    func check(_ shop: Workshop, _ options: String...) -> Workshop.Outcome {
        shop.run(["validate", shop.pipeline, "--swift", "\(shop.folder)/Models.swift"] + options)
    }

    func shop(_ model: String) throws -> Workshop {
        let shop = try Workshop()
        try shop.write(Self.yaml, to: "shop.yaml")
        try shop.write(model, to: "Models.swift")
        return shop
    }

    func problems(_ outcome: Workshop.Outcome) throws -> [String] {
        let root = try JSONDocument(outcome.output).root
        return root.member(named: "problems")?.elements.map { problem in
            func text(_ name: String) -> String { problem.member(named: name)?.string ?? "" }
            let file = text("file").split(separator: "/").last.map(String.init) ?? ""
            let line = problem.member(named: "line")?.integer
            let column = problem.member(named: "column")?.integer
            let place = line.map { "\($0):\(column ?? 0)" } ?? file
            return "\(place) \(text("severity")) \(text("code"))"
        } ?? []
    }

    @Test(arguments: drifts)
    func differencesAreFoundAndMended(_ drift: Drift) throws {
        #expect(Self.model.contains(drift.old))
        let changed = Self.model.replacing(drift.old, with: drift.new, maxReplacements: 1)
        let shop = try shop(changed)
        let outcome = check(shop, "--format", "json")
        #expect(try problems(outcome) == drift.problems, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.code == (drift.problems.contains { $0.contains(" error ") } ? 78 : 0))
        let isFree = drift.problems.allSatisfy { $0.contains(" note ") }
        #expect(check(shop, "--strict").code == (isFree ? 0 : 78))

        let dry = check(shop, "--fix", "--dry-run")
        #expect(try shop.read("Models.swift") == changed)
        // A dry run tells of the files as they are.
        let dryJSON = check(shop, "--fix", "--dry-run", "--format", "json")
        #expect(try problems(dryJSON) == drift.problems)
        #expect(dry.code == outcome.code && dryJSON.code == outcome.code)
        let fixed = check(shop, "--fix", "--format", "json")
        let after = try shop.read("Models.swift")
        if drift.isMended {
            #expect(after == Self.model)
            #expect(try problems(fixed) == [] && fixed.code == 0)
            #expect(dry.output.hasPrefix("--- \(shop.folder)/Models.swift\n+++ "))
        } else if let left = drift.left {
            #expect(after.contains(left))
            #expect(fixed.code == 0, "\(fixed.output)")
        } else {
            #expect(after == changed)
        }
    }

    @Test func aModelWithoutIdentifierIsTold() throws {
        let model = Self.model.replacing("names: .snakeCase)", with: "identifier: .none, names: .snakeCase)").replacing(
            "    @Relationship(inverse: \"books\", deleteRule: .nullify, via: \"books_tags\") var tags: Refs<Tag>\n",
            with: "")
        let outcome = check(try shop(model), "--format", "json")
        #expect(try problems(outcome).contains("5:8 error swift_field_key"), "\(outcome.output)")
        #expect(outcome.output.contains("Nothing identifies a `Book`"))
    }

    @Test func problemsAreToldInFourForms() throws {
        let shop = try shop(Self.model.replacing("isbn: String?", with: "isbn: String"))
        let text = check(shop)
        let file = "\(shop.folder)/Models.swift"
        #expect(
            text.output == """
                \(file):8:55: error: Other optionality: The pipeline does not require `isbn`, and `Book.isbn` takes no null.
                        @Attribute(.unique, json: "codes.isbn") var isbn: String
                                                                          ^
                    note: the pipeline says it in \(shop.pipeline):12:1
                    help: Make it optional, or add `required: true` to the field.
                1 pipeline file is valid.
                1 error in 3 models in 1 Swift file.

                """, "\(text.output)")
        let github = check(shop, "--format", "github")
        #expect(
            github.output.hasPrefix(
                "::error file=\(file),line=8,col=55,title=Other optionality::Other optionality: The pipeline does not"))
        #expect(github.code == 78)
        let sarif = check(shop, "--format", "sarif")
        let run = try JSONDocument(sarif.output).root.member(named: "runs")?.elements.first
        let result = run?.member(named: "results")?.elements.first
        #expect(result?.member(named: "ruleId")?.string == "swift_field_optional")
        #expect(result?.member(named: "level")?.string == "error")
        let place = result?.member(named: "locations")?.elements.first?.member(named: "physicalLocation")
        #expect(place?.member(named: "artifactLocation")?.member(named: "uri")?.string == "file://\(file)")
        #expect(place?.member(named: "region")?.member(named: "startLine")?.integer == 8)
        #expect(place?.member(named: "region")?.member(named: "startColumn")?.integer == 55)
        #expect(run?.member(named: "tool")?.member(named: "driver")?.member(named: "name")?.string == "sluice")
    }

    @Test func whatIsMendedIsCounted() throws {
        let shop = try shop(
            Self.model.replacing("isbn: String?", with: "isbn: String").replacing(" = 1.5", with: "")
                .replacing("@Attribute(.unique, json: \"codes.isbn\")", with: "").replacing("Decimal", with: "Double"))
        let outcome = check(shop, "--fix")
        #expect(outcome.code == 78)
        #expect(
            outcome.output.hasSuffix("4 differences were mended. 1 error in 3 models in 1 Swift file.\n"),
            "\(outcome.output)")
        #expect(try shop.read("Models.swift").contains("@Attribute(.unique, json: \"codes.isbn\") var isbn: String?"))
    }

    @Test func aDryRunShowsItsEditsBesideTheProblems() throws {
        let shop = try shop(Self.model.replacing("isbn: String?", with: "isbn: String"))
        let dry = check(shop, "--fix", "--dry-run")
        #expect(dry.output.contains("\n+    @Attribute(.unique, json: \"codes.isbn\") var isbn: String?\n"))
        #expect(
            dry.output.hasSuffix("1 error in 3 models in 1 Swift file. 1 difference would be mended.\n"),
            "\(dry.output)")
        let quiet = check(shop, "--fix", "--dry-run", "--quiet")
        #expect(quiet.output.hasPrefix("\(shop.folder)/Models.swift:8:55: error: "), "\(quiet.output)")
        #expect(quiet.code == 78)
        for form in ["json", "sarif", "github"] {
            let outcome = check(shop, "--fix", "--dry-run", "--format", form)
            #expect(outcome.output.contains("Other optionality") && outcome.code == 78, "\(form): \(outcome.output)")
        }
    }

    /// How a file was generated is how its models are looked at.
    @Test func aFileThatWasGeneratedWithoutOriginsLacksNone() throws {
        let plain = Self.model.replacing("\n    var origin = Origin()", with: "")
            .replacing("; var origin = Origin()", with: "")
        #expect(!plain.contains("Origin"))
        #expect(check(try shop(plain), "--strict").code == 78)
        let marked = "// Ours.\n// sluice:generated from shop.yaml with --no-origin\n\n" + plain
        for text in [marked, marked.replacing("\n", with: "\r\n")] {
            let outcome = check(try shop(text), "--strict")
            #expect(outcome.code == 0, "\(outcome.output)")
        }
    }

    /// Lines end with a line feed, with or without a carriage return before it.
    @Test(arguments: [
        (old: "isbn: String?", new: "isbn: String", isInserted: false),
        (
            old: "\"books_tags\") var tags: Refs<Tag>\r\n    var origin = Origin()\r\n",
            new: "\"books_tags\") var tags: Refs<Tag>\r\n", isInserted: true
        ),
    ])
    func filesWithCarriageReturnsAreReadAndMended(old: String, new: String, isInserted: Bool) throws {
        let model = Self.model.replacing("\n", with: "\r\n")
        let changed = model.replacing(old, with: new, maxReplacements: 1)
        #expect(changed != model)
        let shop = try shop(changed)
        let dry = check(shop, "--fix", "--dry-run")
        let hunk = TextLines.of(dry.output).filter { $0.hasPrefix("@@ ") || $0.hasPrefix("+ ") || $0.hasPrefix("- ") }
        #expect(hunk.count == (isInserted ? 2 : 3), "\(dry.output)")
        let problem = try #require(TextLines.of(check(shop).output).dropFirst().first)
        #expect(!problem.contains("\\r") && !problem.contains("\r"))
        #expect(check(shop, "--fix").code == 0)
        #expect(try shop.read("Models.swift") == model)
    }

    @Test func generatedFilesAreWhatWouldBeGenerated() throws {
        let shop = try Workshop()
        try shop.write(Self.yaml, to: "shop.yaml")
        func exact() throws -> [String] {
            let arguments = ["validate", shop.pipeline, "--swift", shop.folder, "--level", "exact", "--format", "json"]
            return try problems(shop.run(arguments))
        }
        let options = ["--access-level", "public", "--initializer", "--names", "verbatim"]
        try shop.write("// {{ file }}\n", to: "header.txt")
        let header = ["--header-template", "\(shop.folder)/header.txt"]
        for layout in ["--single-file", "--split-by-entity"] {
            let generate = ["generate", "swift", shop.pipeline, "--to", shop.folder, "--clean-stale", layout]
            #expect(shop.run(generate + options + header).code == 0)
            #expect(try exact() == [], "\(layout)")
        }
        // A comment changes nothing of what the model says.
        try shop.write(try shop.read("Tag.swift").replacing("struct Tag", with: "struct /* 1 */ Tag"), to: "Tag.swift")
        #expect(try exact() == ["8:15 error swift_managed_drift"])
        try shop.write(try shop.read("Author.swift").replacing("Author", with: "Person"), to: "Person.swift")
        FileSystem.remove("\(shop.folder)/Author.swift")
        let missing = try exact()
        #expect(missing.contains { $0.hasSuffix("error swift_managed_missing") })
        #expect(missing.contains("1:1 error swift_managed_stale"))
        // Removing it is what its remedy does, and the folder is generated again as it was.
        let stale = shop.run(["validate", shop.pipeline, "--swift", shop.folder, "--level", "exact"])
        #expect(
            stale.output.contains(
                "`sluice generate swift \(shop.pipeline) --to \(shop.folder) \(options.joined(separator: " ")) --header-template FILE --clean-stale` removes it."
            ), "\(stale.output)")
        try shop.write("struct Author {}\n", to: "Author.swift")
        #expect(try exact().contains("1:1 error swift_managed_unmanaged"))
    }

    /// What a remedy says can be copied: it names the pipelines, the folder and how its files were made.
    @Test func remediesGenerateTheFolderAsItWas() throws {
        let shop = try Workshop()
        let yaml = Self.yaml.replacing("name: shop\n", with: "name: shop\nvars: {a: c}\n")
        try shop.write(yaml, to: "the shop.yaml")
        let pipeline = "\(shop.folder)/the shop.yaml"
        let folder = "\(shop.folder)/Ann's models"
        defer {
            FileSystem.remove("\(folder)/Models.swift")
            FileSystem.removeFolder(folder)
        }
        let generate = ["generate", "swift", pipeline, "--to", folder, "--single-file", "--no-origin", "--var", "a=b"]
        #expect(shop.run(generate).code == 0)
        try shop.write(
            try shop.read("Ann's models/Models.swift").replacing("struct Tag", with: "struct /* 1 */ Tag"),
            to: "Ann's models/Models.swift")
        let outcome = shop.run(["validate", pipeline, "--swift", folder, "--level", "exact", "--var", "a=b"])
        #expect(
            outcome.output.contains(
                "`sluice generate swift '\(pipeline)' --var a=… --to '\(shop.folder)/Ann'\\''s models' --single-file --no-origin` writes it again"
            ), "\(outcome.output)")
    }

    /// A file with the marker is the program's, however its lines end; a header is made of comments alone.
    @Test func generatedFilesWithCarriageReturnsAreWrittenAgain() throws {
        let shop = try Workshop()
        try shop.write(Self.yaml, to: "shop.yaml")
        try shop.write("// Ours.\r\n// {{ file }}\r\n", to: "header.txt")
        let generate = [
            "generate", "swift", shop.pipeline, "--to", shop.folder, "--header-template", "\(shop.folder)/header.txt",
        ]
        #expect(shop.run(generate).code == 0)
        let text = try shop.read("Tag.swift")
        #expect(text.hasPrefix("// Ours.\n// Tag.swift\n// sluice:generated from "), "\(text)")
        try shop.write(text.replacing("\n", with: "\r\n"), to: "Tag.swift")
        let again = shop.run(generate)
        #expect(again.code == 0 && again.output.contains("Tag.swift  (replaced)"), "\(again.errors)")
        #expect(try shop.read("Tag.swift") == text)
        try shop.write("// Ours.\r\nlet code = 1\r\n", to: "header.txt")
        let refused = shop.run(generate)
        #expect(refused.code == 64 && refused.errors.contains("line 2 is no comment"), "\(refused.errors)")
    }

    @Test(arguments: [
        ("--level exact", 64, "`--level` is about models of Swift"), ("--fix", 64, "`--fix` mends models of Swift"),
        ("--swift x --dry-run", 64, "`--dry-run` goes with `--fix`"),
        ("--swift nowhere", 1, "There is no `nowhere`"),
    ])
    func whatCannotBeIsRefused(options: String, code: Int32, message: String) throws {
        let shop = try shop(Self.model)
        let outcome = shop.run(["validate", shop.pipeline] + options.split(separator: " ").map(String.init))
        #expect(outcome.code == code && outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func anyTextIsRead() throws {
        let bytes = Array(Self.model.utf8)
        for length in stride(from: 0, to: bytes.count, by: 7) {
            let shop = try shop(String(decoding: bytes[..<length], as: UTF8.self))
            _ = check(shop, "--fix")
        }
    }
}

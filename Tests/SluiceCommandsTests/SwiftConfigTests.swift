import SluiceCommands
import SluiceJSON
import SluiceSystem
import Testing

/// A configuration says which models there are, and what differs in them from what follows of the pipelines.
@Suite struct SwiftConfigTests {
    private static let pipeline = """
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
              format: {type: enum, values: [paper, e-book]}
              votes: int
              extra: json
              author: {ref: Author, from: author}
          Author: {primary_key: [id], fields: {id: int, "2nd name": string}}
        streams:
          - {name: books, entity: Book, path: books.json}
        """

    /// Rules, and what the models say then.
    struct Rule: CustomTestStringConvertible {
        let name: String
        let yaml: String
        let present: [String]
        var absent: [String] = []
        var testDescription: String { name }
    }

    static let rules = [
        Rule(
            name: "a type's name", yaml: "entities: {Book: {swift_name: Volume}}",
            present: ["@PersistentModel(entity: \"Book\", table: \"books\", names: .snakeCase)\nstruct Volume {"]),
        Rule(
            name: "a type's name, under its table", yaml: "entities: {books: {swift_name: Volume}}",
            present: ["struct Volume {"]),
        Rule(
            name: "a type's name that another one would have",
            yaml: "entities: {Book: {swift_name: Author}}",
            present: ["struct Author {", "struct Author2 {", "Ref<Author2>"]),
        Rule(
            name: "a property's name", yaml: "entities: {Book: {fields: {title: {swift_name: headline}}}}",
            present: ["@Attribute(persistentName: \"title\", json: \"title\") var headline: String\n"]),
        Rule(
            name: "a property's name that another one would have",
            yaml: "entities: {Book: {fields: {title: {swift_name: votes}}}}",
            present: ["var votes: String\n", "var votes2: Int?"]),
        Rule(
            name: "a type of one's own", yaml: "entities: {Book: {fields: {format: {swift_type: BookFormat}}}}",
            present: ["    var format: BookFormat?\n"], absent: ["enum Format"]),
        Rule(
            name: "a raw value",
            yaml: "entities: {Book: {fields: {isbn: {swift_type: ISBN, storage: raw}}}}",
            present: ["@Attribute(.unique, json: \"codes.isbn\", storageMethod: .raw) var isbn: ISBN?\n"]),
        Rule(
            name: "JSON", yaml: "entities: {Book: {fields: {extra: {swift_type: Extra, storage: codable}}}}",
            present: ["@Attribute(storageMethod: .codable) var extra: Extra?\n"]),
        Rule(
            name: "a transform",
            yaml:
                "entities: {Book: {fields: {votes: {swift_type: Color, storage: transformed, transform: Colors.RGB}}}}",
            present: ["@Attribute(storageMethod: .transformed(Colors.RGB.self)) var votes: Color?\n"]),
        Rule(
            name: "a field that is left out", yaml: "entities: {Book: {fields: {isbn: {skip: true}}}}",
            present: ["var votes: Int?"], absent: ["isbn"]),
        Rule(
            name: "a relationship",
            yaml: "entities: {Book: {relationships: {author: {swift_name: writer, delete_rule: deny}}}}",
            present: [
                "@Relationship(persistentName: \"author\", inverse: .none, deleteRule: .deny)",
                "var writer: Ref<Author>?\n",
            ]),
        Rule(
            name: "types", yaml: "types: {int: Int64}", present: ["let id: Int64\n", "var votes: Int64?\n"]),
        Rule(
            name: "how models are made", yaml: "access: public\ninitializer: true\norigin: false\ncounts: false",
            present: ["public struct Book {", "initializer: true, counts: false"], absent: ["Origin"]),
    ]

    private func shop(_ configuration: String) throws -> Workshop {
        let shop = try Workshop()
        try shop.write(Self.pipeline, to: "shop.yaml")
        try shop.write("version: 1\npipelines: [shop.yaml]\n\(configuration)\n", to: "models.yaml")
        return shop
    }

    private func generate(_ shop: Workshop, _ options: String...) -> Workshop.Outcome {
        shop.run(["generate", "swift", "--config", "\(shop.folder)/models.yaml", "--output", "-"] + options)
    }

    private func check(_ shop: Workshop, _ options: String...) -> Workshop.Outcome {
        shop.run(
            ["validate", "--config", "\(shop.folder)/models.yaml", "--swift", "\(shop.folder)/Models.swift"] + options)
    }

    private func problems(_ outcome: Workshop.Outcome) throws -> [String] {
        let root = try JSONDocument(outcome.output).root
        return root.member(named: "problems")?.elements.map { problem in
            func text(_ name: String) -> String { problem.member(named: name)?.string ?? "" }
            let line = problem.member(named: "line")?.integer ?? 0
            return "\(line) \(text("severity")) \(text("code"))"
        } ?? []
    }

    @Test(arguments: rules)
    func rulesSayWhatModelsAreLike(_ rule: Rule) throws {
        let shop = try shop(rule.yaml)
        let outcome = generate(shop)
        #expect(outcome.code == 0, "\(outcome.errors)")
        for text in rule.present { #expect(outcome.output.contains(text), "\(outcome.output)") }
        for text in rule.absent { #expect(!outcome.output.contains(text), "\(outcome.output)") }
        // What is generated agrees with the same rules, and what is generated without them does not.
        try shop.write(outcome.output, to: "Models.swift")
        let checked = check(shop, "--strict", "--format", "json")
        #expect(try checked.code == 0 && problems(checked) == [], "\(checked.output)\(checked.errors)")
    }

    @Test(arguments: [
        ("{swift_name: Volume}", "error swift_field_name"),
        ("{fields: {title: {swift_name: headline}}}", "error swift_field_name"),
        ("{fields: {format: {swift_type: BookFormat}}}", "error swift_field_type"),
        ("{fields: {extra: {swift_type: Extra, storage: codable}}}", "error swift_field_storage"),
        ("{fields: {isbn: {skip: true}}}", "warning swift_field_extra"),
        ("{relationships: {author: {delete_rule: deny}}}", "error swift_relationship_delete_rule"),
        ("{relationships: {author: {swift_name: writer}}}", "error swift_field_name"),
    ])
    func modelsThatDoNotFollowARuleAreFound(rule: String, problem: String) throws {
        let shop = try shop("")
        try shop.write(generate(shop).output, to: "Models.swift")
        #expect(check(shop, "--strict").code == 0)
        try shop.write("version: 1\npipelines: [shop.yaml]\nentities: {Book: \(rule)}\n", to: "models.yaml")
        let outcome = check(shop, "--format", "json")
        #expect(try problems(outcome).map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == [problem])
        #expect(outcome.code == (problem.hasPrefix("error") ? 78 : 0))
    }

    @Test func aModelMayBeStricterWhereThatIsSaid() throws {
        let shop = try shop("entities: {Book: {fields: {isbn: {optional: ignore}}}}")
        let models = generate(shop).output
        #expect(models.contains("var isbn: String?"))
        try shop.write(models.replacing("var isbn: String?", with: "var isbn: String"), to: "Models.swift")
        #expect(check(shop, "--strict").code == 0)
        try shop.write("version: 1\npipelines: [shop.yaml]\n", to: "models.yaml")
        #expect(check(shop).code == 78)
    }

    @Test func modelsNeedNoOriginWhereTheConfigurationSaysSo() throws {
        let shop = try shop("origin: false")
        let own = generate(shop).output.split(separator: "\n").filter { !$0.hasPrefix("// sluice") }
        try shop.write(own.joined(separator: "\n"), to: "Models.swift")
        #expect(check(shop, "--strict").code == 0)
        try shop.write("version: 1\npipelines: [shop.yaml]\n", to: "models.yaml")
        #expect(check(shop, "--strict").code == 78)
    }

    @Test(arguments: [
        ("entitys: {}", "3 error unknown_key"),
        ("level: high", "3 error invalid_value"),
        ("store: sqlite:a.db", "3 error conflicting_keys"),
        ("types: {int: String}", "3 error invalid_value"),
        ("types: {int: Int?}", "3 error invalid_value"),
        ("types: {number: Int}", "3 error unknown_key"),
        ("entities: {Bok: {swift_name: Volume}}", "3 error unknown_entity"),
        ("entities:\n  Book: {swift_name: A}\n  books: {swift_name: B}", "5 error duplicate_name"),
        ("entities:\n  Book: {swift_name: A}\n  Author: {swift_name: A}", "5 error duplicate_name"),
        ("entities: {Book: {swift_name: a b}}", "3 error invalid_value"),
        ("entities: {Book: {fields: {titel: {swift_name: a}}}}", "3 error unknown_field"),
        ("entities: {Book: {fields: {author: {swift_name: a}}}}", "3 error invalid_value"),
        ("entities: {Book: {relationships: {title: {swift_name: a}}}}", "3 error unknown_relationship"),
        ("entities: {Book: {fields: {title: {swift_name: path}}}}", "3 error invalid_value"),
        ("entities: {Book: {fields: {title: {swift_name: 2a}}}}", "3 error invalid_value"),
        ("entities: {Book: {fields: {title: {swift_name: a}, votes: {swift_name: a}}}}", "3 error duplicate_name"),
        ("entities: {Book: {fields: {title: {swift_type: Int}}}}", "3 error invalid_value"),
        ("entities: {Book: {fields: {title: {storage: raw}}}}", "3 error missing_key"),
        ("entities: {Book: {fields: {title: {swift_type: A, storage: transformed}}}}", "3 error missing_key"),
        ("entities: {Book: {fields: {title: {swift_type: A, transform: B}}}}", "3 error conflicting_keys"),
        ("entities: {Book: {fields: {title: {skip: true, swift_name: a}}}}", "3 error conflicting_keys"),
        ("entities: {Book: {fields: {id: {skip: true}}}}", "3 error invalid_value"),
        ("entities: {Book: {fields: {votes: {skip: false}}}}", "3 warning idle_rule"),
        ("entities: {Book: {fields: {title: {optional: ignore}}}}", "3 warning idle_rule"),
    ])
    func rulesThatCannotBeAreFoundWithTheirPlace(yaml: String, problem: String) throws {
        let shop = try shop("")
        try shop.write(generate(shop).output, to: "Models.swift")
        try shop.write("version: 1\npipelines: [shop.yaml]\n\(yaml)\n", to: "models.yaml")
        let outcome = check(shop, "--format", "json")
        #expect(try problems(outcome).first == problem, "\(outcome.output)")
        let isError = problem.contains(" error ")
        #expect(outcome.code == (isError ? 78 : 0))
        let generated = generate(shop)
        #expect(generated.code == (isError ? 78 : 0))
        #expect(generated.errors.contains("models.yaml:"), "\(generated.errors)")
    }

    /// What is written out of the models is what they are anyway.
    @Test func whatIsGeneratedChangesNothing() throws {
        let shop = try shop("")
        let plain = generate(shop).output
        for style in ["compact", "explicit"] {
            let made = shop.run(["generate", "swift-config", shop.pipeline, "--style", style])
            #expect(made.code == 0, "\(made.errors)")
            let lines = made.output.split(separator: "\n").map { line in
                line.hasPrefix("pipelines:") ? "pipelines: [shop.yaml]" : String(line)
            }
            try shop.write(lines.joined(separator: "\n"), to: "models.yaml")
            #expect(generate(shop).output == plain, "\(made.output)")
            try shop.write(plain, to: "Models.swift")
            let checked = check(shop, "--strict")
            #expect(checked.code == 0, "\(checked.output)")
        }
        let compact = shop.run(["generate", "swift-config", shop.pipeline]).output
        #expect(
            compact.hasSuffix(
                """
                sources: Sources/Models
                entities:
                  Author:
                    fields:
                      "2nd name": {swift_name: _2ndName}

                """), "\(compact)")
        let explicit = shop.run(["generate", "swift-config", shop.pipeline, "--style", "explicit"]).output
        #expect(explicit.contains("      isbn: {swift_name: isbn, swift_type: String}\n"), "\(explicit)")
        #expect(explicit.contains("      format: {swift_name: format}\n"))
        #expect(explicit.contains("      author: {swift_name: author, delete_rule: nullify}\n"))
    }

    @Test func aPresetNeedsNoPipeline() throws {
        let shop = try shop("")
        try shop.write(generate(shop).output, to: "Models.swift")
        FileSystem.remove("\(shop.folder)/models.yaml")
        for preset in ["minimal", "full"] {
            let path = "\(shop.folder)/models.yaml"
            let made = shop.run(["generate", "swift-config", "--preset", preset, "--output", path, "--force"])
            #expect(made.code == 0, "\(made.errors)")
            let text = try shop.read("models.yaml")
            #expect(text.contains("pipelines: [pipelines]\n"))
            try shop.write(text.replacing("[pipelines]", with: "[shop.yaml]"), to: "models.yaml")
            #expect(check(shop, "--strict").code == 0)
        }
        // Each key that is a comment can be taken out of it.
        let full = shop.run(["generate", "swift-config", "--preset", "full"]).output
        let commented = full.split(separator: "\n").filter { line in
            line.hasPrefix("# ") && line.contains(": ")
                && line.dropFirst(2).prefix { $0 != ":" }.allSatisfy { $0.isLowercase || $0 == "_" }
        }
        #expect(commented.count > 10)
        for line in commented where !line.hasPrefix("# store:") {
            try shop.write("version: 1\npipelines: [shop.yaml]\n\(line.dropFirst(2))\n", to: "models.yaml")
            let outcome = check(shop, "--format", "json")
            #expect(try !problems(outcome).contains { $0.hasSuffix("_key") || $0.hasSuffix("_value") }, "\(line)")
        }
    }

    @Test func aFileThatIsThereStays() throws {
        let shop = try shop("")
        let path = "\(shop.folder)/models.yaml"
        let before = try shop.read("models.yaml")
        let refused = shop.run(["generate", "swift-config", shop.pipeline, "--output", path])
        #expect(refused.code == 1 && refused.errors.contains("--force"))
        #expect(try shop.read("models.yaml") == before)
        #expect(shop.run(["generate", "swift-config", shop.pipeline, "--output", path, "--force"]).code == 0)
        // Paths are relative to the file.
        #expect(try shop.read("models.yaml").contains("pipelines: [shop.yaml]\n"))
    }

    /// Tables of a store have models without a pipeline.
    @Test func aStoreSaysWhatModelsAreLike() throws {
        let shop = try Workshop()
        try shop.make("CREATE TABLE shelf (id INTEGER PRIMARY KEY, room TEXT NOT NULL)")
        let path = "\(shop.folder)/models.yaml"
        let made = shop.run(["generate", "swift-config", "sqlite:\(shop.store)", "--output", path])
        #expect(made.code == 0, "\(made.errors)")
        #expect(try shop.read("models.yaml").contains("store: \"sqlite:shop.db\"\n"))
        let models = generate(shop)
        #expect(models.output.contains("var room: String\n"), "\(models.errors)")
        try shop.write(models.output, to: "Models.swift")
        let checked = check(shop, "--strict")
        #expect(checked.code == 0)
        #expect(checked.output.hasPrefix("1 model in 1 Swift file agree"), "\(checked.output)")
        try shop.write(models.output.replacing("room: String", with: "room: Int"), to: "Models.swift")
        #expect(check(shop).code == 78)
    }

    /// The folder of the configuration is generated and checked, without the files that it leaves out.
    @Test func sourcesAreGeneratedAndChecked() throws {
        let shop = try shop("sources: .\nlevel: exact\nexclude: [\"Old*.swift\"]\nsingle_file: true")
        let config = ["--config", "\(shop.folder)/models.yaml"]
        let made = shop.run(["generate", "swift"] + config)
        #expect(made.code == 0 && made.output.contains("Models.swift  (written)"), "\(made.errors)")
        try shop.write("@PersistentModel struct Book { let id: String }\n", to: "OldBook.swift")
        #expect(shop.run(["validate", "--strict"] + config).code == 0)
        try shop.write(
            try shop.read("Models.swift").replacing("struct Author", with: "struct /**/ Author"), to: "Models.swift")
        let drifted = shop.run(["validate", "--swift"] + config)
        #expect(drifted.code == 78)
        #expect(
            drifted.output.contains("`sluice generate swift --config \(shop.folder)/models.yaml --to "),
            "\(drifted.output)")
        #expect(shop.run(["generate", "swift"] + config).code == 0)
        #expect(shop.run(["validate", "--strict"] + config).code == 0)
    }

    @Test(arguments: [
        ("generate swift-config --preset full --style compact", "exclude each other"),
        ("generate swift-config pipelines --preset full", "reads no pipeline"),
        ("validate --config nowhere.yaml --swift", "nowhere.yaml"),
    ])
    func whatCannotBeIsRefused(line: String, message: String) throws {
        let outcome = try Workshop().run(line.split(separator: " ").map(String.init))
        #expect(outcome.code == (message == "nowhere.yaml" ? 78 : 64))
        #expect((outcome.errors + outcome.output).contains(message), "\(outcome.errors)\(outcome.output)")
    }

    @Test func theSchemaHasEachKey() throws {
        let outcome = try Workshop().run(["generate", "schema", "swift-config"])
        let root = try JSONDocument(outcome.output).root
        #expect(root.member(named: "$id")?.string == "urn:sluice:swift-config:1")
        for key in ["version", "pipelines", "store", "sources", "include", "exclude", "types", "entities", "level"] {
            #expect(root.member(named: "properties")?.member(named: key) != nil, "\(key)")
        }
    }
}

import Testing

/// The name of an entity is part of what a source's records are kept by, so model and pipeline have the same.
extension ValidateSwiftTests {
    /// A model of the table `volume`, whose entity is `Book`.
    struct Named: CustomTestStringConvertible {
        let name: String
        let attribute: String
        let type: String
        /// What `--fix` makes of the attribute; nil where it leaves it.
        let mended: String?
        var testDescription: String { name }
    }

    static let named = [
        Named(
            name: "no argument", attribute: "@PersistentModel", type: "Volume",
            mended: "@PersistentModel(entity: \"Book\", table: \"volume\")"),
        Named(
            name: "empty brackets", attribute: "@PersistentModel()", type: "Volume",
            mended: "@PersistentModel(entity: \"Book\", table: \"volume\")"),
        Named(
            name: "another argument", attribute: "@PersistentModel(names: .snakeCase)", type: "Volume",
            mended: "@PersistentModel(entity: \"Book\", table: \"volume\", names: .snakeCase)"),
        Named(
            name: "a table", attribute: "@PersistentModel(table: \"volume\")", type: "Tome",
            mended: "@PersistentModel(entity: \"Book\", table: \"volume\")"),
        Named(
            name: "an entity with its table", attribute: "@PersistentModel(entity: \"Volume\", initializer: true)",
            type: "Tome", mended: "@PersistentModel(entity: \"Book\", table: \"volume\", initializer: true)"),
        Named(
            name: "an entity alone", attribute: "@PersistentModel(entity: \"Volume\")", type: "Tome",
            mended: "@PersistentModel(entity: \"Book\", table: \"volume\")"),
        Named(
            name: "another case", attribute: "@PersistentModel(entity: \"book\", table: \"volume\")", type: "Tome",
            mended: "@PersistentModel(entity: \"Book\", table: \"volume\")"),
        Named(
            name: "a model that was renamed", attribute: "@PersistentModel(renamedFrom: \"Book\")", type: "Volume",
            mended: nil),
    ]

    private static func pipeline(_ name: String, _ entity: String) -> String {
        """
        version: 1
        name: \(name)
        source: {base_url: "file:."}
        entities:
          \(entity): {table: volume, primary_key: [id], fields: {id: int}}
        streams:
          - {name: books, entity: \(entity), path: books.json}

        """
    }

    @Test(arguments: named)
    func theNameOfAnEntityIsThePipelines(_ row: Named) throws {
        func text(_ attribute: String) -> String {
            "import Sluice\n\n\(attribute)\nstruct \(row.type) {\n    let id: Int\n    var origin = Origin()\n}\n"
        }
        let shop = try shop(text(row.attribute))
        try shop.write(Self.pipeline("shop", "Book"), to: "shop.yaml")
        let found = check(shop)
        #expect(found.code == 78)
        let told = row.attribute.contains("\"book\"") ? "book" : "Volume"
        let entity = row.name == "a table" ? "Tome" : told
        #expect(
            found.output.contains(
                "error: Other name: `\(row.type)` is the model of the entity `\(entity)`, and the entity of its table is called `Book` by the pipeline: what a source says to one is unknown to the other."
            ), "\(found.output)")
        #expect(
            found.output.contains(
                "help: Write `@PersistentModel(entity: \"Book\")`, or rename the entity in the pipeline, with `renamed_from: Book`."
            ), "\(found.output)")
        let fixed = check(shop, "--fix")
        #expect(try shop.read("Models.swift") == text(row.mended ?? row.attribute))
        #expect(fixed.code == (row.mended == nil ? 78 : 0), "\(fixed.output)")
    }

    /// No model has the names of two pipelines.
    @Test func aTableHasOneEntityInAllPipelines() throws {
        let shop = try shop(
            "import Sluice\n\n@PersistentModel(table: \"volume\") struct Book { let id: Int; var origin = Origin() }\n")
        try shop.write(Self.pipeline("shop", "Book"), to: "shop.yaml")
        try shop.write(Self.pipeline("lib", "Tome"), to: "lib.yaml")
        let files = [shop.pipeline, "\(shop.folder)/lib.yaml"]
        let arguments = ["validate"] + files + ["--swift", "\(shop.folder)/Models.swift", "--fix"]
        let outcome = shop.run(arguments)
        #expect(outcome.code == 78)
        #expect(
            outcome.output.contains("called `Tome` by the pipeline")
                && outcome.output.contains("note: the pipeline says it in \(shop.folder)/lib.yaml\n")
                && outcome.output.contains(
                    "help: Call the entity `Book` in the pipeline too, with `renamed_from: Tome`."),
            "\(outcome.output)")
        try shop.write(Self.pipeline("lib", "Book"), to: "lib.yaml")
        #expect(shop.run(arguments).code == 0)
    }
}

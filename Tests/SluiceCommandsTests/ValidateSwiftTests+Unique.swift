import Testing

/// Groups of `unique` are compared both ways.
extension ValidateSwiftTests {
    /// What pipeline and model say is unique.
    struct Uniqueness: CustomTestStringConvertible {
        let name: String
        /// `unique` of the entity.
        let wanted: String
        /// The arguments of `@PersistentModel`, and the properties.
        let arguments: String
        var properties = "let id: Int; var shop: Ref<Shop>?; var number: Int?; var code: String?"
        let problems: [String]
        /// The arguments that `--fix` leaves; nil where it changes nothing.
        var mended: String?
        var testDescription: String { name }
    }

    static let uniqueness = [
        Uniqueness(name: "neither", wanted: "[]", arguments: "", problems: []),
        Uniqueness(
            name: "both, in another order", wanted: "[[shop, number]]", arguments: #"(unique: [["number", "shop"]])"#,
            problems: []),
        Uniqueness(
            name: "the pipeline alone", wanted: "[[shop, number]]", arguments: "",
            problems: ["4:8 warning swift_field_unique"], mended: #"(unique: [["shop", "number"]])"#),
        Uniqueness(
            name: "several of the pipeline", wanted: "[[shop, number], [number, code]]",
            arguments: #"(table: "ticket", names: .snakeCase)"#,
            problems: ["4:8 warning swift_field_unique", "4:8 warning swift_field_unique"],
            mended: #"(table: "ticket", unique: [["shop", "number"], ["number", "code"]], names: .snakeCase)"#),
        Uniqueness(
            name: "one more of the pipeline", wanted: "[[shop, number], [number, code]]",
            arguments: #"(unique: [["shop", "number"],])"#, problems: ["3:26 warning swift_field_unique"],
            mended: #"(unique: [["shop", "number"], ["number", "code"]])"#),
        Uniqueness(
            name: "an empty list", wanted: "[[number, code]]", arguments: "(unique: [ ])",
            problems: ["3:26 warning swift_field_unique"], mended: #"(unique: [["number", "code"] ])"#),
        Uniqueness(
            name: "a list with a comment", wanted: "[[shop, number], [number, code]]",
            arguments: #"(unique: [["shop", "number"] /* pairs */])"#, problems: ["3:26 warning swift_field_unique"]),
        Uniqueness(
            name: "the model alone", wanted: "[]", arguments: #"(unique: [["code", "number"]])"#,
            problems: ["3:26 error swift_field_unique"]),
        Uniqueness(
            name: "others", wanted: "[[shop, number]]", arguments: #"(unique: [["code", "number"]])"#,
            problems: ["3:26 warning swift_field_unique", "3:26 error swift_field_unique"],
            mended: #"(unique: [["code", "number"], ["shop", "number"]])"#),
        Uniqueness(
            name: "fewer of them in the pipeline", wanted: "[[code]]", arguments: #"(unique: [["code", "number"]])"#,
            properties: "let id: Int; var shop: Ref<Shop>?; var number: Int?; @Attribute(.unique) var code: String?",
            problems: []),
        Uniqueness(
            name: "fewer of them in the model", wanted: "[[code], [code, number]]", arguments: "",
            properties: "let id: Int; var shop: Ref<Shop>?; var number: Int?; @Attribute(.unique) var code: String?",
            problems: []),
        Uniqueness(
            name: "with the key", wanted: "[]", arguments: #"(unique: [["id", "number"]])"#, problems: []),
        Uniqueness(
            name: "a property of another name", wanted: "[[number, code]]", arguments: #"(unique: [["no", "code"]])"#,
            properties:
                "let id: Int; var shop: Ref<Shop>?; @Attribute(persistentName: \"number\", json: \"number\") var no: Int?; var code: String?",
            problems: []),
        Uniqueness(
            name: "a property of another name is missing", wanted: "[[number, code]]", arguments: "",
            properties:
                "let id: Int; var shop: Ref<Shop>?; @Attribute(persistentName: \"number\", json: \"number\") var no: Int?; var code: String?",
            problems: ["4:8 warning swift_field_unique"], mended: #"(unique: [["no", "code"]])"#),
        Uniqueness(
            name: "a field that the model leaves out", wanted: "[[number, code]]", arguments: "",
            properties: "let id: Int; var shop: Ref<Shop>?; var number: Int?",
            problems: ["4:8 note swift_field_missing"]),
        Uniqueness(
            name: "a property of the program's own", wanted: "[]", arguments: #"(unique: [["mine", "number"]])"#,
            properties: "let id: Int; var shop: Ref<Shop>?; var number: Int?; var code: String?; var mine: Int?",
            problems: ["3:26 note swift_field_unique", "4:145 note swift_field_extra"]),
    ]

    @Test(arguments: uniqueness)
    func groupsOfUniqueAreComparedBothWays(_ row: Uniqueness) throws {
        func text(_ arguments: String) -> String {
            let properties = row.properties.replacing(
                "var shop", with: "@Relationship(inverse: .none, deleteRule: .nullify) var shop")
            return """
                import Sluice

                @PersistentModel\(arguments)
                struct Ticket { \(properties); var origin = Origin() }

                @PersistentModel struct Shop { let id: Int; var origin = Origin() }

                """
        }
        let shop = try shop(text(row.arguments))
        try shop.write(
            """
            version: 1
            name: tickets
            source: {base_url: "file:."}
            entities:
              Ticket:
                primary_key: [id]
                unique: \(row.wanted)
                fields: {id: int, shop: {ref: Shop, from: shop}, number: int, code: string}
              Shop: {primary_key: [id], fields: {id: int}}
            streams:
              - {name: tickets, entity: Ticket, path: tickets.json}
            """, to: "shop.yaml")
        let outcome = check(shop, "--format", "json")
        #expect(try problems(outcome) == row.problems, "\(outcome.output)")
        #expect(outcome.code == (row.problems.contains { $0.contains(" error ") } ? 78 : 0))
        _ = check(shop, "--fix")
        #expect(try shop.read("Models.swift") == text(row.mended ?? row.arguments))
        let isMended = row.mended != nil && row.problems.allSatisfy { $0.contains(" warning ") }
        if isMended { #expect(check(shop, "--strict").code == 0) }
    }

    @Test func groupsOfUniqueAreNamed() throws {
        let model = Self.model.replacing(
            "(table: \"books\", names", with: "(table: \"books\", unique: [[\"title\", \"votes\"]], names")
        let shop = try shop(model)
        try shop.write(Self.yaml.replacing("[[isbn]]", with: "[[isbn], [title, author, price]]"), to: "shop.yaml")
        let outcome = check(shop)
        let start = "Models.swift:4:42: "
        for line in [
            "\(start)warning: Other uniqueness: The pipeline has `unique` for the columns of `title`, `author` and `price` of `Book` together, and the model does not say so.",
            "\(start)error: Other uniqueness: `title` and `votes` of `Book` together are unique, and the pipeline does not say so: a run that sends values twice would fail.",
            "help: Add them to `unique` of the entity, or leave the group out.",
        ] { #expect(outcome.output.contains(line), "\(outcome.output)") }
    }
}

import Testing

/// What a value means that an enum does not have is what the configuration says, where it says it.
extension ValidateSwiftTests {
    /// A property of the field `medium`, and what is found of it.
    struct Policy: CustomTestStringConvertible {
        let name: String
        /// The line of the configuration.
        let said: String
        let property: String
        let problems: [String]
        /// The property that `--fix` leaves; nil where it changes nothing.
        var mended: String?
        var testDescription: String { "\(said): \(name)" }
    }

    static let policies = [
        Policy(name: "nothing", said: "", property: "var medium: Medium?", problems: []),
        Policy(
            name: "a policy of one's own", said: "",
            property: "@Attribute(decodeFailurePolicy: .debugAssertNil) var medium: Medium?", problems: []),
        Policy(
            name: "none", said: "policy: default", property: "var medium: Medium?",
            problems: ["6:9 error swift_field_policy"],
            mended: "@Attribute(decodeFailurePolicy: .fallbackToDefaultValue) var medium: Medium?"),
        Policy(
            name: "none beside another argument", said: "policy: assert-nil",
            property: "@Attribute(onNull: .setNull) var medium: Medium?",
            problems: ["6:38 error swift_field_policy"],
            mended: "@Attribute(decodeFailurePolicy: .debugAssertNil, onNull: .setNull) var medium: Medium?"),
        Policy(
            name: "another", said: "policy: default",
            property: "@Attribute(storageMethod: .raw, decodeFailurePolicy: .debugAssertNil) var medium: Medium?",
            problems: ["6:58 error swift_field_policy"],
            mended:
                "@Attribute(storageMethod: .raw, decodeFailurePolicy: .fallbackToDefaultValue) var medium: Medium?"),
        Policy(
            name: "the same", said: "policy: assert-nil",
            property: "@Attribute(decodeFailurePolicy: .debugAssertNil) var medium: Medium?", problems: []),
        Policy(
            name: "one that is not to be", said: "policy: throw",
            property: "@Attribute(decodeFailurePolicy: .debugAssertNil) var medium: Medium?",
            problems: ["6:37 error swift_field_policy"],
            mended: "@Attribute(decodeFailurePolicy: .throw) var medium: Medium?"),
        Policy(
            name: "one that takes no null by itself", said: "policy: throw",
            property: "@Attribute(decodeFailurePolicy: .fallbackToDefaultValue) var medium: Medium = .map",
            problems: ["6:37 error swift_field_policy"],
            mended: "@Attribute(decodeFailurePolicy: .throw) var medium: Medium? = .map"),
        Policy(
            name: "an initial value", said: "policy: default", property: "var medium: Medium = .map",
            problems: ["6:9 error swift_field_policy", "6:17 error swift_field_optional"],
            mended: "@Attribute(decodeFailurePolicy: .fallbackToDefaultValue) var medium: Medium? = .map"),
        Policy(name: "a text", said: "policy: default", property: "var medium: String?", problems: []),
        Policy(
            name: "nothing to fall back to", said: "policy: default", property: "var medium: Medium",
            problems: ["6:17 error swift_field_optional"],
            mended: "@Attribute(decodeFailurePolicy: .fallbackToDefaultValue) var medium: Medium?"),
    ]

    private static let mediumPipeline = """
        version: 1
        name: shop
        source: {base_url: "file:."}
        entities:
          Book: {primary_key: [id], fields: {id: int, medium: {type: enum, values: [book, map]}}}
        streams:
          - {name: books, entity: Book, path: books.json}
        """

    private static func mediumModel(_ property: String) -> String {
        """
        import Sluice

        @PersistentModel
        struct Book {
            let id: Int
            \(property)
            var origin = Origin()
        }

        """
    }

    @Test(arguments: policies)
    func thePolicyOfDecodingIsTheConfigurations(_ row: Policy) throws {
        let shop = try shop(Self.mediumModel(row.property))
        try shop.write(Self.mediumPipeline, to: "shop.yaml")
        try shop.write("version: 1\npipelines: [shop.yaml]\n\(row.said)\n", to: "models.yaml")
        func check(_ options: String...) -> Workshop.Outcome {
            shop.run(
                ["validate", "--config", "\(shop.folder)/models.yaml", "--swift", "\(shop.folder)/Models.swift"]
                    + options)
        }
        let outcome = check("--format", "json")
        #expect(try problems(outcome) == row.problems, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.code == (row.problems.isEmpty ? 0 : 78))
        let fixed = check("--fix", "--strict")
        #expect(fixed.code == 0, "\(fixed.output)")
        #expect(try shop.read("Models.swift") == Self.mediumModel(row.mended ?? row.property))
    }

    /// What is generated with a policy agrees with it, and is told by its marker without a configuration.
    @Test(arguments: ["default", "assert-nil", "throw"])
    func aGeneratedFileKeepsItsPolicy(_ policy: String) throws {
        let shop = try Workshop()
        try shop.write(Self.mediumPipeline, to: "shop.yaml")
        let file = "\(shop.folder)/Models.swift"
        #expect(
            shop.run([
                "generate", "swift", shop.pipeline, "--to", shop.folder, "--single-file", "--policy", policy,
            ]).code == 0)
        #expect(check(shop, "--strict").code == 0)
        let text = try shop.read("Models.swift")
        #expect(text.contains("decodeFailurePolicy") == (policy != "throw"))
        try shop.write("version: 1\npipelines: [shop.yaml]\npolicy: \(policy)\n", to: "models.yaml")
        let configured = ["validate", "--config", "\(shop.folder)/models.yaml", "--swift", file, "--strict"]
        #expect(shop.run(configured).code == 0)
        if policy == "throw" { return }
        let argument = policy == "default" ? "fallbackToDefaultValue" : "debugAssertNil"
        let without = text.replacing("@Attribute(decodeFailurePolicy: .\(argument)) ", with: "")
        #expect(without != text)
        try shop.write(without, to: "Models.swift")
        let told = "A value that `Book.medium` cannot have means `.throw`, and "
        let outcome = check(shop)
        #expect(
            outcome.output.contains("\(told)its file was generated with `--policy \(policy)`."), "\(outcome.output)")
        #expect(shop.run(configured).output.contains("\(told)the configuration says `policy: \(policy)`."))
        #expect(check(shop, "--fix").code == 0)
        #expect(try shop.read("Models.swift") == text)
    }
}

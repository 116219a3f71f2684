import SluiceCommands
import Testing

/// Models of records that all their values identify.
extension ValidateSwiftTests {
    static let contents = [
        Drift(name: "nothing", old: "import Sluice", new: "import Sluice", problems: []),
        Drift(
            name: "a property is missing", old: "    let n: Int?\n", new: "",
            problems: ["4:8 error swift_field_missing"]),
        Drift(
            name: "a property is the program's own", old: "    let n", new: "    let mine: Int?\n    let n",
            problems: ["6:9 error swift_field_extra"]),
        Drift(
            name: "another name for the hash", old: "let n: Int?",
            new: "@Attribute(persistentName: \"m\", column: \"n\", json: \"n\") let n: Int?",
            problems: ["6:65 error swift_field_name"],
            left: "@Attribute(persistentName: \"n\", column: \"n\", json: \"n\") let n"),
        Drift(
            name: "a key of its own", old: ", identifier: .content", new: "",
            problems: ["5:33 error swift_field_key"]),
        Drift(
            name: "no key", old: ".content", new: ".none", problems: ["4:8 error swift_field_key"]),
    ]

    @Test(arguments: contents)
    func allValuesThatIdentifyARecordAreCompared(_ drift: Drift) throws {
        let shop = try Workshop()
        let yaml = """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Fact: {primary_key: content, fields: {word: {type: string, required: true}, n: int}}
            streams:
              - {name: facts, entity: Fact, path: facts.json}
            """
        try shop.write(yaml, to: "shop.yaml")
        let key = drift.name == "a key of its own" ? "@Attribute(.identifier) " : ""
        let model = """
            import Sluice

            @PersistentModel(table: "fact", identifier: .content)
            struct Fact {
                \(key)let word: String
                let n: Int?
                var origin = Origin()
            }

            """
        #expect(model.contains(drift.old))
        try shop.write(model.replacing(drift.old, with: drift.new, maxReplacements: 1), to: "Models.swift")
        let outcome = check(shop, "--format", "json")
        #expect(try problems(outcome) == drift.problems, "\(outcome.output)\(outcome.errors)")
        if let left = drift.left {
            #expect(check(shop, "--fix").code == 0)
            #expect(try shop.read("Models.swift").contains(left))
        }
    }
}

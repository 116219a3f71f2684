import SluiceCommands
import Testing

/// Parts of compositions, and relationships with two sides.
extension ValidateSwiftTests {
    /// The columns of a composition's parts are columns of the model.
    @Test func compositionsHaveTheColumnsOfTheirParts() throws {
        let shop = try Workshop()
        try shop.write(
            Self.yaml.replacing("extra: json", with: "place_lat: double\n      places: int"), to: "shop.yaml")
        let model = Self.model.replacing(
            "var extra: JSONText?", with: "@Attribute(storageMethod: .composition) var place: Place?")
        try shop.write(model, to: "Models.swift")
        let outcome = check(shop, "--format", "json")
        // Where no file declares it, nobody knows.
        let missing = "5:8 note swift_field_missing"
        let unknown = [missing, "11:49 note swift_composition_field"]
        #expect(try problems(outcome) == unknown, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("`places`") && outcome.output.contains("`place_lat`"))
        // Elsewhere among the files it is found.
        let declarations: [(String, [String])] = [
            ("let lat: Double?", [missing]), ("var lat: Double", [missing]),
            ("let lat: String?", [missing, "11:49 error swift_composition_field"]),
            ("let lng: Double?", [missing, missing]),
        ]
        for (part, expected) in declarations {
            try shop.write("import Sluice\n\n@Composition struct Place { \(part) }\n", to: "Place.swift")
            let outcome = shop.run(["validate", shop.pipeline, "--swift", shop.folder, "--format", "json"])
            #expect(try problems(outcome) == expected, "\(part): \(outcome.output)\(outcome.errors)")
        }
        // What is not optional takes no null, unless the source always has a value.
        try shop.write(model.replacing("place: Place?", with: "place: Place"), to: "Models.swift")
        try shop.write("import Sluice\n\n@Composition struct Place { let lat: Double }\n", to: "Place.swift")
        let strict = shop.run(["validate", shop.pipeline, "--swift", shop.folder, "--format", "json"])
        #expect(try problems(strict) == [missing, "11:49 error swift_composition_field"], "\(strict.output)")
    }

    /// What has to lead somewhere cannot be let go of.
    @Test func needsARuleThatKeepsWhatIsNeeded() throws {
        let model = Self.model.replacing(
            "@PersistentModel struct Author { let id: Int; ",
            with: """
                @PersistentModel struct Note {
                    let id: Int
                    @Relationship(inverse: "notes", deleteRule: .nullify) var author: Ref<Author>
                    var origin = Origin()
                }

                @PersistentModel struct Author { let id: Int
                    @Relationship(inverse: "author", deleteRule: .nullify) var notes: Refs<Note>

                """)
        let outcome = check(try shop(model), "--format", "json")
        #expect(
            try problems(outcome).contains { $0.hasSuffix("error swift_relationship_delete_rule") },
            "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("would let go of records that have to have a `author`"))
    }
}

import SluiceSwift
import Testing

/// Attributes that say nothing where they stand.
struct AttributePlacementTests {
    /// What stands in a struct, and what is said of its attributes, each at its `@`.
    static let rows: [(members: String, says: [String])] = [
        ("@Attribute(.unique) var x: Int { 3 }", ["@Attribute is for stored properties; `x` is computed"]),
        ("@Relationship(inverse: .none, deleteRule: .deny) var x: Ref<A>? { nil }", ["`x` is computed"]),
        ("@Attribute static let x = 3", ["@Attribute is for stored properties; `x` belongs to the type"]),
        ("@Ignore static var x: Int { 3 }", ["@Ignore is for stored properties; `x` belongs to the type"]),
        ("@Ignore @Attribute(.unique) var x = 3", ["@Attribute: `x` has @Ignore, so nothing of it is stored"]),
        (
            "@Relationship(inverse: .none, deleteRule: .deny) @Ignore var x: Ref<A>? = nil",
            ["@Relationship: `x` has @Ignore"]
        ),
        ("@Attribute(.unique) @Attribute(.indexed) var x: Int", ["@Attribute stands at `x` already"]),
        (
            "@CompositionField(persistentName: \"y\") var x: Int",
            ["@CompositionField is for properties of structs with @Composition; @Attribute(persistentName:) gives"]
        ),
        (
            "@Attribute var x: Int { 3 }; @Attribute static var y = 1",
            ["`x` is computed", "`y` belongs to the type"]
        ),
        // Observers keep the storage, and attributes of others are theirs.
        ("@Attribute(.unique) var x = 3 { didSet {} }", []),
        ("@MainActor static var x = 3", []),
        ("@Relationship(inverse: .none, deleteRule: .deny) @Attribute(.unique) var x: Ref<A>?", []),
    ]

    @Test(arguments: rows.indices) func saysWhatIsNotRead(_ index: Int) {
        let (members, says) = Self.rows[index]
        let source = Array("@PersistentModel struct B { let id: Int; \(members) }".utf8)
        let problems = ModelReader.read(DeclarationReader.read(source)).problems
        #expect(problems.count == says.count, "\(problems)")
        for (problem, text) in zip(problems, says) {
            #expect(problem.message.contains(text), "\(problem)")
            #expect(source[problem.offset] == UInt8(ascii: "@") && problem.fixIt?.range.lowerBound == problem.offset)
        }
    }

    @Test func partsOfCompositionsAreStoredToo() {
        let source = "@Composition struct C { var a: Int; @CompositionField(persistentName: \"c\") var b: Int { 3 } }"
        let problems = CompositionReader.read(DeclarationReader.read(Array(source.utf8))).problems
        #expect(problems.map(\.message) == ["@CompositionField is for stored properties; `b` is computed"])
    }

    /// An attribute, what it stands at, what stands around that, and what is said where no struct says it.
    static let places: [(attribute: String, source: String, outer: String?, says: String?)] = [
        ("Attribute", "@Attribute var x: Int", "@PersistentModel struct B {}", nil),
        ("Attribute", "@Attribute var x: Int", "/// A model.\n@Sluice.PersistentModel(table: \"b\") struct B {}", nil),
        ("CompositionField", "@CompositionField var x: Int", "@Composition struct B {}", nil),
        // The other macro reads it, and refuses it.
        ("Attribute", "@Attribute var x: Int", "@Composition struct B {}", nil),
        (
            "Attribute", "@Attribute var x: Int", "struct B {}",
            "@Attribute is for properties of structs with @PersistentModel"
        ),
        (
            "CompositionField", "\n\n  @CompositionField var x: Int", "extension B {}",
            "@CompositionField is for properties of structs with @Composition"
        ),
        ("Ignore", "  @Ignore func f() {}", nil, "@Ignore is for properties of structs with @PersistentModel"),
        ("Ignore", "@Ignore func f() {}", "@PersistentModel struct B {}", "@Ignore is for stored properties"),
        ("Observable", "@Observable var x: Int", nil, nil),
    ]

    @Test(arguments: places.indices) func saysWhatNoStructReads(_ index: Int) {
        let (attribute, source, outer, says) = Self.places[index]
        let problem = AttributePlacement.problem(
            attribute, at: Array(source.utf8), within: outer.map { Array($0.utf8) })
        #expect(problem?.message == says)
        if let problem { #expect(Array(source.utf8)[problem.offset] == UInt8(ascii: "@")) }
    }
}

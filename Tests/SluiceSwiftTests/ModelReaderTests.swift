import Foundation
import SluiceSwift
import Testing

struct ModelReaderTests {
    private func read(_ source: String) -> (model: ModelDeclaration, problems: [SourceProblem]) {
        ModelReader.read(DeclarationReader.read(Array(source.utf8)))
    }

    @Test func readsAModel() throws {
        let (model, problems) = read(
            """
            @PersistentModel(table: "books", unique: [["title", "price"]], names: .snakeCase)
            struct Book {
                let id: Int
                @Attribute(.unique, persistentName: "isbn") var code: String?
                @Attribute(.indexed) var isRead = false
                var title: String, price = 1
            }
            """)
        // Two properties in one declaration are a problem, and the only one.
        #expect(
            problems.map(\.message) == [
                "@PersistentModel: declare each stored property on its own",
                "@PersistentModel: `unique` names `title`, which is no property",
                "@PersistentModel: `unique` names `price`, which is no property",
            ])
        #expect(model.table == "books" && model.entity == "Book")
        #expect(model.fields.map(\.name) == ["id", "isbn", "is_read"])
        #expect(model.fields.map(\.isIdentifier) == [true, false, false])
        #expect(model.fields[1].isUnique && model.fields[2].type == "Bool")
        #expect(model.fields.map(\.isIndexed) == [false, false, true])
    }

    @Test func keepsTheOrderOfProperties() {
        let (model, problems) = read(
            """
            @PersistentModel(initializer: true) struct Book {
                let id: Int
                @Attribute(storageMethod: .composition) var place: Place?
                @Relationship(inverse: .none, deleteRule: .nullify, via: "book_tags") var tags: Refs<Tag>
                var pages: Int
            }
            """)
        #expect(problems.isEmpty, "\(problems)")
        #expect(model.properties == ["id", "place", "tags", "pages"])
        #expect(model.fields.map(\.property) == ["id", "pages"])
    }

    /// A row of the table of places in JSON: what stands in the struct, and where each property is found.
    static let places: [(members: String, json: [ModelDeclaration.JSONPlace?])] = [
        ("let id: Int; var isRead: Bool", [.key("id"), .key("isRead")]),
        (#"let id: Int; @Attribute(persistentName: "label") var name: String"#, [.key("id"), .key("name")]),
        (#"let id: Int; @Attribute(json: "author.name") var author: String"#, [.key("id"), .path("author.name")]),
        (
            #"let id: Int; var name: String; var own: Int; enum CodingKeys: String, CodingKey { case id, name = "full_name" }"#,
            [.key("id"), .key("full_name"), nil]
        ),
    ]

    @Test(arguments: places.indices) func findsPlacesInJSON(_ index: Int) {
        let row = Self.places[index]
        let (model, problems) = read("@PersistentModel struct Book { \(row.members) }")
        #expect(problems.isEmpty && model.fields.map(\.json) == row.json, "\(row.members)")
    }

    /// A row of the table of defaults: a property, and whether its initial value stands in for an absent key.
    static let defaults: [(property: String, isDefault: Bool)] = [
        ("var a = false", true), ("var a = -1", true), ("var a: Decimal = 1.5", true), (#"var a = "EUR""#, true),
        ("var a: [Part] = []", true), ("var a: Kind = .novel", true), ("var a: Int? = 3", true),
        ("var a: Int", false), ("var a: Int?", false), ("var a: Int? = nil", false), ("var a: UUID = UUID()", false),
        ("var a: Kind = .init(1)", false), ("@Attribute(.identifier) var a = 0", false),
        ("@Relationship(inverse: \"b\", deleteRule: .nullify) var a: Ref<B>? = nil", false),
    ]

    @Test(arguments: defaults.indices) func findsDefaults(_ index: Int) throws {
        let row = Self.defaults[index]
        let (model, problems) = read(
            "@PersistentModel struct Book { @Attribute(.identifier) let id: Int; \(row.property) }")
        let field = try #require(model.fields.last, "\(row.property)")
        #expect(problems.isEmpty && field.property == "a" && field.hasDefault == row.isDefault, "\(row.property)")
    }

    @Test func namesJSONLikeTheStore() {
        let (model, _) = read("@PersistentModel(names: .snakeCase) struct Book { let id: Int; var isRead = false }")
        #expect(model.fields.map(\.json) == [.key("id"), .key("is_read")])
    }

    @Test func leavesAnInitialiserInAnExtensionAlone() {
        let (model, problems) = read(
            "@PersistentModel(unboxing: .custom) struct Price { let id: Int; @Ignore var rate: Rate }")
        #expect(problems.isEmpty && model.functions.contains("init(unboxing:)"), "\(problems)")
        let own = read("@PersistentModel(unboxing: .mine) struct Price { let id: Int }").problems
        #expect(own.map(\.message) == ["@PersistentModel: `unboxing` is `.generated` or `.custom`"])
    }

    @Test func readsRulesOfMerging() {
        let (model, problems) = read(
            """
            @PersistentModel(onConflict: .remoteWins, owner: .remote, newest: "changed", history: .changes)
            struct Book {
                let id: Int
                var changed: Date
                @Attribute(owner: .local, onConflict: .newestWins, compare: .ci) var title: String
                @Attribute(keepBase: .digest, onMissing: .setNull, onNull: .keep) var text: String?
                @Relationship(inverse: .none, deleteRule: .nullify, json: "tags", merge: .addOnly) var tags: Refs<Tag>
            }
            """)
        #expect(problems.isEmpty, "\(problems)")
        #expect(
            model.rules == [.onConflict: "remote_wins", .owner: "remote", .newest: "changed", .history: "changes"])
        // The model's owner is that of its properties, but of what identifies.
        #expect(
            model.fields.map(\.rules) == [
                [:], [.owner: "remote"], [.owner: "local", .onConflict: "newest_wins", .compare: "ci"],
                [.owner: "remote", .keepBase: "digest", .onMissing: "set_null", .onNull: "keep"],
            ])
        #expect(model.relationships.map(\.rules) == [[.merge: "add_only"]])
    }

    @Test func readsRelationships() {
        let (model, problems) = read(
            """
            @PersistentModel struct Book {
                @Attribute(.identifier) let number: Int
                @Relationship(inverse: "books", deleteRule: .nullify) var author: Ref<Author>?
                @Relationship(persistentName: "labels", inverse: .none, deleteRule: .cascade, via: "book_labels") var tags: Refs<Tag>
                @Relationship(inverse: .none, deleteRule: .nullify) var parts: OrderedRefs<Part>
                @Ignore var isSelected = false
                var origin = Origin()
            }
            """)
        #expect(problems.isEmpty)
        #expect(model.fields.map(\.property) == ["number", "author"] && model.hasOrigin)
        #expect(model.fields[1].reference?.target == "Author" && model.fields[1].reference?.inverse == "books")
        #expect(model.relationships.map(\.name) == ["labels", "parts"] && model.relationships[1].target == "Part")
        #expect(model.relationships[0].via == "book_labels")
        #expect(model.relationships[0].inverse == nil && model.relationships[0].deleteRule == "cascade")
    }

    @Test func readsRecordsByValue() {
        let (model, problems) = read(
            """
            @PersistentModel struct Order {
                let id: Int
                @Relationship(inverse: .none, deleteRule: .cascade) var lines: [Line]
                @Relationship(inverse: .none, deleteRule: .nullify) var customer: Customer?
                @Relationship(inverse: .none, deleteRule: .nullify) var seller: Ref<Seller>
            }
            """)
        #expect(problems.isEmpty, "\(problems)")
        #expect(model.relationships.map(\.leadingType) == ["Sluice.OrderedRefs<Line>"])
        let references = model.fields.compactMap(\.reference)
        #expect(references.map(\.leadingType) == ["Sluice.Ref<Customer>?", "Ref<Seller>"])
        #expect(references.map(\.isByValue) == [true, false] && model.relationships[0].isByValue)
    }

    @Test func readsNamesOfBefore() {
        let model = read(
            """
            @PersistentModel(renamedFrom: "OldBook", names: .snakeCase) struct Book {
                let id: Int
                @Attribute(renamedFrom: "wasRead") var isRead: Bool
                @Relationship(renamedFrom: "writer", inverse: .none, deleteRule: .nullify) var author: Ref<Author>?
                @Relationship(renamedFrom: "labels", inverse: .none, deleteRule: .nullify) var tags: Refs<Tag>
            }
            """
        ).model
        // The table follows its entity, unless it has a name of its own.
        #expect(model.formerEntity == "OldBook" && model.formerTable == "old_book" && model.table == "book")
        #expect(model.fields.map(\.formerName) == [nil, "was_read", "writer"])
        #expect(model.relationships.map(\.formerName) == ["labels"])
        let named = "@PersistentModel(table: \"books\", renamedFrom: \"OldBook\"LABEL) struct Book { let id: Int }"
        #expect(read(named.replacingOccurrences(of: "LABEL", with: "")).model.formerTable == nil)
        let both = read(named.replacingOccurrences(of: "LABEL", with: ", tableRenamedFrom: \"volumes\"")).model
        #expect(both.formerTable == "volumes" && both.table == "books")
    }

    @Test func readsChecks() {
        let (model, problems) = read(
            #"""
            @PersistentModel struct Book {
                let id: Int
                @Attribute(.unique, persistentName: "code", check: .length(1...1_000), .pattern(#"\d+"#)) var isbn: String
                @Attribute(check: .range(..<9.5)) var price: Decimal?
                @Attribute(check: .values("a, b", "c")) var kind: Kind
                @Attribute(check: .values(-1, 2)) var level: Int
            }
            """#)
        #expect(problems.isEmpty, "\(problems)")
        #expect(model.fields[1].isUnique && model.fields[1].name == "code")
        let checks = model.fields.map(\.checks)
        #expect(checks[1] == [.length(CheckBounds("1...1000")!), .pattern(#"\d+"#)])
        #expect(checks[2] == [.range(CheckBounds("..<9.5")!)] && checks[3] == [.texts(["a, b", "c"])])
        #expect(checks[4] == [.numbers(["-1", "2"])])
    }

    @Test func readsCompositions() {
        let (model, problems) = read(
            """
            @PersistentModel(names: .snakeCase) struct Shop {
                let id: Int
                @Attribute(renamedFrom: "site", storageMethod: .composition) var mainSite: Location?
            }
            """)
        #expect(problems.isEmpty && model.fields.map(\.property) == ["id"])
        #expect(model.compositions.map(\.name) == ["main_site"] && model.compositions[0].formerName == "site")
        let (location, mistakes) = CompositionReader.read(
            DeclarationReader.read(
                Array(
                    """
                    @Composition(names: .snakeCase) public struct Location {
                        var mainLat = 1.5
                        @CompositionField(persistentName: "longitude") let lng: Double
                        var inner: Inner?
                    }
                    """.utf8)))
        #expect(mistakes.isEmpty && location.type == "Location" && location.access == "public")
        #expect(location.parts.map(\.name) == ["main_lat", "longitude", "inner"])
        #expect(location.parts.map(\.key) == ["main_lat", "lng", "inner"])
        #expect(location.parts.map(\.type) == ["Double", "Double", "Inner?"])
    }

    @Test(
        arguments: [
            ("class C { var a: Int }", "@Composition is for structs", "C"),
            ("struct C<T> { var a: T }", "a generic type cannot be a composition", "C"),
            ("struct C {}", "`C` has no stored property", "C"),
            ("struct C { var a = f() }", "@Composition needs the type of `a`", "a"),
            ("struct C { let a = 1 }", "a constant with an initial value cannot be read back", "a"),
            ("struct C { var a: Int, b: Int }", "declare each property on its own", "a"),
            (
                "struct C { @Attribute(.unique) var a: Int }",
                "@CompositionField gives a part another name", "@Attribute"
            ),
            ("struct C { @CompositionField(persistentName: b) var a: Int }", "a string literal", "b"),
            (
                "struct C { @CompositionField(persistentName: \"b\") var a: Int; var b: Int }",
                "are stored under one name", "C"
            ),
        ])
    func saysWhatKeepsAStructFromBeingAComposition(source: String, message: String, place: String) throws {
        let bytes = Array("@Composition \(source)".utf8)
        let problems = CompositionReader.read(DeclarationReader.read(bytes)).problems
        let problem = try #require(problems.first { $0.message.contains(message) }, "\(problems)")
        #expect(String(decoding: bytes[problem.offset...], as: UTF8.self).hasPrefix(place))
    }

    /// How a model says what tells its records apart, what it has, and what the macro says.
    static let identifications: [(argument: String, members: String, problem: String?)] = [
        (".none", "var text: String", nil), (".content", "let id: Int; var text: String", nil),
        ("ModelIdentifier.none", "@Relationship(inverse: .none, deleteRule: .nullify) var a: Ref<A>?", nil),
        (".none", "@Attribute(.identifier) let key: Int", "with `identifier: .none`, `key` cannot identify records"),
        (
            ".none", "@Relationship(inverse: .none, deleteRule: .nullify) var a: Refs<A>",
            "`a` needs records that have an identifier"
        ),
        (".hash", "let id: Int", "`identifier` is `.property`, `.content` or `.none`"),
    ]

    @Test(arguments: identifications.indices) func readsWhatTellsRecordsApart(_ index: Int) {
        let row = Self.identifications[index]
        let (model, problems) = read("@PersistentModel(identifier: \(row.argument)) struct B { \(row.members) }")
        guard let problem = row.problem else {
            #expect(problems.isEmpty && model.identifiers.isEmpty, "\(row) \(problems)")
            #expect(model.identification.rawValue == row.argument.split(separator: ".").last.map(String.init))
            return
        }
        #expect(problems.count == 1 && problems.first?.message.contains(problem) == true, "\(row) \(problems)")
    }

    /// What the author did, what the macro says, where, and what the edit would write.
    @Test(
        arguments: [
            ("class B { var id: Int }", "@PersistentModel is for structs; `B` is a class", "B", nil),
            ("enum B { case a }", "@PersistentModel is for structs; `B` is an enum", "B", nil),
            ("struct B<T> { let id: Int }", "@PersistentModel: a generic type cannot be a model", "B<", nil),
            ("struct B { var name: String }", "has no identifier", "name", "@Attribute(.identifier) "),
            ("struct B { let id = 1 }", "a constant with an initial value cannot be read back", "id", "var"),
            ("struct B { let id: Int; var x = f() }", "needs the type of `x`", "x", ": <#Type#>"),
            ("struct B { let id: Int; var x: (Int, Int) }", "a tuple, a closure", "x", nil),
            ("struct B { let id: Int; lazy var x: Int = 1 }", "a `lazy` property cannot be stored", "x", nil),
            (
                "struct B { let id: Int; var x: Ref<A>? }", "say how with @Relationship", "x",
                "@Relationship(inverse: .none, deleteRule: .nullify) "
            ),
            (
                "struct B { let id: Int; @Relationship(inverse: .none) var x: Refs<A> }",
                "@Relationship needs deleteRule",
                "@Relationship", ", deleteRule: .nullify"
            ),
            (
                "struct B { let id: Int; @Relationship(inverse: .none, deleteRule: .noAction) var x: Refs<A> }",
                "`deleteRule` is `.nullify`, `.cascade` or `.deny`", ".noAction", nil
            ),
            (
                "struct B { let id: Int; @Relationship(inverse: .none, deleteRule: .deny) var x: Refs<A>? }",
                "is empty rather than nil", "x", ""
            ),
            (
                "struct B { let id: Int; @Attribute(persistentName: \"a\\(b)\") var x: Int }",
                "`persistentName` must be a string literal without interpolation", "\"a", nil
            ),
            (
                "struct B { let id: Int; @Attribute(persistentName: \"\") var x: Int }",
                "`persistentName` must not be empty",
                "\"\"", nil
            ),
            (
                "struct B { let id: Int; @Attribute(storageMethod: .raw) var x: Int }", "leave out `.raw`",
                "@Attribute", ""
            ),
            (
                "struct B { let id: Int; @Attribute(storageMethod: .transformed(name: \"a\")) var x: X }",
                "`.transformed` takes a type", ".transformed", nil
            ),
            (
                "struct B { let id: Int; @Attribute(.unique, storageMethod: .composition) var x: X? }",
                "what is more belongs to the parts", "@Attribute", nil
            ),
            (
                "struct B { let id: Int; @Attribute(storageMethod: .composition) var x: Int? }",
                "`Int?` is stored as it is; `.composition` is for a struct with @Composition", "@Attribute", nil
            ),
            (
                "struct B { let id: Int; @Attribute(.unique, .indexed) var x: Int? }",
                "what is unique has an index; leave out `.indexed`", "@Attribute", nil
            ),
            (
                "struct B { @Attribute(.identifier, .indexed) let x: Int }",
                "an identifier has an index; leave out `.indexed`", "@Attribute", nil
            ),
            (
                "struct B { let id: Int; @Relationship(inverse: .none, deleteRule: .deny) @Attribute(.indexed) var x: Ref<A>? }",
                "a reference has an index; leave out `.indexed`", "@Attribute", nil
            ),
            (
                "struct B { let id: Int; @Attribute(.indexed) var x: Date? }", "`.indexed` is not for `Date`",
                "@Attribute", nil
            ),
            (
                "struct B { let id: Int; @Attribute(.transient) var x: Int? }", "is marked @Ignore", "@Attribute", nil
            ),
            (
                "struct B { let id: Int; @Attribute(renamedFrom: \"x\") var x: Int? }",
                "`renamedFrom` is the name of before, and `x` is that of today", "\"x\"", nil
            ),
            (
                "struct B { let id: Int; @Attribute(renamedFrom: \"id\") var x: Int? }",
                "`renamedFrom` names `id`, which is a property of today", "x", nil
            ),
            (
                "struct B { let id: Int; @Attribute(originalName: \"y\") var x: Int? }",
                "@Attribute has no argument `originalName`: `persistentName` is the name of today", "\"y\"", nil
            ),
            (
                "struct B { let id: Int; @Attribute(type: .url) var x: String? }",
                "@Attribute has no argument `type`: the property's type says what its column holds", ".url", nil
            ),
            (
                "struct B { let id: Int; @Attribute(onConflict: .mine) var x: Int? }",
                "@Attribute: `onConflict` is `.manual`, `.localWins`, `.remoteWins`, `.newestWins` or `.fail`", ".mine",
                nil
            ),
            (
                "struct B { let id: Int; @Attribute(onConflict: .newestWins) var x: Int? }",
                "`.newestWins` needs `newest`", "B", nil
            ),
            (
                "struct B { @Attribute(.identifier, owner: .local) let id: Int }",
                "`id` identifies records, so it cannot have `owner`", "B", nil
            ),
            (
                "struct B { let id: Int; @Attribute(compare: .ci) var x: Int? }", "`compare: .ci` is for texts",
                "@Attribute(compare: .ci)", nil
            ),
            (
                "struct B { let id: Int; @Attribute(compare: .set) var x: String? }",
                "`compare: .set` is for what is stored as JSON", "@Attribute(compare: .set)", nil
            ),
            (
                "struct B { let id: Int; @Attribute(onMissing: .default) var x: Int? }",
                "`onMissing: .default` needs an initial value", "@Attribute(onMissing: .default)", nil
            ),
            (
                "struct B { let id: Int; @Attribute(merge: .set) var x: Int? }", "@Attribute has no argument `merge`",
                ".set", nil
            ),
            (
                "struct B { let id: Int; @Relationship(inverse: .none, deleteRule: .nullify, merge: .addOnly) var x: Refs<B> }",
                "name their place with `json`", "@Relationship", nil
            ),
            (
                "struct B { let id: Int; @Attribute(check: .range(1...2)) var x: String? }",
                "`.range` does not check a `String?`", ".range", nil
            ),
            (
                "struct B { let id: Int; @Attribute(check: .range(2...1)) var x: Int? }",
                "`.range` takes literal bounds in order", ".range", nil
            ),
            (
                "struct B { let id: Int; @Attribute(check: .range(1...most)) var x: Int? }",
                "`.range` takes literal bounds in order", ".range", nil
            ),
            (
                "struct B { let id: Int; @Attribute(check: .length(-1...2)) var x: String? }",
                "`.length` takes literal bounds in order", ".length", nil
            ),
            (
                "struct B { let id: Int; @Attribute(check: .pattern(word)) var x: String? }",
                "`.pattern` takes a string literal", ".pattern", nil
            ),
            (
                "struct B { let id: Int; @Attribute(check: .values(1, \"a\")) var x: K? }",
                "`.values` takes strings or numbers", ".values", nil
            ),
            (
                "struct B { let id: Int; @Attribute(.unique, check: .length(1...), .email) var x: String? }",
                "`check` is `.range`, `.length`, `.pattern` or `.values`", ".email", nil
            ),
            (
                "struct B { let id: Int; @Relationship(inverse: .none, deleteRule: .deny, minimum: 1) var x: Refs<A> }",
                "@Relationship has no argument `minimum`: how many records it leads to", "1", nil
            ),
            (
                "struct B { let id: Int; @Relationship(inverse: .none, deleteRule: .deny) var x: [Int] }",
                "which are read when they are asked for", "@Relationship", nil
            ),
            (
                "struct B { let id: Int; @Relationship(inverse: .none, deleteRule: .deny) var x: OrderedRefs<A>? }",
                "is empty rather than nil", "x", ""
            ),
            (
                "struct B { let id: Int; @Attribute(nmae: \"y\") var x: Int? }", "@Attribute has no argument `nmae`",
                "\"y\"", nil
            ),
            (
                "struct B { let id: Int; @Attribute(persistentName: \"id\") var x: Int }",
                "two properties are stored as `id`",
                "x", nil
            ),
            ("struct B { let id: Int; var path: String }", "is the name of a generated member", "path", nil),
            (
                "struct B { @Attribute(.identifier, .generated) var id: String }",
                "`.generated` is for an identifier of type `Int?`",
                "id", nil
            ),
            ("struct B { let id: Int; @Ignore var x: Int }", "needs an initial value", "x", nil),
            (
                "struct B { let id: Int; @Attribute(decodeFailurePolicy: .fallbackToDefaultValue) var x: Int = 1 }",
                "is for `.raw`, `.codable` and `.transformed`", "@Attribute", nil
            ),
            ("struct B {}", "@PersistentModel: `B` has no stored property", "B", nil),
            ("struct B { static let id = 1; var x: Int { 1 } }", "`B` has no stored property", "B", nil),
            (
                "struct B { let id: Int; @Attribute(storageMethod: .raw, decodeFailurePolicy: .fallbackToDefaultValue) var x: K }",
                "what falls back needs an initial value, or an optional type", "@Attribute", nil
            ),
            (
                "struct B { let id: Int; @Relationship(inverse: .none, deleteRule: .deny) var x: Ref<A>? = first }",
                "the initial value of `x` can only be nil or []", "x", nil
            ),
            (
                "struct B { let id: Int; @Relationship(inverse: .none, deleteRule: .deny, via: \"a_b\") var x: Ref<A>? }",
                "`via` names the table of `Refs<…>` and `OrderedRefs<…>`", "@Relationship", nil
            ),
            (
                "struct B { let id: Int; @Relationship(inverse: .none, deleteRule: .deny) @Attribute(persistentName: \"y\") var x: Ref<A>? }",
                "beside @Relationship it takes traits", "@Attribute", nil
            ),
            (
                "struct B { let id: Int; @Relationship(\"y\", inverse: .none, deleteRule: .deny) var x: Ref<A>? }",
                "@Relationship: the argument needs its label", "\"y\"", nil
            ),
            (
                "struct B { let id: Int; @Attribute(persistentName: \"a\\u{1}\") var x: Int }",
                "`persistentName` must be one line without control characters", "\"a", nil
            ),
        ] as [(String, String, String, String?)])
    func saysWhatIsWrongAndWhere(source: String, message: String, place: String, edit: String?) throws {
        let problems = read("@PersistentModel \(source)").problems
        let problem = try #require(problems.first { $0.message.contains(message) }, "\(problems)")
        #expect(problems.count == 1)
        let rest = String(decoding: Array("@PersistentModel \(source)".utf8)[problem.offset...], as: UTF8.self)
        #expect(rest.hasPrefix(place), "\(rest)")
        #expect(problem.fixIt?.text == edit)
    }

    /// Arguments that are no literals of their type, what is said of each, and what is written instead.
    static let expressions: [(source: String, argument: String, says: String, literals: [String])] = [
        (
            "@PersistentModel(identifier: ARGUMENT) struct B { let id: Int }", "property",
            "@PersistentModel: `identifier` is `.property`, `.content` or `.none`, as a literal",
            [".property", "ModelIdentifier.property", "Sluice.ModelIdentifier.property"]
        ),
        (
            "@PersistentModel(unboxing: ARGUMENT) struct B { let id: Int }", "Ways.custom",
            "@PersistentModel: `unboxing` is `.generated` or `.custom`, as a literal",
            [".custom", "ModelUnboxing.generated"]
        ),
        (
            "@PersistentModel(names: ARGUMENT) struct B { let id: Int }", "snakeCase",
            "@PersistentModel: `names` is `.verbatim` or `.snakeCase`, as a literal",
            [".snakeCase", "NameStyle.verbatim"]
        ),
        (
            "@PersistentModel(unique: ARGUMENT) struct B { let id: Int; var x: Int }", "groups",
            "@PersistentModel: `unique` takes groups of names as literals",
            ["[]", "[[\"x\"]]", "[[\"id\", \"x\"], [\"x\"],]"]
        ),
        (
            "@PersistentModel(unique: ARGUMENT) struct B { let id: Int; var x: Int }", "[[\"id\"]] + [[\"x\"]]",
            "@PersistentModel: `unique` takes groups", []
        ),
        (
            "@PersistentModel(unique: ARGUMENT) struct B { let id: Int; var x: Int }", "[[\"id\"], group]",
            "@PersistentModel: `unique` takes groups", []
        ),
        (
            "@PersistentModel(unique: ARGUMENT) struct B { let id: Int; var x: Int }", "[[\"id\", name]]",
            "@PersistentModel: `unique` takes groups", []
        ),
        (
            "@PersistentModel(unique: ARGUMENT) struct B { let id: Int; var x: Int }", "[[]]",
            "@PersistentModel: `unique` takes groups", []
        ),
        (
            "@PersistentModel(initializer: ARGUMENT) struct B { let id: Int }", "isPublic",
            "`initializer` must be true or false, as a literal", ["true", "false"]
        ),
        (
            "@PersistentModel(counts: ARGUMENT) struct B { let id: Int }", "!small",
            "`counts` must be true or false, as a literal", ["true", "false"]
        ),
        (
            "@PersistentModel(history: ARGUMENT) struct B { let id: Int }", "changes",
            "@PersistentModel: `history` is `.none` or `.changes`, as a literal",
            [".changes", "HistoryRule.none", "nil"]
        ),
        (
            "@PersistentModel(onConflict: ARGUMENT) struct B { let id: Int }", "Usual.manual",
            "@PersistentModel: `onConflict` is `.manual`, `.localWins`, `.remoteWins`, `.newestWins` or `.fail`, as a literal",
            [".manual", "SyncOptions.ConflictPolicy.fail"]
        ),
        (
            "@PersistentModel struct B { let id: Int; @Attribute(ARGUMENT) var x: Int }", "unique",
            "@Attribute: a trait is `.identifier`, `.generated`, `.unique` or `.indexed`, as a literal",
            [".unique", "AttributeTrait.indexed"]
        ),
        (
            "@PersistentModel struct B { let id: Int; @Attribute(storageMethod: ARGUMENT) var x: K }", "codable",
            "@Attribute: `storageMethod` is `.default`, `.raw`, `.codable`, `.composition` or `.transformed(…)`",
            [".codable", ".transformed(T.self)", "AttributeStorageMethod.composition"]
        ),
        (
            "@PersistentModel struct B { let id: Int; @Attribute(storageMethod: ARGUMENT) var x: K }",
            "Ways.composition", "@Attribute: `storageMethod` is", []
        ),
        (
            "@PersistentModel struct B { let id: Int; @Attribute(storageMethod: .raw, decodeFailurePolicy: ARGUMENT) var x: K? }",
            "policy",
            "@Attribute: `decodeFailurePolicy` is `.throw`, `.fallbackToDefaultValue` or `.debugAssertNil`, as a literal",
            [".throw", ".`throw`", "DecodeFailurePolicy.debugAssertNil"]
        ),
        (
            "@PersistentModel struct B { let id: Int; @Attribute(check: ARGUMENT) var x: Int }", "Checks.range(1...2)",
            "@Attribute: `check` is `.range`, `.length`, `.pattern` or `.values`",
            [".range(1...2)", "AttributeCheck.values(1, 2)"]
        ),
        (
            "@PersistentModel struct B { let id: Int; @Relationship(inverse: .none, deleteRule: ARGUMENT) var x: Refs<A> }",
            "cascade", "@Relationship: `deleteRule` is `.nullify`, `.cascade` or `.deny`, as a literal",
            [".deny", "DeleteRule.cascade"]
        ),
        (
            "@PersistentModel struct B { let id: Int; @Relationship(inverse: ARGUMENT, deleteRule: .deny) var x: Refs<A> }",
            "Names.none", "`inverse` must be a string literal", [".none", "InverseName.none", "\"bs\""]
        ),
        (
            "@PersistentModel struct B { let id: Int; @Relationship(inverse: .none, deleteRule: .deny, json: \"a\", merge: ARGUMENT) var x: Refs<A> }",
            "addOnly", "@Relationship: `merge` is `.set`, `.replace` or `.addOnly`, as a literal",
            [".addOnly", "LinkMergeRule.set"]
        ),
        (
            "@Composition(names: ARGUMENT) struct C { var a: Int }", "snakeCase",
            "@Composition: `names` is `.verbatim` or `.snakeCase`, as a literal", [".snakeCase", "NameStyle.verbatim"]
        ),
    ]

    /// Macros know no constants: what they cannot read is said at the argument, and not taken for something else.
    @Test(arguments: expressions.indices) func readsLiteralsAlone(_ index: Int) throws {
        let row = Self.expressions[index]
        func problems(_ argument: String) -> (source: [UInt8], problems: [SourceProblem]) {
            let source = Array(row.source.replacingOccurrences(of: "ARGUMENT", with: argument).utf8)
            let declaration = DeclarationReader.read(source)
            let isModel = row.source.hasPrefix("@PersistentModel")
            let problems =
                isModel ? ModelReader.read(declaration).problems : CompositionReader.read(declaration).problems
            return (source, problems)
        }
        let (source, found) = problems(row.argument)
        #expect(found.count == 1 && found.first?.message.hasPrefix(row.says) == true, "\(found)")
        let place = try #require(found.first?.offset)
        let before = row.source.components(separatedBy: "ARGUMENT")[0]
        #expect(String(decoding: source[..<place], as: UTF8.self) == before)
        for literal in row.literals { #expect(problems(literal).problems.isEmpty, "\(literal)") }
    }

    /// Each word of a rule is a case of the type that the library declares for it.
    @Test(arguments: MergeRule.allCases) func knowsTheTypesOfRules(_ rule: MergeRule) throws {
        let root = #filePath.components(separatedBy: "/Tests/")[0]
        let files = ["Models/MergeRules", "Macros/Macros", "Sync/SyncOptions"]
        let text = try files.map { try String(contentsOfFile: "\(root)/Sources/Sluice/\($0).swift", encoding: .utf8) }
            .joined(separator: "\n")
        guard let words = rule.words else { return }
        let body = try #require(text.components(separatedBy: "public enum \(rule.type): ").dropFirst().first)
        let cases = body.components(separatedBy: "}")[0].matches(of: #/case `?([a-zA-Z]+)`?/#).map { String($0.1) }
        #expect(cases == words)
    }

    /// Each argument that the library declares is one that the reader takes.
    @Test func takesWhatTheLibraryDeclares() throws {
        let root = #filePath.components(separatedBy: "/Tests/")[0]
        let text = try String(contentsOfFile: "\(root)/Sources/Sluice/Macros/Macros.swift", encoding: .utf8)
        let placed = [
            "PersistentModel": "struct B { let id: Int }",
            "Attribute": "struct B { let id: Int; @Attribute(LABEL: \"x\") var x: X? }",
            "Relationship":
                "struct B { let id: Int; @Relationship(inverse: .none, deleteRule: .deny, LABEL: \"x\") var x: Refs<A> }",
        ]
        var count = 0
        for macro in text.components(separatedBy: "public macro ").dropFirst() {
            let signature = macro.components(separatedBy: "#externalMacro")[0]
            let name = String(signature.prefix { $0 != "(" })
            guard let source = placed[name] else { continue }
            let labels = signature.matches(of: #/[(,]\s*([a-zA-Z]+): /#).map { String($0.1) }
            let place = try #require(MergeRule.Place(rawValue: name))
            #expect(Set(labels) == Set(ModelReader.arguments(of: place)), "\(name)")
            for label in labels {
                count += 1
                let before = name == "PersistentModel" ? "@PersistentModel(\(label): true) " : "@PersistentModel "
                let problems = read(before + source.replacingOccurrences(of: "LABEL", with: label)).problems
                #expect(!problems.contains { $0.message.contains("has no argument") }, "\(label): \(problems)")
            }
        }
        #expect(count == 34)
    }

    @Test(arguments: [
        ("title", "title"), ("primaryCategory", "primary_category"), ("HTTPServer", "http_server"),
        ("userID", "user_id"),
        ("a_b", "a_b"),
    ])
    func writesSnakeCase(name: String, snake: String) { #expect(SnakeCaseName.of(name) == snake) }
}

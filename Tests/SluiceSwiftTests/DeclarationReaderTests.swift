import SluiceSwift
import TestSupport
import Testing

struct DeclarationReaderTests {
    private func read(_ source: String) -> TypeDeclaration { DeclarationReader.read(Array(source.utf8)) }

    @Test func readsATypeWithItsProperties() throws {
        let type = read(
            """
            /// A book.
            @PersistentModel(table: "books", unique: [["a", "b"]])
            public struct Book: Codable {
                public let id: Int /* the number */
                @Attribute(.unique, persistentName: "na\\"me") var title: String = "x, y" // not this: Int
                private(set) var price: Decimal?
                var kind = Kind.novel
                    .first
                static let shared = Book()
                var isCheap: Bool { (price ?? 0) < 10 }
                var seen = false { didSet { print("x") } }
                var map: [String: [Int]] = ["a": [1, 2]]
                func `init`() -> Int { if true { return 1 }; return 2 }
                init(unboxing row: Row, _ other: (Int, Int) = (1, 2)) { id = 1 }
                enum CodingKeys: String, CodingKey { case id, title = "t", price; case kind = "k" }
            }
            """)
        #expect(type.keyword == "struct" && type.name == "Book" && type.access == "public" && !type.isGeneric)
        #expect(type.attributes.map(\.name) == ["PersistentModel"])
        #expect(type.attributes[0].arguments.map(\.text) == ["\"books\"", "[[\"a\", \"b\"]]"])
        #expect(type.storedProperties.map(\.name) == ["id", "title", "price", "kind", "seen", "map"])
        #expect(type.properties.filter(\.isComputed).map(\.name) == ["isCheap"])
        #expect(type.properties.filter(\.isStatic).map(\.name) == ["shared"])
        let title = try #require(type.properties.first { $0.name == "title" })
        #expect(title.type == "String" && title.initialValue == "\"x, y\"")
        #expect(title.attribute("Attribute")?.arguments.map(\.label) == [nil, "persistentName"])
        #expect(type.properties.first { $0.name == "price" }?.type == "Decimal?")
        #expect(type.properties.first { $0.name == "map" }?.initialValue == "[\"a\": [1, 2]]")
        // The access of a setter is not that of its property.
        #expect(type.properties.first { $0.name == "price" }?.access == "")
        #expect(type.codingKeys == ["id": "id", "title": "t", "price": "price", "kind": "k"])
        #expect(type.members.contains("init(unboxing:_:)"))
    }

    @Test(
        arguments: [
            ("var a: Array<Dictionary<String, Int>> = []", "Array<Dictionary<String, Int>>", "[]"),
            ("var a = Foo<A, B>()", nil, "Foo<A, B>()"),
            ("var a: (Int) -> Void = { _ in }", "(Int) -> Void", "{ _ in }"),
            ("var a = #\"raw \"quoted\" \"#", nil, "#\"raw \"quoted\" \"#"),
            ("var a = \"x \\(f(\")\") + 1) y\"", nil, "\"x \\(f(\")\") + 1) y\""),
            ("var a = 1 < 2", nil, "1 < 2"),
            ("var a = /x[/]y/", nil, "/x[/]y/"),
            ("var a = b\n    ? 1\n    : 2", nil, "b\n    ? 1\n    : 2"),
        ] as [(String, String?, String?)])
    func readsTypesAndValues(source: String, type: String?, value: String?) throws {
        let property = try #require(read("struct S { \(source)\nvar last: Int }").properties.first)
        #expect(property.name == "a" && property.type == type && property.initialValue == value)
    }

    @Test func saysWhichTypeIsNoStruct() {
        #expect(read("final class C {}").keyword == "class")
        #expect(read("public actor A<T> {}").isGeneric)
        #expect(read("let x = 1").keyword == "")
    }

    /// Any text ends, and none traps.
    @Test(arguments: Seeds.first(4)) func readsAnyText(_ seed: UInt64) {
        let source = Array(
            "@M(a: \"x\\(1)\", [1]) struct S<T> { @A(.b) var c: [Int: (A) -> B]? = #\"\"\"\nx\"\"\"# { didSet {} }\nfunc f() { } }"
                .utf8)
        var state = seed
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let pieces = Array("\"#/\\(){}[]<>,:;=@`\n ".utf8)
        for _ in 0..<1_000 {
            var text = source
            for _ in 0..<(1 + random(6)) {
                let place = random(text.count)
                switch random(3) {
                case 0: text.remove(at: place)
                case 1: text.insert(pieces[random(pieces.count)], at: place)
                default: text = Array(text.prefix(place + 1))
                }
                if text.isEmpty { text = [0] }
            }
            let type = DeclarationReader.read(text)
            for property in type.properties { #expect(property.range.upperBound <= text.count) }
        }
    }
}

struct SwiftLiteralTests {
    @Test(
        arguments: [
            ("\"a\"", "a"), ("\"\"", ""), ("\"a\\n\\u{e9}\\\"\"", "a\né\""), ("#\"a\\n\"#", "a\\n"),
            ("#\"a\\#n\"#", "a\n"),
            ("\"a\\(b)\"", nil), ("a", nil), ("\"a\" + \"b\"", nil), ("\"\\x\"", nil), ("\"", nil),
        ] as [(String, String?)])
    func readsStrings(literal: String, value: String?) { #expect(SwiftLiteral.string(literal) == value) }

    @Test(arguments: ["", "a\"b\\c\n\t\r\0é\u{1}"]) func quotesWhatItReads(text: String) {
        #expect(SwiftLiteral.string(SwiftLiteral.quoted(text)) == text)
    }

    @Test(
        arguments: [
            ("1", "Int"), ("-1_000", "Int"), ("0xFF", "Int"), ("1.5", "Double"), ("true", "Bool"), ("\"x\"", "String"),
            ("x", nil), ("[1]", nil), ("Foo()", nil),
        ] as [(String, String?)])
    func infersTypes(value: String, type: String?) { #expect(SwiftLiteral.type(of: value) == type) }
}

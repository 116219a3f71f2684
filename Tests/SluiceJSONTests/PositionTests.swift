import SluiceJSON
import Testing

@Suite struct PositionTests {
    @Test(arguments: ["", "\u{FEFF}"])
    func eachValueAndNameIsFoundInTheText(mark: String) throws {
        let text =
            mark
            + "{\n \"a\": [1, -2.5, \"x\\\"]\", {}, []],\n \"b\\u0041\": {\"c\": null, \"d\": [true, [false]]}\n}\n"
        let parser = JSONParser()
        let bytes = Array(text.utf8)
        let root = try unsafe parser.parse(bytes)
        var count = 0
        func check(_ element: JSONElement, startsWith start: String) throws {
            let position = try #require(parser.position(of: element))
            #expect(bytes[position.byteOffset...].starts(with: start.utf8), "\(position) \(start)")
            let before = bytes[..<position.byteOffset]
            #expect(position.line == before.count { $0 == 0x0A } + 1)
            #expect(position.column == before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1)
            count += 1
        }
        func visit(_ element: JSONElement) throws {
            switch element.kind {
            case .null: try check(element, startsWith: "null")
            case .bool: try check(element, startsWith: "\(element.boolean)")
            case .integer, .number: try check(element, startsWith: element.numberText ?? "")
            case .string: try check(element, startsWith: "\"" + (element.isVerbatim ? element.string ?? "" : "x"))
            case .array:
                try check(element, startsWith: "[")
                var elements = element.elements()
                while elements.next() { try visit(elements.value) }
            case .object:
                try check(element, startsWith: "{")
                var members = element.members()
                while members.next() {
                    try check(members.keyElement, startsWith: "\"" + members.name.prefix(1))
                    try visit(members.value)
                }
            }
        }
        try visit(root)
        #expect(count == 17)
    }

    @Test func severalPlacesAreFoundAtOnceInAnyOrder() throws {
        let parser = JSONParser()
        let root = try unsafe parser.parse(Array("[10, 20, [30], 40]".utf8))
        let elements = [3, 0, 2, 0].compactMap { root.element(at: $0) }
        #expect(parser.byteOffsets(of: elements) == [15, 1, 9, 1])
        #expect(parser.byteOffsets(of: []) == [])
    }

    @Test func aValueFromElsewhereHasNoPlace() throws {
        let parser = JSONParser()
        let other = JSONParser()
        let root = try unsafe other.parse(Array("[1]".utf8))
        #expect(parser.position(of: root) == nil)
        _ = try unsafe parser.parse(Array("[1]".utf8))
        #expect(parser.position(of: root) == nil)
        #expect(parser.position(of: JSONElement()) == nil)
    }

    private static let many: String = (0..<50).map { "\"k\($0)\":0" }.joined(separator: ",")

    static let duplicates: [(String, String?)] = [
        ("{}", nil), (#"{"a":1,"b":2}"#, nil), (#"{"a":1,"b":2,"a":3}"#, "a"), (#"{"a":{"x":1,"x":2}}"#, nil),
        ("[1,1]", nil),
        (#"{"\u0061":1,"a":2}"#, "a"), (#"{"":1,"b":2,"":3}"#, ""),
        ("{\(many),\"k7\":1,\"k8\":1}", "k7"),
        ("{\(many)}", nil),
    ]

    @Test(arguments: duplicates)
    func duplicateNames(text: String, expected: String?) throws {
        try withElement(text) { #expect($0.firstDuplicateName?.string == expected) }
    }

    @Test func duplicateNamesWithin() throws {
        let parser = JSONParser()
        let root = try unsafe parser.parse(Array(#"{"a":[1,{"b":1,"c":{},"b":2}],"d":{"e":1,"e":2}}"#.utf8))
        let name = try #require(root.firstNestedDuplicateName)
        #expect(name.string == "b")
        #expect(parser.position(of: name)?.byteOffset == 22)
        var locator = JSONLocator(root: root)
        #expect(locator.pointer(to: name) == "/a/1/b")
        #expect(root.firstDuplicateName == nil)
    }

    @Test func membersAreLimited() throws {
        let parser = JSONParser(maximumMembers: 2)
        #expect(try unsafe parser.parse(Array(#"[{"a":1,"b":2},[1,2,3]]"#.utf8)).count == 2)
        let error = #expect(throws: JSONError.self) {
            try unsafe parser.parse(Array(#"[ {"a":{"x":1,"y":2,"z":3},"b":2}]"#.utf8))
        }
        #expect(error?.code == .tooManyMembers)
        #expect(error?.byteOffset == 7)
    }

    @Test(arguments: [
        ("", 0), ("/a", 5), ("/a/1", 9), ("/b~1~0", 24), ("/", 29), ("/a/2", nil), ("/a/01", nil), ("/a/-1", nil),
        ("/a/+1", nil), ("/a/-", nil), ("a", nil), ("/~2", nil), ("/~", nil), ("/a/0/x", nil), ("/x", nil),
    ])
    func aPointerLeadsToAPlace(pointer: String, offset: Int?) throws {
        let parser = JSONParser()
        let root = try unsafe parser.parse(Array(#"{"a":[10,[  ]], "b/~" : 1,"":2}"#.utf8))
        let value = root.value(at: pointer)
        #expect(value.flatMap { parser.position(of: $0) }?.byteOffset == offset)
        if let value {
            var locator = JSONLocator(root: root)
            #expect(locator.pointer(to: value) == pointer)
        }
    }

    /// Values are found again by their pointers, in whatever order they are asked for.
    @Test func theLocatorFindsEveryValue() throws {
        let parser = JSONParser()
        let root = try unsafe parser.parse(Array(#"{"a":[[1,2],{"b":[3,{"c/~":4}]}],"d":5,"":[]}"#.utf8))
        let expected = [
            "/a", "/d", "/", "/a/0", "/a/1", "/a/0/0", "/a/0/1", "/a/1/b", "/a/1/b/0", "/a/1/b/1", "/a/1/b/1/c~1~0",
        ]
        let values = try JSONPath(parsing: "$..*").matches(in: root)
        var forwards = JSONLocator(root: root)
        #expect(values.map { forwards.pointer(to: $0) } == expected)
        var backwards = JSONLocator(root: root)
        #expect(values.reversed().map { backwards.pointer(to: $0) } == expected.reversed())
        #expect(forwards.pointer(to: root) == "")
        #expect(forwards.normalizedPath(to: root) == "$")
        #expect(forwards.pointer(to: JSONElement()) == nil)
        let inner = try #require(root.member(named: "a"))
        var within = JSONLocator(root: inner)
        #expect(within.pointer(to: root) == nil)
        #expect(within.pointer(to: try #require(inner.element(at: 1))) == "/1")
    }
}

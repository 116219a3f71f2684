import SluiceJSON
import Testing

@Suite struct JSONPathTests {
    static let document = #"""
        {"id": 7, "user": {"name": "a/b", "tags": ["x", "y", "z"]}, "lines": [{"n": 1}, {"m": 0}, {"n": 3}],
         "a/~": null, "": [], "twice": 1, "twice": 2}
        """#

    @Test(arguments: [
        ("$", [""]),
        ("$.id", ["/id"]),
        ("user.name", ["/user/name"]),
        ("$.user.tags[0]", ["/user/tags/0"]),
        ("$.user.tags[-1]", ["/user/tags/2"]),
        ("$.user.tags[-4]", []),
        ("$.user.tags[3]", []),
        ("$.user.tags[*]", ["/user/tags/0", "/user/tags/1", "/user/tags/2"]),
        ("$.lines[*].n", ["/lines/0/n", "/lines/2/n"]),
        ("$.lines.*.*", ["/lines/0/n", "/lines/1/m", "/lines/2/n"]),
        ("$.user.*", ["/user/name", "/user/tags"]),
        ("$['a/~']", ["/a~1~0"]),
        ("$['']", ["/"]),
        ("$['']['x']", []),
        ("$.id.x", []),
        ("$.id[0]", []),
        ("$.user[0]", []),
        ("$.id.*", []),
        ("$.missing", []),
        ("$.twice", ["/twice"]),
    ])
    func matchesAndTheirPointers(text: String, pointers: [String]) throws {
        let path = try JSONPath(parsing: text)
        try withElement(Self.document) { root in
            var found: [(text: String, pointer: String)] = []
            path.forEachMatch(in: root) { found.append((compact($0), $1)) }
            #expect(found.map(\.pointer) == pointers)
            var values: [String] = []
            path.forEach(in: root) { values.append(compact($0)) }
            #expect(values == found.map(\.text))
            #expect(path.first(in: root).map(compact) == values.first)
            if let pointer = path.pointer, !values.isEmpty { #expect(pointers == [pointer]) }
        }
    }

    @Test func firstLooksBehindWildcardsThatLeadNowhere() throws {
        let found = try JSONPath(parsing: "$[*].a[*]")
        let missing = try JSONPath(parsing: "$[*].c")
        try withElement(#"[{"a":[]},{"b":1},{"a":[5,6]}]"#) { root in
            #expect(found.first(in: root)?.integer == 5)
            #expect(missing.first(in: root) == nil)
        }
    }

    @Test(arguments: [("$.a[0]['b/~']", "/a/0/b~1~0"), ("$", ""), ("$['']", "/"), ("$[*]", nil), ("$[-1]", nil)])
    func aSingularPathHasAPointer(text: String, pointer: String?) throws {
        #expect(try JSONPath(parsing: text).pointer == pointer)
    }

    @Test(arguments: [
        ("", 0), ("$.", 2), ("$..", 3), ("$[", 2), ("$[1", 3), ("$['a", 4), ("$.a b", 3), ("$[01]", 2), ("$[-0]", 2),
        ("$[1:2:3:4]", 7), ("$[?@.a", 6), ("$['\\x']", 5), ("$['\\ud800']", 9), ("$x", 1), ("$[9007199254740992]", 2),
    ])
    func whatCannotBeReadIsRefusedWithItsPlace(text: String, offset: Int) throws {
        let error = #expect(throws: JSONPathError.self) { try JSONPath(parsing: text) }
        #expect(error?.offset == offset)
    }

    private func compact(_ element: JSONElement) -> String {
        var bytes: [UInt8] = []
        JSONWriter.append(element, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

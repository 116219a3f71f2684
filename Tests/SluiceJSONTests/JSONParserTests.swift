import SluiceJSON
import Testing

@Suite struct JSONParserTests {
    @Test func elementsGiveTheirValues() throws {
        let text =
            #"{"id":9007199254740993,"name":"Zo\u00eb","ok":true,"no":false,"none":null,"pi":3.140,"list":[1,[],"x"]}"#
        try withElement(text) { root in
            #expect(root.kind == .object)
            #expect(root.count == 7)
            #expect(root.member(named: "id")?.integer == 9_007_199_254_740_993)
            #expect(root.member(named: "id")?.numberText == "9007199254740993")
            #expect(root.member(named: "name")?.string == "Zoë")
            #expect(root.member(named: "name")?.isString("Zoë") == true)
            #expect(root.member(named: "ok")?.boolean == true)
            #expect(root.member(named: "no")?.boolean == false)
            #expect(root.member(named: "none")?.isNull == true)
            #expect(root.member(named: "pi")?.kind == .number)
            #expect(root.member(named: "pi")?.numberText == "3.140")
            #expect(root.member(named: "missing") == nil)
            let list = try #require(root.member(named: "list"))
            #expect(list.count == 3)
            #expect(list.element(at: -1)?.string == "x")
            #expect(list.element(at: 1)?.count == 0)
            #expect(list.element(at: 3) == nil)
            #expect(list.element(at: -4) == nil)
        }
    }

    @Test func accessorsThatDoNotFitAreEmpty() throws {
        for text in ["null", "true", "7", "1.5", #""a""#, "[1]", #"{"a":1}"#] {
            try withElement(text) { element in
                #expect((element.integer != 0) == (element.kind == .integer))
                #expect(unsafe element.utf8.isEmpty == (element.kind != .string))
                #expect(unsafe element.token.isEmpty == (element.kind != .integer && element.kind != .number))
                #expect((element.count > 0) == (element.kind == .array || element.kind == .object))
                #expect(element.boolean == (element.kind == .bool))
                var members = element.members()
                #expect(members.next() == (element.kind == .object))
                var elements = element.elements()
                #expect(elements.next() == (element.kind == .array))
                #expect((element.member(named: "a") != nil) == (element.kind == .object))
            }
        }
    }

    @Test func theLastOfEqualNamesCounts() throws {
        try withElement(#"{"a":1,"b":2,"a":3}"#) { #expect($0.member(named: "a")?.integer == 3) }
    }

    @Test(arguments: [
        ("0", JSONKind.integer), ("-0", .number), ("9223372036854775807", .integer),
        ("9223372036854775808", .number), ("-9223372036854775808", .integer), ("-9223372036854775809", .number),
        ("99999999999999999999", .number), ("1e2", .number), ("1.0", .number), ("1E-999999999", .number),
    ])
    func numbersKeepTheirText(token: String, kind: JSONKind) throws {
        for text in [token, "[\(token)]", " \(token)\n"] {
            try withElement(text) { root in
                let element = root.element(at: 0) ?? root
                #expect(element.kind == kind)
                #expect(element.numberText == token)
                if kind == .integer { #expect(element.integer == Int64(token)) }
            }
        }
    }

    @Test(arguments: [
        ("empty", "", JSONError.Code.empty, 0),
        ("blank", " \n ", .empty, 3),
        ("html", "\n<!doctype html>", .html, 1),
        ("truncated array", "[1, 2", .truncated, 5),
        ("truncated number", "[1.", .truncated, 3),
        ("truncated name", #"{"a""#, .truncated, 4),
        ("truncated literal", "tru", .truncated, 3),
        ("trailing content", "[1] x", .trailingContent, 4),
        ("unclosed string", #"["a", "b]"#, .unclosedString, 6),
        ("control character", "[\"a\u{1}\"]", .controlCharacter, 3),
        ("escape", #"["\x"]"#, .invalidEscape, 2),
        ("hexadecimal", #"["\u12g4"]"#, .invalidEscape, 2),
        ("high surrogate", #"["a\ud800"]"#, .loneSurrogate, 3),
        ("low surrogate", #"["\udc00"]"#, .loneSurrogate, 2),
        ("surrogates the wrong way", #"["\udc00\ud800"]"#, .loneSurrogate, 2),
        ("literal", "[nul]", .invalidLiteral, 1),
        ("longer literal", "[truee]", .unexpectedCharacter, 5),
        ("leading zero", "[01]", .invalidNumber, 2),
        ("sign alone", "[-]", .invalidNumber, 2),
        ("no fraction", "[1.]", .invalidNumber, 3),
        ("no exponent", "[1e+]", .invalidNumber, 4),
        ("number with a letter", "[12a]", .unexpectedCharacter, 3),
        ("number with a quote", #"[1"a"]"#, .unexpectedCharacter, 2),
        ("no value", "[1,]", .unexpectedCharacter, 3),
        ("no comma", "[1 2]", .unexpectedCharacter, 3),
        ("no colon", #"{"a" 1}"#, .unexpectedCharacter, 5),
        ("name without quotes", "{a:1}", .unexpectedCharacter, 1),
        ("comma before brace", #"{"a":1,}"#, .unexpectedCharacter, 7),
        ("wrong bracket", "[1}", .unexpectedCharacter, 2),
        ("mark within", "[\u{FEFF}]", .unexpectedCharacter, 1),
    ])
    func errorsSayWhatAndWhere(name: String, text: String, code: JSONError.Code, offset: Int) throws {
        let error = try #require(parsingError(text.utf8))
        #expect(error.code == code)
        #expect(error.byteOffset == offset)
        #expect(error.message.hasSuffix("."))
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
            [0x22, 0xE2, 0x82, 0x22],
        ] as [[UInt8]])
    func textThatIsNotUTF8IsRefusedWhereItBegins(bytes: [UInt8]) throws {
        let error = try #require(parsingError(bytes))
        #expect(error.code == .invalidUTF8)
        #expect(error.byteOffset == 1)
    }

    @Test func depthIsBounded() {
        func nested(_ depth: Int) -> String {
            String(repeating: #"[{"a":"#, count: depth / 2) + "1" + String(repeating: "}]", count: depth / 2)
        }
        #expect(parsingError(nested(1024).utf8) == nil)
        #expect(parsingError(nested(1026).utf8)?.code == .tooDeep)
        #expect(parsingError(nested(6).utf8, maximumDepth: 6) == nil)
        #expect(parsingError(nested(8).utf8, maximumDepth: 6)?.code == .tooDeep)
        #expect(parsingError("[]".utf8, maximumDepth: 0)?.code == .tooDeep)
        #expect(parsingError(String(repeating: "[", count: 1_000_000).utf8)?.code == .tooDeep)
    }

    @Test func aByteOrderMarkIsSkipped() throws {
        #expect(try parsed("\u{FEFF}[1]".utf8) == .array([.number("1")]))
        #expect(parsingError("\u{FEFF}[x]".utf8)?.byteOffset == 4)
    }

    @Test func aParserIsUsedAgainAfterErrorsAndForAnySize() throws {
        let parser = JSONParser()
        for count in [1, 100_000, 3, 200_000, 10] {
            #expect(throws: JSONError.self) { try unsafe parser.parse(Array("[\"\\".utf8)) }
            let text = "[" + repeatElement(#""a\n""#, count: count).joined(separator: ",") + "]"
            let root = try unsafe parser.parse(Array(text.utf8))
            #expect(root.count == count)
            #expect(root.element(at: -1)?.string == "a\n")
        }
    }

    @Test(arguments: UInt64(1)...150)
    func theTapeAgreesWithTheReference(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let text = random.document(depth: 6)
        #expect(try parsed(text.utf8) == ReferenceParser.parse(text.utf8), "\(text)")
    }

    @Test func nothingBehindTheTextCounts() throws {
        let parser = JSONParser()
        for (text, behind) in [("12", "34"), ("tru", "e"), ("[1", "]"), ("\"a", "\""), ("1", "."), ("nul", "l")] {
            let bytes = Array((text + behind).utf8)
            let expected = ReferenceParser.parse(text.utf8)
            let value = unsafe bytes.withUnsafeBytes { all in
                (try? unsafe parser.parse(UnsafeRawBufferPointer(rebasing: all[..<text.utf8.count]))).map(
                    ReferenceValue.init)
            }
            #expect(value == expected, "\(text)")
        }
    }

    @Test func stringsWithoutEscapesStayInTheText() throws {
        let text = Array(#"["\n","plain"]"#.utf8)
        let parser = JSONParser()
        try unsafe text.withUnsafeBytes { bytes in
            let root = try unsafe parser.parse(bytes)
            #expect(root.element(at: 0)?.isVerbatim == false)
            let plain = try #require(root.element(at: 1))
            #expect(plain.isVerbatim)
            #expect(unsafe plain.utf8.baseAddress == bytes.baseAddress.map { unsafe $0 + 7 })
        }
    }

    @Test func textOverTheLimitIsRefusedUnread() throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: JSONParser.maximumByteCount + 1, alignment: 1)
        defer { unsafe memory.deallocate() }
        let error = #expect(throws: JSONError.self) {
            try unsafe JSONParser().parse(UnsafeRawBufferPointer(memory)).kind
        }
        #expect(error?.code == .tooLarge)
    }
}

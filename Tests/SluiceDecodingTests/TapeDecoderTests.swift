import Foundation
import SluiceDecoding
import SluiceJSON
import Testing

/// Foundation says what is right.
@Suite struct TapeDecoderTests {
    typealias Options = DecoderCase.Options

    static let structs: [DecoderCase] = [
        .init(
            "all members", Person.self,
            #"{"id":1,"name":"a","nickname":"b","tags":["x","y"],"address":{"street":"s","zipCode":"1"}}"#),
        .init("another order", Person.self, #"{"address":null,"tags":[],"x":{"id":5},"name":"é\n\"","id":1}"#),
        .init("missing member", Person.self, #"{"id":1,"tags":[]}"#),
        .init("null member", Person.self, #"{"id":1,"name":null,"tags":[]}"#),
        .init("wrong type", Person.self, #"{"id":"1","name":"a","tags":[]}"#),
        .init("wrong type deep", Person.self, #"{"id":1,"name":"a","tags":["x",{}]}"#),
        .init("missing deep", Person.self, #"{"id":1,"name":"a","tags":[],"address":{}}"#),
        .init("null in an array", Person.self, #"{"id":1,"name":"a","tags":[null]}"#),
        .init("array for object", Person.self, "[]"),
        .init("null for object", Person.self, "null"),
        .init("object for array", [Person].self, "{}"),
        .init("null for array", [Int].self, "null"),
        .init("array of objects", [Person].self, #"[{"id":1,"name":"a","tags":[]},{"id":true}]"#),
        .init("name twice", Box<Int>.self, #"{"value":1,"value":2}"#),
        .init("name twice, apart", Person.self, #"{"name":"a","x":1,"id":1,"name":"b","tags":[],"id":2}"#),
        .init("escaped names", Box<Int>.self, #"{"v\u0061lue":1}"#),
        .init("optional absent", MaybeBox<Address>.self, "{}"),
        .init("optional of the wrong type", MaybeBox<Address>.self, #"{"value":3}"#),
        .init("raw enum", [Shape].self, #"["circle","square"]"#),
        .init("raw enum, unknown", Box<Shape>.self, #"{"value":"line"}"#),
        .init("enum with values", [Event].self, #"[{"opened":{"by":"me"}},{"moved":{"_0":1,"_1":2}},{"closed":{}}]"#),
        .init("enum with values, unknown", [Event].self, #"[{"gone":{}}]"#),
        .init("enum with values, two", [Event].self, #"[{"closed":{},"opened":{"by":"me"}}]"#),
        .init("superclass", Dog.self, #"{"legs":4,"super":{"name":"a"}}"#),
        .init("superclass, own name", Dog.self, #"{"legs":4,"base":{"name":"a"}}"#),
        .init("superclass missing", Dog.self, #"{"legs":4}"#),
        .init("superclass wrong", Dog.self, #"{"legs":4,"super":{"name":1}}"#),
        .init("superclass in an array", [Pair].self, #"[[1,{"id":1,"name":"a","tags":[]}]]"#),
        .init("superclass in an array, wrong", [Pair].self, #"[[1,{"id":1,"name":"a"}]]"#),
        .init("superclass at the end", [Pair].self, "[[1]]"),
        .init("nested containers", Deep.self, #"{"a":{"b":7},"list":[[1,2],null,[],[3]]}"#),
        .init("nested containers, missing", Deep.self, #"{"list":[]}"#),
        .init("nested containers, null", Deep.self, #"{"a":null,"list":[]}"#),
        .init("nested containers, wrong", Deep.self, #"{"a":{"b":7},"list":[[1,2],[3,"x"]]}"#),
        .init("nested containers, no array", Deep.self, #"{"a":{"b":7},"list":[1]}"#),
        .init("what can be decoded", Lossy.self, #"[1,"x",2,{},null,[],3]"#),
        .init("all names", Names.self, #"{"b":1,"a":2,"c":null,"":4}"#),
        .init("all names, wrong", Names.self, #"{"b":1,"a":"x"}"#),
        .init("user info", Names.self, "{}", Options(userInfo: "hello")),
        .init("one of several", [Scalar].self, #"[1,"a",true,null,1e3]"#),
        .init("one of several, none", [Scalar].self, #"[1,{}]"#),
        .init("tree", Tree.self, "[[1,[2,[]]],3]"),
        .init("tree, wrong", Tree.self, #"[[1,[2,["x"]]],3]"#),
        .init("dictionary", [String: Int].self, #"{"a":1,"b":2,"a_b":3}"#),
        .init("dictionary, wrong", [String: [Int]].self, #"{"a":[1,"x"]}"#),
        .init("dictionary of numbers", [Int: String].self, #"{"1":"a","2":"b"}"#),
        .init("dictionary of numbers, wrong", [Int: String].self, #"{"x":"a"}"#),
        .init("optional elements", [Int?].self, "[1,null,3]"),
        .init("optional optionals", Box<Int??>.self, #"{"value":null}"#),
        .init("range", Range<Int>.self, "[1,5]"),
        .init("set", Box<Set<Int>>.self, #"{"value":[1]}"#),
    ]

    static let scalars: [DecoderCase] = [
        .init("string", String.self, #""a\u00e9\ud83d\ude00""#),
        .init("number as string", String.self, "1"),
        .init("bool", [Bool].self, "[true,false]"),
        .init("number as bool", Bool.self, "1"),
        .init("null as bool in an object", Box<Bool>.self, #"{"value":null}"#),
        .init("null as bool in an array", [Bool].self, "[null]"),
        .init("null as int", Box<Int>.self, #"{"value":null}"#),
        .init("null as double in an array", [Double].self, "[null]"),
        .init("null as decimal", Box<Decimal>.self, #"{"value":null}"#),
        .init("null as bool", Bool.self, "null"),
        .init("optional null", Int?.self, "null"),
        .init("int bounds", [Int].self, "[9223372036854775807,-9223372036854775808,-0,0]"),
        .init("int beyond", Int.self, "9223372036854775808"),
        .init("int8 bounds", [Int8].self, "[127,-128]"),
        .init("int8 beyond", [Int8].self, "[1,128]", place: "[1]"),
        .init("int16 beyond", Int16.self, "-32769"),
        .init("int32 beyond", Int32.self, "2147483648"),
        .init("uint bounds", [UInt64].self, "[18446744073709551615,0]"),
        .init("uint beyond", UInt64.self, "18446744073709551616"),
        .init("uint negative", UInt.self, "-1"),
        .init("uint8", UInt8.self, "255"),
        .init("uint16 beyond", UInt16.self, "65536"),
        .init("uint32", UInt32.self, "4294967295"),
        .init("int with point", [Int].self, "[1.0,1e2,10e-1,1.50e1]"),
        .init("int with fraction", Box<Int>.self, #"{"value":1.5}"#, place: ".value"),
        .init("int from string", Int.self, "\"1\""),
        .init("int from object", Box<Int>.self, #"{"value":{}}"#),
        .init("double", [Double].self, "[0.1,-2.5e-3,1e22,1e23,123456789012345678,1.7976931348623157e308,5e-324,-0.0]"),
        .init(
            "double digits", [Double].self,
            "[0.30000000000000004,9007199254740993,3.141592653589793238,2.2250738585072011e-308]"),
        .init("double beyond", Double.self, "1e400"),
        .init("float", [Float].self, "[0.1,16777217,3.4028234e38]"),
        .init("float beyond", Float.self, "1e39"),
        .init("double from string", Double.self, "\"1\""),
        .init("infinities", [Double].self, #"["inf","-inf","nan"]"#, Options(hasFloatNames: true)),
        .init("no infinity", [Double].self, #"["inf2"]"#, Options(hasFloatNames: true)),
        .init("infinities of floats", [Float].self, #"["inf"]"#, Options(hasFloatNames: true)),
        .init("decimal", [Decimal].self, "[1.5,0.1,12345678901234567890.123,-7]"),
        .init("decimal from string", Decimal.self, "\"1\""),
        .init("url", [URL].self, #"["https://example.org/a?b=c"]"#),
        .init("bad url", Box<URL>.self, #"{"value":""}"#),
        .init("url from number", Box<URL>.self, #"{"value":3}"#),
        .init("null url", Box<URL>.self, #"{"value":null}"#),
        .init("optional url", MaybeBox<URL>.self, #"{"value":null}"#),
    ]

    static let strategies: [DecoderCase] = [
        .init("date", Box<Date>.self, #"{"value":700000000.5}"#),
        .init("date, wrong", Box<Date>.self, #"{"value":"x"}"#),
        .init("date, null", Box<Date>.self, #"{"value":null}"#),
        .init("date, iso8601, null", Box<Date>.self, #"{"value":null}"#, Options(dates: .iso8601)),
        .init("date, seconds, null", [Date].self, "[null]", Options(dates: .seconds)),
        .init("date, custom, null", [Date].self, "[null]", Options(dates: .custom)),
        .init("base64, null", Box<Data>.self, #"{"value":null}"#),
        .init("data, custom, null", Box<Data>.self, #"{"value":null}"#, Options(bytes: .custom)),
        .init("dictionary null", Box<[String: Int]>.self, #"{"value":null}"#),
        .init("array null", Box<[Int]>.self, #"{"value":null}"#),
        .init("enum null", Box<Shape>.self, #"{"value":null}"#),
        .init("seconds", [Date].self, "[1700000000,0.25]", Options(dates: .seconds)),
        .init("seconds, wrong", [Date].self, #"["x"]"#, Options(dates: .seconds)),
        .init("milliseconds", MaybeBox<Date>.self, #"{"value":1700000000123}"#, Options(dates: .milliseconds)),
        .init(
            "iso8601", [Date].self, #"["2026-11-21T11:50:29Z","2026-11-21T11:50:29+02:00"]"#, Options(dates: .iso8601)),
        .init("iso8601, wrong", Box<Date>.self, #"{"value":"2026"}"#, Options(dates: .iso8601), place: ".value"),
        .init("iso8601, number", Box<Date>.self, #"{"value":1}"#, Options(dates: .iso8601)),
        .init("custom date", [Date].self, #"["10","20"]"#, Options(dates: .custom)),
        .init("custom date, wrong", [Date].self, #"["10","x"]"#, Options(dates: .custom)),
        .init("custom date, number", [Date].self, "[1]", Options(dates: .custom)),
        .init("base64", Box<Data>.self, #"{"value":"aGVsbG8="}"#),
        .init("base64, wrong", Box<Data>.self, #"{"value":"%"}"#),
        .init("base64, number", Box<Data>.self, #"{"value":1}"#),
        .init("deferred data", Box<Data>.self, #"{"value":[1,2,255]}"#, Options(bytes: .deferred)),
        .init(
            "deferred data, wrong", Box<Data>.self, #"{"value":[1,256]}"#, Options(bytes: .deferred), place: ".value[1]"
        ),
        .init("custom data", Box<Data>.self, #"{"value":"hello"}"#, Options(bytes: .custom)),
        .init("snake case", Address.self, #"{"street":"s","zip_code":"1"}"#, Options(keys: .snake)),
        .init("snake case, wrong", Box<Address>.self, #"{"value":{"street":"s","zip_code":1}}"#, Options(keys: .snake)),
        .init("snake case, missing", [Address].self, #"[{"zip_code":"1"}]"#, Options(keys: .snake)),
        .init(
            "snake case of dictionaries", [String: Address].self, #"{"a_b":{"street":"s","zip_code":"1"}}"#,
            Options(keys: .snake)),
        .init(
            "snake case of all names", Names.self, #"{"_a_b_":1,"a_b_c":2,"ABC_DEF":3,"__":4,"a__b":5,"x":6,"_x":7}"#,
            Options(keys: .snake)),
        .init("own keys", Names.self, #"{"a":1,"bC":2}"#, Options(keys: .upper)),
        .init("own keys, deep", [Names].self, #"[{"a":1},{"bC":2}]"#, Options(keys: .upper)),
    ]

    @Test(arguments: structs + scalars + strategies)
    func resultsAreThoseOfFoundation(example: DecoderCase) {
        let (expected, found) = example.outcomes()
        // Numbers that do not fit and text that is no date: there Foundation forgets the path.
        #expect(found == expected + (example.place ?? ""))
    }

    @Test(arguments: ["", "{", "[1,]", "{\"a\":1}x", "nul", "\"\u{1}\"", "01", "<html>"])
    func whatIsNoJSONIsCorrupted(text: String) {
        let error = #expect(throws: DecodingError.self) { try TapeDecoder().decode([Int].self, from: Array(text.utf8)) }
        guard case .dataCorrupted(let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.isEmpty)
        #expect(context.underlyingError is JSONError)
    }

    @Test func limitsAreKept() {
        let deep = Array(String(repeating: "[", count: 20).utf8) + Array(String(repeating: "]", count: 20).utf8)
        #expect(throws: DecodingError.self) { try TapeDecoder(maximumDepth: 19).decode(Tree.self, from: deep) }
        #expect(throws: Never.self) { try TapeDecoder(maximumDepth: 20).decode(Tree.self, from: deep) }
        #expect(throws: DecodingError.self) {
            try TapeDecoder(maximumMembers: 1).decode([String: Int].self, from: Array(#"{"a":1,"b":2}"#.utf8))
        }
    }

    @Test func aPartOfATapeIsDecoded() throws {
        let parser = JSONParser()
        let root = try unsafe parser.parse(Array(#"{"page":1,"items":[{"value":1},{"value":"x"}]}"#.utf8))
        let items = try #require(root.member(named: "items"))
        let decoder = TapeDecoder()
        #expect(try decoder.decode(Box<Int>.self, from: #require(items.element(at: 0))).value == 1)
        #expect(
            DecoderCase.outcome { try decoder.decode([Box<Int>].self, from: items) } == "typeMismatch Int at [1].value")
        #expect(DecoderCase.outcome { try decoder.decode([Box<Int>].self, from: Array("[1]".utf8)) }.contains("at [0]"))
    }

    @Test func aDecoderCanBeUsedAgainAndAfterErrors() throws {
        let decoder = TapeDecoder()
        for round in 0..<100 {
            #expect(try decoder.decode([Int].self, from: Array("[\(round)]".utf8)) == [round])
            #expect(throws: DecodingError.self) { try decoder.decode([Int].self, from: Array("[\"\(round)\"]".utf8)) }
        }
        decoder.keyStrategy = .convertFromSnakeCase
        #expect(try decoder.decode(Address.self, from: Array(#"{"street":"","zip_code":"9"}"#.utf8)).zipCode == "9")
    }

    /// Keeps its decoder or its container.
    private struct Keeper: Decodable {
        let decoder: any Decoder
        init(from decoder: any Decoder) { self.decoder = decoder }
    }

    private struct ContainerKeeper: Decodable {
        let container: KeyedDecodingContainer<AnyKey>
        init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: AnyKey.self) }
    }

    @Test func aDecoderThatIsKeptStaysReadable() throws {
        let decoder = TapeDecoder()
        let kept = try decoder.decode(Keeper.self, from: Array(#"{"value":"first, long enough"}"#.utf8)).decoder
        _ = try decoder.decode(Box<String>.self, from: Array(#"{"value":"second"}"#.utf8))
        #expect(try Box<String>(from: kept).value == "first, long enough")
    }

    @Test func aContainerThatIsKeptAloneIsOver() throws {
        let decoder = TapeDecoder()
        let kept = try decoder.decode(ContainerKeeper.self, from: Array(#"{"value":1}"#.utf8)).container
        #expect(throws: DecodingError.self) { try kept.decode(Int.self, forKey: AnyKey("value")) }
        _ = try decoder.decode(Box<Int>.self, from: Array(#"{"value":2}"#.utf8))
        #expect(throws: DecodingError.self) { try kept.decode(Int.self, forKey: AnyKey("value")) }
        #expect(!kept.contains(AnyKey("value")))
    }

    @Test func manyMembersInTheWrongOrderTakeLittleTime() throws {
        let count = 20_000
        let members = (0..<count).map { "\"key\($0)\":\($0)" }.joined(separator: ",")
        struct Backwards: Decodable {
            var sum = 0
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                for index in (0..<20_000).reversed() {
                    sum += try container.decode(Int.self, forKey: AnyKey("key\(index)"))
                }
            }
        }
        let found = try TapeDecoder().decode(Backwards.self, from: Array("{\(members)}".utf8))
        #expect(found.sum == count * (count - 1) / 2)
    }
}

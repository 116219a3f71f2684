import SluiceModel
import SluicePipeline
import Testing

/// What `json` takes: any value, kept compact with its digits and the order of its members. What it says decides whether
/// two are equal, not how it is written.
@Suite struct JSONTypeTests {
    static let cases: [TypeCase] = [
        .takes("an object", #"{ "b" : 1.10, "a" : [ true , null , "x\u0041" ] }"#, #"{"b":1.10,"a":[true,null,"xA"]}"#),
        .takes("an empty list", "[ ]", "[]"), .takes("an empty object", "{ }", "{}"),
        .takes("a text", #""text""#, #""text""#),
        .takes("an empty text", #""""#, #""""#), .takes("a number", "12", "12"),
        .takes("a truth value", "false", "false"),
        .takes("a number beyond 64 bits", "12345678901234567890123", "12345678901234567890123"),
        .takes("a number beyond every double", "1e999", "1e999"),
        .takes("digits as they are", "[1.0,1.00,1E2]", "[1.0,1.00,1E2]"),
        .takes("a member without a name", #"{"": {}}"#, #"{"":{}}"#),
        .takes("the order of members", #"{"b":1,"a":2}"#, #"{"b":1,"a":2}"#),
        .takes("a name twice", #"{"a":1,"a":2}"#, #"{"a":1,"a":2}"#),
        .takes("what must be escaped", #"["\u0000\n\"\\\/"]"#, #"["\u0000\n\"\\/"]"#),
        .takes("characters beyond ASCII", #"["\u00e9\ud83d\ude00"]"#, #"["é😀"]"#),
        .takes(
            "nested deep", String(repeating: "[", count: 900) + String(repeating: "]", count: 900),
            String(repeating: "[", count: 900) + String(repeating: "]", count: 900)),
        TypeCase(name: "null is SQL NULL", json: "null", outcome: .stored(.null)),
    ]

    @Test(arguments: cases)
    func jsonIsKeptCompact(item: TypeCase) throws { try item.check(field("v", .json)) }

    @Test(arguments: [
        TypePair(#"{"a":1,"b":[1,2]}"#, #"{"b":[1.0,20e-1],"a":1}"#, isEqual: true),
        TypePair(#"{"a":{"x":1,"y":2}}"#, #"{"a":{"y":2,"x":1}}"#, isEqual: true),
        TypePair("1", "1.0", isEqual: true), TypePair("1e2", "100", isEqual: true),
        TypePair("-0.0", "0", isEqual: true),
        TypePair("[0.10]", "[1e-1]", isEqual: true), TypePair(#""\u00e9""#, #""é""#, isEqual: true),
        TypePair(#"{"a":1,"a":2}"#, #"{"a":2}"#, isEqual: true), TypePair("[ 1 ]", "[1]", isEqual: true),
        TypePair("9007199254740993", "9007199254740992", isEqual: false),
        TypePair("0.1", "0.1000000000000000055", isEqual: false),
        TypePair("1e999", "1e998", isEqual: false), TypePair("[1,2]", "[2,1]", isEqual: false),
        TypePair(#"{"a":null}"#, "{}", isEqual: false), TypePair(#""1""#, "1", isEqual: false),
        TypePair("[]", "{}", isEqual: false),
        TypePair("false", "0", isEqual: false), TypePair(#""null""#, "null", isEqual: false),
        TypePair(#"{"a":1,"a":2}"#, #"{"a":1}"#, isEqual: false),
        TypePair(#""e\u0301""#, #""\u00e9""#, isEqual: false), TypePair("[[1],2]", "[1,[2]]", isEqual: false),
    ])
    func whatIsSaidIsCompared(pair: TypePair) throws { try pair.check(field("v", .json)) }
}

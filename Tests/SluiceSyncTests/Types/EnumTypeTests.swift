import SluiceModel
import SluicePipeline
import SluiceReport
import Testing

/// What an `enum` takes: one of its `values`, by the letter; `map` comes first, and what it misses passes through.
@Suite struct EnumTypeTests {
    private static let notAllowed = #"Expected one of "open", "closed", "1", "1.0""#

    private static let map: [String: FieldDefinition.MappedValue] = [
        "reopened": .json("\"open\""), "2": .json("\"closed\""), "true": .json("\"open\""), "": .json("\"closed\""),
        "none": .null,
    ]

    private static func refuses(_ name: String, _ json: String, _ words: String = notAllowed) -> TypeCase {
        .refuses(name, json, words, reason: "not_allowed")
    }

    static let cases: [TypeCase] = [
        .takes("a value", #""open""#, "open"), .takes("another value", #""closed""#, "closed"),
        .takes("an escaped value", #""\u006fpen""#, "open"), .takes("a number by its digits", "1", "1"),
        .takes("the same number with a fraction is another value", "1.0", "1.0"),
        .takes("a number as text", #""1""#, "1"),
        refuses("another case", #""Open""#), refuses("a blank behind it", #""open ""#),
        refuses("a value that is none", #""half-open""#, "half-open"),
        refuses("empty", #""""#), refuses("a number that is none", "2"),
        refuses("a number that is equal by value", "1e0"),
        .refuses("a truth value", "true", "Expected one of"), .refuses("a list", #"["open"]"#, "Expected one of"),
        .refuses("an object", "{}", "Expected one of"),
    ]

    static let mapped: [TypeCase] = [
        .takes("what is mapped", #""reopened""#, "open"), .takes("a number that is mapped", "2", "closed"),
        .takes("a truth value that is mapped", "true", "open"),
        .takes("an empty text that is mapped", #""""#, "closed"),
        .takes("what is not mapped and is a value", #""open""#, "open"),
        TypeCase(name: "what is mapped to null", json: #""none""#, outcome: .stored(.null)),
        refuses("what is neither", #""gone""#, "gone"), refuses("what is mapped in another case", #""Reopened""#),
        .refuses("a truth value that is not mapped", "false", "Expected one of"),
    ]

    private static let values = ["open", "closed", "1", "1.0"]

    @Test(arguments: cases)
    func anEnumIsOneOfItsValues(item: TypeCase) throws { try item.check(field("v", .enumeration, values: Self.values)) }

    @Test(arguments: mapped)
    func whatTheMapMissesPassesThrough(item: TypeCase) throws {
        try item.check(field("v", .enumeration, values: Self.values, map: Self.map))
    }

    @Test func aMapMayNotLeadToWhatIsNoValue() throws {
        let wrong = try field("v", .enumeration, values: ["open"], map: ["x": .json("\"shut\"")])
        #expect(throws: SyncError.self) { try Decoding(fields: [wrong]).one(#"{"v": "open"}"#) }
    }

    @Test(arguments: [
        TypePair(#""reopened""#, #""open""#, isEqual: true), TypePair(#""open""#, #""closed""#, isEqual: false),
        TypePair("1", #""1""#, isEqual: true),
    ])
    func whatIsStoredDecides(pair: TypePair) throws {
        try pair.check(field("v", .enumeration, values: Self.values, map: Self.map))
    }
}

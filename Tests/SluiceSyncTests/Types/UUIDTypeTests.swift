import SluiceModel
import SluicePipeline
import Testing

/// What a `uuid` takes: 32 hexadecimal digits in groups of 8-4-4-4-12 (RFC 9562 section 4) or without hyphens, of any
/// version; it is stored in lower case and with hyphens.
@Suite struct UUIDTypeTests {
    private static let stored = "9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11"
    private static let expected = "Expected a UUID such as"

    static let cases: [TypeCase] = [
        .takes("lower case", #""9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11""#, stored),
        .takes("upper case", #""9B2F1F6E-8C1E-4A3F-9F53-0A4F4E1F6C11""#, stored),
        .takes("both cases", #""9B2f1F6e-8c1E-4A3f-9F53-0a4F4e1F6c11""#, stored),
        .takes("escaped", #""9b2f1f6e\u002d8c1e-4a3f-9f53-0a4f4e1f6c11""#, stored),
        .takes("without hyphens", #""9B2f1f6e8c1e4a3f9f530a4f4e1f6c11""#, stored),
        .takes("nil", #""00000000-0000-0000-0000-000000000000""#, "00000000-0000-0000-0000-000000000000"),
        .takes("max", #""FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF""#, "ffffffff-ffff-ffff-ffff-ffffffffffff"),
        .takes("version 7", #""017F22E2-79B0-7CC3-98C4-DC0C0C07398F""#, "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"),
        .takes("of no version", #""12345678-1234-f234-0234-123456789abc""#, "12345678-1234-f234-0234-123456789abc"),
        .refuses("empty", #""""#, expected),
        .refuses("without the last hyphen", #""9b2f1f6e-8c1e-4a3f-9f530a4f4e1f6c11""#, expected),
        .refuses("31 digits", #""9b2f1f6e8c1e4a3f9f530a4f4e1f6c1""#, expected),
        .refuses("32 signs with a hyphen", #""9b2f1f6e-8c1e4a3f9f530a4f4e1f6c1""#, expected),
        .refuses("32 letters", #""9b2f1f6e8c1e4a3f9f530a4f4e1f6c1g""#, expected),
        .refuses("in braces", #""{9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11}""#, expected),
        .refuses("a URN", #""urn:uuid:9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11""#, expected),
        .refuses("one digit too few", #""9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c1""#, expected),
        .refuses("one digit too many", #""9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c111""#, expected),
        .refuses("a letter that is no digit", #""9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c1g""#, expected),
        .refuses("hyphens elsewhere", #""9b2f1f6-e8c1e-4a3f-9f53-0a4f4e1f6c11""#, expected),
        .refuses("other dashes", #""9b2f1f6e_8c1e_4a3f_9f53_0a4f4e1f6c11""#, expected),
        .refuses("a blank before it", #"" 9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11""#, expected),
        .refuses("a line break behind it", #""9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11\n""#, expected),
        .refuses("digits of another script", #""٩b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c1""#, expected),
        .refuses(
            "a control character that would be one in lower case", #""9b2f1f6e\r8c1e-4a3f-9f53-0a4f4e1f6c11""#, expected
        ),
        .refuses("a number", "7", expected), .refuses("a truth value", "true", expected),
        .refuses("a list", "[]", expected),
    ]

    @Test(arguments: cases, [false, true])
    func aUUIDIsOneInEverySpelling(item: TypeCase, isKey: Bool) throws {
        // A key that cannot be read is refused for want of one, elsewhere.
        if isKey, case .refused = item.outcome { return }
        try item.check(field("v", .uuid), isKey: isKey)
    }

    @Test(arguments: [
        TypePair(
            #""9B2F1F6E-8C1E-4A3F-9F53-0A4F4E1F6C11""#, #""9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11""#, isEqual: true),
        TypePair(#""9b2f1f6e8c1e4a3f9f530a4f4e1f6c11""#, #""9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11""#, isEqual: true),
        TypePair(
            #""9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c12""#, #""9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11""#, isEqual: false),
    ])
    func spellingMakesNoDifference(pair: TypePair) throws { try pair.check(field("v", .uuid)) }
}

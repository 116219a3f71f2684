import SluiceModel
import SluicePipeline
import Testing

/// What `bytes` take: base64 by RFC 4648 section 4, with its padding; line breaks count for nothing.
@Suite struct BytesTypeTests {
    private static let expected = "Expected base64 with its padding"

    static let cases: [TypeCase] = [
        .takes("nothing", #""""#, bytes: []),
        .takes("one byte", #""Zg==""#, bytes: Array("f".utf8)),
        .takes("two bytes", #""Zm8=""#, bytes: Array("fo".utf8)),
        .takes("three bytes", #""Zm9v""#, bytes: Array("foo".utf8)),
        .takes("four bytes", #""Zm9vYg==""#, bytes: Array("foob".utf8)),
        .takes("five bytes", #""Zm9vYmE=""#, bytes: Array("fooba".utf8)),
        .takes("six bytes", #""Zm9vYmFy""#, bytes: Array("foobar".utf8)),
        .takes("a zero", #""AA==""#, bytes: [0]),
        .takes("both ends of the alphabet", #""+/+/""#, bytes: [0xFB, 0xFF, 0xBF]),
        .takes("all bits", #""/////w==""#, bytes: [0xFF, 0xFF, 0xFF, 0xFF]),
        .takes("escaped slashes", #""\/+8=""#, bytes: [0xFF, 0xEF]),
        .takes("a line break in the middle", #""Zm9v\nYmFy""#, bytes: Array("foobar".utf8)),
        .takes("line breaks of MIME", #""Zm\r\n9vYm\r\nFy\r\n""#, bytes: Array("foobar".utf8)),
        .takes("a line break within the padding", #""Zg=\n=""#, bytes: Array("f".utf8)),
        .takes("a line break alone", #""\n""#, bytes: []),
        .refuses("no padding", #""Zg""#, expected), .refuses("half of its padding", #""Zg=""#, expected),
        .refuses("too much padding", #""Zg===""#, expected), .refuses("padding alone", #""====""#, expected),
        .refuses("padding in the middle", #""Zg==Zg==""#, expected), .refuses("padding first", #""=Zg=""#, expected),
        .refuses("one digit", #""Z""#, expected), .refuses("one digit too many", #""Zm9vZ""#, expected),
        .refuses("bits behind the last byte", #""Zh==""#, expected),
        .refuses("bits behind the last two", #""Zm9=""#, expected),
        .refuses("the alphabet of URLs", #""-_-_""#, expected), .refuses("a blank", #""Zm9v YmFy""#, expected),
        .refuses("a tab", #""Zm9v\tYmFy""#, expected),
        .refuses("hexadecimal digits of odd length", #""0xF""#, expected),
        .refuses("a data URL", #""data:;base64,Zm9v""#, expected),
        .refuses("a letter beyond ASCII", #""Zm9é""#, expected),
        .refuses("a number", "5", expected), .refuses("a list of numbers", "[102,111]", expected),
        .refuses("an object", "{}", expected), .refuses("a truth value", "false", expected),
    ]

    @Test(arguments: cases)
    func bytesAreBase64(item: TypeCase) throws { try item.check(field("v", .bytes)) }

    @Test(arguments: [
        TypePair(#""Zm9vYmFy""#, #""Zm9v\nYmFy\n""#, isEqual: true), TypePair(#""Zm8=""#, #""Zm9v""#, isEqual: false),
    ])
    func lineBreaksMakeNoDifference(pair: TypePair) throws { try pair.check(field("v", .bytes)) }
}

import Foundation
import SluiceModel
import SluicePipeline
import TestSupport
import Testing

/// What a `url` takes: an absolute URI by RFC 3986, kept as it was written.
@Suite struct URLTypeTests {
    private static let expected = "Expected an absolute URL"

    private static func verbatim(_ name: String, _ url: String) -> TypeCase { .takes(name, "\"\(url)\"", url) }
    private static func refused(_ name: String, _ url: String) -> TypeCase {
        .refuses(name, "\"\(url)\"", expected)
    }

    static let cases: [TypeCase] = [
        verbatim(
            "every part", "https://user:pw@Example.org:8080/A/b;c=1?d=%20&e[]".replacing("[]", with: "%5B%5D") + "#f"),
        verbatim("no path", "https://example.org"), verbatim("a port without digits", "http://example.org:/"),
        verbatim("dots that could be removed", "http://example.org/a/../b/./c"),
        verbatim("an empty query and fragment", "http://example.org/?#"),
        verbatim("an address of IPv4", "http://192.0.2.16:80/"),
        verbatim("of IPv6", "ldap://[2001:db8::7]/c=GB?objectClass?one"),
        verbatim("of IPv6, written out", "http://[1:2:3:4:5:6:7:8]/"),
        verbatim("of IPv6 with IPv4", "http://[::ffff:192.0.2.1]/"),
        verbatim("of a version to come", "http://[v1.fe80::a+en1]/"),
        verbatim("a mail address", "mailto:John.Doe@example.com"),
        verbatim("a URN", "urn:oasis:names:specification:docbook:dtd:xml:4.1.2"),
        verbatim("a telephone", "tel:+1-816-555-1212"), verbatim("news", "news:comp.infosystems.www.servers.unix"),
        verbatim("a file", "file:///etc/hosts"), verbatim("data", "data:text/plain,hello%20world"),
        verbatim("a scheme with all that it may hold", "a+b-c.1:x"),
        verbatim("a scheme in upper case", "HTTPS://EXAMPLE.ORG"),
        verbatim("a scheme alone", "about:"), verbatim("a path of slashes", "file:////a//b"),
        verbatim("characters beyond ASCII", "https://bücher.example/日本?ñ#é"),
        verbatim("all that needs no escape", "x:-._~!$&'()*+,;=:@/"),
        refused("empty", ""), refused("relative", "books/1"), refused("with a root", "/books/1"),
        refused("of a host", "//example.org/"),
        refused("without a scheme", "example.org"), refused("a port that looks like a scheme", "127.0.0.1:80"),
        refused("a scheme that begins with a digit", "1a:b"), refused("a scheme with a blank", "a b:c"),
        refused("no scheme before the colon", ":x"), refused("http without slashes", "https:example.org"),
        refused("http without anything", "https:"), refused("http without a host", "http:///books"),
        refused("http with a port alone", "http://:80/"), refused("http with a user alone", "http://me@/"),
        refused("a blank", "https://a b"), refused("a blank in the path", "https://example.org/a b"),
        refused("a blank behind", "https://example.org "),
        refused("a line break", "https://example.org/\\n"), refused("a zero", "https://example.org/\\u0000"),
        refused("a control character beyond ASCII", "https://example.org/\\u0085"),
        refused("half an escape", "https://example.org/%2"),
        refused("an escape that is none", "https://example.org/%zz"),
        refused("a percent sign", "https://example.org/100%"), refused("angle brackets", "<https://example.org>"),
        refused("quotes", "https://example.org/\\\"a\\\""), refused("a backslash", "https://example.org\\\\a"),
        refused("a template", "https://api.example.org/users{/id}"), refused("a bar", "https://example.org/a|b"),
        refused("a caret", "https://example.org/a^b"), refused("a backquote", "https://example.org/a`b"),
        refused("brackets in the query", "https://example.org/?a[]=1"),
        refused("two fragments", "https://example.org/#a#b"),
        refused("a port that is no number", "https://example.org:http/"),
        refused("two users", "https://a@b@example.org/"),
        refused("brackets that stay open", "http://[::1/"), refused("an address that is too short", "http://[1:2:3]/"),
        refused("an address that is too long", "http://[1:2:3:4:5:6:7:8:9]/"),
        refused("an address shortened twice", "http://[1::2::3]/"),
        refused("an address that ends in a colon", "http://[1:2:3:4:5:6:7:]/"),
        refused("a group of five digits", "http://[12345::]/"),
        refused("an IPv4 beyond its range", "http://[::256.0.0.1]/"),
        refused("a name in brackets", "http://[example.org]/"),
        .refuses("a number", "5", expected), .refuses("a list", #"["https://example.org"]"#, expected),
        .refuses("an object", "{}", expected),
    ]

    @Test(arguments: cases)
    func aURLIsAbsoluteAndStaysAsItIs(item: TypeCase) throws { try item.check(field("v", .url)) }

    @Test(arguments: [
        TypePair(#""http://example.org""#, #""http:\/\/example.org""#, isEqual: true),
        TypePair(#""http://EXAMPLE.org""#, #""http://example.org""#, isEqual: false),
        TypePair(#""http://example.org""#, #""http://example.org/""#, isEqual: false),
        TypePair(#""http://example.org/%7e""#, #""http://example.org/~""#, isEqual: false),
    ])
    func twoSpellingsAreTwoURLs(pair: TypePair) throws { try pair.check(field("v", .url)) }
}

/// The same against the suites of the standards.
@Suite struct URLConformanceTests {
    private struct Reference: Decodable {
        let ref: String
        let target: String
    }

    private struct Web: Decodable {
        let input: String?
        let base: String?
        let href: String?
        let failure: Bool?

        init(from decoder: any Decoder) throws {
            // The suite has comments, which are texts.
            guard let container = try? decoder.container(keyedBy: Keys.self) else {
                (input, base, href, failure) = (nil, nil, nil, nil)
                return
            }
            input = try container.decode(String.self, forKey: .input)
            base = try container.decodeIfPresent(String.self, forKey: .base)
            href = try container.decodeIfPresent(String.self, forKey: .href)
            failure = try container.decodeIfPresent(Bool.self, forKey: .failure)
        }

        enum Keys: String, CodingKey { case input, base, href, failure }
    }

    @Test(.enabled(if: Conformance.isAvailable, "the URL suites are not beside the project"))
    func whatReferencesResolveToIsAbsolute() throws {
        let cases = try JSONDecoder().decode(
            [Reference].self, from: Data(Conformance.bytes("url/rfc3986-section5.4.json")))
        #expect(cases.count > 40)
        for item in cases {
            // `http:g` of that suite is a URI by the syntax alone; HTTP itself demands a host.
            let isAbsolute = item.target != "http:g"
            #expect(AbsoluteURI.isValid(item.target) == isAbsolute, "\(item.target)")
            #expect(AbsoluteURI.isValid(item.ref) == (item.ref == "g:h"), "\(item.ref)")
        }
    }

    /// Browsers take more: they mend blanks, backslashes and the like. And less: they know what hosts there can be.
    @Test(.enabled(if: Conformance.isAvailable, "the URL suites are not beside the project"))
    func whereBrowsersDifferTheReasonIsKnown() throws {
        let cases = try JSONDecoder().decode([Web].self, from: Data(Conformance.bytes("url/urltestdata.json")))
        var counts = (both: 0, neither: 0, browsersOnly: 0, ourselvesOnly: 0)
        for item in cases where item.base == nil {
            guard let input = item.input else { continue }
            switch (AbsoluteURI.isValid(input), item.failure == true) {
            case (true, false): counts.both += 1
            case (false, true): counts.neither += 1
            case (false, false):
                counts.browsersOnly += 1
                #expect(Self.isMended(input), "\(input)")
            case (true, true):
                counts.ourselvesOnly += 1
                #expect(input.contains("//"), "only a host can be wrong that the syntax takes: \(input)")
            }
        }
        #expect(counts.both > 150 && counts.neither > 80, "\(counts)")
    }

    /// Whether a text has a character that no URI has, or lacks what its scheme needs.
    private static func isMended(_ input: String) -> Bool {
        let scalars = input.unicodeScalars
        if scalars.contains(where: {
            $0.value <= 0x20 || (0x7F...0x9F).contains($0.value) || "\"<>\\^`{|}".unicodeScalars.contains($0)
        }) {
            return true
        }
        let escapes = input.split(separator: "%", omittingEmptySubsequences: false).dropFirst()
        if escapes.contains(where: { $0.prefix(2).count < 2 || !$0.prefix(2).allSatisfy(\.isHexDigit) }) { return true }
        // Brackets outside of an address, a second fragment, a second user.
        let afterHost = input.drop { $0 != "/" }.dropFirst(2)
        if afterHost.drop(while: { $0 != "/" }).contains(where: { "[]".contains($0) }) { return true }
        if input.count(where: { $0 == "#" }) > 1 || input.count(where: { $0 == "@" }) > 1 { return true }
        let scheme = input.prefix { $0 != ":" }.lowercased()
        let rest = input.dropFirst(scheme.count + 1)
        return ["http", "https", "ws", "wss", "ftp"].contains(scheme)
            && (!rest.hasPrefix("//") || rest.hasPrefix("///") || rest == "//" || rest.hasPrefix("//?"))
    }
}

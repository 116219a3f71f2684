import FoundationEssentials
import SluiceHTTP
import TestSupport
import Testing

@Suite struct HTTPURLTests {
    @Test(arguments: [
        ("https://api.example.com/v1/items?page=1", "?page=2", "https://api.example.com/v1/items?page=2"),
        ("https://api.example.com/v1/items?page=1#x", "", "https://api.example.com/v1/items?page=1"),
        ("https://api.example.com/v1/items?page=1", "#y", "https://api.example.com/v1/items?page=1#y"),
        ("https://api.example.com/v1/items", "../b", "https://api.example.com/b"),
        ("https://api.example.com/v1/items", "/b?c#d", "https://api.example.com/b?c#d"),
        ("https://api.example.com/v1/items", "//cdn.example.com/b", "https://cdn.example.com/b"),
        ("https://api.example.com/v1/items", "https://u:p@api.example.com/b", "https://api.example.com/b"),
        ("https://api.example.com/v1/items", "/with space/ä", "https://api.example.com/with%20space/%c3%a4"),
        ("https://api.example.com", "b", "https://api.example.com/b"),
    ])
    func aReferenceIsResolved(_ base: String, _ reference: String, _ expected: String) throws {
        #expect(try HTTPURL(base).resolving(reference).text == expected)
    }

    @Test(arguments: [
        ("HTTPS://API.Example.COM/a", "https", "api.example.com", 443),
        ("http://x.example:8080", "http", "x.example", 8080),
        ("http://[::1]:80/", "http", "[::1]", 80), ("http://127.1/", "http", "127.0.0.1", 80),
    ])
    func theOriginIsInOneForm(_ text: String, _ scheme: String, _ host: String, _ port: Int) throws {
        #expect(try HTTPURL(text).origin == HTTPOrigin(scheme: scheme, host: host, port: port))
    }

    @Test(arguments: [
        "", "api.example.com/a", "ftp://example.com", "file:///etc/passwd", "https://", "http://a b/",
        "https://x:99999/",
        "/relative", "http://x\r\nHost: y/", "https://user:secret@x.example/", "https://bücher.example/",
        "https://x.example/\0.other.example/",
    ])
    func whatIsNoWebAddressIsRefused(_ text: String) {
        let error = #expect(throws: HTTPError.self) { try HTTPURL(text) }
        #expect(error?.code == .invalidURL)
        #expect(error?.message.contains("secret") == false)
    }

    @Test(arguments: [
        ("https://x.example", "/items", "https://x.example/items"),
        ("https://x.example/v1/", "/items", "https://x.example/v1/items"),
        ("https://x.example/v1", "items?state=all", "https://x.example/v1/items?state=all"),
        ("https://x.example/v1?key=1", "/items?state=all", "https://x.example/v1/items?key=1&state=all"),
        ("https://x.example/v1", "", "https://x.example/v1"),
        ("https://x.example/v1", "?a=1", "https://x.example/v1?a=1"),
    ])
    func aPathIsAppended(_ base: String, _ path: String, _ expected: String) throws {
        #expect(try HTTPURL(base).appending(path: path).text == expected)
    }

    @Test func segmentsAndParametersAreEncoded() throws {
        let url = try HTTPURL("https://x.example/v1?a=1&b=2#f")
        #expect(
            try url.appending(segments: ["a/b", "c d?", "ü"]).text
                == "https://x.example/v1/a%2Fb/c%20d%3F/%C3%BC?a=1&b=2")
        #expect(throws: HTTPError.self) { try url.appending(segments: [".."]) }
        #expect(
            url.adding(parameters: [HTTPField("q", "a&b=c d"), HTTPField("ü", "")]).text
                == "https://x.example/v1?a=1&b=2&q=a%26b%3Dc%20d&%C3%BC=#f")
        #expect(url.setting(parameters: [HTTPField("a", "9")]).text == "https://x.example/v1?b=2&a=9#f")
    }

    @Test func secretsAreNotShown() throws {
        let url = try HTTPURL("https://x.example/v1?page=2&api_key=s3cret&MyKey=s3cret&%61ccess_token=s3cret")
        #expect(
            url.redacted(parameters: ["mykey"])
                == "https://x.example/v1?page=2&api_key=***&MyKey=***&%61ccess_token=***")
        #expect("\(url)".contains("MyKey=s3cret"))
    }

    private struct ResolutionRow: Decodable {
        let base: String
        let ref: String
        let target: String
    }

    /// libcurl writes an empty path as `/`, and takes `http:g` for an absolute URL of the host `g`.
    @Test(.enabled(if: Conformance.isAvailable))
    func theExamplesOfRFC3986Agree() throws {
        let bytes = try Conformance.bytes("url/rfc3986-section5.4.json")
        let rows = try JSONDecoder().decode([ResolutionRow].self, from: Data(bytes))
        #expect(rows.count == 42)
        for row in rows where row.ref != "http:g" {
            guard row.target.hasPrefix("http:") else {
                #expect(throws: HTTPError.self, "\(row.ref)") { try HTTPURL(row.base).resolving(row.ref) }
                continue
            }
            let expected = row.target == "http://g" ? "http://g/" : row.target
            #expect(try HTTPURL(row.base).resolving(row.ref).text == expected, "\(row.ref)")
        }
    }
}

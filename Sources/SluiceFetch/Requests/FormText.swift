internal import SluiceHTTP

/// Forms as they are sent. See: url.spec.whatwg.org, "application/x-www-form-urlencoded".
enum FormText {
    static let type = "application/x-www-form-urlencoded"

    static func encoded(_ text: String) -> String {
        HTTPURL.percentEncoded(text).split(separator: "%20", omittingEmptySubsequences: false).joined(separator: "+")
    }

    static func encoded(_ fields: [HTTPField]) -> String {
        fields.map { encoded($0.name) + "=" + encoded($0.value) }.joined(separator: "&")
    }
}

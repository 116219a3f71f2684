internal import CSluiceCurl

/// One handle of libcurl's URL parser, which is the one that the transfer itself uses.
///
/// See: curl.se/libcurl/c/libcurl-url.html
@safe
struct CurlURL: ~Copyable {
    private let handle: OpaquePointer

    /// Why libcurl refuses a URL.
    struct Failure: Error {
        let code: CURLUcode

        /// libcurl's words for it.
        var text: String { unsafe String(cString: curl_url_strerror(code)) }
    }

    init() {
        // Only exhausted memory makes this fail, which Swift itself does not survive either.
        unsafe handle = curl_url()
    }

    deinit {
        unsafe curl_url_cleanup(handle)
    }

    /// Reads a URL; where the handle holds one already, a relative reference is resolved against it.
    mutating func set(_ text: String) throws(Failure) {
        // C would take the text to end there, and so another URL for it.
        if text.utf8.contains(0) { throw Failure(code: CURLUE_MALFORMED_INPUT) }
        // Spaces and bytes beyond ASCII are common in links and are encoded rather than refused.
        let flags = UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE)
        try Self.check(unsafe curl_url_set(handle, CURLUPART_URL, text, flags))
    }

    /// Drops one part.
    mutating func clear(_ part: CURLUPart) throws(Failure) {
        try Self.check(unsafe curl_url_set(handle, part, nil, 0))
    }

    /// One part, or nil where the URL has none.
    func part(_ part: CURLUPart, flags: Int32 = 0) throws(Failure) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let code = unsafe curl_url_get(handle, part, &text, UInt32(flags))
        guard code == CURLUE_OK, let text = unsafe text else {
            if Self.meaningNone.contains(code.rawValue) { return nil }
            throw Failure(code: code)
        }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }

    private static let meaningNone = [
        CURLUE_NO_USER, CURLUE_NO_PASSWORD, CURLUE_NO_QUERY, CURLUE_NO_FRAGMENT, CURLUE_NO_PORT,
    ].map(\.rawValue)

    private static func check(_ code: CURLUcode) throws(Failure) {
        if code != CURLUE_OK { throw Failure(code: code) }
    }
}

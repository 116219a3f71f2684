internal import CSluiceCurl

/// libcurl's process-wide state.
enum CurlLibrary {
    /// Set up once, before the first handle is made, and kept until the process ends.
    static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Its version and those of the libraries that it uses, for people.
    static var version: String { unsafe String(cString: curl_version()) }
}

extension SourceDefinition {
    /// How a request proves who is asking; every text in it is secret.
    public enum Authentication: Sendable {
        /// It does not.
        case none
        /// `Authorization: Bearer …`.
        case bearer(token: ConfigurationText)
        /// `Authorization: Basic …`, see RFC 7617.
        case basic(username: ConfigurationText, password: ConfigurationText)
        /// A key in a header, a query parameter or a cookie.
        case apiKey(location: APIKeyLocation, name: String, value: ConfigurationText)
    }

    /// Where an API key travels.
    public enum APIKeyLocation: String, Sendable, CaseIterable {
        /// In a request header.
        case header
        /// In a query parameter.
        case query
        /// In a cookie.
        case cookie
    }
}

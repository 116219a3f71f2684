package import SluiceJSON

extension StreamDefinition {
    /// A value of the page is the URL of the next one.
    package struct JSONLink: PaginatorRule {
        /// The path to the URL.
        package var path: JSONPath

        package var type: String { "json_link" }
        package var keys: [PaginatorKey] { [PaginatorKey("path", .path(path))] }
        package var summary: String { "json_link, the URL at \(path.text)" }
        package var readsNextPlace: Bool { true }

        /// Makes a rule of its path.
        package init(path: JSONPath) { self.path = path }
    }
}

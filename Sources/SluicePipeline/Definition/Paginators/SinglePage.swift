extension StreamDefinition {
    /// There is one page.
    package struct SinglePage: PaginatorRule {
        package var type: String { "none" }
        package var summary: String { "none, there is one page" }

        /// Makes the rule.
        package init() {}
    }
}

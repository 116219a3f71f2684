/// Where the reading of a stream's pages goes on: what a paginator has to know of the pages before.
package struct PageToken: Equatable {
    /// What leads to a page.
    package enum Lead: Equatable {
        /// It is the first one.
        case start
        /// The value of the paginator's parameter.
        case value(PageValue)
        /// The page's URL.
        case link(String)
    }

    /// The window of time that the page belongs to.
    package var window = 0
    /// The pages before, of this window.
    package var pages = 0
    /// The records on them.
    package var records = 0
    package var lead = Lead.start
    /// What the pages before say of how many there are in all.
    package var totals = PageTotals()

    /// Makes a value of its parts.
    package init(window: Int = 0, pages: Int = 0, records: Int = 0, lead: Lead = Lead.start) {
        self.window = window
        self.pages = pages
        self.records = records
        self.lead = lead
    }
}

import SluiceHTTP
import SluicePages
import Testing

@testable import SluiceFetch

/// Which links and cursors merely count.
@Suite struct CountedPlaceTests {
    struct Case: CustomTestStringConvertible {
        /// The page that was read, and where it leads.
        let from: String
        let to: String
        /// How many pages were read.
        var pages = 1
        let isCounted: Bool
        var testDescription: String { "\(from) \(to)" }
    }

    @Test(arguments: [
        Case(from: "/items", to: "/items?page=2", isCounted: true),
        Case(from: "/items?page=2", to: "/items?page=3", pages: 2, isCounted: true),
        Case(from: "/items?per_page=30", to: "/items?per_page=30&page=2", isCounted: true),
        Case(from: "/items?state=all", to: "/items?sort=id&state=all&page=2", isCounted: true),
        Case(from: "/repos/a/b/items", to: "/repositories/17/items?page=2", isCounted: true),
        Case(from: "/items", to: "/items?page%5Bnumber%5D=2&page%5Bsize%5D=10", isCounted: true),
        Case(from: "/items", to: "/items?startAt=50&maxResults=50", isCounted: true),
        Case(from: "/items", to: "/items?$skip=100", isCounted: true),
        Case(from: "/items", to: "/items?limit=20&offset=20", isCounted: true),
        Case(from: "/items?limit=20&o=20", to: "/items?limit=20&o=40", pages: 2, isCounted: true),
        Case(from: "/items", to: "/items?seite=2", isCounted: true),
        Case(from: "/items?seite=0", to: "/items?seite=1", isCounted: true),
        Case(from: "/items", to: "/items/page/2", isCounted: true),
        Case(from: "/items/page/2?n=5", to: "/items/page/3?n=5", pages: 2, isCounted: true),
        Case(from: "/items", to: "/items?after=2", isCounted: false),
        Case(from: "/items", to: "/items?after=abc&page=2", isCounted: false),
        Case(from: "/items", to: "/items?page%5Bcursor%5D=2", isCounted: false),
        Case(from: "/items", to: "/items?page_token=2", isCounted: false),
        Case(from: "/items", to: "/items?page_info=eyJsYXN0X2lkIjoxfQ", isCounted: false),
        Case(from: "/items", to: "/items?since=135", isCounted: false),
        Case(from: "/items", to: "/items?per_page=2", isCounted: false),
        Case(from: "/items", to: "/items?until=1700000000000", isCounted: false),
        Case(from: "/items", to: "/query/01gxx-2000", isCounted: false),
        Case(from: "/items?page=2", to: "/items?page=2&key=x", pages: 2, isCounted: false),
        Case(from: "/items", to: "/items?page=-2", isCounted: false),
        Case(from: "/items", to: "/items?offset=\(UInt64.max)", isCounted: false),
        Case(from: "/items?limit=\(Int.max)", to: "/items?limit=\(Int.max)&o=999", pages: 3, isCounted: false),
    ])
    func links(_ known: Case) throws {
        let base = try HTTPURL("https://api.example.com")
        let (from, to) = (try base.resolving(known.from), try base.resolving(known.to))
        #expect(CountedPlace.isCounted(to, after: from, pages: known.pages) == known.isCounted)
    }

    @Test(arguments: [
        ("2", "page", 1, true), ("1", "page", 1, true), ("7", "page", 1, true), ("100", "vars.offset", 1, true),
        ("3", "next", 2, true), ("2", "after", 1, false), ("c2", "page", 1, false), ("99", "next", 1, false),
        ("", "page", 1, false), ("2", "limit", 1, false), ("{\"page\":2}", "page", 1, false),
    ])
    func values(_ value: String, _ name: String, _ pages: Int, _ isCounted: Bool) {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        #expect(CountedPlace.isCounted(value, named: last, pages: pages) == isCounted)
    }
}

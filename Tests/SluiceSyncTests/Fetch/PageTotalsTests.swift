import SluiceDecode
import SluiceJSON
import Testing

/// What pages say of how many there are, and how it is kept.
@Suite struct PageTotalsTests {
    private static func total(_ count: Int, _ names: [String], isHeader: Bool = false) -> PageTotals.Total {
        PageTotals.Total(.records, count, names: names, isHeader: isHeader)
    }

    @Test("A total holds until one of the same name comes")
    func lastWord() {
        var totals = PageTotals()
        totals.record(Self.total(6, ["total"]))
        totals.record(Self.total(9, ["total"], isHeader: true))
        totals.record(Self.total(5, ["total"]))
        totals.record(PageTotals.Total(.pages, 70, names: ["pages"], isHeader: false))
        #expect(totals.told.map(\.count) == [5, 9, 70])
        #expect(totals.exceeding(5, .records)?.isHeader == true)
        #expect(totals.exceeding(9, .records) == nil)
        #expect(totals.exceeding(4, .records)?.text == "total")
        totals.add(3)
        totals.add(0)
        #expect(totals.listed == 3)
        totals.add(nil)
        totals.add(4)
        #expect(totals.listed == nil, "what is not known of one page is not known of all")
    }

    @Test(
        "What is kept comes back",
        arguments: [
            PageTotals(), PageTotals(listed: nil), PageTotals(listed: 12),
        ])
    func text(totals: PageTotals) {
        var totals = totals
        #expect(PageTotals(text: totals.text) == totals)
        totals.record(Self.total(6, ["meta", "a name", "ü"]))
        totals.record(Self.total(7, ["X-Total-Count"], isHeader: true))
        totals.record(PageTotals.Total(.pages, 2, names: ["pages"], isHeader: false))
        #expect(PageTotals(text: totals.text) == totals)
    }

    @Test("Of a text that is something else nothing is known", arguments: ["", "x", "\n\n", "x\nrecords\tx\tbody\ta"])
    func otherText(text: String) { #expect(PageTotals(text: text) == PageTotals(listed: nil)) }

    @Test("A name with a line's end does not spoil the others")
    func oddName() {
        var totals = PageTotals(listed: 1)
        totals.record(Self.total(6, ["a\r\nb\tc"]))
        totals.record(Self.total(7, ["total"]))
        let kept = PageTotals(text: totals.text)
        #expect(kept.told.map(\.count) == [6, 7] && kept.told.map(\.text) == ["a b c", "total"])
    }

    /// The list from which a path picks by a filter or a slice.
    @Test(arguments: [
        ("$.data[?@.id < 9]", "$.data"), ("$.a.b[1:3]", "$.a.b"), ("$[?@.id]", "$"), ("$.data[*]", nil),
        ("$.data[?@.x].items[*]", nil), ("$..data", nil), ("$.data", nil),
    ])
    func filteredParent(path: String, parent: String?) throws {
        #expect(try JSONPath(parsing: path).filteredParent?.text == parent)
    }
}

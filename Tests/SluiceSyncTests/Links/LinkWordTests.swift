import SluiceReport
import SluiceStore
import Testing

/// What leads from row to row is a reference where a column has it, and a link where a table of pairs does.
@Suite struct LinkWordTests {
    @Test(
        arguments: [
            (\ReferenceOutcome.linked, false, "1 reference of `books.tags` is linked now"),
            (\.linked, true, "1 link of `books.tags` is made now"),
            (\.deferred, false, "1 reference of `books.tags` leads to a record that is not there, and is null"),
            (\.deferred, true, "1 link of `books.tags` leads to a record that is not there, and is left out"),
            (\.cleared, false, "1 reference of `books.tags` leads to a record that is not there, and becomes null"),
            (\.cleared, true, "1 link of `books.tags` leads to a record that is not there, and is left out"),
        ] as [(any WritableKeyPath<ReferenceOutcome, [String: ReferenceOutcome.Rows]> & Sendable, Bool, String)])
    func noun(
        of fate: any WritableKeyPath<ReferenceOutcome, [String: ReferenceOutcome.Rows]> & Sendable, areLinks: Bool,
        words: String
    ) {
        var outcome = ReferenceOutcome()
        outcome[keyPath: fate]["books.tags"] = ReferenceOutcome.Rows(
            count: 1, entity: "Book", keys: [], areLinks: areLinks)
        #expect(outcome.problems.first?.message.hasPrefix(words) == true, "\(outcome.problems)")
    }
}

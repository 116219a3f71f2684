import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import Testing

/// A record that was edited here, that `crm` lists no longer and that `billing` states to be deleted: one question.
@Suite("A record that is gone in two ways")
struct ArchivedRecordTests {
    /// In which order it becomes known.
    enum Order: String, CaseIterable, Sendable { case together, listFirst, statementFirst }

    /// A table with contact 1, edited, which both say is gone.
    private func scene(_ order: Order, precedence: [String]) throws -> SharedTable {
        let table = try SharedTable()
        table.deletedWhen = ".gone == true"
        table.precedence = precedence
        try table.put(StatedDeletionTests.a, "[]")
        try table.run()
        try table.shop.sql(TwoSourceTests.edit)
        if order == .listFirst { try table.put("[]", nil) }
        if order == .statementFirst { try table.put(nil, StatedDeletionTests.gone) }
        if order != .together {
            try table.run()
            #expect(try table.conflicts("open").count == 1)
        }
        try table.put("[]", StatedDeletionTests.gone)
        let (report, _) = try table.run()
        #expect(report.summary.conflict == 1)
        return table
    }

    static let precedences = [["crm", "billing"], ["billing", "crm"]]

    @Test("It is one conflict, decided once for the store", arguments: Order.allCases, precedences)
    func local(_ order: Order, _ precedence: [String]) throws {
        let table = try scene(order, precedence: precedence)
        #expect(try table.conflicts("open").count == 1)
        #expect(try table.quiet() == [])
        try table.resolve(.local)
        #expect(try table.rows == ["1|mine|1"])
        #expect(try table.quiet() == [])
        #expect(try table.conflicts("open") == [])
        #expect(try table.rows == ["1|mine|1"])
    }

    @Test("It is one conflict, decided once for the sources", arguments: Order.allCases, precedences)
    func remote(_ order: Order, _ precedence: [String]) throws {
        let table = try scene(order, precedence: precedence)
        #expect(try table.conflicts("open").count == 1)
        try table.resolve(.remote)
        #expect(try table.rows == [])
        #expect(try table.quiet() == [])
        #expect(try table.rows == [])
        try table.put(StatedDeletionTests.b, nil)
        try table.run()
        #expect(try table.rows == ["1|b|1"])
        #expect(try table.quiet() == [])
    }
}

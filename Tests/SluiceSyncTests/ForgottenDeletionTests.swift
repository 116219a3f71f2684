import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import SluiceReconcile
import SluiceReport
import SluiceSync
import Synchronization
import TestSupport
import Testing

/// Deletions by people that are forgotten, since their records are gone from the source as well.
@Suite struct ForgottenDeletionTests {
    private static func told(_ report: RunReport) -> [RunProblem] {
        report.problems.filter { $0.code == ForgottenDeletions.code }
    }

    /// What a run meets on all its pages is told once.
    @Test func thoseOfAllPagesAreToldTogether() throws {
        let isGone = Mutex(false)
        let server = try LoopbackServer { request in
            let page = request.number("page") ?? 1
            let flag = isGone.withLock { $0 }
            let records = (0..<3).map { #"{"id":\#(page * 10 + $0),"gone":\#(flag)}"# }
            return .text(#"{"pages":4,"data":[\#(records.joined(separator: ","))]}"#)
        }
        defer { server.stop() }
        let text = """
            version: 1
            name: shop
            source: {base_url: "\(server.url)"}
            commit: page
            entities: {Item: {table: items, primary_key: id, fields: {id: int}}}
            streams:
              - name: items
                entity: Item
                path: /items
                records: "data[*]"
                deleted_when: .gone == true
                paginator: {type: page_number, total_pages_path: pages}
            """
        let (definition, problems) = PipelineLoader.load(
            bytes: Array(text.utf8), file: "test.yaml", environment: [:], mode: .run)
        guard let definition else { throw Workshop.Disagreement(what: TextDiagnosticRenderer().render(problems)) }
        let shop = try Workshop()
        (shop.name, shop.definition) = ("shop", definition)
        #expect(shop.sync().report.summary.insert == 12)
        try shop.sql("DELETE FROM items")
        isGone.withLock { $0 = true }
        for command in [RunReport.Command.plan, .run] {
            let report = shop.sync(command).report
            let told = Self.told(report)
            #expect(report.status == .succeeded && told.count == 1, "\(report.problems)")
            #expect(told.first?.message.hasPrefix("12 records whose rows people deleted are gone") == true, "\(told)")
            #expect(told.first?.keys.count == RunProblem.listedKeys && told.first?.unlisted == 2)
            #expect(told.first?.keys.first == #"{"id":10}"#)
        }
    }

    /// What a saved plan does not show is left as it is, so nothing of it is forgotten.
    @Test(arguments: [false, true]) func whatASavedPlanHoldsBackIsNotTold(isStated: Bool) throws {
        let rule = DeleteRule(mode: .hard, maximum: .percent(100))
        let shop = try Workshop(rule: isStated ? DeleteRule() : rule)
        shop.deletedWhen = isStated ? ".gone == true" : nil
        let other = #"{"id":2,"a":"p","b":"q"}"#
        try shop.put(#"[{"id":1,"a":"x","b":"y"},\#(other)]"#)
        #expect(shop.sync().report.status == .succeeded)
        try shop.sql("DELETE FROM items WHERE id = 1")
        try shop.put(isStated ? #"[{"id":1,"gone":true},\#(other)]"# : "[\(other)]")
        shop.adjustOptions = { $0.gate = PlanGate(marks: [], schema: [], takesMoved: false) }
        let held = shop.sync().report
        #expect(held.total.stale == 1 && Self.told(held).isEmpty, "\(held.problems)")
        shop.adjustOptions = { _ in }
        let report = shop.sync().report
        #expect(Self.told(report).map(\.keys) == [[#"{"id":1}"#]], "\(report.problems)")
    }
}

import SluiceDiagnostics
import SluiceModel
import SluicePipeline
import SluicePipelineFiles
import SluiceReport
import SluiceReview
import SluiceStore
import TestSupport
import Testing

/// Invoices with lines, and taxes below the lines.
final class Invoices {
    static let full = """
        [{"id":1,"total":5,"lines":[
            {"id":10,"note":"a","taxes":[{"id":1,"rate":7},{"id":2,"rate":19}]},{"id":11,"note":"b"}]},
         {"id":2,"total":6,"lines":[{"id":10,"note":"c","taxes":[{"id":1,"rate":7}]}]}]
        """
    let shop: Workshop

    /// - Parameters:
    ///   - mode: What becomes of the rows of invoices that are gone.
    ///   - policy: What decides the conflicts of all entities.
    ///   - invoicePolicy: What decides those of invoices alone.
    /// - Throws: What is wrong with the pipeline.
    init(
        mode: DeleteRule.Mode = .hard, policy: ConflictPolicy = .manual, invoicePolicy: ConflictPolicy? = nil
    ) throws {
        shop = try Workshop()
        shop.name = "invoices"
        let text = """
            version: 1
            name: invoices
            source: {base_url: "file:\(shop.directory.path)"}
            merge: {on_conflict: \(policy.rawValue)}
            entities:
              Invoice:
                primary_key: id
                on_conflict: \((invoicePolicy ?? policy).rawValue)
                fields: {id: int, total: int}
                children: {lines: {entity: Line, from: "lines[*]", key: [id]}}
              Line:
                fields: {id: int, note: string}
                children: {taxes: {entity: Tax, from: "taxes[*]", key: [id]}}
              Tax:
                fields: {id: int, rate: int}
            streams:
              - {name: invoices, entity: Invoice, path: remote.json,
                 delete_missing: {mode: \(mode.rawValue), max_delete: 100%, min_records: 0}}
            """
        let (definition, problems) = PipelineLoader.load(
            bytes: Array(text.utf8), file: "test.yaml", environment: [:], mode: .run)
        guard let definition else {
            throw Workshop.Disagreement(what: TextDiagnosticRenderer().render(problems))
        }
        shop.definition = definition
    }

    /// Takes over what the source says, after a plan that must say the same; nothing leads nowhere then.
    @discardableResult
    func run(_ json: String? = nil) throws -> RunReport {
        let (report, _) = try shop.syncPlanned(json)
        #expect(report.problems.filter { $0.severity == .error } == [])
        #expect(try shop.database.brokenReferences() == [])
        return report
    }

    /// Decides all conflicts alike.
    func resolve(_ resolution: Resolution) throws -> Int64 { try #require(shop.resolve(all: resolution).first) }

    /// The rows that are not marked as deleted, as in `1=5`, `1/10=a` and `1/10/1=7`.
    func rows() throws -> [String] {
        func there(_ table: String) throws -> String {
            try shop.database.columns(of: table).contains("_deleted_at") ? " WHERE _deleted_at IS NULL" : ""
        }
        let found = try shop.rows(
            """
            SELECT id || '=' || total FROM invoice\(there("invoice"))
            UNION ALL SELECT invoice_id || '/' || id || '=' || note FROM line\(there("line"))
            UNION ALL SELECT line_invoice_id || '/' || line_id || '/' || id || '=' || rate FROM tax\(there("tax"))
            ORDER BY 1
            """)
        return found.map { String($0.dropFirst().dropLast()) }
    }
}

import SluicePipeline

extension Workshop {
    /// Defines a pipeline of invoices with lines, and of lines with taxes.
    ///
    /// - Parameters:
    ///   - line: What tells the lines of an invoice apart: `id`, or `position` for a list that is one value.
    ///   - tax: What tells the taxes of a line apart, likewise.
    ///   - mode: What becomes of the rows of invoices that are gone.
    ///   - invoice: The fields of an invoice.
    ///   - rules: Further keys of the pipeline.
    /// - Throws: What is wrong with it.
    func defineInvoices(
        line: String, tax: String, mode: DeleteRule.Mode, invoice: String, rules: String = ""
    ) throws {
        func list(_ key: String) -> String { key == "id" ? "key: [id]" : "ordered: true" }
        try define(
            "shop",
            """
            \(rules)
            entities:
              Invoice:
                primary_key: id
                fields: {\(invoice)}
                children: {lines: {entity: Line, from: "lines[*]", \(list(line))}}
              Line:
                fields: {id: int, note: string}
                children: {taxes: {entity: Tax, from: "taxes[*]", \(list(tax))}}
              Tax:
                fields: {id: int, rate: int}
            streams:
              - {name: invoices, entity: Invoice, path: remote.json,
                 delete_missing: {mode: \(mode.rawValue), max_delete: 100%, min_records: 0}}
            """)
    }
}

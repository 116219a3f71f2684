internal import SluiceDiagnostics
internal import SluiceStore

/// What was copied from one store to another, for people.
struct StoreCopyText {
    let style: TextStyle

    func text(_ report: StoreCopyReport, from source: String, to target: String) -> String {
        var text = style.paint(PrintableText.escape("\(source) → \(target)"), .strong) + "\n"
        let tables = report.tables.filter { $0.role == .table }
        let width = tables.map { ShortText.of($0.name).count }.max() ?? 0
        for table in tables {
            text += "  \(ShortText.padded(ShortText.of(table.name), to: width))  \(CountText.of(table.rows, "row"))\n"
        }
        text +=
            "\n\(CountText.of(report.rows(.table), "row")) in \(CountText.of(tables.count, "table")), \(CountText.of(report.rows(.base), "base row")) and \(CountText.of(report.rows(.ledger), "ledger row")) copied"
        text += report.isVerified ? ", and compared: all are equal.\n" : ".\n"
        for left in report.left { text += PrintableText.escape("Not copied: \(left).") + "\n" }
        return text
    }
}

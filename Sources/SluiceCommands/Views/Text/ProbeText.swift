internal import SluiceDiagnostics
internal import SluiceDiscovery

/// What a probe found in its source, for people.
struct ProbeText {
    let probe: SourceProbe
    /// The key that was asked for, nil for what was found.
    let key: ImportKey?
    /// The file that the pipeline could be written to, nil where it is written already.
    let next: String?

    /// The findings, each with its reasons, and the fields as a table.
    func text(style: TextStyle) -> String {
        let pages = CountText.of(probe.pages, "page")
        let rest = probe.isWhole ? ", all that there are" : ""
        var text = style.paint("\(ShortText.of(probe.url, width: 120))", .strong)
        text += "  \(pages) read\(rest), \(CountText.of(probe.requests, "request"))\n"
        let findings = probe.findings(key: key?.identity)
        let width = findings.map { TextWidth.of($0.name) }.max() ?? 0
        for (name, finding) in findings {
            let certainty = ShortText.padded(finding.certainty.rawValue, to: 7)
            text += "  \(ShortText.padded(name, to: width))  \(certainty)  "
            text += style.paint(ShortText.of(finding.text, width: 120), .strong) + "\n"
            let indent = String(repeating: " ", count: width + 13)
            for reason in finding.evidence {
                text += style.paint(indent + ShortText.of(reason, width: 300), .faint) + "\n"
            }
        }
        if let length = probe.usualLength {
            text +=
                "\(PaginatorSearch.usual(length)). Ask the source for a second page; `paginator` says how it is asked for.\n"
        } else if !probe.isWhole && probe.syncToken == nil {
            text += "The last page was not read. It may hold a link or token for changes; `--pages N` reads further.\n"
        }
        text += ImportText(probe.inspection).table(style)
        if let next {
            text +=
                "To write a first pipeline, for you to check:\n  the same command with --write-pipeline \(next)\n"
        }
        return probe.hiding(text)
    }
}

/// The forms of a report, and what each of them is by itself: the table behind `--format`.
package enum ReportFormat: String, CaseIterable, Sendable {
    case text, json, markdown, html, csv

    /// What help says of it.
    var help: String {
        switch self {
        case .text: "text for people"
        case .json: "json for programs"
        case .markdown: "markdown for a pull request"
        case .html: "html for a browser"
        case .csv: "csv for a spreadsheet, a row for each changed field"
        }
    }

    /// The most changes that it lists unless another number is asked for, nil for all.
    var changeLimit: Int? {
        switch self {
        case .text: 200
        // Markdown lists as many of each kind as there is room for.
        case .json, .markdown, .html, .csv: nil
        }
    }

    /// Whether it has something to say besides the records that it lists.
    var hasSummary: Bool {
        switch self {
        case .text, .markdown, .html: true
        // Lists that are empty would say that there is nothing.
        case .json, .csv: false
        }
    }

    /// Which forms `--summary-only` is for.
    static var summaryHelp: String { allCases.filter(\.hasSummary).map(\.rawValue).joined(separator: ", ") }

    /// A document in this form.
    func document(_ setting: ReportSetting) -> any ReportDocument {
        switch self {
        case .text: TextDocument(setting)
        case .json: JSONReport(setting)
        case .markdown: MarkdownReport(setting)
        case .html: HTMLReport(setting)
        case .csv: ReportSheet(setting)
        }
    }

    /// What `--format` says in help.
    static var formatHelp: String {
        let words = allCases.map(\.help)
        return words.dropLast().joined(separator: ", ") + " or \(words.last ?? "") (default: text)"
    }

    /// What `--changes` says in help of how many are listed.
    static var limitHelp: String {
        allCases.map { form in
            let most = form == .markdown ? "what has room" : form.changeLimit.map { String($0) } ?? "all"
            return "\(form.rawValue) \(most)"
        }.joined(separator: ", ")
    }
}

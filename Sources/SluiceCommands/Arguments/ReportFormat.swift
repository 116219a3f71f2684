/// The forms of a report, and what each of them is by itself: the table behind `--format`.
package enum ReportFormat: String, CaseIterable, Sendable {
    case text, json, markdown, csv

    /// What help says of it.
    var help: String {
        switch self {
        case .text: "text for people"
        case .json: "json for programs"
        case .markdown: "markdown for a pull request"
        case .csv: "csv for a spreadsheet, a row for each changed field"
        }
    }

    /// The most changes that it lists unless another number is asked for, nil for all.
    var changeLimit: Int? {
        switch self {
        case .text: 200
        case .markdown: 2_000
        case .json, .csv: nil
        }
    }

    /// A document in this form.
    func document(_ setting: ReportSetting) -> any ReportDocument {
        switch self {
        case .text: TextDocument(setting)
        case .json: JSONReport(setting)
        case .markdown: MarkdownReport(setting)
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
        allCases.map { "\($0.rawValue) \($0.changeLimit.map { String($0) } ?? "all")" }.joined(separator: ", ")
    }
}

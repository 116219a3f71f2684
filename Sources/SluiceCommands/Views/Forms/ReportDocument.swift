internal import SluiceReport

/// A document in one form: what stands around the reports of pipelines, and what records each of them.
protocol ReportDocument: AnyObject {
    /// Writes what stands before the reports.
    ///
    /// - Parameters:
    ///   - findings: What an import found, nil for other commands.
    ///   - count: How many reports there will be at most.
    ///   - output: Where the text goes.
    /// - Throws: `SystemError`.
    func begin(_ findings: ImportFindings?, count: Int, to output: ResultOutput) throws
    /// Writes what stands before a report: the first one, or another.
    func separate(isFirst: Bool, to output: ResultOutput) throws
    /// What keeps what happens during the run that a report is about.
    func recorder(for subject: ReportSubject) -> any ReportRecorder
    /// Writes what stands behind the reports.
    func end(to output: ResultOutput) throws
}

/// What a report is about.
struct ReportSubject {
    /// The pipeline's name.
    let pipeline: String
    /// Which records belong to which.
    var families = EntityFamilies([])
    /// The command lines that the report names.
    let commands: CommandLines
    /// Whether records of tables are listed that had none before.
    var listsNewTables = true
    /// Whether it takes a run back.
    var isUndo = false
    let progressLine: ProgressLine
}

/// How reports are to be made.
struct ReportSetting {
    /// How text looks.
    let style: TextStyle
    /// The most changes to list, nil for all.
    let limit: Int?
    /// The most bytes of a document in Markdown.
    var mostBytes = MarkdownBudget.standard
}

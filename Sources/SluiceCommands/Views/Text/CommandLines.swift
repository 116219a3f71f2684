internal import SluiceDiagnostics
internal import SluiceReport

/// The command lines that a report names, so that they can be copied.
package struct CommandLines {
    /// What a command about the store must say to use the same one, with a blank before it; empty where it need not.
    let storeOption: String
    /// What plans a run of the pipeline, nil where it has no file of its own.
    let plan: String?
    /// What runs the pipeline, nil where it has no file of its own.
    let run: String?
    /// What the invocation permitted to delete.
    let allowedDeletes: Int?
    /// What the invocation permitted to do to tables.
    let allowedSchema: [String]
    /// What carries out the plan that is saved; nil where it is not.
    let apply: String?
    /// What is to be known of that; empty for nothing.
    let applyNote: String

    /// - Parameters:
    ///   - storeOption: What a command about the store must say to use the same one, with a blank before it.
    ///   - pipeline: What names the pipeline to `plan` and `run`, nil where it has no file of its own.
    ///   - allowedDeletes: What the invocation permitted to delete.
    ///   - allowedSchema: What the invocation permitted to do to tables.
    ///   - savedPlan: The file that the plan is saved to.
    ///   - values: What gives values to the pipeline.
    ///   - keepsAnswers: Whether that plan holds what the source answered.
    package init(
        storeOption: String, pipeline: String?, allowedDeletes: Int? = nil, allowedSchema: [String] = [],
        savedPlan: String? = nil, values: [String] = [], keepsAnswers: Bool = true
    ) {
        self.storeOption = storeOption
        (self.allowedDeletes, self.allowedSchema) = (allowedDeletes, allowedSchema)
        plan = pipeline.map { "sluice plan \($0)" }
        run = pipeline.map { "sluice run \($0)" }
        applyNote = keepsAnswers ? "" : "asks the source again, since the plan holds no answers"
        apply = savedPlan.map { (["sluice apply \(ShellWord.quoted($0))"] + values).joined(separator: " ") }
    }

    /// The store that commands must name, as they do; nil where they need not.
    var store: String? {
        let option = " --store "
        return storeOption.hasPrefix(option) ? String(storeOption.dropFirst(option.count)) : nil
    }

    /// What lists all changes of a report: once they are made, no run has them any more, and the history does.
    func listingAll(of report: RunReport) -> String {
        guard listsHistory(of: report), let run = report.run else { return "--changes all" }
        return "sluice history \(run) --limit all\(storeOption)"
    }

    /// Whether the changes of a report are listed by its run's history, which no run repeats.
    func listsHistory(of report: RunReport) -> Bool { report.command != .plan && report.isKept && report.run != nil }

    /// What lists more of the changes of a report, or all, as the end of a sentence.
    func listing(of report: RunReport) -> String {
        let all = listingAll(of: report)
        return all.hasPrefix("--") ? "`--changes N` or `\(all)`" : "`\(all)`"
    }
}

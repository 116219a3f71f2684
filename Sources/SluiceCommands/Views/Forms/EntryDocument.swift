/// A document in a form that is made of entries.
protocol EntryDocument: ReportDocument {
    /// The most changes to list, nil for all.
    var limit: Int? { get }
    /// What keeps the entries of a report and writes it.
    func view(for subject: ReportSubject) -> any EntryView
}

extension EntryDocument {
    func recorder(for subject: ReportSubject) -> any ReportRecorder {
        EntryRecorder(
            view(for: subject), limit: limit, families: subject.families, isUndo: subject.isUndo,
            progressLine: subject.progressLine)
    }
}

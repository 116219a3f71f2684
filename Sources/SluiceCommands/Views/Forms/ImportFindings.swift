internal import SluiceDiscovery

/// What an import found in its source, in each form.
struct ImportFindings {
    let view: ImportText
    let key: ImportKey
    let pagination: ProbeFinding?

    /// The object of a report for programs.
    var json: String { ImportJSON.text(view.inspection, key: key, pagination: pagination) }

    /// Whole lines for people.
    func text(style: TextStyle) -> String { view.text(key: key, style: style) }
}

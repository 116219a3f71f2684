internal import SluiceDiagnostics

/// Says what is kept of a run that does not come to its end.
struct CommitBuilder {
    let root: ConfigNode
    let keys: AvailableKeys
    let reporter: Reporter

    /// The mode that holds for a source and its streams.
    func build(source: SourceDefinition, streams: [StreamDefinition]) -> CommitMode {
        let chosen = root.member("commit")?.choice(CommitMode.self)
        guard source.base.isFile else {
            let nested = streams.first { $0.parent != nil || !$0.items.isEmpty }
            if chosen == .page, let nested, let place = root.member("commit") {
                let detail =
                    "`\(nested.name)` has a `\(nested.parent == nil ? "for_each" : "parent")`, and such a stream is written as a whole, not page by page."
                reporter.report(
                    .conflictingKeys, detail, at: place.start,
                    help: "Leave `commit` out, or make it `commit: run`; or give the stream a pipeline of its own.")
            }
            let isIncremental = keys.contains(.commit) && streams.contains { $0.asksForChanges }
            return chosen ?? (isIncremental && nested == nil ? .page : .run)
        }
        if chosen == .page, let place = root.member("commit") {
            let detail = "A run over the files of a `file:` source is written as a whole, not page by page."
            reporter.report(
                .conflictingKeys, detail, at: place.start, help: "Leave `commit` out, or make it `commit: run`.")
        }
        return .run
    }
}

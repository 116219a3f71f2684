internal import SluiceDiagnostics
internal import SluicePipeline

/// Says what is kept of a run that does not come to its end.
struct CommitBuilder {
    let root: ConfigNode
    let keys: AvailableKeys
    let reporter: Reporter

    /// The mode that holds for a source and its streams.
    func build(source: SourceDefinition, streams: [StreamDefinition]) -> CommitMode {
        let chosen = root.member("commit")?.choice(CommitMode.self)
        guard source.base.isFile else {
            // A stream that asks for one thing after the other is kept as a whole in any case.
            let isNested = streams.contains { $0.parent != nil || !$0.items.isEmpty }
            let isIncremental = keys.contains(.commit) && streams.contains { $0.asksForChanges }
            return chosen ?? (isIncremental && !isNested ? .page : .run)
        }
        if chosen == .page, let place = root.member("commit") {
            let detail = "A run over the files of a `file:` source is written as a whole, not page by page."
            reporter.report(
                .conflictingKeys, detail, at: place.start, help: "Leave `commit` out, or make it `commit: run`.")
        }
        return .run
    }
}

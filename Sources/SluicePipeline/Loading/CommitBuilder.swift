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
            let isIncremental = keys.contains(.commit) && streams.contains { $0.incremental != nil }
            let mode = chosen ?? (isIncremental ? .page : .run)
            if mode == .page { checkConfirmations(streams) }
            return mode
        }
        if chosen == .page, let place = root.member("commit") {
            let detail = "The files of a `file:` source are at hand, so a run over them is kept as a whole."
            reporter.report(
                .conflictingKeys, detail, at: place.start, help: "Leave `commit` out, or make it `commit: run`.")
        }
        return .run
    }

    /// What is missing is known when the last page is merged; the source cannot be asked for it then, since no
    /// transaction waits for a network.
    private func checkConfirmations(_ streams: [StreamDefinition]) {
        for (node, stream) in zip(root.member("streams")?.elements ?? [], streams) {
            guard case .request? = stream.deleteMissing.confirmation else { continue }
            reporter.report(
                .conflictingKeys,
                "`\(stream.name)` asks the source for what is missing, and with `commit: page` nothing can be asked while pages are kept.",
                at: node.member("delete_missing")?.start ?? node.start,
                help: "Let `confirm` be a number of scans, or `commit` be `run`.")
        }
    }
}

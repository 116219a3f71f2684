internal import SluiceDiagnostics
internal import SluicePipeline

/// Checks whether several workers can read what a stream asks for.
struct SpreadChecker {
    let root: ConfigNode
    /// Whether the source is files.
    let hasFiles: Bool
    /// Whether values of records are not to be in the store as they are.
    let hasRedactions: Bool
    let reporter: Reporter

    /// Checks a stream.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - node: The stream over the defaults.
    func check(_ stream: StreamDefinition, _ node: ConfigNode) {
        guard stream.isSpread, let place = node.member("spread")?.start else { return }
        if stream.parent == nil && stream.items.isEmpty {
            // A key that is wrong is told of itself.
            if node.member("parent") != nil || node.member("for_each") != nil { return }
            reporter.report(
                .conflictingKeys,
                "`spread` divides the requests of `parent` or `for_each` between workers, and `\(stream.name)` has neither: its pages follow one another.",
                at: place, help: "Leave `spread` out, or add `for_each` or `parent`.")
        } else if hasFiles {
            reporter.report(
                .conflictingKeys, "`spread` divides requests between workers, and a `file:` source makes none.",
                at: place, help: "Leave `spread` out.")
        } else if hasRedactions {
            reporter.report(
                .conflictingKeys,
                "`spread` has pages wait in the store as the source sent them, with the values that `redact` keeps out of it.",
                at: place, help: "Leave `spread` out: then pages wait in a temporary file of the run.")
        } else if let store = root.member("store"), store.string?.hasPrefix("sqlite:") == true {
            reporter.report(
                .unusedSpread,
                "The store is SQLite, which has one worker: it makes all requests of `\(stream.name)` itself.",
                at: place, help: "Several services share a store on PostgreSQL; see docs/serve.md.")
        }
    }
}

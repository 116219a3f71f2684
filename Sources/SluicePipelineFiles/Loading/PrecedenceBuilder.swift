internal import SluiceDiagnostics

/// Reads `merge.precedence`, and checks that it names streams.
struct PrecedenceBuilder {
    let root: ConfigNode
    let reporter: Reporter

    /// The sources as `pipeline/stream`, in their order.
    func build() -> [String] {
        let pipeline = root.member("name")?.string ?? ""
        let streams = (root.member("streams")?.elements ?? []).compactMap { $0.member("name")?.string }
        var paths: [String] = []
        for node in root.member("merge")?.member("precedence")?.elements ?? [] {
            guard let text = node.string else { continue }
            let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            if parts.count > 2 || parts.contains("") {
                reporter.report(
                    .invalidValue, "`\(text)` names no stream.", at: node.start,
                    help: "Write `stream`, or `pipeline/stream` for a stream of another pipeline.")
                continue
            }
            let isOwn = parts.count == 1 || parts[0] == pipeline
            if isOwn, !streams.contains(parts[parts.count - 1]) {
                reporter.report(
                    .unknownStream, "There is no stream `\(parts[parts.count - 1])` in this pipeline.", at: node.start,
                    suggestion: Suggestion.nearest(to: parts[parts.count - 1], among: streams),
                    help: "The streams are \(streams.quotedList); those of other pipelines are `pipeline/stream`.")
                continue
            }
            let path = parts.count == 1 ? "\(pipeline)/\(text)" : text
            if paths.contains(path) {
                reporter.report(.duplicateName, "`merge.precedence` names `\(text)` twice.", at: node.start)
            } else {
                paths.append(path)
            }
        }
        return paths
    }
}

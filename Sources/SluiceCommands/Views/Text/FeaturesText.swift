internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceSync

/// The features of streams, for people.
struct FeaturesText {
    let style: TextStyle

    /// The features of all streams of some pipelines, each with why it is off.
    func text(_ pipelines: [PipelineDefinition]) -> String {
        pipelines.flatMap { pipeline in pipeline.streams.map { text($0, of: pipeline) } }.joined()
    }

    private func text(_ stream: StreamDefinition, of pipeline: PipelineDefinition) -> String {
        let features = StreamFeatures(stream, in: pipeline)
        let width = StreamFeature.allCases.map(\.rawValue.count).max() ?? 0
        let lines = StreamFeature.allCases.map { feature in
            let reasons = features.reasons(against: feature)
            let state = reasons.isEmpty ? "on " : "off"
            let name = feature.rawValue + String(repeating: " ", count: width - feature.rawValue.count)
            let words = reasons.isEmpty ? feature.meaning : reasons.joined(separator: " ")
            return "  \(name)  \(state)  \(PrintableText.escape(words))\n"
        }
        let title = PrintableText.escape("\(pipeline.name)/\(stream.name)")
        return style.paint(title, .strong) + "\n" + lines.joined() + "\n"
    }
}

package import SluiceDiagnostics
internal import SluiceModel
internal import SluicePipeline
internal import SluiceSync

/// The problems of pipeline files, for programs.
package enum ProblemsJSON {
    /// - Parameters:
    ///   - problems: The problems.
    ///   - pipelines: Those whose features are told; nil to tell none.
    /// - Returns: The document.
    static func text(_ problems: [Diagnostic], explaining pipelines: [PipelineDefinition]?) -> String {
        var object = JSONObject()
        object.add("format", "sluice.validate/1")
        object.add("problems", json: JSONObject.array(problems.map(text)))
        if let pipelines {
            let streams = pipelines.flatMap { pipeline in pipeline.streams.map { text($0, of: pipeline) } }
            object.add("streams", json: JSONObject.array(streams))
        }
        return object.text + "\n"
    }

    private static func text(_ stream: StreamDefinition, of pipeline: PipelineDefinition) -> String {
        let features = StreamFeatures(stream, in: pipeline)
        var object = JSONObject()
        object.add("pipeline", pipeline.name)
        object.add("stream", stream.name)
        object.add(
            "features",
            json: JSONObject.array(
                StreamFeature.allCases.map { feature in
                    let reasons = features.reasons(against: feature)
                    var object = JSONObject()
                    object.add("feature", feature.rawValue)
                    object.add("on", reasons.isEmpty)
                    object.add("reasons", json: JSONObject.array(reasons.map { FieldJSON.quoted($0) }))
                    return object.text
                }))
        return object.text
    }

    /// One problem.
    package static func text(_ problem: Diagnostic) -> String {
        var object = JSONObject()
        for field in problem.fields {
            switch field.value {
            case .text(let text): object.add(field.name, text)
            case .number(let number): object.add(field.name, number)
            }
        }
        return object.text
    }
}

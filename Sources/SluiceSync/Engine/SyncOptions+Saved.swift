package import SluiceFetch
internal import SluiceHTTP
package import SluicePipeline
package import SluiceReconcile
internal import SluiceReport

extension SyncOptions {
    /// Has a plan kept together with what its source answers. The answers are not kept where fields are redacted, whose
    /// values they have in clear, nor where they repeat a secret.
    ///
    /// - Parameters:
    ///   - writer: Keeps it.
    ///   - pipeline: The pipeline, whose secrets are not kept.
    /// - Returns: What keeps the marks of the changes.
    package mutating func keep(in writer: PlanFileWriter, _ pipeline: PipelineDefinition) -> PlanGate {
        let gate = PlanGate()
        self.gate = gate
        if pipeline.hasRedactions { return gate }
        files = .kept(writer)
        if let replay {
            httpEnvironment.traffic = .replayed(
                replay.replayer.keeping { request, response throws(HTTPTrafficError) in
                    try writer.keep(request, response)
                })
        } else {
            let engine = SyncEngine(pipeline: pipeline, options: self, observer: SilentObserver())
            let secrets = engine.secretsInAnswers
            httpEnvironment.traffic = .recorded(
                HTTPRecorder(secrets: secrets) { request, response throws(HTTPTrafficError) in
                    try writer.keep(request, response)
                })
        }
        return gate
    }

    /// Has a saved plan carried out: by its answers where it has them, else by what the source says now.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - takesMoved: Whether records that changed since are merged anew, and not left as they are.
    /// - Returns: What compares with it.
    package mutating func apply(_ plan: PlanFileReader, takesMoved: Bool) -> PlanGate {
        let gate = PlanGate(
            marks: plan.marks, schema: plan.end.schema, takesMoved: takesMoved, name: plan.head.name,
            lacking: plan.end.lacking)
        self.gate = gate
        if plan.keepsAnswers { saved = plan }
        return gate
    }

    /// Texts of a pipeline that must not be kept.
    package func secrets(of pipeline: PipelineDefinition) -> [String] {
        SyncEngine(pipeline: pipeline, options: self, observer: SilentObserver()).secrets
            + pipeline.source.authentication.secrets
    }
}

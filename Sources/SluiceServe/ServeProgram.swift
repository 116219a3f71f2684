package import SluiceDiagnostics
package import SluicePipeline
package import SluicePipelineFiles

/// What the program around a service does for it. All of it is asked for on the thread of the service's loop.
package protocol ServeProgram: AnyObject {
    /// Reads a pipeline file: the definition, or nil where there are errors, and all problems.
    func load(_ file: String, _ texts: PipelineTexts) -> (PipelineDefinition?, [Diagnostic])
    /// Says which store a pipeline fills.
    func store(of pipeline: PipelineDefinition) -> Result<ServedStore, ServeProblem>
    /// What pipelines do not agree on, each with its place.
    func disagreements(of pipelines: [PipelineDefinition]) -> [Diagnostic]
    /// What a command line says to mean a pipeline, without the command.
    func arguments(for pipeline: PipelineDefinition) -> [String]
    /// Tells whom a pipeline names, without waiting for it.
    func notify(_ notice: ServeNotice)
    /// Writes the service's own log.
    func log(_ message: ServeMessage)
    /// Is called with each look at what is due, at least about once in a second.
    ///
    /// - Returns: Whether all files are to be read again.
    func looks() -> Bool
}

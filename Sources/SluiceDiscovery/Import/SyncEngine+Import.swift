package import SluicePipeline
package import SluiceReconcile
package import SluiceReport
package import SluiceSync

extension SyncEngine {
    /// Makes an engine for a run over what an import has fetched.
    ///
    /// - Parameters:
    ///   - pipeline: What to run; it has one stream.
    ///   - options: What the run is asked for.
    ///   - observer: Is told of each change.
    ///   - source: What was fetched for the stream; nil to fetch it.
    ///   - claim: The right to write to the store, where it was claimed before; the run lets it go at its end.
    package init(
        pipeline: PipelineDefinition, options: SyncOptions, observer: any RunObserver, source: ImportSource?,
        claim: StoreClaim?
    ) {
        self.init(
            pipeline: pipeline, options: options, observer: observer, fetched: source?.fetched,
            origin: source?.origin?.text, claim: claim)
    }
}

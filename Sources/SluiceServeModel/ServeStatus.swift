/// How a service is at a moment.
package struct ServeStatus: Sendable {
    /// The wall clock.
    package var now: Int64
    /// When the service was started.
    package var startedAt: Int64
    /// How many runs go at a time.
    package var workers: Int
    /// Whether the service has not yet looked at its pipelines.
    package var isStarting = false
    /// Whether no more runs are started since it was told to end.
    package var isStopping: Bool
    /// Why nothing can be decided at the moment, as where a store cannot be written; nil where all is well.
    package var trouble: String?
    /// Files that have errors and were never good, so that not even a name is known.
    package var brokenFiles: [ServedFile]
    /// The pipelines, in the order of their names.
    package var pipelines: [ServedPipeline]
    /// This service and the others that share its stores, by their places.
    package var crew: [ServedWorker] = []
    /// Runs that are going besides those of ``pipelines``: a plan beside a run, or a run of a pipeline that is gone.
    package var unlisted: [ServedRun] = []

    /// Makes a status without pipelines.
    package init(now: Int64, startedAt: Int64, workers: Int) {
        (self.now, self.startedAt, self.workers) = (now, startedAt, workers)
        (isStopping, trouble, brokenFiles, pipelines) = (false, nil, [], [])
    }

    /// All runs that are going.
    package var running: [ServedRun] { pipelines.compactMap(\.running) + unlisted }

    /// The pipeline of a name.
    package func pipeline(named name: String) -> ServedPipeline? { pipelines.first { $0.name == name } }
}

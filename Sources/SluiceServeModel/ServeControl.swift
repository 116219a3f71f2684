/// What may be asked of a service that runs pipelines: by its page, by its API and by tests.
///
/// Each call may come from any thread and does not wait for a run or a store; a change is taken up by the service's
/// own loop. Moments are whole seconds since 1970-01-01T00:00:00Z.
package protocol ServeControl: Sendable {
    /// What there is at this moment: all pipelines, in the order of their names, and how the service is.
    func status() -> ServeStatus

    /// Starts a run or a plan that nobody scheduled.
    ///
    /// It waits while the pipeline is running, or where all workers are busy, and goes before what is scheduled.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline's name.
    ///   - kind: Whether it is kept.
    ///   - who: Who asks for it, for the log.
    /// - Returns: The number by which its events, log and reports are found.
    /// - Throws: ``ServeRefusal``.
    func start(pipeline: String, _ kind: ServedRun.Kind, by who: String) throws(ServeRefusal) -> ServedRun.ID

    /// Stops a run that is going, or gives up one that waits.
    ///
    /// It gets SIGTERM, and SIGKILL 30 s later; a second call sends SIGKILL at once.
    ///
    /// - Throws: ``ServeRefusal`` where there is no such run, or it has ended.
    func stop(_ run: ServedRun.ID, by who: String) throws(ServeRefusal)

    /// Reads the pipeline files again, as SIGHUP does.
    func reload()

    /// The runs that are kept with their reports.
    ///
    /// - Parameters:
    ///   - pipeline: Of this one alone, nil for all.
    ///   - before: Only those with a lower number, nil for the newest.
    ///   - limit: The most that are given.
    /// - Returns: The runs, newest first.
    func runs(of pipeline: String?, before: ServedRun.ID?, limit: Int) -> [ServedRun]

    /// One of these runs, nil where it is not known (any more).
    func run(_ id: ServedRun.ID) -> ServedRun?

    /// The run that has this number in the store of a pipeline, nil where the service has not run it.
    func run(ofStoreRun number: Int64, pipeline: String) -> ServedRun?

    /// Where a document of a run is kept, nil where there is none (any more); one that is going has a log that grows.
    func path(of document: ServedRun.Document, of run: ServedRun.ID) -> String?

    /// Calls a handler with each event from now on, in their order, on the service's own thread: it must not wait.
    ///
    /// - Returns: What ends it in ``unsubscribe(_:)``.
    func subscribe(_ handler: @escaping @Sendable (ServeEvent) -> Void) -> ServeSubscription

    /// Ends a subscription.
    func unsubscribe(_ subscription: ServeSubscription)
}

/// Names a subscription of events.
package struct ServeSubscription: Hashable, Sendable {
    /// Its number.
    package let number: Int

    /// Names a subscription.
    package init(number: Int) { self.number = number }
}

/// Why the service does not do what it was asked for.
package struct ServeRefusal: Error, Hashable, Sendable {
    /// The kind of reason.
    package enum Kind: String, Sendable {
        /// There is no such pipeline or run.
        case unknown
        /// The pipeline's file has errors and no version of it was ever good.
        case broken
        /// The run has ended.
        case ended
        /// A run or plan of the pipeline waits already.
        case waiting
        /// The service is about to end.
        case stopping
    }

    /// The kind of reason.
    package let kind: Kind
    /// The reason and the remedy, as sentences.
    package let message: String

    /// Makes a refusal.
    package init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }
}

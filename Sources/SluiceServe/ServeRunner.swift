package import SluiceSchedule
package import SluiceServeModel

/// Starts runs for a service.
package protocol ServeRunner: Sendable {
    /// Starts a run.
    ///
    /// - Parameters:
    ///   - order: What is to be run.
    ///   - onNews: Is told how it goes, on any thread; once that it ended, and nothing after.
    /// - Returns: What stops it.
    func start(_ order: RunOrder, onNews: @escaping @Sendable (RunNews) -> Void) -> any RunHandle
}

/// Stops a run.
package protocol RunHandle: Sendable {
    /// Asks it to stop.
    func terminate()
    /// Ends it.
    func kill()
}

/// What is to be run.
package struct RunOrder: Sendable {
    /// The run.
    package let run: ServedRun
    /// What a command line says to mean the pipeline.
    package let arguments: [String]
    /// The file with the texts of the pipeline, see `PipelineTexts`.
    package let texts: String
    /// The token of the claim by which it is kept; nil where the store belongs to this service.
    package var claim: Int64?
    /// The share whose partitions are to be read for another service's run, in the place of a run of its own; nil for a run.
    package var share: ShareTicket?
    /// The last run of the pipeline of which was told that it failed, where none has succeeded since.
    package var told: ToldFailure?
    /// The folder for its documents.
    package let folder: String

    /// Where a document goes.
    package func path(of document: ServedRun.Document) -> String { "\(folder)/\(document.rawValue)" }
}

/// How a run goes.
package enum RunNews: Sendable {
    /// It has come further.
    case progressed(ServedProgress)
    /// It has ended.
    case ended(RunEnding)
}

/// How a run ended.
package struct RunEnding: Sendable {
    /// The program's exit code, or minus the number of the signal that ended it; nil where it could not be started.
    package var exitCode: Int32?
    /// The status of its report; nil where it told none.
    package var status: String?
    /// The run's number in the store.
    package var storeRun: Int64?
    /// What its records came to.
    package var counts: ServedCounts?
    /// How long its parts took.
    package var times = ServedTimes()
    /// The first error that it told, and its code.
    package var error: (code: String, message: String)?

    /// Makes an ending of which nothing is known.
    package init() {}
}

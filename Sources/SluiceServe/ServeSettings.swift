package import SluiceDiagnostics
package import SluicePipeline
package import SluiceServeModel
package import SluiceStores

/// How a service is to work.
package struct ServeSettings: Sendable {
    /// The files of pipelines, and folders of them.
    package var paths: [String]
    /// Where logs and reports are kept.
    package var stateFolder: String
    /// How many runs go at a time.
    package var workers = 2
    /// How many seconds runs may go on once the service is told to end.
    package var graceSeconds = 30.0
    /// Where the service is, for those who look at the workers of a pool.
    package var place = ""
    /// How many seconds the service may be silent before others of its pool take its runs over.
    package var leaseSeconds = 60.0
    /// How many runs of each pipeline are kept with their documents.
    package var keptRuns = 50
    /// How many decided due times of each pipeline the store keeps.
    package var keptDueTimes = 300
    /// The clocks.
    package var clock = ServeClock.system
    /// Starts runs.
    package var runner: any ServeRunner

    /// Makes settings with the defaults.
    package init(paths: [String], stateFolder: String, runner: any ServeRunner) {
        (self.paths, self.stateFolder, self.runner) = (paths, stateFolder, runner)
    }
}

/// The store of a pipeline.
package struct ServedStore: Sendable, Hashable {
    /// Where it is.
    package let address: StoreAddress
    /// Whether nobody may be told where it is.
    package let isSecret: Bool

    /// Names a store.
    package init(_ address: StoreAddress, isSecret: Bool) { (self.address, self.isSecret) = (address, isSecret) }
}

/// What people that a pipeline names are told by the service itself: a run tells the rest.
package struct ServeNotice: Sendable {
    /// What there is to tell.
    package let event: NotificationDefinition.Event
    /// The pipeline.
    package let pipeline: PipelineDefinition
    /// The due time that it is about, nil where somebody asked for the run.
    package let due: Int64?
    /// What happened, as a sentence.
    package let message: String
}

/// A line of the service's log.
package struct ServeMessage: Sendable {
    /// What a line is about.
    package enum Kind: Sendable {
        case reloaded, runStarted, runEnded, takenOver, helped, helpFailed, late, skipped, storeTrouble, fileProblem,
            stopping
    }

    /// What it is about.
    package let kind: Kind
    /// The pipeline, nil where it is about all of them.
    package var pipeline: String?
    /// The text, as sentences.
    package let text: String
    /// The run that it is about.
    package var run: ServedRun?
    /// The problem of a file that it is about.
    package var problem: Diagnostic?
}

/// Why a pipeline cannot be served.
package struct ServeProblem: Error {
    /// The problem, as those of its file are told.
    package let diagnostic: Diagnostic

    /// Makes a problem.
    package init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }
}
